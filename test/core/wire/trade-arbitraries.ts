// Messages of /v1/trade for property tests: requests as plain values with any of their fields, and answers of every kind.

import fc from 'fast-check';
import { VENUES } from '../../../src/core/domain/market.ts';
import type { TradeMessage } from '../../../src/core/wire/trade-messages.ts';

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const id = maybe(fc.string({ maxLength: 130 }));
const venue = maybe(fc.constantFrom(...VENUES));
const uint32 = fc.nat(2 ** 31 - 1);
/** A decimal text with at most that number of decimals, without trailing zeros. */
const decimal = (decimals: number, max: number) =>
  fc.nat(max).map(units => String(Number((units / 10 ** decimals).toFixed(decimals))));
const orderFields = {
  tokenId: maybe(fc.string()),
  ticker: maybe(fc.string()),
  side: maybe(fc.constantFrom('YES', 'NO', 'BUY', 'yes')),
  action: maybe(fc.constantFrom('BUY', 'SELL')),
  type: maybe(fc.constantFrom('LIMIT', 'MARKET')),
  size: maybe(decimal(2, 10 ** 9)),
  price: maybe(decimal(4, 10_000)),
  amount: maybe(decimal(2, 10 ** 9)),
  worstPrice: maybe(decimal(4, 10_000)),
  count: maybe(uint32),
  priceCents: maybe(uint32),
  timeInForce: maybe(fc.record({ type: maybe(fc.constantFrom('GTC', 'GTD')), expiresAt: maybe(fc.string()) })),
  postOnly: maybe(fc.boolean()),
};
const laterFields = {
  reduceOnly: maybe(fc.boolean()),
  selfTrade: maybe(fc.constantFrom('CANCEL_TAKER', 'CANCEL_MAKER')),
};
const order = fc.record({ ...orderFields, ...laterFields });
export const tradeRequest = fc.oneof(
  fc.record({
    op: fc.constant('submit'),
    id,
    venue,
    idempotencyKey: maybe(fc.string()),
    notAfter: maybe(fc.maxSafeNat()),
    ack: maybe(fc.boolean()),
    order: maybe(order),
  }),
  fc.record({
    op: fc.constant('batch'),
    id,
    venue,
    notAfter: maybe(fc.maxSafeNat()),
    orders: maybe(
      fc.array(fc.record({ ...orderFields, idempotencyKey: maybe(fc.string()), ...laterFields }), {
        minLength: 1,
        maxLength: 4,
      }),
    ),
  }),
  fc.record({
    op: fc.constant('replace'),
    id,
    venue,
    orderId: maybe(fc.string()),
    idempotencyKey: maybe(fc.string()),
    notAfter: maybe(fc.maxSafeNat()),
    ack: maybe(fc.boolean()),
    order: maybe(order),
  }),
  fc.record({
    op: fc.constantFrom('cancel', 'queue'),
    id,
    venue,
    orderId: maybe(fc.string()),
    idempotencyKey: maybe(fc.string()),
  }),
  fc.record({ op: fc.constant('cancel-all'), id, venue, market: maybe(fc.string()) }),
  fc.record({ op: fc.constant('cancel-on-disconnect'), id, enabled: maybe(fc.boolean()) }),
  fc.record({ op: fc.constant('limits'), id }),
  fc.record({ op: fc.constant('ping'), id }),
);

const headers = fc
  .record({
    'Idempotency-Replayed': maybe(fc.constant('true')),
    'SVC-Recorded': maybe(fc.constant('false')),
    'Retry-After': maybe(uint32.map(String)),
    'Server-Timing': maybe(fc.constantFrom('parse;dur=0.1, total;dur=2', 'total;dur=0')),
    'SVC-Venue-Budget': maybe(fc.constant('venue_b;orders=7;orders-ps=10;cancels=9;cancels-ps=10.5')),
    RateLimit: maybe(fc.constant('"submissions";r=1;t=1')),
  })
  .map(all => Object.entries(all).filter((it): it is [string, string] => it[1] !== undefined));
const filled = fc.option(decimal(2, 10 ** 9), { nil: null });
const resultOf = (isOrder: boolean, body: fc.Arbitrary<object>): fc.Arbitrary<TradeMessage> =>
  fc.record({
    type: fc.constant('result'),
    id: fc.string(),
    status: fc.integer({ min: 200, max: 599 }),
    body: body.map(it => JSON.stringify(it)),
    isOrder: fc.constant(isOrder),
    headers,
  }) as fc.Arbitrary<TradeMessage>;
const text = fc.string();
const anOrder = fc.record({ orderId: text, status: text });
const expiresAt = text;
const reason = text;
const budget = fc.record({ left: uint32, burst: uint32, perSecond: fc.constantFrom(0, 0.5, 30) });
const limitsBody = fc.record({
  rateLimits: fc.array(fc.record({ name: text, limit: uint32, windowS: uint32, left: uint32, resetS: uint32 }), {
    minLength: 1,
  }),
  venueBudgets: fc.option(
    fc.array(
      fc.record({
        venue: fc.constantFrom(...VENUES),
        orders: budget,
        cancels: budget,
        reads: fc.option(budget, { nil: null }),
      }),
      { minLength: 1 },
    ),
    { nil: null },
  ),
});
const queueAhead = fc.record({
  low: decimal(6, 10 ** 9),
  high: fc.option(decimal(6, 10 ** 9), { nil: null }),
  basis: text,
  book: fc.option(text, { nil: null }),
});
const batchResult = fc.oneof(
  fc.record({
    status: fc.constant(201),
    order: fc.record({ orderId: text, status: text }),
    replayed: fc.constant(true),
  }),
  fc.record({ status: fc.constant(201), order: fc.record({ orderId: text, status: text, expiresAt }) }),
  fc.record({ status: fc.constant(503), error: fc.record({ code: text, message: text }), retryAfterS: uint32 }),
  fc.record({ status: fc.constant(503), error: fc.record({ code: text, message: text, reason }), retryAfterS: uint32 }),
  fc.record({ status: fc.constant(504), error: fc.record({ code: text, message: text, orderId: text }) }),
);
export const tradeAnswer: fc.Arbitrary<TradeMessage> = fc.oneof(
  fc.record({ type: fc.constant('accepted'), id: text, orderId: text }) as fc.Arbitrary<TradeMessage>,
  fc.record({ type: fc.constant('pong'), id: text }) as fc.Arbitrary<TradeMessage>,
  fc.record({
    ...{ type: fc.constant('error'), id: fc.option(text, { nil: null }), message: text },
    code: fc.constantFrom('INVALID_REQUEST', 'TOO_MANY_IN_FLIGHT'),
  }) as fc.Arbitrary<TradeMessage>,
  resultOf(true, anOrder),
  resultOf(true, fc.record({ orderId: text, status: text, expiresAt })),
  resultOf(true, fc.record({ orderId: text, status: text, replaces: anOrder })),
  resultOf(true, fc.record({ orderId: text, status: text, replaces: anOrder, expiresAt })),
  resultOf(true, fc.record({ orderId: text, status: text, filledShares: filled })),
  resultOf(true, fc.record({ orderId: text, status: text, filledCount: filled })),
  resultOf(true, fc.record({ orderId: text, queueAhead: fc.option(queueAhead, { nil: null }) })),
  resultOf(false, fc.record({ results: fc.array(fc.record({ orderId: text, outcome: text })) })),
  resultOf(false, fc.record({ results: fc.array(batchResult) })),
  resultOf(false, limitsBody),
  resultOf(false, fc.record({ enabled: fc.boolean() })),
  resultOf(false, fc.record({ error: fc.record({ code: text, message: text }) })),
  resultOf(false, fc.record({ error: fc.record({ code: text, message: text, reason }) })),
  resultOf(false, fc.record({ error: fc.record({ code: text, message: text, reason }), replaces: anOrder })),
  resultOf(false, fc.record({ error: fc.record({ code: text, message: text, orderId: text }) })),
);
