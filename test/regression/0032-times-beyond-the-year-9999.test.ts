// Found by `npm run fuzz` (server messages): the client accepted a year beyond 9999. `Date` reads such a year with a sign before it, so the
// client wrote it as another time. Times of messages have four-digit years.

import { expect, it } from 'vitest';
import { jsonCodec } from '../../src/wire/json.ts';

const book = {
  type: 'trade',
  market: { venue: 'venue_b', ticker: 'KXA' },
  epoch: 1,
  seq: 1,
  tradeId: 't',
  takerSide: null,
};
const trade = (receivedAt: string) =>
  Buffer.from(JSON.stringify({ ...book, price: '0.5', size: '1', venueTime: null, receivedAt }));

it.each(['+020000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '-000001-01-01T00:00:00.000Z'])(
  '%s is refused',
  receivedAt => {
    expect(() => jsonCodec.decodeServer(trade(receivedAt))).toThrow('receivedAt: must be an ISO-8601 time');
  },
);

it('9999-12-31T23:59:59.999Z is the last one', () => {
  const read = jsonCodec.decodeServer(trade('9999-12-31T23:59:59.999Z'));
  expect(jsonCodec.decodeServer(jsonCodec.encode(read))).toEqual(read);
});
