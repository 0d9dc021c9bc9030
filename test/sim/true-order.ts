// An order at the simulated exchange in its true state, and the state that the venue shows.

import type { Settlement } from '../../src/core/domain/fill.ts';
import type { Venue } from '../../src/core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../src/core/domain/numbers.ts';
import type { OrderId } from '../../src/core/domain/order.ts';
import { addressOf, directionOf, filledInFrame, priceInFrame } from '../../src/core/domain/order-frame.ts';
import { expiresAtOf, type OrderRequest } from '../../src/core/domain/order-request.ts';
import type { Filled } from '../../src/core/domain/order-sums.ts';
import type { EndReason, SubmitOutcome, VenueFill, VenueOrder } from '../../src/venues/venue.ts';

export const SHARE = 1_000_000;
export const HUNDREDTH = 10_000;
const SHARE_STEP = 100;
const CENT = 10_000;

type State = VenueOrder['state'];

export interface TrueOrder {
  readonly venueOrderId: string;
  /** This field and the next two change when the order is replaced in place. */
  clientOrderId: string;
  size: number;
  price: Ticks;
  /** The request as its maker first meant it. */
  readonly request: OrderRequest;
  /** The group of the order. Null means that the order is in no group. */
  readonly groupId: string | null;
  state: State;
  /** The reason why the order ended: by a cancel of ours, or by the venue. */
  ended: 'by us' | EndReason | null;
  readonly fills: TrueFill[];
  /** The states of the order, and the time of each. */
  readonly history: Past[];
}

interface Past extends Pick<TrueOrder, 'clientOrderId' | 'size' | 'price' | 'state'> {
  readonly at: UnixMillis;
  readonly fills: number;
}

export interface TrueFill {
  readonly fill: VenueFill;
  settlement: Settlement;
  /** The number of trades at the venue when this trade failed. */
  failedAt: number;
  /** The time at which the trade failed. */
  failedTime: number;
}

/** Returns the orders in their state at the time `asOf`. */
export function ordersAsOf(orders: Iterable<TrueOrder>, asOf: number): readonly TrueOrder[] {
  return [...orders].flatMap(order => {
    const then = order.history.findLast(({ at }) => at <= asOf);
    if (then === undefined) return [];
    const history = order.history.filter(({ at }) => at <= asOf);
    return [{ ...order, ...then, history, fills: order.fills.slice(0, then.fills) }];
  });
}

/** The id of the gateway's order for a true order. */
export function idOf({ clientOrderId }: Pick<TrueOrder, 'clientOrderId'>): OrderId {
  return clientOrderId.split('.')[0] as OrderId;
}

/** Returns the group of an order. The order's bytes are the id of its group, if it has a group. */
export function groupIn(payload: Uint8Array): string | null {
  const text = Buffer.from(payload).toString();
  return text.startsWith('g-') ? text : null;
}

export function viewOf(venue: Venue, order: TrueOrder): VenueOrder {
  const { venueOrderId, clientOrderId, request, size, price, state } = order;
  return {
    venueOrderId,
    clientOrderId: venue === 'venue_a' ? null : clientOrderId,
    address: addressOf(request),
    state,
    ...(state === 'gone' ? { reason: reasonSaid(venue, order) } : {}),
    // The order's price says nothing about the price that was paid.
    stated: 'type' in request && request.type === 'MARKET' && order.fills.length > 0 ? null : statedOf(order),
    ...(request.venue === 'venue_b' ? { request: inTermsOfYes(request, size, price) } : {}),
  };
}

/** Returns the reason that a stream reports. A stream says more than a record. */
function reasonSaid(venue: Venue, order: TrueOrder): EndReason | undefined {
  const { ended } = order;
  const isSaid = ended === 'MARKET_CLOSED' || ended === 'SELF_TRADE' || ended === 'PROTECTION';
  return isSaid ? ended : reasonRecorded(venue, order);
}

/**
 * Returns the reason that a record shows. Venue B records when an order was to expire and when it ended. Venue A reports an expired order
 * as cancelled.
 */
function reasonRecorded(venue: Venue, { request, ended }: TrueOrder): EndReason | undefined {
  if (venue === 'venue_a' || ended === null || expiresAtOf(request) === null) return undefined;
  return ended === 'EXPIRED' ? 'EXPIRED' : 'VENUE';
}

/** Returns the fills in terms of the address. */
export function statedOf({ fills }: Pick<TrueOrder, 'fills'>): Filled {
  const counted = fills.filter(({ settlement }) => settlement !== 'FAILED').map(({ fill }) => fill);
  return {
    size: counted.reduce((sum, { size }) => sum + size, 0) as MicroShares,
    cost: counted.reduce((sum, { size, addressPrice }) => sum + BigInt(size) * BigInt(addressPrice), 0n),
    fees: counted.reduce((sum, { fee }) => sum + fee, 0) as MicroDollars,
  };
}

/** Returns the fills in terms of the order. */
export function framed({ request }: TrueOrder, stated: Filled): Filled {
  return filledInFrame(request, stated);
}

/** Returns the open size. An order for dollars spends its limit, except for less than a cent (contract §4.3). */
export function openSize({ size, price, request, fills }: TrueOrder): number {
  const standing = fills.filter(({ settlement }) => settlement !== 'FAILED').map(({ fill }) => fill);
  if (!('dollars' in request)) return standing.reduce((left, fill) => left - fill.size, size);
  const left = standing.reduce<number>(
    (dollars, fill) => dollars - costOf(fill.size, fill.addressPrice),
    request.dollars,
  );
  return left < CENT ? 0 : sharesFor(left, price);
}

/** Returns the cost in micro-dollars, which need not be whole. */
export function costOf(size: number, price: Ticks): number {
  return (size * price) / TICKS_PER_DOLLAR;
}

/** Returns the shares for an amount of dollars. Venue A gives four decimals of a share, rounded down (venue-a.md §2). */
export function sharesFor(dollars: number, price: Ticks): number {
  return Math.floor((dollars * TICKS_PER_DOLLAR) / price / SHARE_STEP) * SHARE_STEP;
}

/** Returns a part of the order's size: at venue A in whole shares, at venue B in hundredths of a contract. */
export function part(order: TrueOrder, share: number): number {
  const step = order.request.venue === 'venue_b' ? HUNDREDTH : SHARE;
  return Math.floor((share * openSize(order)) / step) * step;
}

export function termsOf(request: OrderRequest): { readonly size: number; readonly price: Ticks } {
  const price = 'price' in request ? request.price : (5_000 as Ticks);
  return { size: 'dollars' in request ? sharesFor(request.dollars, price) : request.size, price };
}

function inTermsOfYes(request: Extract<OrderRequest, { venue: 'venue_b' }>, size: number, price: Ticks): OrderRequest {
  const action = directionOf(request) === 1 ? 'BUY' : 'SELL';
  return { ...request, side: 'YES', action, size: size as MicroShares, price: priceInFrame(request, price) };
}

export function refusedWith(
  kind: 'insufficientBalance' | 'invalid' | 'notFound',
  message: string,
  isKilled = false,
): SubmitOutcome {
  return { type: 'refused', kind, error: { code: isKilled ? 'NOT_FEASIBLE' : 'VENUE_REJECTED', message } };
}
