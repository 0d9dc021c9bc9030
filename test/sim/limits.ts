// Promises of the limits of actors (contract §4.11) while anything is under way: by orders that reached the venue, and by refusals.

import type { ApiErrorKind } from '../../src/core/domain/answer.ts';
import { type MicroDollars, TICKS_PER_DOLLAR, type Ticks } from '../../src/core/domain/numbers.ts';
import type { Order, OrderId } from '../../src/core/domain/order.ts';
import { addressOf, directionOf } from '../../src/core/domain/order-frame.ts';
import type { OrderRequest } from '../../src/core/domain/order-request.ts';
import type { LedgerEvent } from '../../src/orders/ledger/events.ts';
import { NOTIONAL_MAX, sizeMaxOf } from './calls.ts';
import { TICK } from './exchange.ts';
import type { Ended } from './invariants.ts';
import { collarFaults } from './prices.ts';
import { ORDER_RATE } from './rates.ts';
import { idOf, type TrueOrder } from './true-order.ts';

export function limitFaults(ended: Ended): string[] {
  return [
    ...withinNotional(ended),
    ...refusedForNotional(ended),
    ...withinPosition(ended),
    ...refusedForPosition(ended),
    ...withinSize(ended),
    ...withinRate(ended),
    ...ended.rates.faults,
    ...collarFaults(ended),
  ];
}

/** Checks that no order of bob is larger than his limit, and that only larger orders are refused for it. */
function withinSize({ store, positionMax, wipes, regressed }: Ended): string[] {
  const sizeMax = sizeMaxOf(positionMax);
  return store.allOrders().flatMap(({ order, intent }) => {
    const { orderId, actorId, request, status, error, replaces } = order;
    const isFound = wipes > 0 || regressed.has(orderId);
    const isMore = actorId === 'bob' && mostShares(request) > sizeMax;
    if (isMore && intent !== null && !isFound) return [`${orderId} is larger than its limit, and was to be sent`];
    if (error?.message?.includes('sizeMax') !== true) return [];
    // A failing trade of the replaced order leaves up to the whole total.
    const mayBeMore = actorId === 'bob' && Math.max(mostShares(request), replaces?.total ?? 0) > sizeMax;
    const isRight = mayBeMore && status === 'REJECTED' && error.code === 'NOT_FEASIBLE';
    return isRight ? [] : [`${orderId} (${status}) was refused for sizeMax`];
  });
}

/**
 * Checks the rate of bob's orders in any period, over all restarts. Leaves out orders without a key, which were sent before and found at
 * the venue.
 */
function withinRate({ store, wipes }: Ended): string[] {
  if (wipes > 0) return [];
  const rejected = new Map<OrderId, boolean>();
  const times: number[] = [];
  for (const event of store.log.events()) {
    if (event.type === 'order-moved') rejected.set(event.orderId, event.motion.status === 'REJECTED');
    if (event.type !== 'order-made') continue;
    const { order, intent } = event.stored;
    const isAnew = rejected.get(order.orderId) ?? true;
    rejected.set(order.orderId, order.status === 'REJECTED');
    const isToBeSent = order.status === 'PENDING' || (order.status === 'SUBMITTED' && intent !== null);
    const isFound = order.idempotencyKey === '';
    if (order.actorId === 'bob' && isAnew && isToBeSent && !isFound) times.push(order.updatedAt);
  }
  times.sort((one, other) => one - other);
  const { orderRateMax, orderBurstMax } = ORDER_RATE;
  return times.flatMap((end, last) =>
    times.slice(0, last + 1).flatMap((begin, first) => {
      const most = orderBurstMax + Math.floor((orderRateMax * (end - begin)) / 1_000);
      return last - first + 1 > most ? [`bob sent ${last - first + 1} orders in ${end - begin} ms`] : [];
    }),
  );
}

/** Checks that no order of alice costs more than her limit, both when it arrives at the venue and when it is changed there. */
function withinNotional({ store, exchange }: Ended): string[] {
  return [...exchange.orders.values()].flatMap(truth => {
    const mine = truth.history.filter(past => store.order(idOf(past))?.order.actorId === 'alice');
    const most = Math.max(0, ...mine.map(past => mostCost(truth.request, openThen(truth, past), past.price)));
    return most > NOTIONAL_MAX ? [`${truth.clientOrderId} of alice might have cost ${most}`] : [];
  });
}

/** The answers to a request that a limit forbids: 400, unless the disk fails while the refusal is recorded. */
const REFUSALS: readonly ApiErrorKind[] = ['invalid', 'unavailable', 'unknownOutcome'];

/** Checks that the limit refuses only what it forbids, as a request that must change. Such a refusal is listed, and stays. */
function refusedForNotional({ store, answers, wipes, regressed }: Ended): string[] {
  return store.allOrders().flatMap(({ order, intent }) => {
    const { orderId, actorId, request, status, error, idempotencyKey, replaces } = order;
    const isNamed = error?.message?.includes('notionalMax') === true;
    const price = 'price' in request ? request.price : (0 as Ticks);
    const isMore = actorId === 'alice' && mostCost(request, 'size' in request ? request.size : 0, price) > NOTIONAL_MAX;
    // An order that was found at the venue may have been larger at first, under another name.
    const isFound = wipes > 0 || regressed.has(orderId);
    if (isMore && intent !== null && !isFound) return [`${orderId} may cost more than its limit, and was to be sent`];
    if (!isNamed) return [];
    const said = answers.get(`${actorId}/${idempotencyKey}`) ?? [];
    // A trade of the replaced order that fails leaves up to the whole total.
    const grown = Math.max('size' in request ? request.size : 0, replaces?.total ?? 0);
    const mayBeMore = actorId === 'alice' && mostCost(request, grown, price) > NOTIONAL_MAX;
    const isKept = said.every(it => it.type === 'refused' && REFUSALS.includes(it.kind));
    const isRight = mayBeMore && status === 'REJECTED' && error?.code === 'NOT_FEASIBLE' && isKept;
    return isRight ? [] : [`${orderId} (${status}) was refused for notionalMax`];
  });
}

/**
 * Returns the most that an order can cost. At venue B a sale is a purchase of the other side. An order without a price may meet any price.
 */
function mostCost(request: OrderRequest, size: number, price: Ticks): MicroDollars {
  if ('dollars' in request) return request.dollars;
  const isOtherSide = request.venue === 'venue_b' && request.action === 'SELL';
  const worst = !('price' in request) ? TICKS_PER_DOLLAR : isOtherSide ? TICKS_PER_DOLLAR - price : price;
  return ((size * worst) / TICKS_PER_DOLLAR) as MicroDollars;
}

/** Returns the size that could still trade at that time. */
function openThen({ fills }: TrueOrder, { size, fills: count }: TrueOrder['history'][number]): number {
  return fills
    .slice(0, count)
    .reduce((left, { fill, settlement }) => (settlement === 'FAILED' ? left : left - fill.size), size);
}

/**
 * Checks that no trade takes a position past its actor's limit. An order that was given up no longer counts, and may trade late. A sale
 * that failed later counts as a sale, because it had made room.
 */
function withinPosition({ store, exchange, account, positionMax, wipes, regressed }: Ended): string[] {
  if (wipes > 0 || regressed.size > 0) return [];
  const events = store.log.events();
  const givenUp = new Set(
    events.flatMap(it => (it.type === 'order-moved' && it.motion.status === 'REJECTED' ? [it.orderId] : [])),
  );
  return exchange.addresses().flatMap(address => {
    const its = exchange.fills.flatMap((trade, at) => {
      const orderId = store.fill(account, trade.fill.fillId)?.orderId ?? null;
      const order = orderId === null ? null : store.order(orderId)!.order;
      return trade.fill.address === address && order?.actorId === 'bob' ? [{ ...trade, at, order }] : [];
    });
    if (its.some(({ order }) => givenUp.has(order.orderId))) return [];
    return its.flatMap(({ fill: { positionChange }, at }) => {
      const direction = Math.sign(positionChange);
      const held = its.reduce((sum, before) => {
        const change = direction * before.fill.positionChange;
        return before.at <= at && (change < 0 || before.failedAt > at) ? sum + change : sum;
      }, 0);
      return held > positionMax ? [`bob held ${direction * held} of ${address} after trade ${at}`] : [];
    });
  });
}

/**
 * Checks that a refusal for bob's limit was possible. The limit could be passed if all orders that bob ever asked for in that direction
 * were filled.
 */
function refusedForPosition({ store, exchange, positionMax, wipes, regressed }: Ended): string[] {
  if (wipes > 0 || regressed.size > 0) return [];
  const orders = store.allOrders().map(({ order }) => order);
  const wasUnderWay = new Set(store.log.events().flatMap(underWayBy));
  const mine = orders.filter(({ actorId }) => actorId === 'bob');
  return orders.flatMap(order => {
    const { orderId, actorId, status, error, request } = order;
    if (error?.message?.includes('positionMax') !== true) return [];
    const others = mine.filter(
      it =>
        (it === order || wasUnderWay.has(it.orderId)) &&
        addressOf(it.request) === addressOf(request) &&
        directionOf(it.request) === directionOf(request),
    );
    const most = others.reduce((sum, it) => sum + Math.max(mostShares(it.request), everTraded(exchange, it)), 0);
    const isRight = actorId === 'bob' && most > positionMax && status === 'REJECTED' && error.code === 'INVALID_ORDER';
    return isRight ? [] : [`${orderId} (${status}) was refused for positionMax, though it could not pass it`];
  });
}

function underWayBy(event: LedgerEvent): readonly OrderId[] {
  if (event.type === 'order-made') return event.stored.order.status === 'REJECTED' ? [] : [event.stored.order.orderId];
  return event.type === 'order-moved' && event.motion.status !== 'REJECTED' ? [event.orderId] : [];
}

/** Returns the size that an order ever traded. A failing trade makes room for another trade; until the gateway hears of it, both count. */
function everTraded({ orders }: Ended['exchange'], { orderId }: Order): number {
  const truth = [...orders.values()].find(it => idOf(it) === orderId);
  return (truth?.fills ?? []).reduce((sum, { fill }) => sum + fill.size, 0);
}

/** Returns the most shares that a request can buy. Dollars buy the most at the lowest price of the grid. */
function mostShares(request: OrderRequest): number {
  return 'dollars' in request ? request.dollars * (TICKS_PER_DOLLAR / TICK) : request.size;
}
