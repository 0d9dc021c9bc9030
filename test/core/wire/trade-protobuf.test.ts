// Both forms of /v1/trade say the same. Requests and answers of each read as the other's, what one refuses the other does, and no bytes
// throw.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
    // Field 15 of the request, a varint.
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
