// Projects the journal into rows for lists, pages and exports: each event of each step, in sequence. History thread.

import { assert, unreachable } from '../../core/domain/result.ts';
import { actionEvent, type StoredOrder } from '../../core/store/order-records.ts';
import type { OrderTable } from '../../core/store/orders/keys.ts';
import { type OrderWriter, writeOrders } from '../../core/store/orders/order-writer.ts';
import type { Reader, Transaction } from '../../core/store/tables.ts';
import { eventsOf, type LedgerEvent } from '../ledger/events.ts';
import type { HistoryTables } from './tables.ts';

/** The events of one record of the journal. */
export interface FollowedStep {
  readonly sequence: number;
  readonly events: readonly LedgerEvent[];
}

/** Throws a StoreError that names the record if it cannot be read. */
export function stepOf(sequence: number, payload: Uint8Array): FollowedStep {
  return { sequence, events: eventsOf(sequence, payload) };
}

type Look = (reader: Reader<OrderTable>) => void;

/** Writes all steps in one synced transaction, and skips steps that the tables have. `look` sees the rows before the sync. */
export function follow(
  tables: HistoryTables,
  steps: readonly FollowedStep[],
  eventsKeptMax: number,
  look: Look = () => {},
): void {
  const last = steps.at(-1);
  if (last === undefined) return;
  const followed = tables.followed();
  const fresh = steps.filter(({ sequence }) => sequence > followed);
  if (fresh.length === 0) return;
  assert(fresh[0]!.sequence === followed + 1, 'the history follows the journal without a gap');
  tables.follow(last.sequence, transaction => {
    writeAll(transaction, fresh, eventsKeptMax);
    look(transaction);
  });
}

/** Shows `look` the tables with the steps applied, which must follow on those in the tables; nothing is kept. */
export function preview(
  tables: HistoryTables,
  steps: readonly FollowedStep[],
  eventsKeptMax: number,
  look: Look,
): void {
  tables.rehearse(transaction => {
    writeAll(transaction, steps, eventsKeptMax);
    look(transaction);
  });
}

function writeAll(transaction: Transaction<OrderTable>, steps: readonly FollowedStep[], eventsKeptMax: number): void {
  writeOrders(transaction, eventsKeptMax, writer => {
    for (const { events } of steps) for (const event of events) write(writer, event);
  });
}

function write(writer: OrderWriter, event: LedgerEvent): void {
  switch (event.type) {
    case 'order-made':
      writer.putOrder(event.stored);
      break;
    case 'order-moved': {
      const stored = known(writer, event.orderId);
      writer.putOrder({ ...stored, order: { ...stored.order, ...event.motion }, refusedAs: event.refusedAs });
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
      const { cursor } = writer.appendEvent(actionEvent(event.action));
      assert(cursor === event.cursor, 'the history numbers events as the engine does');
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

function tell(writer: OrderWriter, event: Extract<LedgerEvent, { type: 'event-appended' }>): void {
  const { order } = known(writer, event.orderId);
  const account = { podId: order.podId, venue: order.request.venue };
  const fill = event.fillId === null ? null : (writer.fill(account, event.fillId)?.fill ?? null);
  const { actorId, at } = event;
  const { cursor } = writer.appendEvent({ actorId, event: event.event, order, fill, at });
  assert(cursor === event.cursor, 'the history numbers events as the engine does');
}

function known(writer: OrderWriter, orderId: StoredOrder['order']['orderId']): StoredOrder {
  const stored = writer.order(orderId);
  assert(stored !== null, 'an order that changes is in the history');
  return stored;
}
