// Random orders and fills of both venues in any state, and the stream's messages about them, as the gateway would make them.

import fc from 'fast-check';
import { type Fill, SETTLEMENTS } from '../../../src/core/domain/fill.ts';
import { LOSS_LIMIT_EVENTS } from '../../../src/core/domain/loss-limit.ts';
import { BOOK_STATES, VENUES } from '../../../src/core/domain/market.ts';
import {
  formatMicroDollars,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../../src/core/domain/numbers.ts';
import {
  CANCEL_REASONS,
  ORDER_ERROR_CODES,
  ORDER_STATUSES,
  type Order,
  type OrderId,
} from '../../../src/core/domain/order.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { PROTECTION_EVENTS, type Protection } from '../../../src/core/domain/protection.ts';
import {
  WALLET_ACTION_KINDS,
  WALLET_ACTION_STATUSES,
  type WalletAction,
} from '../../../src/core/domain/wallet-action.ts';
import type {
  ActionMessage,
  LossLimitMessage,
  OrderMessage,
  OrdersAcknowledgement,
  OrdersSnapshot,
  ProtectionMessage,
  QueueMessage,
} from '../../../src/core/wire/messages.ts';
import {
  actionView,
  fillView,
  protectionView,
  QUEUE_BASES,
  queueView,
  venueOrderView,
} from '../../../src/core/wire/order-views.ts';
import { formatTime } from '../../../src/core/wire/time-text.ts';

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
const price = fc.integer({ min: 1, max: 9_999 }) as fc.Arbitrary<Ticks>;
const shares = fc.integer({ min: 1, max: 1_000_000_000 }).map(hundredths => hundredths * 10_000);
const size = shares as fc.Arbitrary<MicroShares>;
const dollars = shares as fc.Arbitrary<MicroDollars>;
const time = fc.integer({ min: 0, max: 253_402_300_799_999 }) as fc.Arbitrary<UnixMillis>;
const words = fc.string({ unit: 'grapheme', maxLength: 20 });
/** A cursor from 0 to 2^53 − 1. */
export const cursor = fc.oneof(fc.nat(), fc.constantFrom(2 ** 31, 2 ** 32, 2 ** 53 - 1));

const orderId = fc.uuid({ version: 8 }) as fc.Arbitrary<string> as fc.Arbitrary<OrderId>;
const tokenId = fc.stringMatching(/^[1-9][0-9]{70,77}$/);
const buyOrSell = fc.constantFrom('BUY' as const, 'SELL' as const);

const venueALimit = fc.record({
  venue: fc.constant('venue_a' as const),
  type: fc.constant('LIMIT' as const),
  tokenId,
  side: buyOrSell,
  size,
  price,
  postOnly: fc.boolean(),
  timeInForce: fc.constant('GTC' as const),
});
const venueAUntil = fc
  .tuple(venueALimit, time)
  .map(([limit, expiresAt]) => ({ ...limit, timeInForce: 'GTD' as const, expiresAt }));
const market = {
  venue: fc.constant('venue_a' as const),
  type: fc.constant('MARKET' as const),
  tokenId,
  worstPrice: orNull(price),
  timeInForce: fc.constantFrom('FOK' as const, 'FAK' as const),
};
const venueBOrder = fc.record({
  venue: fc.constant('venue_b' as const),
  ticker: fc.stringMatching(/^[A-Z0-9]{2,20}(-[A-Z0-9]{1,12}){1,3}$/),
  side: fc.constantFrom('YES' as const, 'NO' as const),
  action: buyOrSell,
  size: fc.oneof(
    fc.integer({ min: 1, max: 1_000_000_000 }).map(contracts => contracts * 1_000_000),
    fc.integer({ min: 1, max: 100_000_000_000 }).map(hundredths => hundredths * 10_000),
  ) as fc.Arbitrary<MicroShares>,
  price: fc.oneof(
    price,
    fc.integer({ min: 1, max: 99 }).map(cents => (cents * 100) as Ticks),
  ),
  timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
});
const terms = fc.record({
  expiresAt: orNull(time),
  postOnly: fc.boolean(),
  reduceOnly: fc.boolean(),
  selfTrade: fc.constantFrom('CANCEL_TAKER' as const, 'CANCEL_MAKER' as const),
});
const venueBTerms = fc
  .tuple(venueBOrder, terms)
  .map(([order, it]) => ({ ...order, terms: it, ...(it.expiresAt === null ? {} : { timeInForce: 'GTD' as const }) }));
const request: fc.Arbitrary<OrderRequest> = fc.oneof(
  venueALimit,
  venueAUntil,
  venueBTerms,
  fc.record({ ...market, side: fc.constant('BUY' as const), dollars }),
  fc.record({ ...market, side: fc.constant('SELL' as const), size }),
  venueBOrder,
);

const filled = fc.oneof(
  fc.constant(NOTHING_FILLED),
  fc.record({ size, fees: dollars, price }).map(({ size, fees, price }) => ({
    size,
    cost: BigInt(size) * BigInt(price),
    fees,
  })),
);

export const order: fc.Arbitrary<Order> = fc.record({
  orderId,
  podId: fc.constant('pod'),
  actorId: fc.constant('actor'),
  keyId: fc.constant('key'),
  idempotencyKey: words,
  request,
  status: fc.constantFrom(...ORDER_STATUSES),
  createdAt: time,
  updatedAt: time,
  sentAt: orNull(time),
  closedAt: orNull(time),
  venueOrderId: orNull(words),
  filled,
  stated: orNull(filled),
  error: orNull(fc.record({ code: fc.constantFrom(...ORDER_ERROR_CODES), message: orNull(words) })),
  venueError: orNull(fc.record({ code: orNull(words), message: words })),
  isReleased: fc.boolean(),
  cancelRequestedAt: orNull(time),
  cancelReason: orNull(fc.constantFrom(...CANCEL_REASONS)),
  replaces: orNull(fc.record({ orderId, total: size, venueTotal: size, before: filled })),
  replacedBy: orNull(orderId),
});

const fill: fc.Arbitrary<Fill> = fc.record({
  fillId: fc.uuid(),
  venueTradeId: fc.uuid(),
  price,
  size,
  fee: dollars,
  liquidity: orNull(fc.constantFrom('MAKER' as const, 'TAKER' as const)),
  settlement: fc.constantFrom(...SETTLEMENTS),
  executedAt: time,
});

const view = order.map(venueOrderView);
const id = orNull(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }));

export const orderMessage: fc.Arbitrary<OrderMessage> = fc
  .record({ cursor: cursor.filter(it => it > 0), view, happening: orNull(fc.tuple(fill, fc.boolean())) })
  .map(({ cursor, view, happening }) => ({
    type: 'order',
    cursor,
    event: happening === null ? 'STATUS' : happening[1] ? 'FILL' : 'FILL_REVERSED',
    ...view,
    fill: happening === null ? null : fillView(happening[0]),
  }));

const action: fc.Arbitrary<WalletAction> = fc.record({
  actionId: orderId,
  podId: fc.constant('pod'),
  actorId: fc.constant('actor'),
  idempotencyKey: words,
  bodySha256Hex: fc.constant('0b'.repeat(32)),
  kind: fc.constantFrom(...WALLET_ACTION_KINDS),
  tokenId,
  complementId: tokenId,
  isOfWallet: fc.boolean(),
  shares: size,
  amount: dollars,
  payout: orNull(price),
  status: fc.constantFrom(...WALLET_ACTION_STATUSES),
  notAfter: fc.constant(null),
  turn: fc.nat(),
  intent: fc.constant(null),
  excess: fc.tuple(size, size),
  isNonceUsed: fc.boolean(),
  transactionId: orNull(words),
  transactionHash: orNull(words),
  createdAt: time,
  updatedAt: time,
  error: orNull(fc.record({ code: fc.constantFrom(...ORDER_ERROR_CODES), message: orNull(words) })),
});

export const actionMessage: fc.Arbitrary<ActionMessage> = fc.record({
  type: fc.constant('action'),
  cursor: cursor.filter(it => it > 0),
  event: fc.constant('ACTION'),
  action: action.map(actionView),
});

const protection: fc.Arbitrary<Protection> = fc
  .record({
    actorId: fc.constant('actor'),
    podId: fc.constant('pod'),
    venue: fc.constantFrom(...VENUES),
    address: orNull(fc.string({ minLength: 1, maxLength: 20 })),
    limit: fc.oneof(fc.record({ fillsMax: fc.nat(1_000) }), fc.record({ sharesMax: size })),
    windowMs: fc.integer({ min: 100, max: 600_000 }),
    setAt: time,
    triggered: orNull(fc.record({ at: time, fills: fc.nat(1_001), size })),
    counted: fc.array(fc.record({ executedAt: time, size }), { maxLength: 3 }),
  })
  .map(({ limit, ...rest }) => ({ fillsMax: null, sharesMax: null, ...limit, ...rest }));

export const protectionMessage: fc.Arbitrary<ProtectionMessage> = fc.record({
  type: fc.constant('protection'),
  event: fc.constantFrom(...PROTECTION_EVENTS),
  protection: fc.tuple(protection, time).map(([it, now]) => protectionView(it, now)),
});

export const lossLimitMessage: fc.Arbitrary<LossLimitMessage> = fc.record({
  type: fc.constant('lossLimit'),
  event: fc.constantFrom(...LOSS_LIMIT_EVENTS),
  scope: fc.string({ minLength: 1, maxLength: 20 }),
  lossLimit: fc.record({
    lossMaxUsd: dollars.map(formatMicroDollars),
    lossUsd: fc
      .tuple(dollars, fc.boolean())
      .map(([loss, isGain]) => formatMicroDollars((isGain ? 0 - loss : loss) as MicroDollars)),
    leftUsd: dollars.map(formatMicroDollars),
    cancels: fc.boolean(),
    since: time.map(formatTime),
    until: time.map(formatTime),
    reachedAt: orNull(time.map(formatTime)),
    positions: fc.nat(1_000),
    positionsWithOldPrices: fc.nat(1_000),
  }),
});

export const queueMessage: fc.Arbitrary<QueueMessage> = fc.record({
  type: fc.constant('queue'),
  venue: fc.constantFrom(...VENUES),
  orderId,
  queueAhead: fc
    .record({ low: size, high: orNull(size), basis: fc.constantFrom(...QUEUE_BASES) })
    .chain(range => fc.record({ range: fc.constant(range), book: orNull(fc.constantFrom(...BOOK_STATES)) }))
    .map(queueView),
});

export const ordersSnapshot: fc.Arbitrary<OrdersSnapshot> = fc.record({
  type: fc.constant('ordersSnapshot'),
  id,
  cursor,
  orders: fc.array(view, { maxLength: 4 }),
  hasMore: fc.boolean(),
});

export const ordersAcknowledgement: fc.Arbitrary<OrdersAcknowledgement> = fc
  .record({ id, cursor: orNull(cursor) })
  .map(({ id, cursor }) => {
    const base = { id, channel: 'orders', accepted: [], rejected: [] } as const;
    return cursor === null ? { type: 'unsubscribed', ...base, cursor } : { type: 'subscribed', ...base, cursor };
  });
