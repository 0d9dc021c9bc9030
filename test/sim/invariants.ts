// Conditions that hold when everything has come to rest, after any faults (contract §4).

import type { MicroShares, UnixMillis } from '../../src/core/domain/numbers.ts';
import type { CancelReason, Order, OrderId, OrderStatus } from '../../src/core/domain/order.ts';
import { isTerminal } from '../../src/core/domain/order.ts';
import { expiresAtOf } from '../../src/core/domain/order-request.ts';
import { canRest, isOverfilled, traded } from '../../src/core/domain/order-sums.ts';
import type { Account, ActorEventRecord } from '../../src/core/store/order-records.ts';
import { orderOfTrace } from '../../src/orders/life/adoption.ts';
import { unattributedOf } from '../../src/orders/life/bookings.ts';
import { predecessorOf } from '../../src/orders/life/replacement-chain.ts';
import type { MemoryLedger } from '../support/memory-ledger.ts';
import { answersAgree, reasonsTrue } from './answer-checks.ts';
import { costFaults } from './costs.ts';
import type { Exchange } from './exchange.ts';
import { exposureFaults } from './exposure.ts';
import { ACTORS } from './gateway.ts';
import { limitFaults } from './limits.ts';
import { leftByLosses, lossFaults } from './losses.ts';
import { isByHand } from './outside.ts';
import { redeemableFaults } from './payout-checks.ts';
import { leftByProtections, protectionFaults } from './protections.ts';
import type { Rates } from './rates.ts';
import type { Answers } from './traders.ts';
import { actorOf } from './transitions.ts';
import { idOf, openSize, type TrueOrder } from './true-order.ts';
import type { TrueWallet } from './true-wallet.ts';
import { isUnseen, walletFaults } from './wallet-checks.ts';

export interface Ended {
  readonly account: Account;
  readonly store: MemoryLedger;
  readonly exchange: Exchange;
  readonly answers: Answers;
  readonly unnoted: ReadonlySet<string>;
  /** The position limit of bob. */
  readonly positionMax: MicroShares;
  readonly reported: readonly ActorEventRecord[];
  /** The last time at which a cancel of each order was wanted. */
  readonly wanted: ReadonlyMap<OrderId, UnixMillis>;
  /** The time at which the cancel of each order was answered as confirmed. */
  readonly cancelled: ReadonlyMap<OrderId, UnixMillis>;
  /** The number of submissions that left, by order id, since the orders' records were last lost. */
  readonly sent: ReadonlyMap<string, number>;
  /**
   * Orders with records that were not promised to be on disk and that a power cut has taken back. The answers of these orders may be lost,
   * too.
   */
  readonly regressed: ReadonlySet<OrderId>;
  readonly wallet: TrueWallet;
  readonly rates: Rates;
  /** Whether records of the wallet's actions were lost. Then the gateway does not know what was done, as with orders in such a case. */
  readonly haveActionsLost: boolean;
  /** The number of times that everything was lost. */
  readonly wipes: number;
  /** The names of protections that a group at the venue has triggered. */
  readonly tripped: ReadonlySet<string>;
}

export function faultsOf(ended: Ended): string[] {
  return [
    ...ordersAgree(ended),
    ...reasonsAgree(ended),
    ...replacedOnes(ended),
    ...overfilled(ended),
    ...strangers(ended),
    ...fillsAgree(ended),
    ...positionsAgree(ended),
    ...redeemableFaults(ended),
    ...walletFaults(ended),
    ...limitFaults(ended),
    ...costFaults(ended),
    ...answersAgree(ended),
    ...reasonsTrue(ended),
    ...sentOnce(ended),
    ...reportedOnce(ended),
    ...neverUntraded(ended),
    ...reportedWithTheirTrades(ended),
    ...cancelledWithTheirTrades(ended),
    ...cancelsMade(ended),
    ...cancelsConfirmed(ended),
    ...protectionFaults(ended.store.log.events(), ended.tripped),
    ...leftByProtections(ended.store),
    ...lossFaults(ended),
    ...exposureFaults(ended),
    ...leftByLosses(ended),
  ];
}

/** Checks that every order is in the same state at the venue, and that each order that was answered 201 is there once. */
function ordersAgree({ store, exchange, account, answers, wipes, regressed }: Ended): string[] {
  const made = new Set(
    [...answers.values()].flat().flatMap(answer => (answer.type === 'made' ? [answer.orderId] : [])),
  );
  const faults = store.allOrders().flatMap(({ order, intent }) => {
    // The order was refused here before it was sent. If the record that knew better is lost, this is not a fault.
    if (intent === null && (wipes > 0 || regressed.has(order.orderId))) return [];
    // The order was replaced in place: the venue has it as the order that took its place.
    if (order.replacedBy !== null && account.venue === 'venue_b') return [];
    const there = theirs(exchange, order.orderId);
    const name = `order ${order.orderId} (${order.status})`;
    if (there.length > 1) return [`${name} is at the venue ${there.length} times`];
    const [truth] = there;
    if (truth === undefined) {
      const isRight = isAbsentRightly(order, made.has(order.orderId)) || isRenamed(store, exchange, order);
      return isRight ? [] : [`${name} is not there`];
    }
    if (isTerminal(order.status) !== (truth.state === 'gone')) return [`${name} is ${truth.state} there`];
    const filled = sizeOf(truth);
    if (regressed.has(order.orderId) && isForgottenChange(store, order, filled)) return [];
    const known = filledWithThoseBefore(store, order);
    if (known !== filled) return [`${name} has ${known} filled, there ${filled}`];
    const isFull = openSize(truth) <= 0;
    const expected: OrderStatus = isFull ? 'FILLED' : truth.state === 'gone' ? 'CANCELLED' : 'OPEN';
    const isRefused = order.status === 'REJECTED' && filled === 0 && truth.state === 'gone';
    return order.status === expected || isRefused ? [] : [`${name} should be ${expected}`];
  });
  const lost = [...made].filter(orderId => store.order(orderId) === null && !regressed.has(orderId));
  return [
    ...faults,
    ...(wipes === 0 ? lost.map(orderId => `${orderId} was answered 201 and is not in the store`) : []),
  ].map(fault => `${account.venue}: ${fault}`);
}

const BY_US = ['REQUESTED', 'DEAD_MAN', 'PROTECTION', 'LOSS_LIMIT', 'REPLACED'] as const;

/**
 * Checks that an order's cancel reason is the venue's reason, as far as the gateway can hear of it. The reason must never belong to another
 * order.
 */
function reasonsAgree({ store, exchange, account: { venue }, wipes, regressed }: Ended): string[] {
  return store.allOrders().flatMap(({ order }) => {
    const { orderId, status, request, cancelRequestedAt, cancelReason } = order;
    const its = theirs(exchange, orderId)[0];
    const truth = its?.ended ?? null;
    // The gateway may hear of the end before a failed trade only after the order rests again.
    const hadEnded = its?.fills.some(({ settlement }) => settlement === 'FAILED') === true;
    const isForgotten = wipes > 0 || regressed.has(orderId);
    if (status !== 'CANCELLED' || truth === null || !canRest(request) || isForgotten) return [];
    const isTimed = expiresAtOf(request) !== null && venue === 'venue_a';
    const allowed: readonly (CancelReason | null)[] = [
      // The order had been given up before.
      null,
      ...(truth === 'by us' ? BY_US : [truth]),
      ...(truth === 'EXPIRED' && !hadEnded ? [] : (['VENUE'] as const)),
      ...(cancelRequestedAt === null ? [] : BY_US),
      // Venue A does not say that an order has expired: an order that is gone after its time counts as expired.
      ...(isTimed ? (['EXPIRED'] as const) : []),
    ];
    return allowed.includes(cancelReason)
      ? []
      : [`${venue}: order ${orderId} ended by ${truth}, and is said to be cancelled as ${cancelReason}`];
  });
}

function filledWithThoseBefore(store: MemoryLedger, order: Order): number {
  const before = predecessorOf(store, order);
  return order.filled.size + (before?.replacedBy === order.orderId ? filledWithThoseBefore(store, before) : 0);
}

/** Checks that a replaced order and its replacement are never live together, and that both together fill at most the total. */
function replacedOnes({ store, exchange, regressed }: Ended): string[] {
  const orders = [...exchange.orders.values()];
  return store.allOrders().flatMap(({ order }) => {
    const { replaces, orderId } = order;
    if (replaces === null) return [];
    const [next, old] = [orderId, replaces.orderId].map(id => orders.find(it => idOf(it) === id));
    const from = next?.history[0]?.at ?? Number.POSITIVE_INFINITY;
    const isOverBefore = old === undefined || old.history.some(({ state, at }) => state === 'gone' && at <= from);
    const total = [orderId, replaces.orderId].reduce((sum, id) => sum + (store.order(id)?.order.filled.size ?? 0), 0);
    const most = Math.max(replaces.total, store.order(replaces.orderId)?.order.filled.size ?? 0);
    const isOver = total > most && !hasForgottenNext(exchange, regressed, order);
    return [
      ...(next === undefined || isOverBefore ? [] : [`${orderId} was live beside the order that it replaces`]),
      ...(isOver ? [`${orderId}: ${total} of ${replaces.total} over both`] : []),
    ];
  });
}

/** Checks that no order is filled beyond its size. Fills that seem to exceed an order's size belong to another order. */
function overfilled({ store, exchange, regressed }: Ended): string[] {
  return store
    .allOrders()
    .filter(({ order }) => isOverfilled(order.request, order.filled) && !hasForgottenNext(exchange, regressed, order))
    .map(({ order: { orderId, filled } }) => `${orderId} has ${filled.size} filled, more than it asked for`);
}

/** Returns whether the venue's order has become another order, whose record is lost. Its fills count for the last known order. */
function hasForgottenNext(exchange: Exchange, regressed: Ended['regressed'], { venueOrderId }: Order): boolean {
  const became = venueOrderId === null ? null : exchange.byVenueId(venueOrderId);
  return became !== null && regressed.has(idOf(became));
}

/** Returns whether an order is rightly absent at the venue: never sent or never arrived, and never answered 201. */
function isAbsentRightly({ status, sentAt, replaces }: Order, wasMade: boolean): boolean {
  // The order was cancelled while the order that it replaces was still being cancelled. The answer says CANCELLED.
  const isWithdrawn = replaces !== null && sentAt === null;
  return status === 'REJECTED' ? !wasMade : status === 'CANCELLED' && (!wasMade || isWithdrawn);
}

/**
 * Returns whether the order was replaced in place and the record of the replace was lost. Then the order has ended. The order that it
 * became has ended, too, unless it was found again.
 */
function isRenamed(store: MemoryLedger, exchange: Exchange, { orderId, status }: Order): boolean {
  const became = [...exchange.orders.values()].find(it => it.history.some(past => idOf(past) === orderId));
  if (became === undefined || !isTerminal(status)) return false;
  return became.state === 'gone' || store.order(idOf(became)) !== null;
}

/** Returns whether the record was lost that changed another order into this order. The trades of this order count for the other order. */
function isForgottenChange(store: MemoryLedger, order: Order, filled: number): boolean {
  const before = predecessorOf(store, order);
  return order.status === 'REJECTED' && before !== null && filledWithThoseBefore(store, before) === filled;
}

/**
 * Checks that every order at the venue is ours. An order whose record is lost is a fault only while it rests at venue B, which names its
 * owner.
 */
function strangers({ store, exchange, account, wipes, regressed }: Ended): string[] {
  return [...exchange.orders.values()]
    .filter(truth => orderOfTrace(store, account, truth) === null && !isByHand(truth))
    .filter(truth => {
      const isLost = wipes > 0 || regressed.has(idOf(truth));
      return !isLost || (truth.state !== 'gone' && account.venue === 'venue_b');
    })
    .map(truth => `${truth.venueOrderId} is at the venue and nobody's (${truth.state})`);
}

function fillsAgree({ store, exchange, wipes, regressed }: Ended): string[] {
  const booked = new Map(store.allFills().map(({ fill, orderId }) => [fill.fillId, { fill, orderId }]));
  const doubled = store.allFills().length - booked.size;
  const wrong = exchange.fills.flatMap(({ fill, settlement }) => {
    const known = booked.get(fill.fillId);
    if (known === undefined) return [`fill ${fill.fillId} (${settlement}) is missing`];
    const truth = exchange.byVenueId(fill.venueOrderId)!;
    const isLost = wipes > 0 || regressed.has(idOf(truth));
    if (known.orderId === null && !isLost && !isByHand(truth)) return [`fill ${fill.fillId} is nobody's`];
    if (known.orderId !== null && isByHand(truth)) return [`fill ${fill.fillId} is that of ${known.orderId}`];
    if (known.fill.size !== fill.size) return [`fill ${fill.fillId} has another size`];
    return (known.fill.settlement === 'FAILED') === (settlement === 'FAILED')
      ? []
      : [`fill ${fill.fillId} is ${known.fill.settlement}, there ${settlement}`];
  });
  const invented = booked.size - exchange.fills.length;
  return [...wrong, ...(doubled > 0 ? [`${doubled} fills twice`] : []), ...(invented > 0 ? ['fills invented'] : [])];
}

/** Compares positions. Worthless shares stay at venue A for good, but are closed here. */
function positionsAgree(ended: Ended): string[] {
  const { store, exchange, account, haveActionsLost, wallet } = ended;
  if (haveActionsLost && wallet.executed.length > 0) return [];
  const owners: readonly string[] = [...ACTORS, unattributedOf(account.podId)];
  return exchange.addresses().flatMap(address => {
    const held = owners.map(owner => store.position(owner, account.venue, address)?.size ?? 0);
    const sum = held.reduce<number>((total, size) => total + size, 0);
    const paid = exchange.markets.payouts().get(address);
    if (paid !== undefined && isUnseen(ended, address)) return [];
    const isClosed = paid !== undefined && (account.venue === 'venue_b' || paid.value === 0);
    // Shares that the account owes end with a payout of nothing, or at a redeem.
    const there = isClosed && (!exchange.isOversold(address) || sum === 0) ? 0 : exchange.position(address);
    const isLeft = (isClosed || exchange.markets.isOver(account.venue, address)) && held.some(size => size !== 0);
    if (isLeft && !exchange.isOversold(address)) return [`${address}: ${held} held, and it has paid out`];
    return sum === there ? [] : [`${address}: ${sum} held, there ${there}`];
  });
}

function sentOnce({ sent }: Ended): string[] {
  return [...sent].filter(([, times]) => times > 1).map(([orderId, times]) => `${orderId} was sent ${times} times`);
}

/** Checks that a cancel that was not confirmed in time is made later. */
function cancelsMade({ store, exchange, wanted, wipes, regressed }: Ended): string[] {
  if (wipes > 0) return [];
  return [...wanted].flatMap(([orderId, wantedAt]) => {
    if (regressed.has(orderId)) return [];
    const order = store.order(orderId)?.order;
    // The order waited for its record to be safe when the power was cut, so that it was never sent.
    if (order === undefined && theirs(exchange, orderId).length === 0) return [];
    // An order that was refused with nothing sent, and is wanted again, is a different order with the same name.
    const isAnother = order?.sentAt != null && order.sentAt > wantedAt;
    return isTerminal(order?.status ?? 'OPEN') || isAnother ? [] : [`${orderId} was to be cancelled`];
  });
}

/** Checks that an order trades no more after an answer says CANCELLED, because the venue has then confirmed the cancel. */
function cancelsConfirmed({ exchange, cancelled, wipes, regressed }: Ended): string[] {
  if (wipes > 0) return [];
  return [...cancelled].flatMap(([orderId, at]) => {
    if (regressed.has(orderId)) return [];
    const isLive = theirs(exchange, orderId).some(
      ({ state, fills }) => state !== 'gone' || fills.some(({ fill }) => fill.executedAt > at),
    );
    return isLive ? [`${orderId} was answered as cancelled, and it lives on`] : [];
  });
}

/** Checks that an executed size was never reported as cancelled, not even for a moment, unless the order had been given up before. */
function neverUntraded({ exchange, reported, wipes, regressed }: Ended): string[] {
  const givenUp = givenUpIn(reported);
  return ofOrders(reported).flatMap(({ order: { orderId, status, replacedBy } }) => {
    const isByOurWord = replacedBy !== null || givenUp.has(orderId);
    if (status !== 'CANCELLED' || isByOurWord || wipes > 0 || regressed.has(orderId)) return [];
    const isExecuted = theirs(exchange, orderId).some(truth => truth.state === 'gone' && openSize(truth) <= 0);
    return isExecuted ? [`order ${orderId} was reported CANCELLED, and is executed at the venue`] : [];
  });
}

/**
 * Checks that no event is sent twice, over losses too. The store has all events, numbered without a gap except for the leaps of power cuts.
 */
function reportedOnce({ store, reported, wipes }: Ended): string[] {
  if (wipes > 0) return [];
  const names = reported.map(({ actorId, cursor }) => `${actorId}/${cursor}`);
  const twice = names.length - new Set(names).size;
  const recorded = store.log.events();
  const gaps = ACTORS.filter(actorId => {
    let last = 0;
    return recorded.some(event => {
      if (event.type === 'cursors-leapt') last = Math.max(last, event.floor);
      if (!('cursor' in event) || event.cursor === null || actorOf(store, event) !== actorId) return false;
      last += 1;
      return event.cursor !== last;
    });
  });
  const isInOrder = ACTORS.every(actorId => {
    const cursors = reported.filter(event => event.actorId === actorId).map(({ cursor }) => cursor);
    return cursors.every((cursor, index) => index === 0 || cursor > cursors[index - 1]!);
  });
  return [
    ...(twice > 0 ? [`${twice} events reported twice`] : []),
    ...gaps.map(actorId => `${actorId}: events are not numbered one by one`),
    ...(isInOrder ? [] : ['events reported out of order']),
  ];
}

/** Checks that no market order, which does not rest, was reported as CANCELLED with no fills although it had traded by then. */
function reportedWithTheirTrades({ reported, exchange }: Ended): string[] {
  return ofOrders(reported).flatMap(({ order, at }) => {
    const isMarket = 'type' in order.request && order.request.type === 'MARKET';
    if (!isMarket || order.status !== 'CANCELLED' || traded(order).size > 0) return [];
    const trades = theirs(exchange, order.orderId).flatMap(({ fills }) => fills);
    const stands = trades.some(({ fill, settlement }) => settlement !== 'FAILED' && fill.executedAt <= at);
    return stands ? [`order ${order.orderId} was reported CANCELLED, and had traded`] : [];
  });
}

/** Returns the orders that were reported as having no trace at the venue. If such an order is found later, it counts as ended. */
function givenUpIn(reported: Ended['reported']): ReadonlySet<OrderId> {
  return new Set(ofOrders(reported).flatMap(({ order: it }) => (it.status === 'REJECTED' ? [it.orderId] : [])));
}

// Venue B says how much a cancel has left to cancel. An order that is reported as over there has all that it had traded by then. Sums of
// orders that replaced each other are divided later, and an order that was given up and found is over by our word.
function cancelledWithTheirTrades({ reported, exchange, account: { venue }, wipes, regressed }: Ended): string[] {
  if (venue !== 'venue_b' || wipes > 0) return [];
  const givenUp = givenUpIn(reported);
  return ofOrders(reported).flatMap(({ order, at }) => {
    const { orderId, status, sentAt, replaces, replacedBy } = order;
    const isOne = replaces === null && replacedBy === null && !givenUp.has(orderId);
    if (status !== 'CANCELLED' || sentAt === null || !isOne || regressed.has(orderId)) return [];
    const trades = theirs(exchange, orderId).flatMap(({ fills }) => fills);
    const had = trades.reduce((sum, { fill }) => (fill.executedAt <= at ? sum + fill.size : sum), 0);
    return traded(order).size < had ? [`order ${orderId} was reported CANCELLED with less than its ${had}`] : [];
  });
}

function ofOrders(reported: Ended['reported']) {
  return reported.filter(it => it.event !== 'ACTION');
}

function theirs(exchange: Exchange, orderId: string): readonly TrueOrder[] {
  return [...exchange.orders.values()].filter(
    ({ clientOrderId }) => clientOrderId === orderId || clientOrderId.startsWith(`${orderId}.`),
  );
}

function sizeOf({ fills }: TrueOrder): number {
  return fills.reduce((sum, { fill, settlement }) => (settlement === 'FAILED' ? sum : sum + fill.size), 0);
}
