// What an actor has, as limits and holdings count it, where orders replace others. An order and its replacement are never live together, so
// that what both could add counts once. Engine thread.

import { restCostOf } from '../../core/domain/hold-cost.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { MicroDollars } from '../../core/domain/numbers.ts';
import { isTerminal, type Order } from '../../core/domain/order.ts';
import { addressOf, directionOf, growthOf } from '../../core/domain/order-frame.ts';
import { unreportedOf } from '../../core/domain/order-sums.ts';
import type { PendingHolds } from '../../core/store/order-records.ts';
import type { LimitReads } from './actor-limits.ts';

/** Counts the larger order of each replacement of the account that is in flight. The same reads if there is none. */
export function eachOnce(reads: LimitReads, { podId, request }: Pick<Order, 'podId' | 'request'>): LimitReads {
  let once = reads;
  for (const { order } of reads.unclearOrders({ podId, venue: request.venue })) {
    const old = order.replaces === null ? null : (reads.order(order.replaces.orderId)?.order ?? null);
    if (old !== null && !isTerminal(old.status)) once = without(once, growthOf(old) > growthOf(order) ? order : old);
  }
  return once;
}

/** Limits and holdings count the new order in place of the old one, of which only the traded quantity still counts. */
export function without(reads: LimitReads, old: Order): LimitReads {
  const { actorId, request } = old;
  const isIts = (actor: string, at: Venue): boolean => actor === actorId && at === request.venue;
  const isInMarket = (actor: string, at: Venue, address: string): boolean =>
    isIts(actor, at) && address === addressOf(request);
  return {
    order: orderId => reads.order(orderId),
    pending: (...market) => {
      const holds = reads.pending(...market);
      return isInMarket(...market) ? withoutRest(holds, old) : holds;
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

/** Both orders of a replacement rest, and so have sizes. */
function withoutRest(holds: PendingHolds, old: Order): PendingHolds {
  const rest = growthOf(old) - unreportedOf(old);
  const ofOld = directionOf(old.request);
  return {
    growth: direction => holds.growth(direction) - (direction === ofOld ? rest : 0),
    cost: direction => (holds.cost(direction) - (direction === ofOld ? restCostOf(old) : 0)) as MicroDollars,
    bought: holds.bought,
    passing: holds.passing,
  };
}
