// Projects the journal into rows for lists, pages and exports: every event of each step, in sequence. History thread.

import { assert, unreachable } from '../../core/domain/result.ts';
import { ScratchList } from '../../core/domain/scratch.ts';
import { actionEvent, type StoredOrder } from '../../core/store/order-records.ts';
import type { OrderTable } from '../../core/store/orders/keys.ts';
import { OrderWriter } from '../../core/store/orders/order-writer.ts';
import type { Reader, Transaction } from '../../core/store/tables.ts';
import type { LedgerEvent, OrderChange } from '../ledger/events.ts';
import type { HistoryTables } from './tables.ts';

export type Look = (reader: Reader<OrderTable>) => void;

const NO_LOOK: Look = () => {};

/** Writes steps of the journal into the tables. The closures, lists and maps of a transaction are made once. */
export class Projection {
  readonly #tables: HistoryTables;
  #writer: OrderWriter | null = null;
  /** The events of the steps that are not committed yet. The last of them has the sequence `#last`. */
  readonly #steps = new ScratchList<readonly LedgerEvent[]>();
  #last = 0;
  /** The number of steps that are not committed yet. */
  waiting = 0;
  #look = NO_LOOK;

  constructor(tables: HistoryTables) {
    this.#tables = tables;
  }

  /** Takes the next step: the events of a record of the journal. Steps come in sequence, without a gap. */
  take(sequence: number, events: readonly LedgerEvent[]): void {
    this.#steps.push(events);
    this.waiting += 1;
    this.#last = sequence;
  }

  /**
   * Writes all steps in one synced transaction, except for steps that the tables have. `look` sees the rows before the sync. To be called
   * only if the disk has room.
   */
  follow(look = NO_LOOK): void {
    if (this.waiting === 0) return;
    this.#look = look;
    this.#tables.follow(this.#last, this.#write);
    this.#steps.clear();
    this.waiting = 0;
  }

  /** Shows `look` the tables with the steps applied, and keeps nothing. The steps must follow directly on those in the tables. */
  preview(look: Look): void {
    this.#look = look;
    this.#tables.rehearse(this.#write);
  }

  readonly #write = (transaction: Transaction<OrderTable>, followed: number): void => {
    const before = this.#last - this.waiting;
    assert(before <= followed, 'the history follows the journal without a gap');
    this.#writer ??= new OrderWriter(transaction);
    const writer = this.#writer;
    try {
      for (let index = followed - before; index < this.waiting; index++) {
        const events = this.#steps.items[index]!;
        for (let at = 0; at < events.length; at++) write(writer, events[at]!);
      }
      writer.flush();
    } finally {
      writer.clear();
    }
    this.#look(transaction);
  };
}

function write(writer: OrderWriter, event: LedgerEvent): void {
  switch (event.type) {
    case 'order-made':
      putChanged(writer, event.stored, event);
      break;
    case 'order-moved': {
      const { order, intent } = storedOrder(writer, event.orderId);
      putChanged(writer, { order: { ...order, ...event.motion }, intent, refusedAs: event.refusedAs }, event);
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
      putEvent(writer, event);
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

function putChanged(writer: OrderWriter, stored: StoredOrder, { cursor, key }: OrderChange): void {
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

function putEvent(writer: OrderWriter, event: Extract<LedgerEvent, { type: 'event-appended' }>): void {
  const { order } = storedOrder(writer, event.orderId);
  const account = { podId: order.podId, venue: order.request.venue };
  const fill = event.fillId === null ? null : (writer.fill(account, event.fillId)?.fill ?? null);
  const { actorId, cursor, at } = event;
  writer.putEvent({ cursor, actorId, event: event.event, order, fill, at });
}

function storedOrder(writer: OrderWriter, orderId: StoredOrder['order']['orderId']): StoredOrder {
  const stored = writer.order(orderId);
  assert(stored !== null, 'an order that changes is in the history');
  return stored;
}
