// Stands in for the engine while it does not answer, for example on a frozen file system. It refuses new orders and reads, cancels
// through the guard thread, and fires switches that fall due. It records nothing. Main thread.

import { noAccount, refused, unknownOutcome } from '../../core/domain/answer.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import {
  type CancelBatchOperation,
  type EngineOperation,
  isInScope,
  type NewOrderOperation,
  type OneOrderOperation,
  type OperationReply,
  type ReplaceOperation,
  type StopScope,
  type SubmitOperation,
  submissionsOf,
} from '../../core/domain/operation.ts';
import type { CancelReason, OrderId } from '../../core/domain/order.ts';
import type { ShownRequest } from '../../core/domain/order-request.ts';
import type { PodAccounts } from '../../core/domain/pod-accounts.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { CancelAfter } from '../../core/store/order-records.ts';
import { readOrderId, readReplacement, readVenueAOrder, readVenueBOrder } from '../../core/wire/order-requests.ts';
import { cancelledView } from '../../core/wire/order-views.ts';
import {
  batchReply,
  notFound,
  recordedReply,
  refusedReply,
  replyOf,
  unavailableReply,
} from '../../core/wire/replies.ts';
import { leftOf, type StopReport } from '../../core/wire/reports.ts';
import { limits } from '../../limits.ts';
import type { StandIn } from '../engine/engine-link.ts';
import type { CancelledByGuard, OpenOrder, OrderNews, Unwanted } from '../engine/engine-messages.ts';
import { cancelDeadline, endedRefusal } from '../life/cancel.ts';
import type { SwitchSetting } from '../life/cancel-after.ts';
import type { CancelResult } from '../life/cancel-all.ts';
import { OrderIds } from '../life/order-ids.ts';
import type { CarriedOut } from './guard-cancel.ts';
import type { GuardLink } from './guard-link.ts';
import { type GuardSelection, GuardSwitches, OpenOrders } from './guard-state.ts';

interface GuardParts {
  readonly pods: readonly PodAccounts[];
  readonly link: Pick<GuardLink, 'carryOut'>;
  /** Called when the venue has confirmed a cancel, which is not recorded. */
  readonly onCancelled: (cancelled: CancelledByGuard) => void;
  /** Called when the engine has fired a switch. */
  readonly onSwitchFired?: () => void;
  readonly timers: Timers;
  readonly log: Log;
}

const SILENT = 'the disk of the gateway does not answer';

export class Guard implements StandIn {
  readonly #parts: GuardParts;
  readonly #orderIds: OrderIds;
  readonly #open = new OpenOrders();
  readonly #switches: GuardSwitches;
  /** The submissions that the engine had begun to send when it stopped answering. */
  #begun = new OpenOrders();
  /** The orders that the venues have confirmed as ended since the engine stopped answering. */
  readonly #ended = new Map<OrderId, 'cancelled' | 'over'>();
  /** The first cancel request for each order since the engine stopped answering. */
  readonly #requests = new Map<OrderId, Pick<CancelledByGuard, 'reason' | 'at'>>();
  /** The signing keys whose switches are firing. */
  readonly #firing = new Set<string>();
  /** Whether the cancels that the engine had begun are being repeated. */
  #isFinishing = false;
  #isStalled = false;
  #cancelTimer = (): void => {};

  constructor(parts: GuardParts) {
    this.#parts = parts;
    this.#orderIds = new OrderIds(parts.pods);
    this.#switches = new GuardSwitches(parts.timers);
  }

  readonly applyNews = (news: readonly OrderNews[]): void => this.#open.apply(news);

  /** The number of open orders by full id of the actor. */
  get openCounts(): ReadonlyMap<string, number> {
    return this.#open.counts();
  }

  /** The open orders of all actors. */
  get openOrders(): Iterable<OpenOrder> {
    return this.#open.all();
  }

  /** Returns an open order of any actor. Null means that no such order is known. */
  openOrder(orderId: OrderId): OpenOrder | null {
    return this.#open.find(orderId);
  }

  addOrders(orders: readonly OpenOrder[]): void {
    for (const order of orders) this.#open.add(order);
  }

  setSwitch(setting: SwitchSetting): void {
    this.#switches.set(setting);
  }

  dropSwitch(owner: CancelAfter): void {
    this.#parts.onSwitchFired?.();
    this.#switches.drop(owner);
  }

  addUnwanted(unwanted: Unwanted): void {
    this.#open.markUnwanted(unwanted);
  }

  addBegun(operation: NewOrderOperation): void {
    const order = this.#orderOf(operation);
    if (order !== null && this.#open.get(order.actorId, order.orderId) === null) this.#open.add(order);
  }

  stall(begun: readonly NewOrderOperation[]): void {
    this.#isStalled = true;
    for (const operation of begun) {
      const order = this.#orderOf(operation);
      if (order !== null) this.#begun.add(order);
    }
    this.#check();
  }

  recover(): void {
    this.#isStalled = false;
    this.#cancelTimer();
    this.#begun = new OpenOrders();
    this.#ended.clear();
    this.#requests.clear();
  }

  answer(operation: EngineOperation, isBegun: boolean): OperationReply | Promise<OperationReply> {
    switch (operation.name) {
      case 'submit':
      case 'replace':
        return this.#unsentReply(operation, isBegun);
      case 'submit-batch':
        return batchReply(submissionsOf(operation).map(one => this.#unsentReply(one, isBegun)));
      case 'cancel':
        return this.#cancel(operation);
      case 'cancel-batch':
        return this.#cancelBatch(operation);
      case 'cancel-all': {
        const { caller, venue, address, keyId, reason } = operation;
        const refusal = this.#noAccountReply(caller.podId, venue);
        return refusal ?? this.#cancelAll({ actorId: caller.actorId, venue, address, keyId, madeBy: null }, reason);
      }
      case 'stop':
        return this.#stop(operation.scope);
      case 'wallet-action': {
        const actionId = isBegun ? this.#orderIds.actionIdFor(operation.caller, operation.idempotencyKey) : null;
        if (actionId === null) return unavailableReply(`${SILENT}: nothing was sent by this request`);
        const words = `${SILENT}: the action may be at the relayer: read it`;
        return refusedReply(unknownOutcome('unknownOutcome', actionId, words));
      }
      case 'cancel-after':
        return unavailableReply(`${SILENT}: ${isBegun ? 'the switch may be set anew' : NOT_SET}`);
      default:
        return unavailableReply(SILENT);
    }
  }

  #unsentReply(operation: NewOrderOperation, isBegun: boolean): OperationReply {
    const { caller } = operation;
    const orderId = this.#orderIds.idFor(operation.caller, operation.venue, operation.idempotencyKey);
    // An earlier request with the same key may have made the order.
    const isKnown = orderId !== null && this.#find(caller.actorId, orderId) !== null;
    if (orderId === null || !(isBegun || isKnown))
      return unavailableReply(`${SILENT}: nothing was sent by this request`);
    const advice = operation.name === 'replace' ? 'read it, and the one it replaces' : 'read it';
    return refusedReply(
      unknownOutcome('unknownOutcome', orderId, `${SILENT}: the order may be at the venue: ${advice}`),
    );
  }

  async #cancel({ caller, venue, orderId: text }: OneOrderOperation): Promise<OperationReply> {
    const orderId = readOrderId(text);
    if (orderId === null) return notFound();
    const refusal = this.#noAccountReply(caller.podId, venue);
    if (refusal !== null) return refusal;
    const order = this.#find(caller.actorId, orderId);
    const isOwn = order !== null && order.podId === caller.podId && order.request.venue === venue;
    // The order may have ended, or the engine has not reported it. So the guard cannot say that it does not exist.
    if (!isOwn)
      return recordedReply(unavailableReply(`${SILENT}: the order is not known to be open: cancel again`), false);
    const wasEnded = this.#ended.get(orderId);
    if (wasEnded === 'cancelled') return asUnrecorded(refusedReply(endedRefusal({ orderId, status: 'CANCELLED' })));
    if (wasEnded === 'over') return asUnrecorded(overReply(order));
    return asUnrecorded(cancelReply(order, await this.#carryOut(order, cancelDeadline(this.#parts), 'REQUESTED')));
  }

  async #cancelBatch({ orderIds, ...asked }: CancelBatchOperation): Promise<OperationReply> {
    return batchReply(await Promise.all(orderIds.map(orderId => this.#cancel({ ...asked, name: 'cancel', orderId }))));
  }

  async #cancelAll(selection: GuardSelection, reason: CancelReason = 'REQUESTED'): Promise<OperationReply> {
    return asUnrecorded(replyOf(200, { results: await this.#cancelEach(this.#select(selection), reason) }));
  }

  /** Cancels all orders in the scope. The engine takes the stop once it goes on, and no new orders come before that. */
  async #stop(scope: StopScope): Promise<OperationReply> {
    const everything = { address: null, keyId: null, madeBy: null };
    const actorIds = new Set([...this.#open.actorIds(), ...this.#begun.actorIds()]);
    const orders = [...actorIds]
      .flatMap(actorId => VENUES.flatMap(venue => this.#select({ ...everything, actorId, venue })))
      .filter(order => isInScope(scope, order));
    const results = await this.#cancelEach(orders, 'STOP');
    const left = orders.filter((_, index) => results[index]!.outcome === 'RECONCILE');
    const cancelled = results.filter(({ outcome }) => outcome === 'CANCELLED').length;
    const report: StopReport = { stopped: [scope], cancelled, ...leftOf(left), unread: [] };
    return asUnrecorded(replyOf(200, report));
  }

  async #cancelEach(orders: readonly OpenOrder[], reason: CancelReason): Promise<readonly CancelResult[]> {
    const deadline = cancelDeadline(this.#parts);
    // The request is noted for all orders now, though some must wait for others before they are cancelled.
    for (const { orderId } of orders) this.#requestCancel(orderId, reason);
    const results: CancelResult[] = orders.map(({ orderId }) => ({ orderId, outcome: 'RECONCILE' }));
    let next = 0;
    const run = async (): Promise<void> => {
      for (let index = next++; index < orders.length && this.#parts.timers.now() < deadline; index = next++) {
        const order = orders[index]!;
        results[index] = { orderId: order.orderId, outcome: outcomeOf(await this.#carryOut(order, deadline, reason)) };
      }
    };
    await Promise.all(Array.from({ length: Math.min(limits.cancelsInFlightMax, orders.length) }, run));
    return results;
  }

  async #carryOut(order: OpenOrder, deadline: UnixMillis, reason: CancelReason): Promise<CarriedOut> {
    const first = this.#requestCancel(order.orderId, reason);
    const outcome = await this.#parts.link.carryOut(order, deadline);
    if (outcome.type === 'refused') return outcome;
    if (this.#isStalled) this.#ended.set(order.orderId, outcome.type);
    this.#parts.onCancelled({ order, ...first });
    return outcome;
  }

  /** Notes a cancel request for the order, and returns the order's first request. */
  #requestCancel(orderId: OrderId, reason: CancelReason): Pick<CancelledByGuard, 'reason' | 'at'> {
    const first = this.#requests.get(orderId) ?? { reason, at: this.#parts.timers.now() };
    this.#requests.set(orderId, first);
    return first;
  }

  /**
   * Repeats the cancels that the engine had begun, and fires due switches, which the engine will fire once more. Runs again and again until
   * the engine answers.
   */
  #check(): void {
    if (!this.#isFinishing) void this.#finishCancels();
    for (const due of this.#switches.due()) if (!this.#firing.has(due.keyId)) void this.#fire(due);
    this.#cancelTimer = this.#parts.timers.after(limits.cancelAfterCheckMs, () => this.#check());
  }

  async #finishCancels(): Promise<void> {
    const unwanted = this.#open.unwantedOrders().filter(({ order }) => !this.#ended.has(order.orderId));
    if (unwanted.length === 0) return;
    this.#isFinishing = true;
    for (const { order, reason } of unwanted) this.#requestCancel(order.orderId, reason);
    await this.#cancelEach(
      unwanted.map(it => it.order),
      unwanted[0]!.reason,
    );
    this.#parts.timers.after(limits.cancelAfterRetryMs, () => {
      this.#isFinishing = false;
    });
  }

  async #fire({ keyId, actorId, deadline }: CancelAfter): Promise<void> {
    const own = { actorId, address: null, keyId, madeBy: deadline };
    const orders = VENUES.flatMap(venue => this.#select({ ...own, venue }));
    this.#firing.add(keyId);
    if (orders.length > 0)
      this.#parts.log.info('cancel-after fires', { keyId, orders: orders.length, isRecorded: false });
    await this.#cancelEach(orders, 'DEAD_MAN');
    this.#parts.timers.after(limits.cancelAfterRetryMs, () => this.#firing.delete(keyId));
  }

  /**
   * Returns the selected orders that have not ended since the engine stopped answering. Resting orders come first, because others may need
   * a wait.
   */
  #select(selection: GuardSelection): readonly OpenOrder[] {
    const found = [...this.#begun.select(selection), ...this.#open.select(selection)];
    const orders = [...new Map(found.map(order => [order.orderId, order])).values()];
    const rests = ({ status }: OpenOrder): number => (status === 'OPEN' ? 1 : 0);
    return orders.filter(it => !this.#ended.has(it.orderId)).sort((one, other) => rests(other) - rests(one));
  }

  #find(actorId: string, orderId: OrderId): OpenOrder | null {
    return this.#open.get(actorId, orderId) ?? this.#begun.get(actorId, orderId);
  }

  #orderOf(operation: NewOrderOperation): OpenOrder | null {
    const { caller, venue, idempotencyKey } = operation;
    const orderId = this.#orderIds.idFor(caller, venue, idempotencyKey);
    const request = operation.name === 'replace' ? this.#changedRequest(operation) : requestOf(operation);
    if (orderId === null || request === null) return null;
    const createdAt = this.#parts.timers.now();
    const unknown = { status: 'SUBMITTED', venueOrderId: null, traded: 0 as MicroShares, cost: 0n } as const;
    return { ...caller, orderId, request, createdAt, ...unknown };
  }

  /** Returns the request of the new order of a replace. Null means that the old order is not known, or that the terms are malformed. */
  #changedRequest({ caller, venue, orderId, body }: ReplaceOperation): ShownRequest | null {
    const oldId = readOrderId(orderId);
    const old = oldId === null ? null : this.#find(caller.actorId, oldId);
    const terms = body.ok ? readReplacement(venue, body.value) : body;
    if (old === null || !terms.ok) return null;
    const { request } = old;
    return request.venue === 'venue_b' ? { ...request, size: terms.value.total ?? request.size } : request;
  }

  /** Returns the engine's refusal if the pod has no account at the venue, and null if it has one. */
  #noAccountReply(podId: string, venue: Venue): OperationReply | null {
    const pod = this.#parts.pods.find(it => it.podId === podId);
    if (pod === undefined) return refusedReply(noAccount(podId, 'any venue'));
    const account = venue === 'venue_a' ? pod.venueA : pod.venueB;
    return account === null ? refusedReply(noAccount(podId, venue)) : null;
  }
}

const NOT_SET = 'nothing was changed: the switch fires as it was set';

function requestOf({ venue, body }: SubmitOperation): ShownRequest | null {
  const request = body.ok ? (venue === 'venue_a' ? readVenueAOrder : readVenueBOrder)(body.value) : body;
  return request.ok ? request.value : null;
}

function asUnrecorded(reply: OperationReply): OperationReply {
  return recordedReply(reply, false);
}

function cancelReply(order: OpenOrder, outcome: CarriedOut): OperationReply {
  if (outcome.type === 'refused') return refusedReply(outcome);
  if (outcome.type === 'over') return overReply(order);
  return replyOf(200, cancelledView(order.orderId, order.request.venue, order.traded));
}

function overReply({ orderId }: OpenOrder): OperationReply {
  const message = `order ${orderId} does not rest any more: it was filled or cancelled earlier`;
  return refusedReply(refused('notCancellable', message));
}

function outcomeOf({ type }: CarriedOut): CancelResult['outcome'] {
  switch (type) {
    case 'cancelled':
      return 'CANCELLED';
    case 'over':
      return 'NOT_CANCELLABLE';
    default:
      return 'RECONCILE';
  }
}
