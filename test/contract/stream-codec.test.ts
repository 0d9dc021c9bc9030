// Both codecs pass the codec contract, and agree.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../../src/core/wire/json.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { clientMessage, serverMessage } from '../core/wire/arbitraries.ts';
import { describeStreamCodec } from './stream-codec.ts';

describeStreamCodec(jsonCodec);
describeStreamCodec(protobufCodec);

describe('JSON and protobuf', () => {
  it('carry the same server messages', () => {
    fc.assert(
      fc.property(serverMessage, message => {
        const [json, proto] = [jsonCodec, protobufCodec].map(codec => codec.decodeServer(codec.encode(message)));
        expect(proto).toEqual(json);
        expect(Buffer.from(jsonCodec.encode(proto!)).equals(jsonCodec.encode(message))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('carry the same client messages', () => {
    fc.assert(
      fc.property(clientMessage, message => {
        const [json, proto] = [jsonCodec, protobufCodec].map(codec => codec.decode(codec.encodeClient(message)));
        expect(proto).toEqual(json);
      }),
      { numRuns: 500 },
    );
  });
});
