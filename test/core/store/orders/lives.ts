// Random steps of a ledger and every question to it, for a ledger and its twins.

import fc from 'fast-check';
import type { Fill } from '../../../../src/core/domain/fill.ts';
import { VENUES } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../../src/core/domain/numbers.ts';
import { isTerminal, ORDER_STATUSES, type Order } from '../../../../src/core/domain/order.ts';
import { addressOf } from '../../../../src/core/domain/order-frame.ts';
import type { Filled } from '../../../../src/core/domain/order-sums.ts';
import type {
  Account,
  HistoryReads,
  LedgerWrites,
  LiveReads,
  MergedOrders,
  OrderList,
  OrderPosition,
  StoredOrder,
} from '../../../../src/core/store/order-records.ts';
import type { RetentionBounds } from '../../../../src/core/store/orders/prune.ts';
import { actionChange, actionMade, actionPages, actionsOf } from './action-lives.ts';
import { bookedRecord, positionRecord, shortAnswer, shortIntent } from './order-arbitraries.ts';
import { at, fillOf, orderIdOf, storedOrder } from './order-rig.ts';
import { protectionChange, protectionMade, protectionsOf } from './protection-lives.ts';

/** The number of orders. An order's number decides its owner and market. The number is large enough for owners and markets to mix. */
const ORDERS = 8;
const ACTORS = ['a', 'ab', 'b'];
const ADDRESSES = ['X', 'XY', 'Y'];
export const PODS = ['p', 'pp'];
const KEYS = ['k', 'kk'];
const OWN_KEYS = Array.from({ length: ORDERS }, (_, it) => `key ${it}`);
const CLOCK = 40;
const KEPT_MS = 10;
export const RETENTION: RetentionBounds = {
  orderEventsKeptMax: 4,
  orderEventsKeptMs: KEPT_MS,
  orderRowsPrunedMax: 2,
};

/** A stated sum that exceeds most fills, so that an ended order waits for further fills. */
const STATED: Filled = { size: (3_000 * 1_000) as MicroShares, cost: 0n, fees: 0 as MicroDollars };
/** A closed position, which leaves the engine's memory. */
const CLOSED = { size: 0 as MicroShares, isRedeemable: false };

const number = fc.nat(ORDERS - 1);
const clock = fc.nat(CLOCK);
const account = fc.record({ podId: fc.constantFrom(...PODS), venue: fc.constantFrom(...VENUES) });
const fillNumber = fc.nat(7);
const answer = shortAnswer(clock.map(at));
const change = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('order' as const),
      number,
      status: fc.constantFrom(...ORDER_STATUSES),
      venueOrderId: fc.constantFrom(null, 'one', 'two'),
      intent: shortIntent,
      updatedAt: clock.map(at),
      cancelRequestedAt: fc.option(clock.map(at), { nil: null }),
      stated: fc.constantFrom(null, STATED),
      isTold: fc.boolean(),
      /** The answer under the order's own key. Undefined means that the key is left unchanged. */
      answer: fc.option(answer, { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('fill' as const),
      number: fc.option(number, { nil: null, freq: 1 }),
      account,
      fillNumber,
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('claim' as const), number, fillNumber }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('settle' as const),
      account,
      fillNumber,
      settlement: fc.constantFrom('MINED', 'FAILED'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('promise' as const), number, key: fc.constantFrom(...KEYS), answer }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('event' as const), number, at: clock.map(at) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('position' as const),
      actorId: fc.constantFrom(...ACTORS),
      position: fc
        .tuple(positionRecord, fc.constantFrom(...ADDRESSES), fc.constantFrom({}, CLOSED))
        .map(([it, address, end]) => ({ ...it, address, ...end })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('booked' as const),
      actorId: fc.constantFrom(...ACTORS),
      act: fc.constantFrom('add' as const, 'put' as const, 'delete' as const),
      place: fc.nat(2),
      booked: fc.tuple(bookedRecord, fc.constantFrom(...ADDRESSES)).map(([it, address]) => ({
        ...it,
        before: { ...it.before, address },
      })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('mark' as const), name: fc.constantFrom(...KEYS), value: fc.string() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('cancel-after' as const),
      keyId: fc.constantFrom(...KEYS),
      deadline: fc.option(clock.map(at), { nil: null }),
    }),
  },
  { weight: 2, arbitrary: actionChange },
  { weight: 2, arbitrary: protectionChange(ACTORS, ADDRESSES, clock.map(at)) },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
export const work = fc.record({
  changes: fc.array(change, { maxLength: 6 }),
  /** The number of changes after which the work throws. Null means that the work does not throw. */
  fails: fc.option(fc.nat(6), { freq: 4 }),
});
type Work = typeof work extends fc.Arbitrary<infer T> ? T : never;
/** The reads and writes of a step, without the reads that only the engine's memory has. */
type Changed = LedgerWrites & Omit<LiveReads, 'ordersOf'>;
/** Makes the changes of a step one after the other, because later reads depend on earlier writes. */
export function apply<T extends Changed>(to: T, { changes, fails }: Work, asked: (of: T) => unknown): unknown[] {
  const seen: unknown[] = [];
  for (const it of fails === null ? changes : changes.slice(0, fails)) seen.push(made(to, it));
  seen.push(asked(to));
  if (fails !== null) throw new Error('deliberate', { cause: seen });
  return seen;
}

function made(to: Changed, it: Change): unknown {
  switch (it.type) {
    case 'order': {
      const before = to.order(orderIdOf(it.number)) ?? newOrder(it.number);
      const { status, updatedAt, cancelRequestedAt, stated } = it;
      const venueOrderId = it.venueOrderId && `${it.venueOrderId} of ${it.number}`;
      const named = it.intent && { ...it.intent, venueOrderId: it.intent.venueOrderId && `digest of ${it.number}` };
      const isLate = isTerminal(status);
      const closedAt = isLate ? updatedAt : null;
      const order = { ...before.order, status, updatedAt, venueOrderId, closedAt, cancelRequestedAt, stated };
      to.putOrder({ ...before, order, intent: named, refusedAs: status === 'REJECTED' ? 'invalid' : null });
      if (it.answer !== undefined) promise(to, order, order.idempotencyKey, it.answer);
      const { actorId } = order;
      return it.isTold ? to.appendEvent({ actorId, event: 'STATUS', order, fill: null, at: updatedAt }) : null;
    }
    case 'fill': {
      const stored = it.number === null ? null : to.order(orderIdOf(it.number));
      const owner = stored === null ? it.account : accountOf(stored.order);
      const fill = fillOfNumber(it.fillNumber);
      const isNew = to.fill(owner, fill.fillId) === null;
      to.addFill(owner, { fill, orderId: stored?.order.orderId ?? null });
      if (isNew && stored !== null) to.putOrder(withFilled(stored, fill, 1));
      return isNew;
    }
    case 'claim': {
      const stored = to.order(orderIdOf(it.number));
      if (stored === null) return null;
      const known = to.fill(accountOf(stored.order), fillOfNumber(it.fillNumber).fillId);
      if (known === null || known.orderId !== null) return null;
      const fill: Fill = { ...known.fill, settlement: 'CONFIRMED' };
      to.claimFill(accountOf(stored.order), { fill, orderId: stored.order.orderId });
      return to.putOrder(withFilled(stored, fill, 1));
    }
    case 'settle': {
      const known = to.fill(it.account, fillOfNumber(it.fillNumber).fillId);
      if (known === null || known.fill.settlement === 'FAILED') return null;
      to.amendFill(it.account, known.fill.fillId, { settlement: it.settlement });
      if (it.settlement !== 'FAILED' || known.orderId === null) return null;
      return to.putOrder(withFilled(to.order(known.orderId)!, known.fill, -1));
    }
    case 'promise': {
      const { order } = to.order(orderIdOf(it.number)) ?? newOrder(it.number);
      if (to.order(order.orderId) === null) to.putOrder(newOrder(it.number));
      return promise(to, order, it.key, it.answer);
    }
    case 'event': {
      const order = to.order(orderIdOf(it.number))?.order ?? null;
      if (order === null) return null;
      return to.appendEvent({ actorId: order.actorId, event: 'STATUS', order, fill: null, at: it.at });
    }
    case 'position':
      return to.putPosition(it.actorId, it.position);
    case 'booked': {
      const { venue, address } = it.booked.before;
      if (it.act === 'add') return to.addBooked(it.actorId, it.booked);
      const known = to.movements(it.actorId, venue, address, 3)[it.place];
      if (known === undefined) return null;
      if (it.act === 'delete') return to.deleteBooked(it.actorId, known);
      return to.putBooked(it.actorId, { ...it.booked, number: known.number });
    }
    case 'mark':
      return to.putMark(it.name, it.value);
    case 'cancel-after':
      return switchSet(to, it);
    case 'action':
      return actionMade(to, it);
    case 'protection':
      return protectionMade(to, it);
  }
}

function promise(to: Changed, { actorId, orderId, request }: Order, key: string, answer: unknown): void {
  const entry = { orderId, bodySha256Hex: '0a'.repeat(32), answer: answer as never };
  to.putIdempotency(actorId, request.venue, key, entry);
}

function switchSet(to: Changed, { keyId, deadline }: Extract<Change, { type: 'cancel-after' }>): unknown {
  if (deadline === null) return to.deleteCancelAfter(keyId);
  return to.putCancelAfter({ keyId, actorId: 'a', podId: 'p', deadline });
}

/** The reads that both the history's tables and a twin have. */
type Recorded = HistoryReads &
  Omit<LiveReads, 'openCount' | 'ordersOf' | 'pending' | 'unclearOrders' | 'unreportedOrders' | OfPositions>;
type OfPositions = 'positions' | 'held' | 'addressesOf' | 'totals';

/** Asks the history every question, some in several ways. */
export function questions(of: Recorded): unknown {
  const accounts = PODS.flatMap(podId => VENUES.map(venue => ({ podId, venue })));
  const scopes = ACTORS.flatMap(actorId => VENUES.map(venue => ({ actorId, venue })));
  const fillIds = Array.from({ length: 8 }, (_, it) => fillOfNumber(it).fillId);
  return {
    lists: scopes.flatMap(scope =>
      [null, ...ADDRESSES].flatMap(address =>
        [null, ...ORDER_STATUSES].map(status => pages(of, { ...scope, address, status })),
      ),
    ),
    merged: ACTORS.flatMap(actorId => MERGES.flatMap(lists => mergedPages(of, actorId, lists))),
    orders: Array.from({ length: ORDERS }, (_, it) => [
      withPayload(of.order(orderIdOf(it))),
      of.fills(orderIdOf(it), 0, 100),
    ]),
    laterFills: Array.from({ length: ORDERS }, (_, it) => of.fills(orderIdOf(it), 1, 1)),
    open: accounts.map(account => [...of.openOrders(account)]),
    venueIds: accounts.map(account =>
      Array.from({ length: ORDERS }, (_, it) =>
        ['one', 'two', 'digest'].map(name => of.orderOfVenue(account, `${name} of ${it}`)),
      ),
    ),
    fills: accounts.map(account => fillIds.map(id => of.fill(account, id))),
    positions: scopes.map(({ actorId, venue }) => [
      ADDRESSES.map(address => [of.position(actorId, venue, address), of.movements(actorId, venue, address, 100)]),
      ADDRESSES.map(address => of.movements(actorId, venue, address, 1)),
    ]),
    promises: scopes.map(({ actorId, venue }) =>
      [...KEYS, ...OWN_KEYS].map(key => of.idempotency(actorId, venue, key)),
    ),
    events: ACTORS.map(actorId => [
      of.lastCursor(actorId),
      [0, 1, 3, 5, 9].map(after => of.events(actorId, after, 2)),
      of.events(actorId, of.lastCursor(actorId), 2),
    ]),
    marks: KEYS.map(name => of.mark(name)),
    cancelAfters: of.cancelAfters(),
    protections: protectionsOf(of, ACTORS),
    actions: [actionsOf(of), actionPages(of, ACTORS)],
  };
}

/** Sorts orders whose sequence has no meaning. */
function sorted(stored: readonly StoredOrder[]): readonly StoredOrder[] {
  return stored.toSorted((one, other) => (one.order.orderId < other.order.orderId ? -1 : 1));
}

/** The lists that are merged, at both venues: all orders, orders of one status, orders of several statuses. */
const MERGES: readonly (readonly OrderList[])[] = [
  [null],
  ['OPEN' as const],
  ['PENDING' as const, 'SUBMITTED' as const],
  ORDER_STATUSES,
].map(statuses => statuses.flatMap(status => VENUES.map(venue => ({ venue, status }))));

/** Reads merged pages, with a filter that few orders pass and without a filter, and with a small and a large bound of looks. */
function mergedPages(of: HistoryReads, actorId: string, lists: readonly OrderList[]): unknown[] {
  const isOfFirst = ({ request }: Order) => addressOf(request) === ADDRESSES[0];
  return [isOfFirst, () => true].flatMap(isWanted =>
    [2, 100].map(looksMax => {
      const pages: MergedOrders[] = [];
      for (let after: OrderPosition | null = null; ; ) {
        const page = of.mergedOrders({ actorId, lists, isWanted, after, rowsMax: 2, looksMax });
        // Only the position of the order at which the search stopped is compared.
        const stoppedAt = page.stoppedAt && { createdAt: page.stoppedAt.createdAt, orderId: page.stoppedAt.orderId };
        pages.push({ ...page, stoppedAt });
        after = stoppedAt ?? (page.orders.length < 2 ? null : page.orders.at(-1)!);
        if (after === null) return pages;
      }
    }),
  );
}

/** Returns a list as a caller sees it, page by page. */
function pages(of: HistoryReads, filter: Omit<Parameters<HistoryReads['orders']>[0], 'after' | 'rowsMax'>): Order[] {
  const seen: Order[] = [];
  for (;;) {
    const page = of.orders({ ...filter, after: seen.at(-1) ?? null, rowsMax: 3 });
    seen.push(...page);
    if (page.length < 3) return seen;
  }
}

/** Returns a new order. Two orders have the same millisecond. */
function newOrder(number: number): StoredOrder {
  const stored = storedOrder({
    number,
    venue: VENUES[number % 2]!,
    actorId: ACTORS[number % 3]!,
    address: ADDRESSES[Math.floor(number / 2) % 3]!,
    createdAt: 10 - Math.floor(number / 2),
  });
  return { ...stored, order: { ...stored.order, podId: PODS[Math.floor(number / 3) % 2]! } };
}

const accountOf = ({ podId, request }: Order): Account => ({ podId, venue: request.venue });

const fillOfNumber = (number: number): Fill =>
  fillOf(`fill ${number}`, { price: (number * 7) as Ticks, size: (number * 1_000) as MicroShares });

function withFilled(stored: StoredOrder, { size, price, fee }: Fill, sign: 1 | -1): StoredOrder {
  const { filled } = stored.order;
  const after: Filled = {
    size: (filled.size + sign * size) as MicroShares,
    cost: filled.cost + BigInt(sign) * BigInt(price) * BigInt(size),
    fees: (filled.fees + sign * fee) as MicroDollars,
  };
  return { ...stored, order: { ...stored.order, filled: after } };
}

export function outcomeOf<T>(work: () => T): T | unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

/** Asks questions that only the engine answers. Closed positions and ended orders may have left its memory. */
export function liveQuestions(of: Omit<LiveReads, 'ordersOf'>): unknown {
  const accounts = PODS.flatMap(podId => VENUES.map(venue => ({ podId, venue })));
  const scopes = ACTORS.flatMap(actorId => VENUES.map(venue => ({ actorId, venue })));
  const fillIds = Array.from({ length: 8 }, (_, it) => fillOfNumber(it).fillId);
  return {
    orders: Array.from({ length: ORDERS }, (_, it) => [
      withPayload(of.order(orderIdOf(it))),
      of.fills(orderIdOf(it), 0, 100),
    ]),
    laterFills: Array.from({ length: ORDERS }, (_, it) => of.fills(orderIdOf(it), 1, 1)),
    open: accounts.map(account => sorted([...of.openOrders(account)]).map(withPayload)),
    unclear: accounts.map(account => sorted([...of.unclearOrders(account)]).map(withPayload)),
    unreported: accounts.map(account => sorted([...of.unreportedOrders(account)]).map(({ order }) => order)),
    counts: scopes.map(({ actorId, venue }) => of.openCount(actorId, venue)),
    holds: scopes.flatMap(({ actorId, venue }) =>
      ADDRESSES.map(address => {
        const holds = of.pending(actorId, venue, address);
        return [holds.growth(1), holds.growth(-1), holds.bought, sorted([...holds.immediate]).map(withPayload)];
      }),
    ),
    venueIds: accounts.map(account =>
      Array.from({ length: ORDERS }, (_, it) =>
        ['one', 'two', 'digest'].map(name => of.orderOfVenue(account, `${name} of ${it}`)),
      ),
    ),
    fills: accounts.map(account => fillIds.map(id => of.fill(account, id))),
    positions: scopes.map(({ actorId, venue }) => [
      [...of.positions(actorId, venue)].filter(({ size, isRedeemable }) => size !== 0 || isRedeemable),
      ADDRESSES.map(address => [of.position(actorId, venue, address), of.movements(actorId, venue, address, 100)]),
      ADDRESSES.map(address => of.movements(actorId, venue, address, 1)),
    ]),
    totals: scopes.map(({ actorId, venue }) => of.totals(actorId, venue)),
    promises: scopes.map(({ actorId, venue }) =>
      [...KEYS, ...OWN_KEYS].map(key => of.idempotency(actorId, venue, key)),
    ),
    cursors: ACTORS.map(actorId => of.lastCursor(actorId)),
    marks: KEYS.map(name => of.mark(name)),
    cancelAfters: [...of.cancelAfters()].sort((one, other) => (one.keyId < other.keyId ? -1 : 1)),
    protections: protectionsOf(of, ACTORS),
  };
}

/** Removes the payload, unless the order is in flight. The engine keeps the payload only of orders in flight. */
function withPayload(stored: StoredOrder | null): unknown {
  if (stored === null || stored.order.status === 'PENDING' || stored.order.status === 'SUBMITTED') return stored;
  return { ...stored, intent: stored.intent && { ...stored.intent, payload: null } };
}
