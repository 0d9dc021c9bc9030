// Peculiarities of the protobuf form: 64-bit integers, fields that the schema does not have, and frames that other
// implementations may write.

import { describe, expect, it } from 'vitest';
import { BID, type MarketKey } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { Delta } from '../../../src/core/wire/messages.ts';
import { type VenueOrderView, venueOrderView } from '../../../src/core/wire/order-views.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { writeDelta } from '../../contract/stream-codec.ts';
import { orderOf } from '../../support/memory-order-feed.ts';

const market: MarketKey = { venue: 'venue_b', ticker: 'KXNBAGAME-26NOV20BOSLAL-BOS' };

function deltaWith(value: number): Delta {
  return {
    type: 'delta',
    market,
    epoch: value,
    seq: value,
    prevSeq: value - 1,
    changes: [{ side: BID, price: 5_300 as Ticks, size: value as MicroShares }],
    checksum: 0xffff_ffff,
    venueTime: value as UnixMillis,
    receivedAt: value as UnixMillis,
  };
}

const corners = [2 ** 28, 2 ** 31, 2 ** 32, 2 ** 35, 2 ** 52].flatMap(corner => [corner - 1, corner, corner + 1]);

describe('the protobuf form', () => {
  it.each([...corners, Number.MAX_SAFE_INTEGER])('carries %d exactly', value => {
    const message = deltaWith(value);
    expect(protobufCodec.decodeServer(protobufCodec.encode(message))).toEqual(message);
    expect(protobufCodec.decodeServer(writeDelta(protobufCodec.template(market), message))).toEqual(message);
  });

  it('does not read an integer from 2^53 as a number near it', () => {
    const bytes = protobufCodec.encode(deltaWith(Number.MAX_SAFE_INTEGER));
    const last = bytes.length - 1;
    // receivedAt ends the frame as fixed64: its highest byte but one holds the bits from 2^48.
    expect(bytes[last - 1]).toBe(0x1f);
    bytes[last - 1] = 0x20;
    expect(() => protobufCodec.decodeServer(bytes)).toThrow('uint64: must be below 2^53');
  });

  it('costs about a third of the JSON form', () => {
    expect(protobufCodec.encode(deltaWith(1_795_237_201_124)).length).toBeLessThan(100);
  });

  it.each([
    [
      'of the message',
      [0x0a, 1, 0x31, 0x2a, 0, 0x48, 1],
      'field 9 of wire type 0: is not a field here; the fields are op, id',
    ],
    [
      'with another wire type',
      [0x0a, 1, 0x31, 0x28, 1],
      'op: is missing; must be "subscribe" or "unsubscribe" or "snapshot" or "ping"',
    ],
    [
      'inside it',
      [0x0a, 1, 0x31, 0x2a, 2, 0x08, 1],
      'field 1 of wire type 0: is not a field here; the fields are op, id',
    ],
  ])('refuses a field that the schema does not have: %s', (_where, bytes, message) => {
    const answer = protobufCodec.decode(new Uint8Array(bytes));
    expect(answer).toEqual({ ok: false, error: { id: '1', code: 'INVALID_REQUEST', message } });
  });

  it.each([
    ['no venue', [0x22, 0], 'market.venue: is missing; must be "venue_a" or "venue_b"'],
    ['a venue of the future', [0x22, 4, 0x0a, 2, 0x08, 9], 'market.venue: is missing; must be "venue_a" or "venue_b"'],
    [
      'the address of another venue',
      [0x22, 7, 0x0a, 5, 0x08, 2, 0x12, 1, 0x37],
      'market.tokenId: is not a field here; the fields are venue, ticker, side',
    ],
    [
      'no address',
      [0x22, 4, 0x0a, 2, 0x08, 1],
      'market.tokenId: is missing; must be a string of 1 to 128 characters (marketAddressCharactersMax)',
    ],
  ])('refuses a market with %s', (_what, snapshotOp, message) => {
    const answer = protobufCodec.decode(new Uint8Array([0x0a, 1, 0x31, ...snapshotOp]));
    expect(answer).toEqual({ ok: false, error: { id: '1', code: 'INVALID_REQUEST', message } });
  });

  it('tells a cursor of 0 from none', () => {
    for (const from of [0, null]) {
      const message = { op: 'subscribe', id: null, channel: 'orders', from, cancelOnDisconnect: false } as const;
      expect(protobufCodec.decode(protobufCodec.encodeClient(message))).toEqual({ ok: true, value: message });
    }
  });

  it('tells fees of 0 from none', () => {
    for (const feesUsd of ['0', null]) {
      const { venue, order } = venueOrderView(orderOf('actor', 1));
      const view = { venue, order: { ...order, feesUsd } } as VenueOrderView;
      const message = { type: 'order', cursor: 1, event: 'STATUS', ...view, fill: null } as const;
      expect(protobufCodec.decodeServer(protobufCodec.encode(message))).toEqual(message);
    }
  });

  it.each([
    ['markets with orders', [0x12, 4, 0x08, 3, 0x12, 0], '1', 'markets: is not a field here'],
    ['markets with orders, and no id', [0x12, 4, 0x08, 3, 0x12, 0], '', 'markets: is not a field here'],
    [
      'a cursor on another channel',
      [0x12, 4, 0x08, 1, 0x18, 0],
      '1',
      'from: is not a field here; the fields are op, id',
    ],
    [
      'a cursor from 2^53',
      [0x12, 11, 0x08, 3, 0x18, ...Array(6).fill(0x80), 0x80, 0x10],
      '1',
      'from: must be an integer from 0 to',
    ],
    [
      'a channel of the future',
      [0x12, 2, 0x08, 9],
      '1',
      'channel: must be "book" or "trade" or "quote" or "outcome" or "orders"',
    ],
    [
      'no id on another channel',
      [0x12, 2, 0x08, 1],
      '',
      'id: must be a string of 1 to 128 characters (streamIdCharactersMax), has 0',
    ],
  ])('refuses %s', (_what, subscription, id, message) => {
    const bytes = new Uint8Array([...(id === '' ? [] : [0x0a, 1, 0x31]), ...subscription]);
    expect(protobufCodec.decode(bytes)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(message) },
    });
  });

  it('refuses what is no message at all', () => {
    const error = { id: null, code: 'INVALID_REQUEST', message: 'message: must be a crossbook.v1.ClientMessage' };
    expect(protobufCodec.decode(new Uint8Array([0x0a, 200]))).toEqual({ ok: false, error });
    expect(protobufCodec.decode(new Uint8Array([0x0a, 1, 0xff]))).toEqual({ ok: false, error });
  });

  it('refuses an empty message for its missing id', () => {
    const error = {
      id: null,
      code: 'INVALID_REQUEST',
      message: 'id: must be a string of 1 to 128 characters (streamIdCharactersMax), has 0',
    };
    expect(protobufCodec.decode(new Uint8Array(0))).toEqual({ ok: false, error });
  });
});

// If a binary message had two operations, the last operation counted, and unknown fields of the first passed. A JSON text could begin with
// a byte order mark, which the body of a request may not.
describe('0025: a client message with two readings', () => {
  const refusal = (message: unknown) => ({ ok: false, error: { code: 'INVALID_REQUEST', message } });

  it('a binary message with two operations is refused, and none of them is chosen', () => {
    // The bytes are id "1", an unsubscribe with an unknown field, and a subscribe to orders from 0.
    const bytes = Uint8Array.of(10, 1, 0x31, 26, 2, 72, 32, 18, 4, 8, 3, 24, 0);
    expect(protobufCodec.decode(bytes)).toMatchObject(refusal('op: is given twice'));
  });

  it('a JSON text begins with itself', () => {
    const text = '{"op":"ping","id":"1"}';
    expect(jsonCodec.decode(Buffer.from(text))).toMatchObject({ ok: true });
    const marked = jsonCodec.decode(Buffer.from(`\u{feff}${text}`));
    expect(marked).toMatchObject(refusal(expect.stringContaining('JSON')));
  });
});
