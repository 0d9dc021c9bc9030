// Random messages of the stream, for properties of the codecs. Sizes and sequence numbers crowd around the powers of two
// and ten where writing digits or halves of a 64-bit integer goes wrong first.

import fc from 'fast-check';
import {
  ASK,
  BID,
  BOOK_STATES,
  type Level,
  type MarketKey,
  type Side,
  STATE_REASONS,
  TAKER_BUY,
  TAKER_SELL,
  TAKER_UNKNOWN,
  type TakerSide,
} from '../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import {
  BOOK_DEPTH_MAX,
  CHANNELS,
  type Change,
  type ClientMessage,
  type Delta,
  type MarketRequest,
  type OutcomeMessage,
  QUOTE_INTERVAL_MS_MAX,
  type Quote,
  REJECTION_CODES,
  type Rejection,
  ROUTE_PROBLEMS,
  type Route,
  type RouteQuote,
  type ServerMessage,
  type Snapshot,
  type Trade,
} from '../../../src/core/wire/messages.ts';
import {
  actionMessage,
  cursor,
  lossLimitMessage,
  orderMessage,
  ordersAcknowledgement,
  ordersSnapshot,
  protectionMessage,
  queueMessage,
} from './order-arbitraries.ts';

const corners = [7, 14, 21, 28, 31, 32, 35, 42, 49, 53]
  .map(bits => 2 ** bits)
  .concat([2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15].map(digits => 10 ** digits))
  .flatMap(corner => [corner - 1, corner, corner + 1])
  .filter(Number.isSafeInteger);

/** Integers from 1 to 2^53 − 1. */
export const count = fc.oneof(
  fc.constantFrom(...corners),
  fc.integer({ min: 1, max: 2 ** 31 }),
  fc.maxSafeInteger().filter(value => value > 0),
);

const ticks = fc.integer({ min: 1, max: 9_999 }) as fc.Arbitrary<Ticks>;
export const size = fc.oneof(
  count,
  fc.integer({ min: 1, max: 100_000 }).map(shares => shares * 1_000_000),
  fc.integer({ min: 1, max: 10_000_000 }).map(hundredths => hundredths * 10_000),
) as fc.Arbitrary<MicroShares>;
const sizeOrNone = fc.oneof({ weight: 4, arbitrary: size }, fc.constant(0 as MicroShares)) as fc.Arbitrary<MicroShares>;

/** A time from 1970 to the end of the year 9999. Often it is close to its predecessor, as real times are. */
export const time = fc.oneof(
  fc.integer({ min: 1, max: 253_402_300_799_999 }),
  fc.integer({ min: 1_795_237_140_000, max: 1_795_237_260_000 }),
) as fc.Arbitrary<UnixMillis>;
const timeOrNone = fc.oneof({ weight: 4, arbitrary: time }, fc.constant(0 as UnixMillis)) as fc.Arbitrary<UnixMillis>;
const checksum = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff_ffff }));

/** Text of any kind, with quotes and emoji, but without lone surrogates, because UTF-8 has none. */
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });

export const market: fc.Arbitrary<MarketKey> = fc.oneof(
  fc.stringMatching(/^[A-Z0-9]{2,20}(-[A-Z0-9.]{1,12}){1,3}$/).map(ticker => ({ venue: 'venue_b', ticker }) as const),
  fc.stringMatching(/^[1-9][0-9]{70,77}$/).map(tokenId => ({ venue: 'venue_a', tokenId }) as const),
  id.map(ticker => ({ venue: 'venue_b', ticker }) as const),
);

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });

const side = fc.constantFrom<Side>(BID, ASK);
const takerSide = fc.constantFrom<TakerSide>(TAKER_UNKNOWN, TAKER_BUY, TAKER_SELL);
const level: fc.Arbitrary<Level> = fc.record({ price: ticks, size });
const change: fc.Arbitrary<Change> = fc.record({ side, price: ticks, size: sizeOrNone });
const rejection: fc.Arbitrary<Rejection> = fc.record({
  market,
  code: fc.constantFrom(...REJECTION_CODES),
  message: text,
});

const snapshot: fc.Arbitrary<Snapshot> = fc.record({
  type: fc.constant('snapshot'),
  market,
  epoch: count,
  seq: count,
  state: fc.constantFrom(...BOOK_STATES),
  bids: fc.array(level, { maxLength: 12 }),
  asks: fc.array(level, { maxLength: 12 }),
  checksum,
  venueTime: timeOrNone,
  receivedAt: time,
});

const deltaContent = fc.record({
  type: fc.constant('delta' as const),
  market,
  epoch: count,
  changes: fc.oneof(
    { weight: 9, arbitrary: fc.array(change, { minLength: 1, maxLength: 4 }) },
    fc.array(change, { minLength: 0, maxLength: 256, size: 'max' }),
  ),
  checksum,
  venueTime: timeOrNone,
  receivedAt: time,
});

/** Deltas of a whole book. */
export const delta: fc.Arbitrary<Delta> = fc
  .tuple(
    deltaContent,
    count.filter(seq => seq > 1),
  )
  .map(([content, seq]) => ({ ...content, seq, prevSeq: seq - 1 }));

/** Deltas of the best levels, whose sequence numbers have gaps. */
const sparseDelta: fc.Arbitrary<Delta> = fc
  .tuple(delta, fc.integer({ min: 1, max: 1_000_000 }))
  .map(([it, left]) => ({ ...it, prevSeq: Math.max(1, it.seq - left) }));

const quote: fc.Arbitrary<Quote> = fc.record({
  type: fc.constant('quote'),
  market,
  epoch: fc.oneof(count, fc.constant(0)),
  seq: fc.oneof(count, fc.constant(0)),
  state: fc.constantFrom(...BOOK_STATES),
  bid: orNull(level),
  ask: orNull(level),
  venueTime: timeOrNone,
  receivedAt: time,
});

export const trade: fc.Arbitrary<Trade> = fc.record({
  type: fc.constant('trade'),
  market,
  tradeId: text,
  price: ticks,
  size,
  takerSide,
  venueTime: timeOrNone,
  receivedAt: time,
});

const acknowledgement: fc.Arbitrary<ServerMessage> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('subscribed', 'unsubscribed'),
      id,
      channel: fc.constantFrom(...CHANNELS),
      accepted: fc.array(market, { maxLength: 4 }),
      rejected: fc.array(rejection, { maxLength: 4 }),
    }),
  },
  ordersAcknowledgement,
  fc.record({
    type: fc.constantFrom('subscribed', 'unsubscribed'),
    id,
    channel: fc.constant('outcome'),
    accepted: fc.array(id, { maxLength: 3 }),
    rejected: fc.array(fc.record({ catalogMarket: id, code: fc.constantFrom(...REJECTION_CODES), message: text }), {
      maxLength: 3,
    }),
  }),
);

const route: fc.Arbitrary<Route> = market.chain<Route>(key =>
  fc.record({
    market: fc.constant(key),
    side: key.venue === 'venue_a' ? fc.constant(null) : fc.constantFrom('YES', 'NO'),
  }),
);
const dollars = fc.integer({ min: 0, max: 1_000_000 }) as fc.Arbitrary<number> as fc.Arbitrary<MicroDollars>;
const routeQuote: fc.Arbitrary<RouteQuote> = fc.record({
  route,
  price: ticks,
  fee: dollars,
  netPrice: fc.integer({ min: -1_000_000, max: 2_000_000 }) as fc.Arbitrary<number> as fc.Arbitrary<MicroDollars>,
  size,
  state: fc.constantFrom(...BOOK_STATES),
  ageMs: fc.oneof(count, fc.constant(0)),
});
const outcome: fc.Arbitrary<OutcomeMessage> = fc.record({
  type: fc.constant('outcome'),
  catalogMarket: id,
  outcomes: fc.array(fc.record({ name: text, buy: orNull(routeQuote), sell: orNull(routeQuote) }), { maxLength: 3 }),
  omitted: fc.array(fc.record({ route, why: fc.constantFrom(...ROUTE_PROBLEMS) }), { maxLength: 3 }),
  notes: fc.array(text, { maxLength: 2 }),
});

/** One arbitrary for every type of server message: the compiler counts them. */
export const serverMessages: Record<ServerMessage['type'], fc.Arbitrary<ServerMessage>> = {
  snapshot,
  delta: fc.oneof(delta, sparseDelta),
  quote,
  outcome,
  trade,
  subscribed: acknowledgement,
  unsubscribed: acknowledgement,
  state: fc.record({
    type: fc.constant('state'),
    market,
    state: fc.constantFrom(...BOOK_STATES),
    reason: fc.constantFrom(...STATE_REASONS),
  }),
  heartbeat: fc.record({
    type: fc.constant('heartbeat'),
    books: fc.array(fc.record({ market, epoch: count, seq: count }), { maxLength: 5 }),
  }),
  order: orderMessage,
  action: actionMessage,
  ordersSnapshot,
  protection: protectionMessage,
  lossLimit: lossLimitMessage,
  queue: queueMessage,
  snapshotsDone: fc.record({ type: fc.constant('snapshotsDone'), id }),
  error: fc.record(
    {
      type: fc.constant('error'),
      id: orNull(id),
      code: text,
      message: text,
      rejected: fc.array(rejection, { maxLength: 3 }),
      podOwner: text,
    },
    { requiredKeys: ['type', 'id', 'code', 'message', 'rejected'] },
  ),
  pong: fc.record({ type: fc.constant('pong'), id }),
};
export const serverMessage = fc.oneof(...Object.values(serverMessages));

const request: fc.Arbitrary<MarketRequest> = market.chain<MarketRequest>(key =>
  key.venue === 'venue_a'
    ? fc.constant({ market: key, side: null })
    : fc.record({ market: fc.constant(key), side: orNull(fc.oneof(fc.constantFrom('yes', 'no'), text)) }),
);

export const clientMessage: fc.Arbitrary<ClientMessage> = fc.oneof(
  fc.record({
    op: fc.constantFrom('subscribe', 'unsubscribe'),
    id,
    channel: fc.constantFrom(...CHANNELS),
    markets: fc.array(request, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    op: fc.constant('subscribe'),
    id,
    channel: fc.constant('book'),
    depth: fc.integer({ min: 1, max: BOOK_DEPTH_MAX }),
    markets: fc.array(request, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    op: fc.constant('subscribe'),
    id,
    channel: fc.constant('quote'),
    minIntervalMs: fc.integer({ min: 0, max: QUOTE_INTERVAL_MS_MAX }),
    markets: fc.array(request, { minLength: 1, maxLength: 5 }),
  }),
  fc.record(
    {
      op: fc.constant('subscribe'),
      id: orNull(id),
      channel: fc.constant('orders'),
      from: orNull(cursor),
      cancelOnDisconnect: fc.boolean(),
      queueStep: size,
    },
    { requiredKeys: ['op', 'id', 'channel', 'from', 'cancelOnDisconnect'] },
  ),
  fc.record({ op: fc.constant('unsubscribe'), id: orNull(id), channel: fc.constant('orders') }),
  fc.record({
    op: fc.constant('subscribe'),
    id,
    channel: fc.constant('outcome'),
    minIntervalMs: fc.integer({ min: 0, max: QUOTE_INTERVAL_MS_MAX }),
    catalogMarkets: fc.array(id, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    op: fc.constant('unsubscribe'),
    id,
    channel: fc.constant('outcome'),
    catalogMarkets: fc.array(id, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ op: fc.constant('snapshot'), id, market: request }),
  fc.record({ op: fc.constant('ping'), id }),
);
