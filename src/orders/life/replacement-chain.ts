// Chains of orders that replaced each other in place. At venue B a chain is one order under one id. Its reports are divided among our
// orders: by our client order id if a report has it, otherwise in sequence. Each order keeps the sum of the orders before it, so that a
// chain may have any length. Engine thread.

import type { MicroDollars, MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import type { Order, OrderEvent, OrderId } from '../../core/domain/order.ts';
import { type Filled, NOTHING_FILLED, traded } from '../../core/domain/order-sums.ts';
import type { LiveReads } from '../../core/store/order-records.ts';

type Reads = Pick<LiveReads, 'order'>;

/** Returns the order that this order replaced, if the venue has the two as one order. Otherwise returns null. */
export function predecessorOf(reads: Reads, { replaces, request }: Order): Order | null {
  if (replaces === null || request.venue !== 'venue_b') return null;
  return reads.order(replaces.orderId)?.order ?? null;
}

/** Returns the last order of the chain. It is the order itself if nothing replaced it. */
export function latestOf(reads: Reads, orderId: OrderId): OrderId {
  for (let latest = orderId; ; ) {
    const next = reads.order(latest)?.order.replacedBy ?? null;
    if (next === null) return latest;
    latest = next;
  }
}

/** Whether the order is a replacement in place that is not confirmed yet. */
export function isWithoutPlace(reads: Reads, order: Order): boolean {
  return order.venueOrderId === null && order.replacedBy === null && predecessorOf(reads, order) !== null;
}

/** Returns the order with its id at the venue. Until a replacement is confirmed, that is the id of the replaced order. */
export function withVenueId(reads: Reads, order: Order): Order {
  return { ...order, venueOrderId: order.venueOrderId ?? predecessorOf(reads, order)?.venueOrderId ?? null };
}

/** Returns what all earlier orders of the chain have traded, in their common frame. */
export function tradedBefore(reads: Reads, order: Order): Filled {
  const previous = predecessorOf(reads, order);
  return previous === null ? NOTHING_FILLED : addFilled(order.replaces!.before, traded(previous));
}

/**
 * Returns the order's own part of the sum that the venue states for the chain. Null means that fills of earlier orders are still not
 * reported.
 */
export function ownFilled(reads: Reads, order: Order, stated: Filled | null): Filled | null {
  if (stated === null || predecessorOf(reads, order) === null) return stated;
  const before = tradedBefore(reads, order);
  if (before.size < filledBefore(order)) return null;
  const size = stated.size - before.size;
  if (size <= 0) return NOTHING_FILLED;
  const fees = Math.max(0, stated.fees - before.fees) as MicroDollars;
  return { size: size as MicroShares, cost: stated.cost - before.cost, fees };
}

/**
 * Finds the order of a fill that arrived without our client order id: the first order of the chain that still lacks fills. The venue has
 * stated those fills under the order's id, or counted them before the next order replaced it.
 */
export function firstUnfilled(reads: Reads, latest: OrderId): OrderId {
  const chain = filledChain(reads, latest);
  let reported = 0;
  for (const [index, order] of chain.entries()) {
    const next = chain[index + 1];
    reported += order.filled.size;
    if (next !== undefined && (reported < filledBefore(next) || isMissingFills(order))) return order.orderId;
  }
  return latest;
}

/** Returns the chain up to an order, from the first order that may still lack fills. The last order may not be confirmed yet. */
function filledChain(reads: Reads, latest: OrderId): readonly Order[] {
  const chain: Order[] = [];
  for (let order = reads.order(latest)?.order ?? null; order !== null; ) {
    chain.push(order);
    const previous: Order | null = predecessorOf(reads, order);
    const hasFilled = previous !== null && (filledBefore(order) > 0 || isMissingFills(previous));
    const isIts: boolean = hasFilled && (previous.replacedBy ?? order.orderId) === order.orderId;
    order = isIts ? previous : null;
  }
  return chain.reverse();
}

/** Whether the venue has stated a larger sum for the order than its fills add up to. */
function isMissingFills({ stated, filled }: Order): boolean {
  return stated !== null && stated.size > filled.size;
}

/** Returns the event that gives a replacement its remaining size by the known fills of the earlier orders. */
export function resizeEvent(reads: Reads, order: Order, previous: Order, at: UnixMillis): OrderEvent | null {
  const { replaces, request } = order;
  if (replaces === null || request.venue !== 'venue_b') return null;
  const before = tradedBefore(reads, previous);
  const left = replaces.venueTotal - before.size - traded(previous).size;
  const size = Math.min(request.size, Math.max(0, left)) as MicroShares;
  return { type: 'resized', at, size, previous: previous.orderId, before };
}

/** Returns how much the venue's order is known to have filled when this order replaced the order before. */
function filledBefore({ replaces, request }: Order): number {
  return replaces === null || 'dollars' in request ? 0 : replaces.venueTotal - request.size;
}

function addFilled(one: Filled, other: Filled): Filled {
  return {
    size: (one.size + other.size) as MicroShares,
    cost: one.cost + other.cost,
    fees: (one.fees + other.fees) as MicroDollars,
  };
}
