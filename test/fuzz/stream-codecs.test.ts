// Messages of the stream as bytes, in both forms. A client's message is understood as the naive twin understands it, or refused with
// the field and the rule. A server's message that can be read at all says what it says again when it is written.

import fc from 'fast-check';
import { expect } from 'vitest';
import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { writeDelta, writeTrade } from '../contract/stream-codec.ts';
import { clientMessage, delta, serverMessage, trade } from '../core/wire/arbitraries.ts';
import { naiveClientMessage } from '../support/naive-protobuf.ts';
import { corpus, jsonCorpus } from './corpus.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { damagedJson } from './damaged-json.ts';
import { fuzz } from './fuzz.ts';

const clientBytes = clientMessage.map(message => protobufCodec.encodeClient(message));
const clientTexts = fc.oneof(
  fc.constantFrom(...corpus('client-messages')).map(text => Buffer.from(text)),
  clientMessage.map(message => jsonCodec.encodeClient(message)),
);
const structure = damagedJson(jsonCorpus('client-messages')).map(text => Buffer.from(text));

fuzz({
  name: 'client messages, protobuf',
  inputs: damagedBytes(clientBytes, [
    '\x0a\x011',
    '\x12\x00',
    '\x22\x00',
    '\x2a\x00',
    '\x08\x01',
    '\x18\x80',
    '\x20\x01',
  ]),
  runs: 300,
  check(bytes) {
    const read = refusalsNamed(protobufCodec.decode(bytes));
    const plain = naiveClientMessage(bytes);
    const twin = plain === null ? fail('no message') : jsonCodec.decode(Buffer.from(JSON.stringify(plain)));
    expect(read.ok).toBe(twin.ok);
    if (read.ok) expect(read).toEqual(twin);
    if (read.ok) expect(protobufCodec.decode(protobufCodec.encodeClient(read.value))).toEqual(read);
  },
});

fuzz({
  name: 'client messages, JSON',
  inputs: fc.oneof(
    structure,
    damagedBytes(fc.oneof(clientTexts, structure), ['"op":"ping"', '"id":""', '"side":"no"']),
  ),
  runs: 300,
  check(bytes) {
    const read = refusalsNamed(jsonCodec.decode(bytes));
    if (!read.ok) return;
    expect(jsonCodec.decode(jsonCodec.encodeClient(read.value))).toEqual(read);
    // The text says all that is understood: anything beside it would have been refused.
    expect(new Set(leavesOf(JSON.parse(bytes.toString())))).toEqual(new Set(leavesOf(written(read.value))));
  },
});

fuzz({
  name: 'server messages',
  inputs: fc.constantFrom(protobufCodec, jsonCodec).chain(codec => {
    return fc.tuple(
      fc.constant(codec),
      damagedBytes(
        serverMessage.map(message => codec.encode(message)),
        ['"seq":2'],
      ),
    );
  }),
  runs: 300,
  check([codec, bytes]) {
    const read = attempt(() => codec.decodeServer(bytes));
    if (read.ok) expect(codec.decodeServer(codec.encode(read.value))).toEqual(read.value);
    else expect(read.error).not.toBe('');
  },
});

fuzz({
  name: 'templates',
  inputs: fc.tuple(fc.constantFrom(protobufCodec, jsonCodec), delta, trade),
  runs: 150,
  check([codec, change, sale]) {
    const template = codec.template(change.market);
    const sold = { ...sale, market: change.market };
    expect(Buffer.from(writeDelta(template, change))).toEqual(Buffer.from(codec.encode(change)));
    expect(Buffer.from(writeTrade(template, sold))).toEqual(Buffer.from(codec.encode(sold)));
  },
});

function refusalsNamed<T>(read: Result<T, { readonly message: string }>): typeof read {
  if (!read.ok) expect(read.error.message).toMatch(/^[!-~][ -~]*…?: [ -~]+$/);
  return read;
}

function attempt<T>(work: () => T): Result<T, string> {
  try {
    return ok(work());
  } catch (error) {
    return fail(String(error));
  }
}

function written(message: Parameters<typeof jsonCodec.encodeClient>[0]): unknown {
  return JSON.parse(Buffer.from(jsonCodec.encodeClient(message)).toString());
}

/** Values that are no objects, with where they are; what says no more than its absence is left out. */
function leavesOf(value: unknown, path = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}.${key}`));
  }
  return path === '.cancelOnDisconnect' && value === false ? [] : [`${path}=${JSON.stringify(value)}`];
}
