// The JSON form, letter by letter, as the contract (§8) shows it, and the words in which it refuses.

import { describe, expect, it } from 'vitest';
import { ASK, BID, type MarketKey, TAKER_SELL, TAKER_UNKNOWN } from '../../src/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import type { ServerMessage } from '../../src/wire/messages.ts';

const market: MarketKey = { venue: 'venue_b', ticker: 'KXNBAGAME-26NOV20BOSLAL-BOS' };
const token: MarketKey = {
  venue: 'venue_a',
  tokenId: '71321045679252212594626385532706912750332728571942532289631379',
};
const marketText = '{"venue":"venue_b","ticker":"KXNBAGAME-26NOV20BOSLAL-BOS"}';
const tokenText = `{"venue":"venue_a","tokenId":"${token.tokenId}"}`;
const price = (ticks: number) => ticks as Ticks;
const size = (micros: number) => micros as MicroShares;
const times = { venueTime: 1_795_237_201_007 as UnixMillis, receivedAt: 1_795_237_201_124 as UnixMillis };

const table: [ServerMessage, string][] = [
  [
    { type: 'subscribed', id: '1', channel: 'book', accepted: [market], rejected: [] },
    `{"type":"subscribed","id":"1","channel":"book","accepted":[${marketText}],"rejected":[]}`,
  ],
  [
    {
      type: 'unsubscribed',
      id: '2',
      channel: 'trade',
      accepted: [],
      rejected: [{ market: token, code: 'NOT_SUBSCRIBED', message: 'was not subscribed' }],
    },
    `{"type":"unsubscribed","id":"2","channel":"trade","accepted":[],"rejected":[{"market":${tokenText},` +
      '"code":"NOT_SUBSCRIBED","message":"was not subscribed"}]}',
  ],
  [
    {
      type: 'snapshot',
      market,
      epoch: 1_795_237_201_000,
      seq: 1,
      state: 'LIVE',
      bids: [
        { price: price(5_300), size: size(24_370_000) },
        { price: price(5_000), size: size(10_000_000) },
      ],
      asks: [],
      checksum: 4_294_967_295,
      ...times,
    },
    `{"type":"snapshot","channel":"book","market":${marketText},"epoch":1795237201000,"seq":1,"state":"LIVE",` +
      '"bids":[["0.53","24.37"],["0.5","10"]],"asks":[],"checksum":4294967295,' +
      '"venueTime":"2026-11-21T05:00:01.007Z","receivedAt":"2026-11-21T05:00:01.124Z"}',
  ],
  [
    {
      type: 'delta',
      market,
      epoch: 1_795_237_201_000,
      seq: 100,
      changes: [
        { side: BID, price: price(9_999), size: size(1) },
        { side: ASK, price: price(10), size: size(0) },
      ],
      checksum: 0,
      venueTime: 0 as UnixMillis,
      receivedAt: times.receivedAt,
    },
    `{"type":"delta","channel":"book","market":${marketText},"epoch":1795237201000,"seq":100,"prevSeq":99,` +
      '"changes":[["bid","0.9999","0.000001"],["ask","0.001","0"]],"checksum":0,' +
      '"venueTime":null,"receivedAt":"2026-11-21T05:00:01.124Z"}',
  ],
  [
    {
      type: 'trade',
      market: token,
      tradeId: '0xab"c',
      price: price(5_000),
      size: size(9_007_199_254_740_991),
      takerSide: TAKER_SELL,
      ...times,
    },
    `{"type":"trade","channel":"trade","market":${tokenText},"tradeId":"0xab\\"c","price":"0.5",` +
      '"size":"9007199254.740991","takerSide":"SELL",' +
      '"venueTime":"2026-11-21T05:00:01.007Z","receivedAt":"2026-11-21T05:00:01.124Z"}',
  ],
  [
    { type: 'state', market, state: 'RESYNCING', reason: 'SEQUENCE_GAP' },
    `{"type":"state","market":${marketText},"state":"RESYNCING","reason":"SEQUENCE_GAP"}`,
  ],
  [{ type: 'heartbeat', books: [{ market, epoch: 7, seq: 3 }] }, `{"type":"heartbeat","books":[[${marketText},7,3]]}`],
  [{ type: 'snapshotsDone', id: '1' }, '{"type":"snapshotsDone","id":"1"}'],
  [
    { type: 'error', id: null, code: 'INVALID_REQUEST', message: 'op: what?', rejected: [] },
    '{"type":"error","code":"INVALID_REQUEST","message":"op: what?"}',
  ],
  [
    {
      type: 'error',
      id: '3',
      code: 'UNKNOWN_MARKET',
      message: 'none of them',
      rejected: [{ market, code: 'UNKNOWN_MARKET', message: 'not found' }],
    },
    `{"type":"error","id":"3","code":"UNKNOWN_MARKET","message":"none of them","rejected":[{"market":${marketText},` +
      '"code":"UNKNOWN_MARKET","message":"not found"}]}',
  ],
  [{ type: 'pong', id: '4' }, '{"type":"pong","id":"4"}'],
];

describe('the JSON form', () => {
  it.each(table)('of $type', (message, text) => {
    expect(Buffer.from(jsonCodec.encode(message)).toString()).toBe(text);
  });

  it('of a trade whose taker is not known', () => {
    const template = jsonCodec.template(market);
    const frame = template.trade('1', price(1), size(1), TAKER_UNKNOWN, 0 as UnixMillis, times.receivedAt);
    expect(JSON.parse(Buffer.from(frame).toString())).toMatchObject({ takerSide: null, venueTime: null });
  });

  it('is read by clients whatever a later version adds to it', () => {
    const text = '{"type":"pong","since":"v2","id":"4","extra":{"deep":[1]}}';
    expect(jsonCodec.decodeServer(Buffer.from(text))).toEqual({ type: 'pong', id: '4' });
  });
});

/** What a client sent, and the refusal: its id and message. */
const refusals: [text: string, id: string | null, message: string][] = [
  ['', null, 'message: must be JSON text in UTF-8'],
  ['{"op":"ping"', null, 'message: must be JSON text in UTF-8'],
  ['\xff', null, 'message: must be JSON text in UTF-8'],
  ['[1]', null, 'message: must be an object, is an array'],
  ['null', null, 'message: must be an object, is null'],
  ['{"op":"ping"}', null, 'id: is missing; must be a string of 1 to 128 characters'],
  ['{"op":"ping","id":7}', null, 'id: must be a string of 1 to 128 characters, is a number'],
  ['{"op":"ping","id":""}', null, 'id: must be a string of 1 to 128 characters, has 0'],
  ['{"id":"1"}', '1', 'op: must be "subscribe" or "unsubscribe" or "snapshot" or "ping"'],
  ['{"op":"__proto__","id":"1"}', '1', 'op: must be "subscribe" or "unsubscribe" or "snapshot" or "ping"'],
  ['{"op":"ping","id":"1","at":3}', '1', 'at: is not a field here; the fields are op, id'],
  ['{"op":"ping","id":"1","__proto__":3}', '1', '__proto__: is not a field here; the fields are op, id'],
  ['{"op":"subscribe","id":"1","markets":[]}', '1', 'channel: must be "book" or "trade"'],
  ['{"op":"subscribe","id":"1","channel":"book"}', '1', 'markets: is missing; must be an array'],
  ['{"op":"subscribe","id":"1","channel":"book","markets":{}}', '1', 'markets: must be an array, is an object'],
  [
    '{"op":"subscribe","id":"1","channel":"book","markets":[{"venue":"venue_b","ticker":"T"},"T"]}',
    '1',
    'markets[1]: must be an object, is a string',
  ],
  ['{"op":"snapshot","id":"1","market":{"ticker":"T"}}', '1', 'market.venue: must be "venue_a" or "venue_b"'],
  [
    '{"op":"snapshot","id":"1","market":{"venue":"venue_c","ticker":"T"}}',
    '1',
    'market.venue: must be "venue_a" or "venue_b"',
  ],
  [
    '{"op":"snapshot","id":"1","market":{"venue":"venue_b","tokenId":"1"}}',
    '1',
    'market.tokenId: is not a field here; the fields are venue, ticker, side',
  ],
  [
    '{"op":"snapshot","id":"1","market":{"venue":"venue_b"}}',
    '1',
    'market.ticker: is missing; must be a string of 1 to 128 characters',
  ],
  [
    '{"op":"snapshot","id":"1","market":{"venue":"venue_b","ticker":"T","side":true}}',
    '1',
    'market.side: must be a string, is a boolean',
  ],
  [
    '{"op":"snapshot","id":"1","market":{"venue":"venue_a","tokenId":"1","side":"yes"}}',
    '1',
    'market.side: is not a field here; the fields are venue, tokenId',
  ],
  [
    `{"op":"ping","id":"1","${'x'.repeat(1_000)}":1}`,
    '1',
    `${'x'.repeat(64)}…: is not a field here; the fields are op, id`,
  ],
];

describe('a client message in JSON is refused', () => {
  it.each(refusals)('%s', (text, id, message) => {
    const answer = jsonCodec.decode(Buffer.from(text, 'latin1'));
    expect(answer).toEqual({ ok: false, error: { id, code: 'INVALID_REQUEST', message } });
  });
});
