// Lines of the audit log, for people and programs outside. A line is a step of an order that an event of the ledger shows, or a change of
// limits. Pure, but for the orders that are remembered. History thread.

import { BoundedMap } from '../../core/domain/bounded-map.ts';
import { isObject, parseJson } from '../../core/domain/json.ts';
import { lossLimitsOf } from '../../core/domain/loss-limit.ts';
import type { Venue } from '../../core/domain/market.ts';
import { formatMicroDollars, type UnixMillis } from '../../core/domain/numbers.ts';
import { isTerminal, type Order, type OrderId } from '../../core/domain/order.ts';
import { assert } from '../../core/domain/result.ts';
import {
  LIMIT_CHANGE_MARK,
  LOSS_LIMITS_MARK,
  STOPS_MARK,
  type StoredAnswer,
  type StoredOrder,
} from '../../core/store/order-records.ts';
import { fillView, orderView } from '../../core/wire/order-views.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import type { LedgerEvent } from '../ledger/events.ts';

/** The most orders that are remembered. Any other order is looked up. */
const ORDERS_REMEMBERED_MAX = 10_000;

type Look = (orderId: OrderId) => StoredOrder | null;

export class AuditLines {
  readonly #look: Look;
  readonly #orders = new BoundedMap<OrderId, StoredOrder>(ORDERS_REMEMBERED_MAX);

  /** `look` returns an order as of now or later. Null means that the order is not known. */
  constructor(look: Look) {
    this.#look = look;
  }

  /** Returns the lines of one record of the journal. `place` returns the head of each line. */
  linesOf(events: readonly LedgerEvent[], place: (line: number) => object): string[] {
    const facts = events.flatMap(event => [this.#factOf(event), this.#answerOf(event)].filter(it => it !== null));
    return facts.map((fact, line) => `${JSON.stringify({ ...place(line), ...fact })}\n`);
  }

  /** Returns the fact that an event states. Null means that the event has no line, because other events state the same about the order. */
  #factOf(event: LedgerEvent): object | null {
    switch (event.type) {
      case 'order-made':
        return this.#madeFact(event.stored);
      case 'order-moved':
        return this.#movedFact(event.orderId, event.motion);
      case 'key-kept': {
        const { actorId, venue, key, entry } = event;
        return answerFact(actorId, venue, key, entry.orderId, entry.answer);
      }
      case 'fill-booked':
      case 'fill-claimed': {
        const { account, stored } = event;
        const { orderId, fill } = stored;
        const actor = orderId === null ? null : (this.#find(orderId)?.order.actorId ?? null);
        const step = event.type === 'fill-booked' ? 'fill' : 'fill-claimed';
        return { ...factHead(step, fill.executedAt), actor, ...account, orderId, fill: fillView(fill) };
      }
      case 'fill-amended': {
        const { account, fillId, change } = event;
        return { ...factHead('fill-changed', null), ...account, fillId, settlement: change.settlement };
      }
      case 'switch-armed': {
        const { actorId: actor, keyId, deadline } = event.cancelAfter;
        return { ...factHead('switch-armed', null), actor, keyId, deadline: formatTime(deadline) };
      }
      case 'switch-disarmed':
        return { ...factHead('switch-disarmed', null), keyId: event.keyId };
      case 'mark-set':
        return markFact(event);
      default:
        return null;
    }
  }

  /** Returns the answer that comes with a change of an order. Null means that there is none, or that the order is not known. */
  #answerOf(event: LedgerEvent): object | null {
    if ((event.type !== 'order-made' && event.type !== 'order-moved') || event.key === null) return null;
    const order = event.type === 'order-made' ? event.stored.order : this.#find(event.orderId)?.order;
    if (order === undefined) return null;
    return answerFact(order.actorId, order.request.venue, order.idempotencyKey, order.orderId, event.key.answer);
  }

  #madeFact(stored: StoredOrder): object {
    const { order } = stored;
    this.#orders.set(order.orderId, stored);
    const isOurs = order.status === 'PENDING' || order.status === 'SUBMITTED';
    return orderFact(order.status === 'REJECTED' ? 'refused' : isOurs ? 'submitted' : 'adopted', stored);
  }

  #movedFact(orderId: OrderId, motion: Extract<LedgerEvent, { type: 'order-moved' }>['motion']): object {
    const before = this.#orders.get(orderId);
    const base = before ?? this.#look(orderId);
    if (base === null) return { ...factHead(stepByTimes(motion), motion.updatedAt), orderId, status: motion.status };
    const stored = { ...base, order: { ...base.order, ...motion } };
    this.#orders.set(orderId, stored);
    // An order that was looked up may be as it was after this step, or even after later steps.
    const isBefore = before !== undefined || base.order.updatedAt < motion.updatedAt;
    return orderFact(isBefore ? stepOf(base.order, stored.order) : stepByTimes(stored.order), stored);
  }

  #find(orderId: OrderId): StoredOrder | null {
    return this.#orders.get(orderId) ?? this.#look(orderId);
  }
}

function markFact({ name, value }: Extract<LedgerEvent, { type: 'mark-set' }>): object | null {
  switch (name) {
    case STOPS_MARK:
      return { ...factHead('stops', null), stopped: value === '' ? [] : value.split('\n') };
    case LOSS_LIMITS_MARK:
      return { ...factHead('loss-limits', null), limits: lossTermsIn(value) };
    case LIMIT_CHANGE_MARK: {
      const change = parseJson(value);
      assert(isObject(change), 'the ledger keeps changes as this program writes them');
      return { at: change.at, step: 'limit-change', ...change };
    }
    default:
      return null;
  }
}

function lossTermsIn(text: string): readonly object[] {
  return lossLimitsOf(text).map(({ scope, lossMax, cancels, since, reached }) => ({
    scope,
    lossMaxUsd: formatMicroDollars(lossMax),
    cancels,
    since: formatTime(since),
    reachedAt: reached === null ? null : formatTime(reached.at),
  }));
}

function factHead(step: string, at: UnixMillis | null): object {
  return { at: at === null ? null : formatTime(at), step };
}

function answerFact(
  actor: string,
  venue: Venue,
  clientOrderId: string,
  orderId: OrderId,
  answer: StoredAnswer | null,
): object | null {
  if (answer === null) return null;
  const { outcome, status, message, at } = answer;
  return { ...factHead('answered', at), actor, venue, clientOrderId, orderId, outcome, status, message };
}

function orderFact(step: string, { order }: StoredOrder): object {
  const { updatedAt, actorId: actor, keyId, request } = order;
  return { ...factHead(step, updatedAt), actor, keyId, venue: request.venue, order: orderView(order, true) };
}

type Moved = Pick<Order, 'status' | 'isReleased' | 'updatedAt' | 'sentAt' | 'cancelRequestedAt'>;

/** Returns the step by the order's own times, for an order whose state before is not known. */
function stepByTimes(order: Moved): string {
  const { status, updatedAt, sentAt, cancelRequestedAt } = order;
  const isSent = status === 'SUBMITTED' && sentAt === updatedAt;
  if (isTerminal(status) || isSent) return stepTo(order);
  // The time of a cancel request is taken separately, and may be a little later.
  return cancelRequestedAt !== null && cancelRequestedAt >= updatedAt ? 'cancel-requested' : 'updated';
}

function stepTo({ status, isReleased }: Pick<Order, 'status' | 'isReleased'>): string {
  return STEPS[status] ?? (isReleased ? 'released' : 'refused');
}

function stepOf(before: Order, order: Order): string {
  if (before.status !== order.status) return stepTo(order);
  if (before.cancelRequestedAt === order.cancelRequestedAt) return 'updated';
  return order.cancelRequestedAt === null ? 'cancel-revoked' : 'cancel-requested';
}

/** The steps by the status that the order takes on. REJECTED is missing, because two steps lead to it. */
const STEPS: Partial<Record<Order['status'], string>> = {
  PENDING: 'reopened',
  SUBMITTED: 'submitted',
  OPEN: 'rests',
  FILLED: 'filled',
  CANCELLED: 'cancelled',
};
