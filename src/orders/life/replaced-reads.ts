// The orders of an actor as limits and holdings count them while orders replace others. An order and its replacement are never live
// together, so what either of them could add counts only once. Engine thread.

import { restCostOf } from '../../core/domain/hold-cost.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { MicroDollars } from '../../core/domain/numbers.ts';
import { isTerminal, type Order } from '../../core/domain/order.ts';
import { addressOf, directionOf, growthOf } from '../../core/domain/order-frame.ts';
import { unreportedOf } from '../../core/domain/order-sums.ts';
import type { PendingHolds } from '../../core/store/order-records.ts';
import type { LimitReads } from './actor-limits.ts';

/** The open part of an order, which ends with the order. What the order has traded stays. */
interface Rest {
  readonly growth: number;
  readonly cost: number;
}

/**
 * Returns reads that count the larger rest of each replacement in flight, because either of its two orders may be live. Returns `reads` if
 * the actor has no such replacement.
 */
export function largerRests(reads: LimitReads, sender: Pick<Order, 'podId' | 'actorId' | 'request'>): LimitReads {
  const { podId, actorId, request } = sender;
  let once = reads;
  for (const { order } of reads.unclearOrders({ podId, venue: request.venue })) {
    if (order.replaces === null || order.actorId !== actorId) continue;
    const old = reads.order(order.replaces.orderId)?.order ?? null;
    if (old !== null && !isTerminal(old.status)) once = readsLess(once, old, smallerRest(restOf(old), restOf(order)));
  }
  return once;
}

/** Returns reads in which only the traded quantity of the old order counts, so that the new order can count in its place. */
export function readsWithout(reads: LimitReads, old: Order): LimitReads {
  return readsLess(reads, old, restOf(old));
}

function restOf(order: Order): Rest {
  return { growth: growthOf(order) - unreportedOf(order), cost: restCostOf(order) };
}

function smallerRest(one: Rest, other: Rest): Rest {
  return { growth: Math.min(one.growth, other.growth), cost: Math.min(one.cost, other.cost) };
}

/** Returns reads with one open order less, and with `rest` less in the order's market and direction. */
function readsLess(reads: LimitReads, { actorId, request }: Order, rest: Rest): LimitReads {
  const isIts = (actor: string, at: Venue): boolean => actor === actorId && at === request.venue;
  const isInMarket = (actor: string, at: Venue, address: string): boolean =>
    isIts(actor, at) && address === addressOf(request);
  return {
    order: orderId => reads.order(orderId),
    pending: (...market) => {
      const holds = reads.pending(...market);
      return isInMarket(...market) ? reducedHolds(holds, directionOf(request), rest) : holds;
    },
    openCount: (actor, at) => reads.openCount(actor, at) - (isIts(actor, at ?? request.venue) ? 1 : 0),
    unclearOrders: account => reads.unclearOrders(account),
    position: (...named) => reads.position(...named),
    held: (...named) => reads.held(...named),
    addressesOf: (...named) => reads.addressesOf(...named),
    idempotency: (...named) => reads.idempotency(...named),
    openActions: podId => reads.openActions(podId),
  };
}

function reducedHolds(holds: PendingHolds, itsDirection: 1 | -1, rest: Rest): PendingHolds {
  return {
    growth: direction => holds.growth(direction) - (direction === itsDirection ? rest.growth : 0),
    cost: direction => (holds.cost(direction) - (direction === itsDirection ? rest.cost : 0)) as MicroDollars,
    bought: holds.bought,
    immediate: holds.immediate,
  };
}
