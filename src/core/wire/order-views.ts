// Views of orders, fills, wallet actions and protections (interface §2.1, contract §4.4). Numbers are canonical decimal text; averages have up to six
// decimals, rounded once, half to even. Any thread.

import type { Fill } from '../domain/fill.ts';
import { fraction, roundHalfEven } from '../domain/fraction.ts';
import type { BookState, Venue } from '../domain/market.ts';
import {
  formatMicroDollars,
  formatMicroShares,
  formatTicks,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_CENT,
  type UnixMillis,
} from '../domain/numbers.ts';
import type { CancelReason, Order, OrderError, OrderId, OrderStatus, VenueError } from '../domain/order.ts';
import { expiresAtOf, isPostOnly, type VenueAOrderRequest, type VenueBOrderRequest } from '../domain/order-request.ts';
import { traded } from '../domain/order-sums.ts';
import { type Protection, windowAt } from '../domain/protection.ts';
import type { WalletAction, WalletActionKind, WalletActionStatus } from '../domain/wallet-action.ts';
import { formatTime } from './time-text.ts';

/** The members of orders at both venues. Sizes and money are canonical decimal text, times are ISO-8601. */
interface OrderLife {
  readonly status: OrderStatus;
  readonly venueOrderId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface OrderAmounts {
  readonly averagePrice: string | null;
  readonly feesUsd: string | null;
  readonly closedAt: string | null;
}

/** The members that we add to the interface (docs/PROTOCOL.md, Orders). */
interface OrderOrigin {
  /** The idempotency key. Null if it is lost, as for an order found at the venue. */
  readonly clientOrderId: string | null;
  /** The time at which the order ends. Null unless the order is GTD. */
  readonly expiresAt: string | null;
  /** Why the order was cancelled. Null unless the order is CANCELLED, and null for an order that cannot rest. */
  readonly cancelReason: CancelReason | null;
  /** The venue's words for `error`. In lists, null like `error`. */
  readonly venueError: VenueError | null;
}

export interface VenueAOrderView extends OrderLife, OrderAmounts, OrderOrigin {
  readonly orderId: string;
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly type: 'LIMIT' | 'MARKET';
  readonly size: string | null;
  readonly price: string | null;
  readonly amount: string | null;
  readonly postOnly: boolean | null;
  readonly filledShares: string | null;
  readonly error: OrderError | null;
}

export interface VenueBOrderView extends OrderLife, OrderAmounts, OrderOrigin {
  readonly orderId: string;
  readonly ticker: string;
  readonly side: 'YES' | 'NO';
  readonly action: 'BUY' | 'SELL';
  /** The size in contracts. Null if the size is not in whole contracts. */
  readonly count: number | null;
  readonly size: string;
  /** The price in cents. Null if the price is not in whole cents. */
  readonly priceCents: number | null;
  readonly price: string;
  readonly timeInForce: { readonly type: VenueBOrderRequest['timeInForce'] };
  readonly filledCount: string | null;
  readonly error: OrderError | null;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
}

export type FillView = Readonly<
  Record<'fillId' | 'venueTradeId' | 'price' | 'size' | 'feesUsd' | 'executedAt', string>
> &
  Pick<Fill, 'liquidity' | 'settlement'>;

/** A view with its venue, which decides the kind of view. */
export type VenueOrderView =
  | { readonly venue: 'venue_a'; readonly order: VenueAOrderView }
  | { readonly venue: 'venue_b'; readonly order: VenueBOrderView };

/** Returns the view of a single order, with its venue. */
export function venueOrderView(order: Order): VenueOrderView {
  const { request } = order;
  return request.venue === 'venue_a'
    ? { venue: 'venue_a', order: venueAView(order, request, true) }
    : { venue: 'venue_b', order: venueBView(order, request, true) };
}

/** Returns the view of an order. `withError`: single reads say why an order was rejected, lists do not. */
export function orderView(order: Order, withError: boolean): VenueAOrderView | VenueBOrderView {
  const { request } = order;
  return request.venue === 'venue_a' ? venueAView(order, request, withError) : venueBView(order, request, withError);
}

export function fillView(fill: Fill): FillView {
  return {
    fillId: fill.fillId,
    venueTradeId: fill.venueTradeId,
    price: formatTicks(fill.price),
    size: formatMicroShares(fill.size),
    feesUsd: formatMicroDollars(fill.fee),
    liquidity: fill.liquidity,
    settlement: fill.settlement,
    executedAt: formatTime(fill.executedAt),
  };
}

/** Returns the answer to a confirmed cancel. */
export function cancelledView(orderId: OrderId, venue: Venue, traded: MicroShares): object {
  const status: OrderStatus = 'CANCELLED';
  const filled = traded === 0 ? null : formatMicroShares(traded);
  return venue === 'venue_a' ? { orderId, status, filledShares: filled } : { orderId, status, filledCount: filled };
}

function venueAView(order: Order, request: VenueAOrderRequest, withError: boolean): VenueAOrderView {
  const isLimit = request.type === 'LIMIT';
  return {
    orderId: order.orderId,
    tokenId: request.tokenId,
    side: request.side,
    type: request.type,
    size: isLimit ? formatMicroShares(request.size) : null,
    price: isLimit ? formatTicks(request.price) : null,
    amount: isLimit
      ? null
      : 'dollars' in request
        ? formatMicroDollars(request.dollars)
        : formatMicroShares(request.size),
    postOnly: isLimit ? request.postOnly : null,
    ...lifeOf(order),
    filledShares: filledText(order),
    ...amountsOf(order),
    error: withError ? order.error : null,
    ...originOf(order, withError),
  };
}

function venueBView(order: Order, request: VenueBOrderRequest, withError: boolean): VenueBOrderView {
  return {
    orderId: order.orderId,
    ticker: request.ticker,
    side: request.side,
    action: request.action,
    count: request.size % MICROS_PER_SHARE === 0 ? request.size / MICROS_PER_SHARE : null,
    size: formatMicroShares(request.size),
    priceCents: request.price % TICKS_PER_CENT === 0 ? request.price / TICKS_PER_CENT : null,
    price: formatTicks(request.price),
    timeInForce: { type: request.timeInForce },
    ...lifeOf(order),
    filledCount: filledText(order),
    ...amountsOf(order),
    error: withError ? order.error : null,
    ...originOf(order, withError),
    postOnly: isPostOnly(request),
    reduceOnly: request.terms?.reduceOnly === true,
  };
}

function lifeOf({ status, venueOrderId, createdAt, updatedAt }: Order): OrderLife {
  return { status, venueOrderId, createdAt: formatTime(createdAt), updatedAt: formatTime(updatedAt) };
}

function originOf(order: Order, withError: boolean): OrderOrigin {
  const { idempotencyKey, request, status, cancelReason, venueError } = order;
  const expiresAt = expiresAtOf(request);
  return {
    clientOrderId: idempotencyKey === '' ? null : idempotencyKey,
    expiresAt: expiresAt === null ? null : formatTime(expiresAt),
    cancelReason: status === 'CANCELLED' ? cancelReason : null,
    venueError: withError ? venueError : null,
  };
}

function filledText(order: Order): string | null {
  const { size } = traded(order);
  return size === 0 ? null : formatMicroShares(size);
}

function amountsOf(order: Order): OrderAmounts {
  const { size, cost, fees } = traded(order);
  const closedAt = order.closedAt === null ? null : formatTime(order.closedAt);
  if (size === 0) return { averagePrice: null, feesUsd: null, closedAt };
  return { averagePrice: averageText(cost, size), feesUsd: formatMicroDollars(fees), closedAt };
}

/**
 * Returns the average price. `cost` is in ticks × micro-shares, so `cost` divided by the size is in ticks. Six decimals of a dollar are a
 * hundred times finer than a tick.
 */
export function averageText(cost: bigint, size: MicroShares): string {
  return formatMicroDollars(Number(roundHalfEven(fraction(cost * 100n, BigInt(size)))) as MicroDollars);
}

// The actions of a wallet (beyond §9), in answers and on the stream.

export interface ActionView {
  readonly actionId: string;
  readonly kind: WalletActionKind;
  readonly tokenId: string;
  readonly shares: string;
  readonly amountUsd: string;
  readonly status: WalletActionStatus;
  readonly transactionHash: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly error: OrderError | null;
}

export function actionView(action: WalletAction): ActionView {
  const { actionId, kind, tokenId, shares, amount, status, transactionHash, createdAt, updatedAt, error } = action;
  return {
    actionId,
    kind,
    tokenId,
    shares: formatMicroShares(shares),
    amountUsd: formatMicroDollars(amount),
    status,
    transactionHash,
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
    error,
  };
}

// The protections, in answers and on the stream.

export const PROTECTION_STATES = ['ARMED', 'TRIGGERED'] as const;

export interface ProtectionView {
  readonly venue: Venue;
  /** The token id or ticker. Null means all markets of the venue. */
  readonly address: string | null;
  readonly fillsMax: number | null;
  readonly sharesMax: string | null;
  readonly windowMs: number;
  readonly state: (typeof PROTECTION_STATES)[number];
  readonly setAt: string;
  readonly triggeredAt: string | null;
  /** The fills of the window that ends now, or of the window that triggered the protection. */
  readonly fills: number;
  readonly shares: string;
}

export function protectionView(protection: Protection, now: UnixMillis): ProtectionView {
  const { venue, address, fillsMax, sharesMax, windowMs, setAt, triggered } = protection;
  const { fills, size } = triggered ?? windowAt(protection, now);
  return {
    venue,
    address,
    fillsMax,
    sharesMax: sharesMax === null ? null : formatMicroShares(sharesMax),
    windowMs,
    state: triggered === null ? 'ARMED' : 'TRIGGERED',
    setAt: formatTime(setAt),
    triggeredAt: triggered === null ? null : formatTime(triggered.at),
    fills,
    shares: formatMicroShares(size),
  };
}

// The queue ahead of a working order, in answers and on the stream.

export const QUEUE_BASES = ['ARRIVAL', 'DISPLAYED'] as const;

/** The micro-shares ahead of an order, and the state of the book from which they are counted. */
export interface QueueAhead {
  readonly range: {
    readonly low: number;
    readonly high: number | null;
    readonly basis: (typeof QUEUE_BASES)[number];
  };
  readonly book: BookState | null;
}

export interface QueueView {
  /** The shares ahead of the order at its price are at least `low` and at most `high`. `high` null means no upper bound. */
  readonly low: string;
  readonly high: string | null;
  /** The basis of the bounds. ARRIVAL: the order was seen to arrive. DISPLAYED: only the displayed size bounds the queue. */
  readonly basis: (typeof QUEUE_BASES)[number];
  /** The state of the book from which the queue is counted. Null if the market has no book. */
  readonly book: BookState | null;
}

export function queueView({ range: { low, high, basis }, book }: QueueAhead): QueueView {
  return {
    low: formatMicroShares(low as MicroShares),
    high: high === null ? null : formatMicroShares(high as MicroShares),
    basis,
    book,
  };
}
