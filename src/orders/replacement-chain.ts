// Orders that replaced each other in place: at venue B they are one order of the venue, under one id. Its reports are divided among ours: by
// our client order id where it stands in them, else in sequence. Each order has the sum of those before, so that a chain may be of any length.
// Engine thread.

import type { MicroDollars, MicroShares, UnixMillis } from '../domain/numbers.ts';
import type { Order, OrderEvent, OrderId } from '../domain/order.ts';
import { type Filled, NOTHING_FILLED, traded } from '../domain/order-sums.ts';
import type { LiveReads } from '../store/order-records.ts';

type Reads = Pick<LiveReads, 'order'>;

/** The order that this one took the place of, if the venue has both as one; else null. */
export function predecessorOf(reads: Reads, { replaces, request }: Order): Order | null {
  if (replaces === null || request.venue !== 'venue_b') return null;
  return reads.order(replaces.orderId)?.order ?? null;
}

/** The last order that took the place of this one or of those behind it; without any, the order itself. */
export function latestOf(reads: Reads, orderId: OrderId): OrderId {
  for (let latest = orderId; ; ) {
    const next = reads.order(latest)?.order.replacedBy ?? null;
    if (next === null) return latest;
    latest = next;
  }
}

/** Whether an order that replaces another in place is not known to have its place yet. */
export function isWithoutPlace(reads: Reads, order: Order): boolean {
  return order.venueOrderId === null && order.replacedBy === null && predecessorOf(reads, order) !== null;
}

/** By the id that the venue has it under. Until it has its place, that is the id of the order that it replaces. */
export function namedAtVenue(reads: Reads, order: Order): Order {
  return { ...order, venueOrderId: order.venueOrderId ?? predecessorOf(reads, order)?.venueOrderId ?? null };
}

/** What all before it have traded, in the frame that they share. */
export function tradedBefore(reads: Reads, order: Order): Filled {
  const previous = predecessorOf(reads, order);
  return previous === null ? NOTHING_FILLED : sum(order.replaces!.before, traded(previous));
}

/** The order's own part of a sum that the venue states of all. Null while fills of those before it are not reported. */
export function ownPart(reads: Reads, order: Order, stated: Filled | null): Filled | null {
  if (stated === null || predecessorOf(reads, order) === null) return stated;
  const before = tradedBefore(reads, order);
  if (before.size < filledUntil(order)) return null;
  const size = stated.size - before.size;
  if (size <= 0) return NOTHING_FILLED;
  const fees = Math.max(0, stated.fees - before.fees) as MicroDollars;
  return { size: size as MicroShares, cost: stated.cost - before.cost, fees };
}

/**
 * Whose a fill is that the venue reports without our client order id: the first whose fills are not all reported. Its fills are those that
 * the venue has stated under its name, or counted before the next order took its place.
 */
export function firstUnfilled(reads: Reads, latest: OrderId): OrderId {
  const chain = filledChain(reads, latest);
  let reported = 0;
  for (const [index, order] of chain.entries()) {
    const next = chain[index + 1];
    reported += order.filled.size;
    if (next !== undefined && (reported < filledUntil(next) || lacksFills(order))) return order.orderId;
  }
  return latest;
}

/** An order behind those before it, back to the first that may have had anything filled. It may be about to take its place. */
function filledChain(reads: Reads, latest: OrderId): readonly Order[] {
  const chain: Order[] = [];
  for (let order = reads.order(latest)?.order ?? null; order !== null; ) {
    chain.push(order);
    const previous: Order | null = predecessorOf(reads, order);
    const hasFilled = previous !== null && (filledUntil(order) > 0 || lacksFills(previous));
    const isIts: boolean = hasFilled && (previous.replacedBy ?? order.orderId) === order.orderId;
    order = isIts ? previous : null;
  }
  return chain.reverse();
}

/** Whether the venue has stated more under its own name than its fills have. */
function lacksFills({ stated, filled }: Order): boolean {
  return stated !== null && stated.size > filled.size;
}

/** Remaining size of an order that replaced others, by what is known of those others now. */
export function resizing(reads: Reads, order: Order, previous: Order, at: UnixMillis): OrderEvent | null {
  const { replaces, request } = order;
  if (replaces === null || request.venue !== 'venue_b') return null;
  const before = tradedBefore(reads, previous);
  const left = replaces.venueTotal - before.size - traded(previous).size;
  const size = Math.min(request.size, Math.max(0, left)) as MicroShares;
  return { type: 'resized', at, size, previous: previous.orderId, before };
}

/** Known filled size of the venue’s order when this one took its place. */
function filledUntil({ replaces, request }: Order): number {
  return replaces === null || 'dollars' in request ? 0 : replaces.venueTotal - request.size;
}

function sum(one: Filled, other: Filled): Filled {
  return {
    size: (one.size + other.size) as MicroShares,
    cost: one.cost + other.cost,
    fees: (one.fees + other.fees) as MicroDollars,
  };
}
