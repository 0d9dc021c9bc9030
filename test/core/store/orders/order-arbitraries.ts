// Random records of the order store for property tests, within all that the types allow, and a few typical records.

import fc from 'fast-check';
import { API_ERRORS, type ApiErrorKind } from '../../../../src/core/domain/answer.ts';
import { type Fill, SETTLEMENTS } from '../../../../src/core/domain/fill.ts';
import { type Fraction, fraction } from '../../../../src/core/domain/fraction.ts';
import { VENUES } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import {
  CANCEL_REASONS,
  ORDER_ERROR_CODES,
  ORDER_STATUSES,
  type Order,
  type OrderError,
  type OrderId,
} from '../../../../src/core/domain/order.ts';
import type { Intent, OrderRequest } from '../../../../src/core/domain/order-request.ts';
import type { Filled } from '../../../../src/core/domain/order-sums.ts';
import type { Position } from '../../../../src/core/domain/position.ts';
import type { Protection } from '../../../../src/core/domain/protection.ts';
import type {
  BookedChange,
  CancelAfter,
  IdempotencyEntry,
  StoredAnswer,
  StoredFill,
  StoredOrder,
} from '../../../../src/core/store/order-records.ts';
import type { EventRecord } from '../../../../src/core/store/orders/records.ts';

const TIME_MAX = 2 ** 48 - 1;

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 70, maxLength: 300 }) },
);
const count = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.constantFrom(0, 0x7f, 0x80, 2 ** 31, 2 ** 53 - 1));
const integer = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -300, max: 300 }));
const bigInteger = fc.oneof(fc.bigInt(), fc.bigInt({ min: -300n, max: 300n }), fc.bigInt(-(2n ** 400n), 2n ** 400n));
const size = count.map(it => it as MicroShares);
const dollars = integer.map(it => it as MicroDollars);
const price = fc.nat(10_000).map(it => it as Ticks);
const time = fc.oneof(fc.integer({ min: 0, max: TIME_MAX }), fc.constant(TIME_MAX)).map(it => it as UnixMillis);
const errorKind = fc.constantFrom(...(Object.keys(API_ERRORS) as ApiErrorKind[]));
const status = fc.constantFrom(...ORDER_STATUSES);
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(it => Buffer.from(it).toString('hex'));
const orderId = hex(16).map(
  it => `${it.slice(0, 8)}-${it.slice(8, 12)}-${it.slice(12, 16)}-${it.slice(16, 20)}-${it.slice(20)}` as OrderId,
);

const request: fc.Arbitrary<OrderRequest> = fc.oneof(
  fc.record({
    venue: fc.constant('venue_b' as const),
    ticker: text,
    side: fc.constantFrom('YES', 'NO'),
    action: fc.constantFrom('BUY', 'SELL'),
    size,
    price,
    timeInForce: fc.constantFrom('GTC', 'IOC', 'FOK'),
  }),
  fc.record({
    venue: fc.constant('venue_b' as const),
    ticker: text,
    side: fc.constantFrom('YES', 'NO'),
    action: fc.constantFrom('BUY', 'SELL'),
    size,
    price,
    timeInForce: fc.constantFrom('GTC', 'IOC', 'FOK', 'GTD'),
    terms: fc.record({
      expiresAt: nullable(time),
      postOnly: fc.boolean(),
      reduceOnly: fc.boolean(),
      selfTrade: fc.constantFrom('CANCEL_TAKER', 'CANCEL_MAKER'),
    }),
  }),
  fc.record({
    venue: fc.constant('venue_a' as const),
    type: fc.constant('LIMIT' as const),
    tokenId: text,
    side: fc.constantFrom('BUY', 'SELL'),
    size,
    price,
    postOnly: fc.boolean(),
    timeInForce: fc.constant('GTD' as const),
    expiresAt: time,
  }),
  fc.record({
    venue: fc.constant('venue_a' as const),
    type: fc.constant('LIMIT' as const),
    tokenId: text,
    side: fc.constantFrom('BUY', 'SELL'),
    size,
    price,
    postOnly: fc.boolean(),
    timeInForce: fc.constant('GTC' as const),
  }),
  fc.record({
    venue: fc.constant('venue_a' as const),
    type: fc.constant('MARKET' as const),
    tokenId: text,
    side: fc.constant('BUY' as const),
    dollars: count.map(it => it as MicroDollars),
    worstPrice: nullable(price),
    timeInForce: fc.constantFrom('FOK', 'FAK'),
  }),
  fc.record({
    venue: fc.constant('venue_a' as const),
    type: fc.constant('MARKET' as const),
    tokenId: text,
    side: fc.constant('SELL' as const),
    size,
    worstPrice: nullable(price),
    timeInForce: fc.constantFrom('FOK', 'FAK'),
  }),
);

const filled: fc.Arbitrary<Filled> = fc.record({ size, cost: bigInteger, fees: dollars });
const orderError: fc.Arbitrary<OrderError> = fc.record({
  code: fc.constantFrom(...ORDER_ERROR_CODES),
  message: nullable(text),
});
const order: fc.Arbitrary<Order> = fc.record({
  orderId,
  podId: text,
  actorId: text,
  keyId: text,
  idempotencyKey: text,
  request,
  status,
  createdAt: time,
  updatedAt: time,
  sentAt: nullable(time),
  closedAt: nullable(time),
  venueOrderId: nullable(text),
  filled,
  stated: nullable(filled),
  error: nullable(orderError),
  venueError: nullable(fc.record({ code: nullable(text), message: text })),
  isReleased: fc.boolean(),
  cancelRequestedAt: nullable(time),
  cancelReason: nullable(fc.constantFrom(...CANCEL_REASONS)),
  replaces: nullable(fc.record({ orderId, total: size, venueTotal: size, before: filled })),
  replacedBy: nullable(orderId),
});
const intent: fc.Arbitrary<Intent> = fc.record({
  payload: fc.uint8Array({ maxLength: 300 }),
  venueOrderId: nullable(text),
  clientOrderId: text,
});
const fill: fc.Arbitrary<Fill> = fc.record({
  fillId: text,
  venueTradeId: text,
  price,
  size,
  fee: dollars,
  liquidity: nullable(fc.constantFrom('MAKER', 'TAKER')),
  settlement: fc.constantFrom(...SETTLEMENTS),
  executedAt: time,
});
const answer: fc.Arbitrary<StoredAnswer> = fc.record({
  outcome: fc.oneof(fc.constant('made' as const), errorKind),
  status,
  message: text,
  at: time,
});
const exactFraction: fc.Arbitrary<Fraction> = fc
  .tuple(
    bigInteger,
    bigInteger.map(it => (it < 0n ? -it : it) + 1n),
  )
  .map(([numerator, denominator]) => fraction(numerator, denominator));

export const orderRecord: fc.Arbitrary<StoredOrder> = fc.record({
  order,
  intent: nullable(intent),
  refusedAs: nullable(errorKind),
});
export const storedFill: fc.Arbitrary<StoredFill> = fc.record({ fill, orderId: nullable(orderId) });
export const eventRecord: fc.Arbitrary<EventRecord> = fc.record({
  event: fc.constantFrom('STATUS', 'FILL', 'FILL_REVERSED'),
  order,
  fill: nullable(fill),
  at: time,
});
export const positionRecord: fc.Arbitrary<Position> = fc.record({
  venue: fc.constantFrom(...VENUES),
  address: text,
  size: integer.map(it => it as MicroShares),
  average: exactFraction,
  realized: exactFraction,
  fees: dollars,
  isRedeemable: fc.boolean(),
  updatedAt: time,
});
export const bookedRecord: fc.Arbitrary<Omit<BookedChange, 'number'>> = fc.record({
  fillId: nullable(text),
  change: integer.map(it => it as MicroShares),
  addressPrice: fc.nat(10_000).map(it => it as Ticks),
  fee: dollars,
  before: positionRecord,
});
export const idempotencyRecord: fc.Arbitrary<IdempotencyEntry> = fc.record({
  orderId,
  bodySha256Hex: hex(32),
  answer: nullable(answer),
});
export const protectionRecord: fc.Arbitrary<Protection> = fc.record({
  actorId: text,
  venue: fc.constantFrom(...VENUES),
  address: nullable(text),
  podId: text,
  fillsMax: nullable(count),
  sharesMax: nullable(size),
  windowMs: count,
  setAt: time,
  triggered: nullable(fc.record({ at: time, fills: count, size })),
  counted: fc
    .array(fc.record({ executedAt: time, size }), { maxLength: 4 })
    .map(fills => fills.sort((one, other) => one.executedAt - other.executedAt)),
});
export const cancelAfterRecord: fc.Arbitrary<CancelAfter> = fc.record({
  keyId: text,
  actorId: text,
  podId: text,
  deadline: time,
});
export const counterRecord = count;
export const markRecord = text;

/** Intents with few possible values, so that intents repeat. */
export const shortIntent: fc.Arbitrary<Intent | null> = nullable(
  fc.record({
    payload: fc.uint8Array({ maxLength: 3 }),
    venueOrderId: fc.constantFrom(null, 'digest'),
    clientOrderId: fc.constant('client'),
  }),
);

export const shortAnswer = (times: fc.Arbitrary<UnixMillis>): fc.Arbitrary<StoredAnswer | null> =>
  nullable(
    fc.record({
      outcome: fc.constantFrom('made' as const, 'invalid' as const),
      status,
      message: fc.constant('why'),
      at: times,
    }),
  );
