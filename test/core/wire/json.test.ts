// The JSON form, letter by letter, as contract §8 shows it, and the words in which it refuses.

import { describe, expect, it } from 'vitest';
import { ASK, BID, type MarketKey, TAKER_SELL, TAKER_UNKNOWN } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { ServerMessage } from '../../../src/core/wire/messages.ts';
import { fillView, venueOrderView } from '../../../src/core/wire/order-views.ts';
import { FILL, orderOf } from '../../support/memory-order-feed.ts';

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

const orderText =
  '{"orderId":"00000000-0000-8000-8000-000000000007","ticker":"KXTEST-A","side":"YES","action":"BUY","count":25,' +
  '"size":"25","priceCents":53,"price":"0.53","timeInForce":{"type":"GTC"},"status":"PENDING","venueOrderId":null,' +
  '"createdAt":"2026-09-21T14:13:20.000Z","updatedAt":"2026-09-21T14:13:20.000Z","filledCount":null,' +
  '"averagePrice":null,"feesUsd":null,"closedAt":null,"error":null,"clientOrderId":"k","expiresAt":null,' +
  '"cancelReason":null,"venueError":null,"postOnly":false,"reduceOnly":false}';

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
      prevSeq: 99,
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
    { type: 'subscribed', id: null, channel: 'orders', accepted: [], rejected: [], cursor: 0 },
    '{"type":"subscribed","channel":"orders","accepted":[],"rejected":[],"cursor":0}',
  ],
  [
    { type: 'unsubscribed', id: '5', channel: 'orders', accepted: [], rejected: [], cursor: null },
    '{"type":"unsubscribed","id":"5","channel":"orders","accepted":[],"rejected":[]}',
  ],
  [
    { type: 'order', cursor: 17, event: 'FILL', ...venueOrderView(orderOf('actor', 7)), fill: fillView(FILL) },
    `{"type":"order","channel":"orders","cursor":17,"event":"FILL","venue":"venue_b","order":${orderText},` +
      '"fill":{"fillId":"fill-1","venueTradeId":"trade-1","price":"0.53","size":"10","feesUsd":"0.18",' +
      '"liquidity":"MAKER","settlement":"CONFIRMED","executedAt":"2026-09-21T14:13:20.000Z"}}',
  ],
  [
    { type: 'ordersSnapshot', id: '6', cursor: 17, orders: [venueOrderView(orderOf('actor', 7))], hasMore: false },
    '{"type":"ordersSnapshot","id":"6","channel":"orders","cursor":17,' +
      `"orders":[{"venue":"venue_b","order":${orderText}}],"hasMore":false}`,
  ],
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
    const venueTime = 0 as UnixMillis;
    const trade = { tradeId: '1', price: price(1), size: size(1), venueTime, receivedAt: times.receivedAt };
    const frame = template.trade({ ...trade, takerSide: TAKER_UNKNOWN });
    expect(JSON.parse(Buffer.from(frame).toString())).toMatchObject({ takerSide: null, venueTime: null });
  });

  it('is read by clients with additions of a later version', () => {
    const text = '{"type":"pong","since":"v2","id":"4","extra":{"deep":[1]}}';
    expect(jsonCodec.decodeServer(Buffer.from(text))).toEqual({ type: 'pong', id: '4' });
  });
});

describe('a client of the JSON form does not take for an order', () => {
  const event = { type: 'order', channel: 'orders', cursor: 1, event: 'STATUS', venue: 'venue_b' };
  const order = JSON.parse(orderText) as object;

  it.each<[string, object]>([
    ['cursor: is missing; must be an integer', { cursor: undefined }],
    ['event: must be "STATUS" or "FILL" or "FILL_REVERSED"', { event: 'LOST' }],
    ['venue: must be "venue_a" or "venue_b"', { venue: 'venue_c' }],
    ['order.tokenId: is missing; must be a string', { venue: 'venue_a' }],
    ['order.status: must be', { order: { ...order, status: 'LOST' } }],
    ['order.count: must be an integer', { order: { ...order, count: 2.5 } }],
    ['order.feesUsd: must be a decimal with at most 6 decimals', { order: { ...order, feesUsd: '1e3' } }],
    ['order.createdAt: must be an ISO-8601 time', { order: { ...order, createdAt: 'today' } }],
    ['order.timeInForce.type: must be', { order: { ...order, timeInForce: { type: 'DAY' } } }],
    ['order.error.code: must be', { order: { ...order, error: { code: 'WHY', message: null } } }],
    ['fill: must be an object, is a string', { fill: 'all' }],
  ])('what breaks the rule: %s', (rule, change) => {
    const text = JSON.stringify({ ...event, order, ...change });
    expect(() => jsonCodec.decodeServer(Buffer.from(text))).toThrow(rule);
  });
});

/** The text of a client, and the id and message of its refusal. */
const refusals: [text: string, id: string | null, message: string][] = [
  ['', null, 'message: must be JSON text in UTF-8'],
  ['{"op":"ping"', null, 'message: must be JSON text in UTF-8'],
  ['\xff', null, 'message: must be JSON text in UTF-8'],
  ['[1]', null, 'message: must be an object, is an array'],
  ['{"op":"ping","id":"1","id":"2"}', null, 'id: is given twice'],
  ['{"op":"ping","id":"1","\\u006fp":"snapshot"}', null, 'op: is given twice'],
  ['{"op":"snapshot","id":"1","market":{"venue":"venue_b","ticker":"T","ticker":"U"}}', null, 'ticker: is given twice'],
  ['{"":1,"a":[{"":1}],"":2}', null, '"": is given twice'],
  ['null', null, 'message: must be an object, is null'],
  ['{"op":"ping"}', null, 'id: is missing; must be a string of 1 to 128 characters (streamIdCharactersMax)'],
  ['{"op":"ping","id":7}', null, 'id: must be a string of 1 to 128 characters (streamIdCharactersMax), is a number'],
  ['{"op":"ping","id":""}', null, 'id: must be a string of 1 to 128 characters (streamIdCharactersMax), has 0'],
  [
    `{"op":"ping","id":"${'x'.repeat(129)}"}`,
    null,
    'id: must be a string of 1 to 128 characters (streamIdCharactersMax), has 129',
  ],
  ['{"id":"1"}', '1', 'op: is missing; must be "subscribe" or "unsubscribe" or "snapshot" or "ping"'],
  ['{"op":"__proto__","id":"1"}', '1', 'op: must be "subscribe" or "unsubscribe" or "snapshot" or "ping"'],
  ['{"op":"ping","id":"1","at":3}', '1', 'at: is not a field here; the fields are op, id'],
  ['{"op":"ping","id":"1","__proto__":3}', '1', '__proto__: is not a field here; the fields are op, id'],
  [
    '{"op":"subscribe","id":"1","markets":[]}',
    '1',
    'channel: must be "book" or "trade" or "quote" or "outcome" or "orders"',
  ],
  [
    '{"op":"ping","channel":"orders"}',
    null,
    'id: is missing; must be a string of 1 to 128 characters (streamIdCharactersMax)',
  ],
  [
    '{"op":"subscribe","channel":"orders","id":7}',
    null,
    'id: must be a string of 1 to 128 characters (streamIdCharactersMax), is a number',
  ],
  ['{"op":"subscribe","channel":"orders","from":-1}', null, 'from: must be an integer from 0 to 2^53 - 1'],
  ['{"op":"subscribe","channel":"orders","from":"7"}', null, 'from: must be an integer, is a string'],
  ['{"op":"subscribe","channel":"orders","from":null}', null, 'from: must be an integer, is null'],
  [
    '{"op":"subscribe","channel":"orders","id":"1","cancelOnDisconnect":1}',
    '1',
    'cancelOnDisconnect: must be true or false, is a number',
  ],
  [
    '{"op":"subscribe","channel":"orders","id":"1","markets":[]}',
    '1',
    'markets: is not a field here; the fields are op, id, channel, from, cancelOnDisconnect, queueStep',
  ],
  [
    '{"op":"subscribe","channel":"book","id":"1","from":1,"markets":[]}',
    '1',
    'from: is not a field here; the fields are op, id, channel, markets, depth',
  ],
  ...[0, 101].map((depth): [string, string, string] => [
    `{"op":"subscribe","channel":"book","id":"1","depth":${depth},"markets":[]}`,
    '1',
    'depth: must be an integer from 1 to 100',
  ]),
  [
    '{"op":"subscribe","channel":"trade","id":"1","depth":1,"markets":[]}',
    '1',
    'depth: is not a field here; the fields are op, id, channel, markets',
  ],
  [
    '{"op":"unsubscribe","channel":"book","id":"1","depth":1,"markets":[]}',
    '1',
    'depth: is not a field here; the fields are op, id, channel, markets',
  ],
  [
    '{"op":"subscribe","channel":"book","id":"1","minIntervalMs":1,"markets":[]}',
    '1',
    'minIntervalMs: is not a field here; the fields are op, id, channel, markets, depth',
  ],
  [
    '{"op":"subscribe","channel":"quote","id":"1","minIntervalMs":60001,"markets":[]}',
    '1',
    'minIntervalMs: must be an integer from 0 to 60000',
  ],
  [
    '{"op":"unsubscribe","channel":"orders","id":"1","from":1}',
    '1',
    'from: is not a field here; the fields are op, id, channel',
  ],
  ['{"op":"subscribe","id":"1","channel":"book"}', '1', 'markets: is missing; must be an array'],
  ['{"op":"subscribe","id":"1","channel":"book","markets":{}}', '1', 'markets: must be an array, is an object'],
  [
    '{"op":"subscribe","id":"1","channel":"book","markets":[{"venue":"venue_b","ticker":"T"},"T"]}',
    '1',
    'markets[1]: must be an object, is a string',
  ],
  [
    '{"op":"snapshot","id":"1","market":{"ticker":"T"}}',
    '1',
    'market.venue: is missing; must be "venue_a" or "venue_b"',
  ],
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
    'market.ticker: is missing; must be a string of 1 to 128 characters (marketAddressCharactersMax)',
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
