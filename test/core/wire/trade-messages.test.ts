// Both forms of /v1/trade have the same meaning. Requests and answers in one form read as those in the other. A request that one form
// refuses is refused in the other, and no bytes throw.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberText } from '../../../src/core/wire/json-text.ts';
import { tradeJsonCodec } from '../../../src/core/wire/trade-messages.ts';
import { tradeProtobufCodec } from '../../../src/core/wire/trade-protobuf.ts';
import { tradeAnswer, tradeRequest } from './trade-arbitraries.ts';

const bytesOf = (frame: string | Uint8Array): Uint8Array => (typeof frame === 'string' ? Buffer.from(frame) : frame);
const inBoth = [tradeJsonCodec, tradeProtobufCodec] as const;

describe('requests', () => {
  it('read the same in both forms, or are refused in the same words', () => {
    fc.assert(
      fc.property(tradeRequest, plain => {
        const [json, binary] = inBoth.map(codec => codec.decode(bytesOf(codec.encodeRequest(plain))));
        expect(binary).toEqual(json);
      }),
      { numRuns: 2_000 },
    );
  });

  it('stand for the same text of an order in any sequence of its members', () => {
    const order = { priceCents: 40, side: 'YES', count: 3, ticker: 'T', action: 'BUY' };
    const bytes = tradeProtobufCodec.encodeRequest({
      op: 'submit',
      id: '1',
      venue: 'venue_b',
      idempotencyKey: 'k',
      order,
    });
    const decoded = tradeProtobufCodec.decode(bytesOf(bytes));
    expect(decoded.ok && decoded.value.op === 'submit' && String(Buffer.from(decoded.value.order))).toBe(
      '{"ticker":"T","side":"YES","action":"BUY","count":3,"priceCents":40}',
    );
  });

  it('with two operations are refused', () => {
    const [first, second] = ['ping', 'cancel-on-disconnect'].map(op =>
      bytesOf(tradeProtobufCodec.encodeRequest({ op, id: '1' })),
    );
    expect(tradeProtobufCodec.decode(Buffer.concat([first!, second!]))).toMatchObject({
      ok: false,
      error: { message: 'op: is given twice' },
    });
  });

  it('with a field that no message has are refused, as in JSON', () => {
    // The bytes are field 15 of the request, a varint.
    const strange = Buffer.concat([
      bytesOf(tradeProtobufCodec.encodeRequest({ op: 'ping', id: '1' })),
      Buffer.from([0x78, 1]),
    ]);
    expect(tradeProtobufCodec.decode(strange)).toMatchObject({
      ok: false,
      error: { id: '1', message: expect.stringMatching(/^field 15 of wire type 0: is not a field here/) },
    });
  });

  it('of any bytes are read or refused in words', () => {
    const damaged = fc.tuple(tradeRequest, fc.nat(), fc.nat(255)).map(([plain, at, byte]) => {
      const bytes = Buffer.from(bytesOf(tradeProtobufCodec.encodeRequest(plain)));
      if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), damaged), bytes => {
        const decoded = tradeProtobufCodec.decode(bytes);
        if (!decoded.ok) expect(decoded.error.message).toMatch(/^[^:]+: /);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    [{ op: 'submit', order: { price: '0.12345' } }, /^submit\.order\.price: must be a decimal/],
    [{ op: 'submit', order: { count: 1.5 } }, /^submit\.order\.count: must be an integer/],
    [{ op: 'submit', order: { count: 2 ** 32 } }, /^submit\.order\.count: must be at most/],
    [{ op: 'submit', order: { postonly: true } }, /^submit\.order\.postonly: is not in crossbook\.v1\.NewOrder/],
    [{ op: 'cancel', venue: 'venue_z' }, /^cancel\.venue: is not a word/],
  ])('that the binary form cannot hold are faults of the client: %j', (plain, words) => {
    expect(() => tradeProtobufCodec.encodeRequest(plain)).toThrow(words);
  });
});

describe('answers', () => {
  it('are read as the same value in both forms', () => {
    fc.assert(
      fc.property(tradeAnswer, message => {
        const [json, binary] = inBoth.map(codec => codec.decodeMessage(bytesOf(codec.encode(message))));
        expect(binary).toEqual(json);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leave out what the binary form does not have', () => {
    const strange = {
      ...({ type: 'result', id: '1', status: 201, isOrder: true, headers: [] } as const),
      body: '{"orderId":"x","status":"OPEN","mood":{"is":1}}',
    };
    expect(tradeProtobufCodec.decodeMessage(bytesOf(tradeProtobufCodec.encode(strange)))).toEqual({
      ...{ type: 'result', id: '1', status: 201, order: { orderId: 'x', status: 'OPEN' } },
    });
  });
});

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
