// Requests of /v1/trade as bytes, in both forms. A readable request means the same in the other form. All other bytes are refused with the field and
// the rule.

import fc from 'fast-check';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/core/domain/json.ts';
import { type TradeRequest, tradeJsonCodec } from '../../src/core/wire/trade-messages.ts';
import { tradeProtobufCodec } from '../../src/core/wire/trade-protobuf.ts';
import { tradeRequest } from '../core/wire/trade-arbitraries.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { damagedJson } from './damaged-json.ts';
import { fuzz } from './fuzz.ts';

const texts = tradeRequest.map(plain => Buffer.from(tradeJsonCodec.encodeRequest(plain)));

fuzz({
  name: 'trade requests, protobuf',
  inputs: damagedBytes(
    tradeRequest.map(plain => Buffer.from(tradeProtobufCodec.encodeRequest(plain))),
    ['\x0a\x011', '\x12\x00', '\x2a\x00', '\x32\x00', '\x08\x02', '\x78\x01', '\x2a\x02\x0a\x00'],
  ),
  runs: 300,
  check(bytes) {
    const read = tradeProtobufCodec.decode(bytes);
    if (!read.ok) expect(read.error.message).toMatch(/^[^:]+: /);
    else expect(tradeJsonCodec.decode(Buffer.from(tradeJsonCodec.encodeRequest(plainOf(read.value))))).toEqual(read);
  },
});

fuzz({
  name: 'trade requests, JSON',
  inputs: fc.oneof(
    damagedBytes(texts, ['"op":"ping"', '"order":{}', '"id":""']),
    damagedJson([{ op: 'submit', id: '1', venue: 'venue_b', idempotencyKey: 'k', order: { ticker: 'T' } }]).map(text =>
      Buffer.from(text),
    ),
  ),
  runs: 300,
  check(bytes) {
    const read = tradeJsonCodec.decode(bytes);
    if (!read.ok) expect(read.error.message).toMatch(/^[^:]+: /);
    else
      expect(tradeJsonCodec.decode(Buffer.from(tradeJsonCodec.encodeRequest(plainOf(read.value))))).toMatchObject({
        ok: true,
      });
  },
});

/** Returns the request as its client wrote it: fields that are null after reading are left out. */
function plainOf(request: TradeRequest): JsonObject {
  const given = Object.entries(request).filter(([, value]) => value !== null);
  const plain: JsonObject = Object.fromEntries(given);
  if (request.op === 'submit' || request.op === 'replace')
    return { ...plain, order: JSON.parse(String(Buffer.from(request.order))) };
  const { body: _, ...members } = plain;
  return request.op === 'batch' ? { ...members, ...JSON.parse(String(Buffer.from(request.body))) } : plain;
}
