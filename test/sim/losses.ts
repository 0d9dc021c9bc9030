// Loss limits over a ledger's records, beside a naive twin: it sums over all positions that any record has moved.

import { type Fraction, fraction, negative, plus, times, ZERO } from '../../src/core/domain/fraction.ts';
import { type LossLimit, lossLimitsOf } from '../../src/core/domain/loss-limit.ts';
import type { Ticks } from '../../src/core/domain/numbers.ts';
import { isTerminal, type Order, type OrderId } from '../../src/core/domain/order.ts';
import { addressOf, directionOf } from '../../src/core/domain/order-frame.ts';
import { type Position, valued } from '../../src/core/domain/position.ts';
import { type LedgerEvent, readEvents } from '../../src/orders/ledger/events.ts';
import type { Ended } from './invariants.ts';
import { PRICES } from './loss-desk.ts';

/** The factor from an amount in units of 1e-10 dollars to the units of a base. */
const EXACT = 1_000_000n;

interface Watched {
  readonly limit: LossLimit;
  /** The largest loss since the limit was recorded with these terms. */
  worst: bigint;
}

class Twin {
  readonly positions = new Map<string, Position>();
  readonly orders = new Map<OrderId, Order>();
  readonly marks = new Map<string, string>();
  readonly watched = new Map<string, Watched>();

  /** The amount by which the base of the pod may still rise: what unattributed shares have gained as they came, went or paid out. */
  windfall = 0n;

  /** Returns the profit of an actor, or of all owners of the only pod. */
  profit(scope: string): bigint {
    let profit: Fraction = ZERO;
    for (const [name, { fees }] of this.positions)
      if (scope === 'pod' || scope === name.split(' ')[0])
        profit = plus(profit, plus(this.#profitIn(name), negative(fraction(BigInt(fees) * 10_000n))));
    return exactly(profit);
  }

  /** The profits of positions by their names, before fees. */
  profits(): ReadonlyMap<string, bigint> {
    return new Map([...this.positions.keys()].map(name => [name, exactly(this.#profitIn(name))]));
  }

  #profitIn(name: string): Fraction {
    const position = this.positions.get(name)!;
    const paid = this.paidAt(name);
    const value = position.isRedeemable && paid !== undefined ? (Number(paid) as Ticks) : null;
    return plus(position.realized, valued(position, PRICES, value).unrealized);
  }

  paidAt(name: string): string | undefined {
    const [, venue, address] = name.split(' ');
    return this.marks.get(`settled/pod/${venue}/${address}`);
  }

  /** After a record. An unattributed trade that an actor takes over is no windfall. */
  countWindfalls(before: ReadonlyMap<string, bigint>): void {
    const after = this.profits();
    const gainOf = (name: string): bigint => (after.get(name) ?? 0n) - (before.get(name) ?? 0n);
    for (const name of after.keys()) {
      const [owner, ...place] = name.split(' ');
      if (owner !== 'unattributed' || gainOf(name) <= 0n) continue;
      const others = [...after.keys()].filter(it => it !== name && it.endsWith(` ${place.join(' ')}`));
      const taken = others.map(gainOf).filter(gain => gain < 0n && this.paidAt(name) === undefined);
      const gain = taken.reduce((sum, it) => sum + it, gainOf(name));
      if (gain > 0n) this.windfall += gain;
    }
  }

  held({ actorId, request }: Order): number {
    return this.positions.get(`${actorId} ${request.venue} ${addressOf(request)}`)?.size ?? 0;
  }
}

function exactly(profit: Fraction): bigint {
  const { numerator, denominator } = times(profit, fraction(EXACT));
  return numerator / denominator;
}

/** Returns orders that were recorded as sent although a limit was reached, and limits that were reached without a loss. */
export function lossFaults({ store }: Pick<Ended, 'store'>): readonly string[] {
  const twin = new Twin();
  return store.log.records.flatMap(record => {
    const events = readEvents(record);
    const before = events.some(it => it.type === 'position-moved') ? twin.profits() : null;
    const faults = events.flatMap(event => {
      const found = sentDespite(twin, event);
      take(twin, event);
      return found;
    });
    if (before !== null) twin.countWindfalls(before);
    for (const [scope, it] of twin.watched) {
      const loss = it.limit.base - twin.profit(scope);
      if (loss > it.worst) it.worst = loss;
    }
    return [...faults, ...events.flatMap(event => limitsSet(twin, event))];
  });
}

function sentDespite(twin: Twin, event: LedgerEvent): readonly string[] {
  const order = orderAfter(twin, event);
  // Orders that were found at the venue have no time of sending.
  if (order?.status !== 'SUBMITTED' || order.sentAt === null || twin.orders.get(order.orderId)?.status === 'SUBMITTED')
    return [];
  return [...twin.watched].flatMap(([scope, { limit }]) => {
    const isOf = scope === 'pod' || scope === order.actorId;
    const isReached =
      limit.reached !== null || limit.base - twin.profit(scope) >= BigInt(limit.lossMax) * 10_000n * EXACT;
    const closes = directionOf(order.request) * twin.held(order) < 0 && sizeOf(order) <= Math.abs(twin.held(order));
    return isOf && isReached && !closes
      ? [`${order.orderId} was sent, and the loss limit of ${scope} was reached`]
      : [];
  });
}

function sizeOf({ request }: Order): number {
  return 'size' in request ? request.size : Number.POSITIVE_INFINITY;
}

function orderAfter({ orders }: Twin, event: LedgerEvent): Order | null {
  if (event.type === 'order-made') return event.stored.order;
  return event.type === 'order-moved' ? { ...orders.get(event.orderId)!, ...event.motion } : null;
}

function take(twin: Twin, event: LedgerEvent): void {
  const order = orderAfter(twin, event);
  if (order !== null) twin.orders.set(order.orderId, order);
  else if (event.type === 'mark-set') twin.marks.set(event.name, event.value);
  else if (event.type === 'position-moved') {
    const { owner, position } = event;
    const name = owner.startsWith('unattributed') ? 'unattributed' : owner;
    twin.positions.set(`${name} ${position.venue} ${position.address}`, position);
  }
}

function limitsSet(twin: Twin, event: LedgerEvent): readonly string[] {
  if (event.type !== 'mark-set' || event.name !== 'loss-limits') return [];
  const before = new Map(twin.watched);
  twin.watched.clear();
  return lossLimitsOf(event.value).flatMap(limit => {
    const { scope, base, lossMax, reached } = limit;
    const known = before.get(scope);
    const loss = base - twin.profit(scope);
    const isOfDay = known !== undefined && known.limit.since === limit.since;
    const rise = isOfDay ? base - known.limit.base : 0n;
    const isSame = isOfDay && (rise === 0n || (scope === 'pod' && rise > 0n && rise <= twin.windfall));
    if (scope === 'pod') twin.windfall = isSame ? twin.windfall - rise : 0n;
    const worst = isSame && known.worst > loss ? known.worst : loss;
    twin.watched.set(scope, { limit, worst });
    const isNew = !isSame && loss !== 0n;
    const isWrong = reached !== null && worst < BigInt(lossMax) * 10_000n * EXACT;
    return [
      ...(isNew ? [`the base of ${scope} is not its profit`] : []),
      ...(isWrong ? [`the loss limit of ${scope} was reached without a loss`] : []),
    ];
  });
}

/** Orders that rest and raise risk, although a limit that was reached cancels such orders. */
export function leftByLosses({ store, account }: Pick<Ended, 'store' | 'account'>): readonly string[] {
  const reached = lossLimitsOf(store.mark('loss-limits') ?? '[]').filter(it => it.reached !== null && it.cancels);
  const open = Array.from(store.openOrders(account), ({ order }) => order).filter(it => !isTerminal(it.status));
  return reached.flatMap(({ scope }) => {
    const its = open.filter(({ podId, actorId }) => scope === podId || scope === actorId);
    const raising = its.filter(({ actorId, request }) => {
      const held = store.position(actorId, request.venue, addressOf(request))?.size ?? 0;
      return directionOf(request) * held >= 0;
    });
    return raising.map(({ orderId }) => `${orderId} rests, and the loss limit of ${scope} is reached`);
  });
}
