// Chains of orders that replaced each other in place. At venue B a chain is one order under one id. Its reports are divided among our
// orders: by our client order id if a report has it, else in sequence. Each order has the sum of the orders before it, so that a chain may
// be of any length. Engine thread.

import type { MicroDollars, MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import type { Order, OrderEvent, OrderId } from '../../core/domain/order.ts';
import { type Filled, NOTHING_FILLED, traded } from '../../core/domain/order-sums.ts';
import type { LiveReads } from '../../core/store/order-records.ts';

type Reads = Pick<LiveReads, 'order'>;

/** The order that this one replaced, if the venue has both as one; else null. */
export function predecessorOf(reads: Reads, { replaces, request }: Order): Order | null {
  if (replaces === null || request.venue !== 'venue_b') return null;
  return reads.order(replaces.orderId)?.order ?? null;
}

/** The last order of the chain behind this one; the order itself if nothing replaced it. */
export function latestOf(reads: Reads, orderId: OrderId): OrderId {
  for (let latest = orderId; ; ) {
    const next = reads.order(latest)?.order.replacedBy ?? null;
    if (next === null) return latest;
    latest = next;
  }
}

/** Whether an in-place replacement is not confirmed yet. */
export function isWithoutPlace(reads: Reads, order: Order): boolean {
  return order.venueOrderId === null && order.replacedBy === null && predecessorOf(reads, order) !== null;
}

/** The order under whose id the venue has this one. Until the replacement is confirmed, that is the replaced order. */
export function namedAtVenue(reads: Reads, order: Order): Order {
  return { ...order, venueOrderId: order.venueOrderId ?? predecessorOf(reads, order)?.venueOrderId ?? null };
}

/** The quantity that all earlier orders of the chain have traded, in their common frame. */
export function tradedBefore(reads: Reads, order: Order): Filled {
  const previous = predecessorOf(reads, order);
  return previous === null ? NOTHING_FILLED : sum(order.replaces!.before, traded(previous));
}

/** The order's own part of the sum that the venue states for the chain. Null while fills of earlier orders are not reported. */
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
 * Finds the order of a fill that arrived without our client order id: the first order of the chain that still misses fills. The venue
 * stated those fills under its name, or counted them before the next order replaced it.
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

/** The chain up to an order, back to the first order that may have fills. The order itself may not be confirmed yet. */
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

/** Whether the venue has stated a larger sum for the order than its fills have. */
function lacksFills({ stated, filled }: Order): boolean {
  return stated !== null && stated.size > filled.size;
}

/** The remaining size of a replacement, by the known fills of the earlier orders. */
export function resizing(reads: Reads, order: Order, previous: Order, at: UnixMillis): OrderEvent | null {
  const { replaces, request } = order;
  if (replaces === null || request.venue !== 'venue_b') return null;
  const before = tradedBefore(reads, previous);
  const left = replaces.venueTotal - before.size - traded(previous).size;
  const size = Math.min(request.size, Math.max(0, left)) as MicroShares;
  return { type: 'resized', at, size, previous: previous.orderId, before };
}

/** The known filled size of the venue’s order when this order replaced the one before. */
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
