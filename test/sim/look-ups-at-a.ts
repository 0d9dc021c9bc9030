// A look-up of an order at venue A: the adapter makes it of what the venue shows (venues/venue-a/trading/look-up.ts).

import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Order } from '../../src/core/domain/order.ts';
import type { Intent } from '../../src/core/domain/order-request.ts';
import { canRest } from '../../src/core/domain/order-sums.ts';
import { limits } from '../../src/limits.ts';
import type { LookUp } from '../../src/venues/venue.ts';
import { MissedOrders } from '../../src/venues/venue-a/trading/look-up.ts';
import type { Schedule } from './schedule.ts';
import { framed, openSize, statedOf, type TrueFill, type TrueOrder } from './true-order.ts';
import type { Wire } from './wire.ts';

export class LookUpsAtA {
  readonly #wire: Wire;
  readonly #schedule: Schedule;
  readonly #missed = new MissedOrders();

  constructor(wire: Wire, schedule: Schedule) {
    this.#wire = wire;
    this.#schedule = schedule;
  }

  /** Looks an order up. `orders` are the orders at the time `asOf`. */
  find(order: Order, { clientOrderId }: Intent, orders: readonly TrueOrder[], asOf: UnixMillis): LookUp {
    const ageMs = asOf - (order.sentAt ?? order.createdAt);
    // An order is not looked for before the time at which it was sent.
    const from = (order.sentAt ?? 0) - 2_000;
    const young = orders.filter(it => order.venueOrderId !== null || it.history[0]!.at >= from);
    const there = young.find(it =>
      order.venueOrderId === null ? it.clientOrderId === clientOrderId : it.venueOrderId === order.venueOrderId,
    );
    // A resting order may have arrived long after it was sent.
    const newerMs = order.status === 'OPEN' ? Math.min(ageMs, asOf - order.updatedAt) : ageMs;
    if (there === undefined) return { type: 'absent', isCurrent: newerMs > 30_000 };
    // The list of trades also lags, or is newer than the order.
    const found = this.#wire.chance(0.5) ? { ...there, fills: there.fills.map(it => unfailed(it, asOf)) } : there;
    const { venueOrderId, state } = found;
    // An order that ended without a trade is forgotten.
    const isForgotten = state === 'gone' && found.fills.length === 0;
    if (isForgotten && (order.venueOrderId === null || ageMs < 5_000)) {
      return { type: 'absent', isCurrent: ageMs >= 30_000 };
    }
    const fills = found.fills.map(({ fill, settlement }) => ({ ...fill, settlement, clientOrderId: null }));
    const stated = framed(found, statedOf(found));
    if (state !== 'gone') {
      this.#missed.forget(venueOrderId);
      return { type: 'found', venueOrderId, state, stated, fills };
    }
    const missedMs = mayCountFailed(found)
      ? this.#missed.noteMiss(venueOrderId, this.#schedule.now())
      : limits.venueAReadLagMs;
    if (missedMs < limits.venueAReadLagMs) return { type: 'absent', isCurrent: false };
    this.#missed.forget(venueOrderId);
    const isAtOnce = found.history[0]!.state === 'gone' && fills.length === 0;
    return { type: 'found', venueOrderId, state, stated, reason: undefined, isAtOnce, fills };
  }
}

function unfailed(traded: TrueFill, asOf: UnixMillis): TrueFill {
  return traded.failedTime > asOf && traded.settlement === 'FAILED' ? { ...traded, settlement: 'MATCHED' } : traded;
}

/** The venue shows an order as matched in full, with a trade that has failed: it may rest again by now. */
function mayCountFailed(order: TrueOrder): boolean {
  const fills = order.fills.map(it => ({ ...it, settlement: 'MATCHED' as const }));
  return canRest(order.request) && openSize(order) > 0 && openSize({ ...order, fills }) <= 0;
}
