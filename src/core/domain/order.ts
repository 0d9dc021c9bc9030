// An order's life (contract §4.5): its request, its state, and the one function that changes it. Pure.

import type { MicroDollars, MicroShares, UnixMillis } from './numbers.ts';
import { expiresAtOf, type OrderRequest } from './order-request.ts';
import { canRest, type FillAmounts, type Filled, isFull, NOTHING_FILLED, traded, withoutFailed } from './order-sums.ts';
import { AssertionFailure, assert, unreachable } from './result.ts';

/** The statuses of interface §2.5. */
export const ORDER_STATUSES = ['PENDING', 'SUBMITTED', 'OPEN', 'FILLED', 'CANCELLED', 'REJECTED'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The error codes of interface §2.1. */
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
  /** The venue's own text; null if there is no text to relay. */
  readonly message: string | null;
}

/** The venue's own words for a refusal, apart from our `OrderError`. */
export interface VenueError {
  /** The code as the venue writes it. Null if the venue gives none: venue A has words only. */
  readonly code: string | null;
  readonly message: string;
}

/**
 * Why an order ended CANCELLED. REQUESTED: by a cancel or mass cancel. EXPIRED: a GTD order's time came. VENUE: the venue gave no reason.
 */
export const CANCEL_REASONS = [
  'REQUESTED',
  'EXPIRED',
  'REPLACED',
  'DEAD_MAN',
  'DISCONNECT',
  'PROTECTION',
  'STOP',
  'LOSS_LIMIT',
  'MARKET_CLOSED',
  'SELF_TRADE',
  'VENUE',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** The order that a new order has replaced (beyond §3). */
export interface Replaces {
  readonly orderId: OrderId;
  /** The requested total of both orders. */
  readonly total: MicroShares;
  /** The size of the venue’s order if it was changed in place. One order of the venue may stand for a chain of orders here. */
  readonly venueTotal: MicroShares;
  /** The quantity that the orders before `orderId` in the chain have traded. */
  readonly before: Filled;
}

/** A UUIDv8 in lower case (contract §4.6). */
export type OrderId = string & { readonly of: 'order id' };

/** An immutable snapshot of an order; each change makes a new one. */
export interface Order<Status extends OrderStatus = OrderStatus> {
  readonly orderId: OrderId;
  readonly podId: string;
  readonly actorId: string;
  /** The signing key that submitted the order, or last reopened it after a refusal; empty for an order found at the venue. */
  readonly keyId: string;
  /** The client order id; empty if it is lost, as for an order found at the venue. */
  readonly idempotencyKey: string;
  readonly request: OrderRequest;
  readonly status: Status;
  readonly createdAt: UnixMillis;
  readonly updatedAt: UnixMillis;
  /** The time at which the order was handed to the venue's connection; null if it was not sent, or the time is unknown. */
  readonly sentAt: UnixMillis | null;
  /** The time at which the order ended; null while the order is open. */
  readonly closedAt: UnixMillis | null;
  /** The venue's id of the order; null until the venue is known to have the order. */
  readonly venueOrderId: string | null;
  /** The sum of the reported fills. */
  readonly filled: Filled;
  /** The venue's cumulative quantity, without failed fills; null before. Zero while SUBMITTED: matched, but quantity unknown. */
  readonly stated: Filled | null;
  /** The reason for a refusal; null unless REJECTED. */
  readonly error: OrderError | null;
  /** The venue's words for that error, if the venue gave the reason. */
  readonly venueError: VenueError | null;
  /** Whether the order is REJECTED and nothing was sent: its idempotency key may be used again (contract §4.3, case c). */
  readonly isReleased: boolean;
  /** The time of the latest cancel request; null if there is none. */
  readonly cancelRequestedAt: UnixMillis | null;
  /** The reason of the cancel request, or of the end once CANCELLED. Null if an order that cannot rest ended by its own terms. */
  readonly cancelReason: CancelReason | null;
  /** The order that this order replaced; null if it replaced none. The size of this order is then the rest of the total. */
  readonly replaces: Replaces | null;
  /** The order that has replaced this order; null if no order has. */
  readonly replacedBy: OrderId | null;
}

/** The events of an order, with their fields besides the time. */
interface EventFields {
  /** The order is handed to the venue: from now on the first byte may leave. */
  readonly sent: unknown;
  /** The order was cancelled before anything was sent. */
  readonly withdrawn: unknown;
  /** The order was refused. `isReleased`: nothing has reached the venue, and the caller may make the same request again. */
  readonly refused: {
    readonly error: OrderError;
    readonly venueError?: VenueError | undefined;
    readonly isReleased: boolean;
  };
  /** The venue says that it already had this order; our record of the time of sending is lost. */
  readonly 'sent-before': unknown;
  /** The order seemed unsent, but the venue has it, so its key is no longer free. */
  readonly 'taken-late': unknown;
  /** A new submission retries a released order, and owns it from now on. The size left for a replacement may have changed. */
  readonly reopened: { readonly keyId: string; readonly request: OrderRequest };
  /** The venue has the order and reports the outcome later: venue A delays the order, or venue B has not given trade prices. */
  readonly delayed: { readonly venueOrderId: string; readonly stated?: Filled | null };
  /** The order rests in the venue's book. */
  readonly rests: { readonly venueOrderId: string; readonly stated: Filled | null };
  /** A fill is reported that was not applied before. The caller has checked that. */
  readonly fills: { readonly fill: FillAmounts };
  /** A fill has failed to settle. `uncounted`: the fill was never applied. `rests`: whether the order is still in the venue's book. */
  readonly reverses: { readonly fill: FillAmounts; readonly uncounted?: FillAmounts; readonly rests: boolean };
  /** The order left the venue's book: filled, cancelled, expired or killed. `reason` is known to us or stated by the venue. */
  readonly ends: {
    readonly venueOrderId: string | null;
    readonly stated: Filled | null;
    readonly reason?: CancelReason | undefined;
  };
  /** Another order has replaced this order. `isSame`: the venue has both as one order, which belongs to the new order from now on. */
  readonly replaced: { readonly by: OrderId; readonly isSame: boolean };
  /** Earlier orders of the chain traded more, so less is left. `previous`: the replaced order; `before`: what orders before it traded. */
  readonly resized: { readonly size: MicroShares; readonly previous: OrderId; readonly before: Filled };
  /** A cancel was requested. Without a reason it counts as REQUESTED. */
  readonly 'cancel-requested': { readonly reason?: CancelReason | undefined };
  /** The venue refused the cancel, and no newer cancel request exists. */
  readonly 'cancel-revoked': unknown;
}
type EventType = keyof EventFields;
type EventOf<Type extends EventType> = {
  [T in Type]: { readonly type: T; readonly at: UnixMillis } & EventFields[T];
}[Type];

/** The events of an order that may be in the venue's book. */
const OF_TRADING = [
  ...(['rests', 'fills', 'reverses', 'ends', 'cancel-requested', 'cancel-revoked', 'replaced', 'resized'] as const),
] as const;
/** The events that each status admits. The compiler and the assertion in `transition` refuse all other events. */
const EVENTS = {
  PENDING: ['sent', 'withdrawn', 'refused', 'cancel-requested'],
  SUBMITTED: ['sent-before', 'delayed', 'refused', ...OF_TRADING],
  OPEN: OF_TRADING,
  // Only a failed settlement changes a filled order.
  FILLED: ['fills', 'reverses', 'replaced', 'resized'],
  // The venue may report earlier trades after the end, as a sum or as fills: a fill wins over a cancel.
  CANCELLED: ['fills', 'reverses', 'ends', 'replaced', 'resized'],
  // A released order may be retried, and an order that was given up may turn up late.
  REJECTED: ['reopened', 'taken-late', 'fills', 'ends', 'resized'],
} as const satisfies Readonly<Record<OrderStatus, readonly EventType[]>>;

type EventsByStatus = { readonly [Status in OrderStatus]: EventOf<(typeof EVENTS)[Status][number]> };
type OrderEventOf<Status extends OrderStatus> = EventsByStatus[Status];
export type OrderEvent = OrderEventOf<OrderStatus>;

interface NewOrder extends Pick<Order, 'orderId' | 'podId' | 'actorId' | 'keyId' | 'idempotencyKey' | 'request'> {
  readonly at: UnixMillis;
}

/** Returns an order of which nothing has been sent. */
export function createOrder(made: NewOrder): Order<'PENDING'> {
  return {
    orderId: made.orderId,
    podId: made.podId,
    actorId: made.actorId,
    keyId: made.keyId,
    idempotencyKey: made.idempotencyKey,
    request: made.request,
    status: 'PENDING',
    createdAt: made.at,
    updatedAt: made.at,
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

/** Whether a cancel of the working order is requested. */
export function isToBeCancelled({ status, cancelRequestedAt }: Order): boolean {
  return status === 'OPEN' && cancelRequestedAt !== null;
}

/** Whether the order was given up because the venue showed no trace of it. A trace may still come late. */
export function leftNoTrace({ status, error, isReleased, venueOrderId }: Order): boolean {
  return status === 'REJECTED' && error?.code === 'UNKNOWN' && !isReleased && venueOrderId === null;
}

/** Whether the status admits the event, for callers that know the status only at run time. */
export function admits<Status extends OrderStatus>(
  order: Order<Status>,
  event: OrderEvent,
): event is OrderEventOf<Status> {
  if (event.type === 'reopened' && !order.isReleased) return false;
  // Trades prove that the order was accepted; an id of the venue proves that it was sent: its key is never free again.
  if (event.type === 'refused' && order.filled.size > 0) return false;
  if (event.type === 'refused' && event.isReleased && order.venueOrderId !== null) return false;
  return (EVENTS[order.status] as readonly string[]).includes(event.type);
}

/** The only function that changes an order. Returns the same snapshot if the event is no news. */
export function transition<Status extends OrderStatus>(order: Order<Status>, event: OrderEventOf<Status>): Order {
  if (!admits(order, event))
    throw new AssertionFailure(`an order that is ${order.status} does not admit: ${(event as OrderEvent).type}`);
  const next = after(order, event);
  return CHANGEABLE.every(field => order[field] === next[field]) ? order : next;
}

/** Every field that can change except the time of the change. */
const CHANGEABLE = [
  ...(['status', 'sentAt', 'closedAt', 'venueOrderId', 'filled', 'stated', 'error', 'venueError'] as const),
  ...(['isReleased', 'cancelRequestedAt', 'cancelReason', 'request', 'replaces', 'replacedBy'] as const),
] as const satisfies readonly (keyof Order)[];

function after(order: Order, happening: OrderEvent): Order {
  switch (happening.type) {
    case 'sent':
      return { ...order, status: 'SUBMITTED', sentAt: happening.at, updatedAt: happening.at };
    case 'withdrawn':
      return entered({ ...order, cancelReason: order.cancelReason ?? 'REQUESTED' }, 'CANCELLED', happening.at);
    case 'refused': {
      const { at, error, venueError = null, isReleased } = happening;
      return Object.assign(entered({ ...order }, 'REJECTED', at), { error, venueError, isReleased });
    }
    case 'reopened': {
      const again = entered({ ...order }, 'PENDING', happening.at);
      // The earlier cancel request belonged to the released order, not to the retry.
      const { keyId, request } = happening;
      return { ...again, keyId, request, sentAt: null, cancelRequestedAt: null, cancelReason: null };
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
      // The venue's order now belongs to the order that replaced this one.
      const venueOrderId =
        order.replacedBy === null ? (happening.venueOrderId ?? order.venueOrderId) : order.venueOrderId;
      const over: Draft = { ...order, venueOrderId, stated: later(order.stated, happening.stated) };
      const reason = isFull(order.request, traded(over)) ? null : (happening.reason ?? null);
      over.cancelReason = explained(order.cancelReason, reason);
      return settled(over, 'CANCELLED', happening.at);
    }
    case 'replaced': {
      const { at, by, isSame } = happening;
      const left: Draft = { ...order, replacedBy: by, venueOrderId: isSame ? null : order.venueOrderId, updatedAt: at };
      if (order.status === 'FILLED') return left;
      left.cancelReason = 'REPLACED';
      return entered(left, 'CANCELLED', at);
    }
    case 'resized':
      return resized(order, happening);
    case 'cancel-requested': {
      // Each cancel request has its own time. A replace may revoke its request, so any other reason takes the place of REPLACED.
      const cancelRequestedAt = Math.max(happening.at, (order.cancelRequestedAt ?? 0) + 1) as UnixMillis;
      const earlier = order.cancelReason === 'REPLACED' ? null : order.cancelReason;
      const cancelReason = earlier ?? happening.reason ?? 'REQUESTED';
      return { ...order, cancelRequestedAt, cancelReason, updatedAt: happening.at };
    }
    case 'cancel-revoked':
      return { ...order, cancelRequestedAt: null, cancelReason: null, updatedAt: happening.at };
    default:
      return unreachable(happening);
  }
}

/** A new copy of an order, which the functions that take it change in place. */
type Draft = { -readonly [Field in keyof Order]: Order[Field] };

/** Returns the draft as FILLED if nothing is left. Otherwise `rest` says whether the rest is in the book or gone. */
function settled(draft: Draft, rest: 'OPEN' | 'CANCELLED', at: UnixMillis): Draft {
  if (isFull(draft.request, traded(draft))) return entered(draft, 'FILLED', at);
  if (rest === 'CANCELLED') return entered(draft, 'CANCELLED', at);
  if (draft.status !== 'SUBMITTED' || canRest(draft.request)) return entered(draft, 'OPEN', at);
  // An order that cannot rest is matched at once, in parts. The venue still has to report the order's end.
  draft.updatedAt = at;
  return draft;
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
  return isOver && isFull(smaller.request, traded(smaller)) ? entered(smaller, 'FILLED', at) : smaller;
}

/** Returns the newer sum. Sums may arrive in any sequence, but the traded size only grows: the larger size is newer. */
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

/** If a venue ends an order without a reason or with its group, our cancel request may be the cause, unless the order is EXPIRED. */
function explained(known: CancelReason | null, stated: CancelReason | null): CancelReason | null {
  if (known === null || known === 'VENUE') return stated ?? known;
  const isWeaker = stated === 'VENUE' || (stated === 'PROTECTION' && known !== 'EXPIRED');
  return isWeaker ? known : (stated ?? known);
}

/** The reason if neither our request nor the venue gives a reason. An order that was given up before ends by our own cancel. */
function reasonOf({ request, status }: Order, at: UnixMillis): CancelReason | null {
  if (!canRest(request) || status === 'REJECTED' || status === 'CANCELLED') return null;
  const expiresAt = expiresAtOf(request);
  return expiresAt !== null && at >= expiresAt - EXPIRY_SLACK_MS ? 'EXPIRED' : 'VENUE';
}

/** The tolerance for the end of a GTD order: venue A ends an order at about its time, and every venue by its own clock. */
const EXPIRY_SLACK_MS = 5_000;

/** Gives the draft its status. The errors of an earlier refusal are over. */
function entered(draft: Draft, status: OrderStatus, at: UnixMillis): Draft {
  if (status === 'PENDING' || status === 'OPEN') draft.closedAt = null;
  else if (draft.status !== status) draft.closedAt = at;
  if (status === 'CANCELLED') draft.cancelReason ??= reasonOf(draft, at);
  draft.status = status;
  draft.updatedAt = at;
  draft.error = draft.venueError = null;
  draft.isReleased = false;
  return draft;
}
