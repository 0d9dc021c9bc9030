// The JSON form of /v1/trade: requests as the client wrote them, results as REST would have answered, and no bytes that throw.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberText } from '../../../src/core/wire/json-text.ts';
import { tradeJsonCodec } from '../../../src/core/wire/trade-messages.ts';

const decode = (text: string) => tradeJsonCodec.decode(Buffer.from(text));
const encode = (message: Parameters<typeof tradeJsonCodec.encode>[0]) =>
  JSON.parse(String(tradeJsonCodec.encode(message)));

describe('the text of a member', () => {
  it.each([
    ['{"order":{"a":1}}', '{"a":1}'],
    ['{"order" : { "a" : [1, {"order":2}] } , "id":"1"}', '{ "a" : [1, {"order":2}] }'],
    ['{"id":"order","order":"x,}"}', '"x,}"'],
    ['{"x":{"order":1},"order":2}', '2'],
    ['{"x":["order",":"],"\\u006frder":[]}', '[]'],
    ['{"id":"1"}', ''],
  ])('of %s is %s', (text, member) => {
    expect(memberText(text, 'order')).toBe(member);
  });

  it('is what was written, among any other members', () => {
    fc.assert(
      fc.property(fc.json(), fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (order, others, at) => {
        const members = Object.entries(others)
          .filter(([name]) => name !== 'order')
          .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
        members.splice(at % (members.length + 1), 0, `"order": ${order}\n`);
        expect(memberText(`{${members.join(',')}}`, 'order')).toBe(order);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a request', () => {
  it('keeps the bytes of its order', () => {
    const order = '{ "ticker":"X", "count": 1 }';
    const text = `{"op":"submit","id":"1","venue":"venue_b","idempotencyKey":"k","order":${order}}`;
    const decoded = decode(text);
    expect(decoded).toMatchObject({ ok: true, value: { op: 'submit', notAfter: null, ack: false } });
    expect(decoded.ok && decoded.value.op === 'submit' && String(Buffer.from(decoded.value.order))).toBe(order);
  });

  it('of any bytes is read or refused in words', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map(order => JSON.stringify({ op: 'submit', id: '1', order })),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          text.map(it => Buffer.from(it)),
        ),
        bytes => {
          const decoded = tradeJsonCodec.decode(bytes);
          if (!decoded.ok) expect(decoded.error.message).toMatch(/^\S+: /);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('a result', () => {
  it('has the order, and what headers say', () => {
    const headers = [
      ['Idempotency-Replayed', 'true'],
      ['SVC-Recorded', 'false'],
      ['Retry-After', '3'],
      ['Server-Timing', 'parse;dur=0.1, total;dur=2'],
      ['RateLimit', '"submissions";r=1;t=1'],
    ] as const;
    const body = '{"orderId":"x","status":"OPEN"}';
    expect(encode({ type: 'result', id: '"1"', status: 201, body, isOrder: true, headers })).toEqual({
      ...{ type: 'result', id: '"1"', status: 201, order: { orderId: 'x', status: 'OPEN' } },
      ...{ replayed: true, recorded: false, retryAfterS: 3, timing: { parse: 0.1, total: 2 } },
    });
  });

  it('of a refusal has the error', () => {
    const body = '{"error":{"code":"NOT_FOUND","message":"orderId: no such order"}}';
    expect(encode({ type: 'result', id: '1', status: 404, body, isOrder: false, headers: [] })).toEqual({
      ...{ type: 'result', id: '1', status: 404 },
      error: { code: 'NOT_FOUND', message: 'orderId: no such order' },
    });
  });
});
