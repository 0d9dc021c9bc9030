// Projects the journal into rows for lists, pages and exports: every event of each step, in sequence. History thread.

import { assert, unreachable } from '../../core/domain/result.ts';
import { actionEvent, type StoredOrder } from '../../core/store/order-records.ts';
import type { OrderTable } from '../../core/store/orders/keys.ts';
import { OrderWriter } from '../../core/store/orders/order-writer.ts';
import type { Reader, Transaction } from '../../core/store/tables.ts';
import { eventsOf, type LedgerEvent, type OrderChange } from '../ledger/events.ts';
import type { HistoryTables } from './tables.ts';

/** The events of one record of the journal. */
export interface FollowedStep {
  readonly sequence: number;
  readonly events: readonly LedgerEvent[];
}

/** Returns the step of a record. Throws a StoreError that names the record if it cannot be read. */
export function stepOf(sequence: number, payload: Uint8Array): FollowedStep {
  return { sequence, events: eventsOf(sequence, payload) };
}

export type Look = (reader: Reader<OrderTable>) => void;

/**
 * Writes all steps in one synced transaction, except for steps that the tables have. `look` sees the rows before the sync. To be called
 * only if the disk has room.
 */
export function follow(tables: HistoryTables, steps: readonly FollowedStep[], look: Look = () => {}): void {
  const last = steps.at(-1);
  if (last === undefined) return;
  tables.follow(last.sequence, (transaction, followed) => {
    let fresh = 0;
    while (fresh < steps.length && steps[fresh]!.sequence <= followed) fresh += 1;
    const first = steps[fresh]?.sequence ?? followed + 1;
    assert(first === followed + 1, 'the history follows the journal without a gap');
    writeAll(transaction, steps, fresh);
    look(transaction);
  });
}

/** Shows `look` the tables with the steps applied, and keeps nothing. The steps must follow directly on those in the tables. */
export function preview(tables: HistoryTables, steps: readonly FollowedStep[], look: Look): void {
  tables.rehearse(transaction => {
    writeAll(transaction, steps, 0);
    look(transaction);
  });
}

function writeAll(transaction: Transaction<OrderTable>, steps: readonly FollowedStep[], from: number): void {
  const writer = new OrderWriter(transaction);
  for (let index = from; index < steps.length; index++) {
    const { events } = steps[index]!;
    for (let at = 0; at < events.length; at++) write(writer, events[at]!);
  }
  writer.flush();
}

function write(writer: OrderWriter, event: LedgerEvent): void {
  switch (event.type) {
    case 'order-made':
      change(writer, event.stored, event);
      break;
    case 'order-moved': {
      const { order, intent } = known(writer, event.orderId);
      change(writer, { order: { ...order, ...event.motion }, intent, refusedAs: event.refusedAs }, event);
      break;
    }
    case 'key-kept':
      writer.putIdempotency(event.actorId, event.venue, event.key, event.entry);
      break;
    case 'fill-booked':
      writer.addFill(event.account, event.stored);
      break;
    case 'fill-claimed':
      writer.claimFill(event.account, event.stored);
      break;
    case 'fill-amended':
      writer.amendFill(event.account, event.fillId, event.change);
      break;
    case 'position-moved':
      writer.putPosition(event.owner, event.position);
      break;
    case 'movement-kept':
      writer.putBooked(event.owner, event.booked);
      break;
    case 'movement-dropped':
      writer.deleteMovement(event.owner, event.venue, event.address, event.number);
      break;
    case 'event-appended':
      tell(writer, event);
      break;
    case 'cursors-leapt':
      writer.leapCursors(event.floor);
      break;
    case 'action-put': {
      writer.putAction(event.action);
      writer.putActionEvent({ cursor: event.cursor, ...actionEvent(event.action) });
      break;
    }
    case 'mark-set':
      writer.putMark(event.name, event.value);
      break;
    case 'switch-armed':
      writer.putCancelAfter(event.cancelAfter);
      break;
    case 'switch-disarmed':
      writer.deleteCancelAfter(event.keyId);
      break;
    case 'protection-set':
      writer.putProtection(event.protection);
      break;
    case 'protection-ended':
      writer.deleteProtection(event.scope);
      break;
    case 'fill-counted':
      writer.countFill(event.scope, event.fill, event.dropped);
      break;
    default:
      unreachable(event);
  }
}

function change(writer: OrderWriter, stored: StoredOrder, { cursor, key }: OrderChange): void {
  const { order } = stored;
  const { actorId, orderId, request, updatedAt: at } = order;
  writer.putOrder(stored);
  if (cursor !== null) writer.putEvent({ cursor, actorId, event: 'STATUS', order, fill: null, at });
  if (key !== null)
    writer.putIdempotency(actorId, request.venue, order.idempotencyKey, {
      orderId,
      bodySha256Hex: key.bodySha256Hex,
      answer: key.answer,
    });
}

function tell(writer: OrderWriter, event: Extract<LedgerEvent, { type: 'event-appended' }>): void {
  const { order } = known(writer, event.orderId);
  const account = { podId: order.podId, venue: order.request.venue };
  const fill = event.fillId === null ? null : (writer.fill(account, event.fillId)?.fill ?? null);
  const { actorId, cursor, at } = event;
  writer.putEvent({ cursor, actorId, event: event.event, order, fill, at });
}

function known(writer: OrderWriter, orderId: StoredOrder['order']['orderId']): StoredOrder {
  const stored = writer.order(orderId);
  assert(stored !== null, 'an order that changes is in the history');
  return stored;
}
