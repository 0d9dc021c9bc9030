// An order's life (contract §4.5): its request, its state, and the one function that changes it. Pure.

import type { MicroDollars, MicroShares, UnixMillis } from './numbers.ts';
import { expiresAtOf, type OrderRequest } from './order-request.ts';
import { canRest, type FillAmounts, type Filled, isFull, NOTHING_FILLED, traded, withoutFailed } from './order-sums.ts';
import { assert, unreachable } from './result.ts';

/** Interface §2.5. */
export const ORDER_STATUSES = ['PENDING', 'SUBMITTED', 'OPEN', 'FILLED', 'CANCELLED', 'REJECTED'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Interface §2.1. */
export const ORDER_ERROR_CODES = [
  'VENUE_REJECTED',
  'INVALID_ORDER',
  'NOT_FEASIBLE',
  'CREDENTIALS_INVALID',
  'UNKNOWN',
] as const;
export type OrderErrorCode = (typeof ORDER_ERROR_CODES)[number];

export interface OrderError {
  readonly code: OrderErrorCode;
  /** The venue's own text; null when there is none to relay. */
  readonly message: string | null;
}

/** What the venue itself said of a refusal, apart from our own `OrderError`. */
export interface VenueError {
  /** As the venue writes it; null if it gives none: venue A has words only. */
  readonly code: string | null;
  readonly message: string;
}

/**
 * Why an order ended CANCELLED. REQUESTED: by a cancel or a cancel-all. EXPIRED: good till a time that has come. VENUE: the
 * venue ended it and gave no other reason.
 */
export const CANCEL_REASONS = [
  'REQUESTED',
  'EXPIRED',
  'REPLACED',
  'DEAD_MAN',
  'DISCONNECT',
  'PROTECTION',
  'STOP',
  'MARKET_CLOSED',
  'SELF_TRADE',
  'VENUE',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** The order in whose place another one is (beyond §3). */
export interface Replaces {
  readonly orderId: OrderId;
  /** What was wanted over both. */
  readonly total: MicroShares;
  /** What the venue’s order was to fill, if it was changed in place: it may be the order of many that have replaced each other. */
  readonly venueTotal: MicroShares;
  /** What those have traded that were before `orderId`, in place. */
  readonly before: Filled;
}

/** UUIDv8, lower case (contract §4.6). */
export type OrderId = string & { readonly of: 'order id' };

/** An immutable snapshot of an order; each change makes a new one. */
export interface Order<Status extends OrderStatus = OrderStatus> {
  readonly orderId: OrderId;
  readonly podId: string;
  readonly actorId: string;
  /** The signing key that submitted it, or last reopened it after a refusal; empty for an order found at the venue. */
  readonly keyId: string;
  /** The client’s own name of it; empty if it is lost, as for an order found at the venue. */
  readonly idempotencyKey: string;
  readonly request: OrderRequest;
  readonly status: Status;
  readonly createdAt: UnixMillis;
  readonly updatedAt: UnixMillis;
  /** When it was handed to the venue's connection; null if not sent, or if the time is unknown. */
  readonly sentAt: UnixMillis | null;
  /** Null while the order is open. */
  readonly closedAt: UnixMillis | null;
  /** Null until the venue is known to have it. */
  readonly venueOrderId: string | null;
  /** Sum of the reported fills. */
  readonly filled: Filled;
  /** The venue's own sum, with its rounding and without failed fills; null before. Zero while SUBMITTED: matched, the venue says no more. */
  readonly stated: Filled | null;
  /** Null unless REJECTED. */
  readonly error: OrderError | null;
  /** Of that error, if the venue gave the reason. */
  readonly venueError: VenueError | null;
  /** REJECTED with nothing sent: its idempotency key may be used again (contract §4.3, case c). */
  readonly isReleased: boolean;
  /** Time of the latest cancel request; null if none. */
  readonly cancelRequestedAt: UnixMillis | null;
  /** Of the cancel request; once CANCELLED, why it ended. Null if an order that cannot rest ended by its own terms. */
  readonly cancelReason: CancelReason | null;
  /** Null unless a replace made it. Its size is the rest of the total. */
  readonly replaces: Replaces | null;
  /** The order that has taken its place; null: none. */
  readonly replacedBy: OrderId | null;
}

/** Events of an order, and what each carries beside its time. */
interface EventFields {
  /** Its first byte may leave from now on. */
  readonly sent: unknown;
  /** Cancelled before anything was sent. */
  readonly withdrawn: unknown;
  /** `isReleased`: nothing has reached the venue, and the same request may be made again. */
  readonly refused: {
    readonly error: OrderError;
    readonly venueError?: VenueError | undefined;
    readonly isReleased: boolean;
  };
  /** The venue says it already had this order; our record of when it was sent is lost. */
  readonly 'sent-before': unknown;
  /** The order seemed unsent, but the venue has it: its key is no longer free. */
  readonly 'taken-late': unknown;
  /** A retry of a released order, which belongs to the new submission from now on. */
  readonly reopened: { readonly keyId: string };
  /** The venue has it and reports the outcome later: venue A delays it, or venue B has not given the trade prices. */
  readonly delayed: { readonly venueOrderId: string; readonly stated?: Filled | null };
  /** The venue has it in its book. */
  readonly rests: { readonly venueOrderId: string; readonly stated: Filled | null };
  /** A fill that was not applied before; the caller has checked. */
  readonly fills: { readonly fill: FillAmounts };
  /** A fill has failed to settle; `uncounted`: it was never applied. `rests`: whether the venue still has the order in its book. */
  readonly reverses: { readonly fill: FillAmounts; readonly uncounted?: FillAmounts; readonly rests: boolean };
  /** No longer in the venue's book: filled, cancelled, expired or killed. `reason`: as known to us or stated by the venue. */
  readonly ends: {
    readonly venueOrderId: string | null;
    readonly stated: Filled | null;
    readonly reason?: CancelReason | undefined;
  };
  /** `isSame`: the venue has both as one order, which is the new one's from now on. */
  readonly replaced: { readonly by: OrderId; readonly isSame: boolean };
  /** Less is left, as those before it have traded more. `previous`: the one it replaced; `before`: traded before that one. */
  readonly resized: { readonly size: MicroShares; readonly previous: OrderId; readonly before: Filled };
  /** Without a reason: REQUESTED. */
  readonly 'cancel-requested': { readonly reason?: CancelReason | undefined };
  /** The venue refuses the cancel, and no newer cancel request exists. */
  readonly 'cancel-revoked': unknown;
}
type EventType = keyof EventFields;
type EventOf<Type extends EventType> = {
  [T in Type]: { readonly type: T; readonly at: UnixMillis } & EventFields[T];
}[Type];

/** Events of an order that the venue may have in its book. */
const OF_TRADING = [
  ...(['rests', 'fills', 'reverses', 'ends', 'cancel-requested', 'cancel-revoked', 'replaced', 'resized'] as const),
] as const;
/** Events that each status admits. The compiler and the assertion in `transition` refuse all others. */
const EVENTS = {
  PENDING: ['sent', 'withdrawn', 'refused', 'cancel-requested'],
  SUBMITTED: ['sent-before', 'delayed', 'refused', ...OF_TRADING],
  OPEN: OF_TRADING,
  // Only a failed settlement changes it.
  FILLED: ['fills', 'reverses', 'replaced', 'resized'],
  // Trades from before the end may be reported after it, as a sum or as fills: a fill wins over a cancel.
  CANCELLED: ['fills', 'reverses', 'ends', 'replaced', 'resized'],
  // A released order may be retried; an order thought lost may show a late trace.
  REJECTED: ['reopened', 'taken-late', 'fills', 'ends', 'resized'],
} as const satisfies Readonly<Record<OrderStatus, readonly EventType[]>>;

type EventsByStatus = { readonly [Status in OrderStatus]: EventOf<(typeof EVENTS)[Status][number]> };
type OrderEventOf<Status extends OrderStatus> = EventsByStatus[Status];
export type OrderEvent = OrderEventOf<OrderStatus>;

interface NewOrder extends Pick<Order, 'orderId' | 'podId' | 'actorId' | 'keyId' | 'idempotencyKey' | 'request'> {
  readonly at: UnixMillis;
}

/** An intent: nothing has been sent. */
export function createOrder({ at, ...order }: NewOrder): Order<'PENDING'> {
  return {
    ...order,
    status: 'PENDING',
    createdAt: at,
    updatedAt: at,
    sentAt: null,
    closedAt: null,
    venueOrderId: null,
    filled: NOTHING_FILLED,
    stated: null,
    error: null,
    venueError: null,
    isReleased: false,
    cancelRequestedAt: null,
    cancelReason: null,
    replaces: null,
    replacedBy: null,
  };
}

export function isTerminal(status: OrderStatus): boolean {
  return status === 'FILLED' || status === 'CANCELLED' || status === 'REJECTED';
}

/** In the book, with a cancel request. */
export function isToBeCancelled({ status, cancelRequestedAt }: Order): boolean {
  return status === 'OPEN' && cancelRequestedAt !== null;
}

/** Given up because the venue showed no trace of it; a late trace is possible. */
export function leftNoTrace({ status, error, isReleased, venueOrderId }: Order): boolean {
  return status === 'REJECTED' && error?.code === 'UNKNOWN' && !isReleased && venueOrderId === null;
}

/** Whether the event is admitted; for callers that know the status only at run time. */
export function admits<Status extends OrderStatus>(
  order: Order<Status>,
  event: OrderEvent,
): event is OrderEventOf<Status> {
  if (event.type === 'reopened' && !order.isReleased) return false;
  // A traded order was accepted, and an order that the venue has was sent: its key is never free again.
  if (event.type === 'refused' && order.filled.size > 0) return false;
  if (event.type === 'refused' && event.isReleased && order.venueOrderId !== null) return false;
  return (EVENTS[order.status] as readonly string[]).includes(event.type);
}

/** The only way to change an order; returns the same snapshot if the event is no news. */
export function transition<Status extends OrderStatus>(order: Order<Status>, event: OrderEventOf<Status>): Order {
  assert(admits(order, event), `an order that is ${order.status} does not admit: ${event.type}`);
  const next = after(order, event);
  return isSame(order, next) ? order : next;
}

/** Every field that can change except the time of the change. */
const CHANGEABLE = [
  'status',
  'sentAt',
  'closedAt',
  'venueOrderId',
  'filled',
  'stated',
  'error',
  'venueError',
  'isReleased',
  'cancelRequestedAt',
  'cancelReason',
  'request',
  'replaces',
  'replacedBy',
] as const satisfies readonly (keyof Order)[];

function isSame(before: Order, after: Order): boolean {
  return CHANGEABLE.every(field => before[field] === after[field]);
}

function after(order: Order, happening: OrderEvent): Order {
  switch (happening.type) {
    case 'sent':
      return { ...order, status: 'SUBMITTED', sentAt: happening.at, updatedAt: happening.at };
    case 'withdrawn':
      return closed({ ...order, cancelReason: order.cancelReason ?? 'REQUESTED' }, 'CANCELLED', happening.at);
    case 'refused': {
      const { at, error, venueError = null, isReleased } = happening;
      return { ...closed(order, 'REJECTED', at), error, venueError, isReleased };
    }
    case 'reopened': {
      const again = opened(order, 'PENDING', happening.at);
      // The cancel request belonged to the life that ended.
      return { ...again, keyId: happening.keyId, sentAt: null, cancelRequestedAt: null, cancelReason: null };
    }
    case 'taken-late':
      return { ...order, isReleased: false, updatedAt: happening.at };
    case 'sent-before':
      return { ...order, sentAt: null, updatedAt: happening.at };
    case 'delayed':
    case 'rests': {
      const { at, venueOrderId, stated = null } = happening;
      const named = { ...order, venueOrderId, stated: later(order.stated, stated) };
      return happening.type === 'rests' ? settled(named, 'OPEN', at) : { ...named, updatedAt: at };
    }
    case 'fills':
      return withFill(order, happening);
    case 'reverses':
      return withoutFill(order, happening);
    case 'ends': {
      // The venue's order is that of the one that replaced it.
      const venueOrderId =
        order.replacedBy === null ? (happening.venueOrderId ?? order.venueOrderId) : order.venueOrderId;
      const stated = later(order.stated, happening.stated);
      const over = { ...order, venueOrderId, stated };
      const reason = isFull(order.request, traded(over)) ? null : (happening.reason ?? null);
      return settled({ ...over, cancelReason: explained(order.cancelReason, reason) }, 'CANCELLED', happening.at);
    }
    case 'replaced': {
      const { at, by, isSame } = happening;
      const left = { ...order, replacedBy: by, venueOrderId: isSame ? null : order.venueOrderId, updatedAt: at };
      if (order.status === 'FILLED') return left;
      return closed({ ...left, cancelReason: 'REPLACED' }, 'CANCELLED', at);
    }
    case 'resized':
      return resized(order, happening);
    case 'cancel-requested': {
      // Each cancel request has a time of its own, to tell it from the next.
      const cancelRequestedAt = Math.max(happening.at, (order.cancelRequestedAt ?? 0) + 1) as UnixMillis;
      const cancelReason = order.cancelReason ?? happening.reason ?? 'REQUESTED';
      return { ...order, cancelRequestedAt, cancelReason, updatedAt: happening.at };
    }
    case 'cancel-revoked':
      return { ...order, cancelRequestedAt: null, cancelReason: null, updatedAt: happening.at };
    default:
      return unreachable(happening);
  }
}

/** FILLED if full; otherwise the rest is in the book or gone. */
function settled(order: Order, rest: 'OPEN' | 'CANCELLED', at: UnixMillis): Order {
  if (isFull(order.request, traded(order))) return closed(order, 'FILLED', at);
  // An order that cannot rest is matched at once, in parts; its end is yet to be reported.
  if (rest === 'OPEN' && order.status === 'SUBMITTED' && !canRest(order.request)) return { ...order, updatedAt: at };
  return rest === 'OPEN' ? opened(order, 'OPEN', at) : closed(order, 'CANCELLED', at);
}

function resized(order: Order, { size, previous, before, at }: EventOf<'resized'>): Order {
  const { request, replaces } = order;
  if ('dollars' in request || replaces === null) return order;
  const isKnown =
    previous === replaces.orderId && before.size === replaces.before.size && before.fees === replaces.before.fees;
  if (size === request.size && isKnown && before.cost === replaces.before.cost) return order;
  const changed = {
    request: size === request.size ? request : { ...request, size },
    replaces: { ...replaces, orderId: previous, before },
  };
  const smaller = { ...order, ...changed, stated: null, updatedAt: at };
  const isOver = order.status === 'OPEN' || order.status === 'CANCELLED';
  return isOver && isFull(smaller.request, traded(smaller)) ? closed(smaller, 'FILLED', at) : smaller;
}

/** Sums may arrive in any sequence; the traded size only grows. */
function later(before: Filled | null, stated: Filled | null): Filled | null {
  return before === null || (stated !== null && stated.size > before.size) ? stated : before;
}

function withFill(order: Order, { fill, at }: EventOf<'fills'>): Order {
  const grown = { ...order, filled: added(order.filled, fill, 1) };
  switch (order.status) {
    case 'SUBMITTED':
    case 'OPEN':
      return settled(grown, 'OPEN', at);
    case 'CANCELLED':
    case 'REJECTED':
      return settled(grown, 'CANCELLED', at);
    default:
      return { ...grown, updatedAt: at };
  }
}

function withoutFill(order: Order, { fill, uncounted, at, rests }: EventOf<'reverses'>): Order {
  const filled = added(order.filled, fill, -1);
  assert(filled.size >= 0, 'more is reversed than was filled');
  // A later sum of the venue may still include the failed fill.
  const stated = order.stated && withoutFailed(order.stated, (uncounted ?? fill).size, filled);
  const shrunk = { ...order, filled, stated };
  return order.status === 'FILLED' ? settled(shrunk, rests ? 'OPEN' : 'CANCELLED', at) : { ...shrunk, updatedAt: at };
}

function added(filled: Filled, { size, price, fee }: FillAmounts, sign: 1 | -1): Filled {
  return {
    size: (filled.size + sign * size) as MicroShares,
    cost: filled.cost + BigInt(sign) * BigInt(price) * BigInt(size),
    fees: (filled.fees + sign * fee) as MicroDollars,
  };
}

function closed(order: Order, status: 'FILLED' | 'CANCELLED' | 'REJECTED', at: UnixMillis): Order {
  const closedAt = order.status === status ? order.closedAt : at;
  const cancelReason = status === 'CANCELLED' ? (order.cancelReason ?? reasonOf(order, at)) : order.cancelReason;
  return { ...order, status, updatedAt: at, closedAt, error: null, venueError: null, isReleased: false, cancelReason };
}

/**
 * A venue that ends an order for no stated reason, or with its group, may do so by our request. No request of ours is EXPIRED: where the
 * venue says that the group has ended the order, it was our guess.
 */
function explained(known: CancelReason | null, stated: CancelReason | null): CancelReason | null {
  if (known === null || known === 'VENUE') return stated ?? known;
  const isWeaker = stated === 'VENUE' || (stated === 'PROTECTION' && known !== 'EXPIRED');
  return isWeaker ? known : (stated ?? known);
}

/** If neither a request of ours nor the venue says why. An order that was given up before ends by our own doing. */
function reasonOf({ request, status }: Order, at: UnixMillis): CancelReason | null {
  if (!canRest(request) || status === 'REJECTED' || status === 'CANCELLED') return null;
  const expiresAt = expiresAtOf(request);
  return expiresAt !== null && at >= expiresAt - EXPIRY_SLACK_MS ? 'EXPIRED' : 'VENUE';
}

/** Venue A ends an order at about its time, and every venue does so by its own clock. */
const EXPIRY_SLACK_MS = 5_000;

function opened(order: Order, status: 'PENDING' | 'OPEN', at: UnixMillis): Order {
  return { ...order, status, updatedAt: at, closedAt: null, error: null, venueError: null, isReleased: false };
}
