// Exposure limits over a ledger's records, beside a naive twin. The twin tries each outcome, and fills every open order that loses by that
// outcome.

import type { LinkedEvent } from '../../src/core/domain/event-links.ts';
import type { MicroDollars } from '../../src/core/domain/numbers.ts';
import { isTerminal, type Order, type OrderId } from '../../src/core/domain/order.ts';
import { addressOf, directionOf } from '../../src/core/domain/order-frame.ts';
import type { Position } from '../../src/core/domain/position.ts';
import type { LedgerStore } from '../../src/core/store/order-records.ts';
import { type LedgerEvent, readEvents } from '../../src/orders/ledger/events.ts';
import { Exposure } from '../../src/orders/life/exposure.ts';
import { complementOf } from './exchange.ts';
import type { Ended } from './invariants.ts';
import { ADDRESSES } from './outside.ts';

/** The exposure limit of alice, and of the pod. */
export const EXPOSURE_MAX = 4_000_000 as MicroDollars;
export const POD_EXPOSURE_MAX = 6_000_000 as MicroDollars;

/**
 * The first market pays if the home side wins; the second market pays if the home side does not win. At venue A each market has two tokens.
 */
const LEGS = Object.entries(ADDRESSES).flatMap(([name, [home, away]]) => {
  const venue = name as 'venue_a' | 'venue_b';
  const other = { venue, outcome: 0, isNot: false };
  return [
    { ...other, address: home },
    { ...other, address: away, isNot: true },
    { ...other, address: complementOf(home), isNot: true },
    { ...other, address: complementOf(away) },
  ];
});
const EVENT: LinkedEvent = { id: 'game', questions: [{ outcomes: ['home', 'away'], legs: LEGS }] };

export function openExposure(store: LedgerStore, actors: readonly string[]): Exposure {
  return new Exposure({ store, eventOf: () => EVENT, actorsOf: () => actors });
}

/** Returns the orders that were to be sent although they take the exposure beyond a limit. */
export function exposureFaults({ store, wipes }: Pick<Ended, 'store' | 'wipes'>): readonly string[] {
  if (wipes > 0) return [];
  const twin = new Twin();
  return store.log.records.flatMap(record =>
    readEvents(record).flatMap(event => {
      const faults = event.type === 'order-made' ? twin.beyond(event.stored.order) : [];
      twin.take(event);
      return faults;
    }),
  );
}

class Twin {
  readonly #positions = new Map<string, readonly [owner: string, Position]>();
  readonly #orders = new Map<OrderId, Order>();

  take(event: LedgerEvent): void {
    if (event.type === 'order-made') this.#orders.set(event.stored.order.orderId, event.stored.order);
    if (event.type === 'order-moved')
      this.#orders.set(event.orderId, { ...this.#orders.get(event.orderId)!, ...event.motion });
    if (event.type !== 'position-moved') return;
    const { owner, position } = event;
    this.#positions.set(`${owner} ${position.address}`, [owner, position]);
  }

  /**
   * Returns the limits that an order exceeds. Skips orders without a key, which were found at the venue, and orders that were sent before.
   */
  beyond(order: Order): readonly string[] {
    const { orderId, status, idempotencyKey, replaces } = order;
    const known = this.#orders.get(orderId);
    const isNew = known === undefined || known.status === 'REJECTED';
    if (!isNew || idempotencyKey === '' || (status !== 'PENDING' && status !== 'SUBMITTED')) return [];
    const others = [...this.#orders.values()].filter(it => it.orderId !== replaces?.orderId);
    const beyond = (max: number, isIts: (owner: string) => boolean): boolean => {
      const [before, after] = [this.#worst(others, isIts), this.#worst([...others, order], isIts)];
      return after > max + ROUNDING && after > before + ROUNDING;
    };
    const ofAlice = order.actorId === 'alice' && beyond(EXPOSURE_MAX, owner => owner === 'alice');
    const ofPod = beyond(POD_EXPOSURE_MAX, () => true);
    return [
      ...(ofAlice ? [`${orderId} takes alice beyond her exposure`] : []),
      ...(ofPod ? [`${orderId} takes the pod beyond its exposure`] : []),
    ];
  }

  #worst(orders: readonly Order[], isIts: (owner: string) => boolean): number {
    return Math.max(0, ...[true, false].map(isHome => this.#loss(orders, isIts, isHome)));
  }

  #loss(orders: readonly Order[], isIts: (owner: string) => boolean, isHome: boolean): number {
    let loss = 0;
    for (const [owner, position] of this.#positions.values()) {
      if (!isIts(owner) || position.isRedeemable) continue;
      const { size, average } = position;
      const cost = (Math.abs(size) * Number(average.numerator)) / Number(average.denominator) / TICKS;
      const isWon = pays(position.address, isHome) === size > 0;
      loss += cost - (isWon ? Math.abs(size) : 0);
    }
    const costOfNew = new Map(orders.map(order => [order.replaces?.orderId, mayCost(order)]));
    for (const order of orders) {
      const isLost = directionOf(order.request) > 0 !== pays(addressOf(order.request), isHome);
      // An order and its replacement are never live together, so that only the dearer of the two counts.
      if (isIts(order.actorId) && isLost) loss += Math.max(0, mayCost(order) - (costOfNew.get(order.orderId) ?? 0));
    }
    return loss;
  }
}

const TICKS = 10_000;
/** The tolerance: each holding and each order is rounded up to a micro-dollar. */
const ROUNDING = 100;

function pays(address: string, isHome: boolean): boolean {
  const isComplement = address.startsWith('c');
  const isFirst = Object.values(ADDRESSES).some(([home]) => address.replace('c', '') === home);
  return (isFirst !== isComplement) === isHome;
}

/**
 * Returns the most that an order may still cost. Leaves out unreported fills of an ended order, so that the twin never exceeds the true
 * exposure.
 */
function mayCost({ request, status, filled }: Order): number {
  if (isTerminal(status)) return 0;
  if ('dollars' in request) return Math.max(0, request.dollars - Number(filled.cost) / TICKS);
  const price = 'price' in request ? request.price : request.worstPrice;
  const isSale = (request.venue === 'venue_a' ? request.side : request.action) === 'SELL';
  const unit = price === null ? TICKS : isSale ? TICKS - price : price;
  return (Math.max(0, request.size - filled.size) * unit) / TICKS;
}
