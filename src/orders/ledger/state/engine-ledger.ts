// The engine's ledger: decide → apply → append, one step at a time. `work` reads the state and names events. Each event is applied at once,
// so that the rest of the step sees it. The step is one record of the journal. If `work` throws or the journal refuses, the whole step is
// undone. Engine thread.

import type { Venue } from '../../../core/domain/market.ts';
import type { Order } from '../../../core/domain/order.ts';
import type { Position } from '../../../core/domain/position.ts';
import type { CountedFill, Protection, ProtectionScope } from '../../../core/domain/protection.ts';
import { AssertionFailure } from '../../../core/domain/result.ts';
import type { WalletAction } from '../../../core/domain/wallet-action.ts';
import {
  type Account,
  type ActionEventRecord,
  actionEvent,
  type BookedChange,
  type CancelAfter,
  type FillChange,
  type IdempotencyEntry,
  type LedgerTransaction,
  type OrderEventRecord,
  type StoredFill,
  type StoredOrder,
} from '../../../core/store/order-records.ts';
import { ByteWriter } from '../../../core/store/orders/bytes.ts';
import { limits } from '../../../limits.ts';
import {
  eventsOf,
  LEDGER_EVENTS_VERSION,
  type LedgerEvent,
  type OrderMade,
  type OrderMoved,
  writeEvent,
} from '../events.ts';
import { LedgerState } from './state.ts';

/** The journal that the engine appends to. */
export interface Appender {
  /** The sequence of the next record. */
  readonly next: number;
  /** Appends a record. Throws a StoreError if it was not appended. */
  append(record: Uint8Array): void;
}

/** Applies the next record of the journal at a start. Throws a StoreError that names the record if it cannot be read. */
export function replay(state: LedgerState, sequence: number, record: Uint8Array): void {
  for (const event of eventsOf(sequence, record)) state.apply(event, sequence);
}

/** The state with its steps. Within a step, reads see the events that the step has named. */
export class EngineLedger<Journal extends Appender = Appender> extends LedgerState implements LedgerTransaction {
  readonly #writer = new ByteWriter();
  /** The journal, which `appendTo` sets. */
  protected journal!: Journal;
  #sequence = 0;
  #isOpen = false;
  #hasEvents = false;
  /** The latest change of an order. It is written later, because its STATUS event and its key usually follow and are written with it. */
  #changed: Written<OrderMade> | Written<OrderMoved> | null = null;
  /** The order after that change. */
  #order: Order | null = null;

  /** Sets the journal. To be called once the journal is replayed, and before the first step. */
  appendTo(journal: Journal): this {
    this.journal = journal;
    return this;
  }

  /** Makes a step. Returns once the step is in the journal, where it survives kill -9. */
  change<T>(work: (step: LedgerTransaction) => T): T {
    this.#begin();
    try {
      const value = work(this);
      if (this.#changed !== null) this.#write(this.#changed);
      if (this.#hasEvents) this.journal.append(this.#writer.view());
      this.undoLog.end();
      return value;
    } catch (error) {
      this.undoLog.undo();
      throw error;
    } finally {
      this.#isOpen = false;
    }
  }

  /** Returns the result that `change` would return. Changes and appends nothing. */
  rehearse<T>(work: (step: LedgerTransaction) => T): T {
    this.#begin();
    try {
      return work(this);
    } finally {
      this.undoLog.undo();
      this.#isOpen = false;
    }
  }

  putOrder(stored: StoredOrder): void {
    const { order, refusedAs } = stored;
    const held = this.orders.get(order.orderId);
    const before = held?.stored;
    const isMotion =
      before !== undefined &&
      before.order.request === order.request &&
      before.intent === stored.intent &&
      before.order.idempotencyKey === order.idempotencyKey;
    if (this.#changed !== null) this.#write(this.#changed);
    this.#changed = isMotion
      ? { type: 'order-moved', orderId: order.orderId, motion: order, refusedAs, cursor: null, key: null }
      : { type: 'order-made', stored, cursor: null, key: null };
    this.#order = order;
    this.orders.put(stored, this.#sequence, held);
  }

  putIdempotency(actorId: string, venue: Venue, key: string, entry: IdempotencyEntry): void {
    const changed = this.#changed;
    const order = this.#order;
    const isOwn =
      entry.orderId === order?.orderId &&
      key === order.idempotencyKey &&
      actorId === order.actorId &&
      venue === order.request.venue;
    if (changed === null || !isOwn) {
      this.#name({ type: 'key-kept', actorId, venue, key, entry });
      return;
    }
    changed.key = entry;
    this.keepKey(actorId, venue, key, entry, this.#sequence);
  }

  addFill(account: Account, stored: StoredFill): void {
    if (this.fill(account, stored.fill.fillId) === null) this.#name({ type: 'fill-booked', account, stored });
  }

  claimFill(account: Account, stored: StoredFill): void {
    this.#name({ type: 'fill-claimed', account, stored });
  }

  amendFill(account: Account, fillId: string, change: FillChange): void {
    this.#name({ type: 'fill-amended', account, fillId, change });
  }

  putPosition(owner: string, position: Position): void {
    this.#name({ type: 'position-moved', owner, position });
  }

  addBooked(owner: string, booked: Omit<BookedChange, 'number'>): void {
    const { venue, address } = booked.before;
    const movements = this.movements(owner, venue, address, limits.bookedChangesKeptMax);
    const number = (movements.at(-1)?.number ?? 0) + 1;
    this.putBooked(owner, { ...booked, number });
    const oldest = movements[0];
    if (oldest !== undefined && movements.length >= limits.bookedChangesKeptMax) this.deleteBooked(owner, oldest);
  }

  putBooked(owner: string, booked: BookedChange): void {
    this.#name({ type: 'movement-kept', owner, booked });
  }

  deleteBooked(owner: string, { before: { venue, address }, number }: BookedChange): void {
    this.#name({ type: 'movement-dropped', owner, venue, address, number });
  }

  /** Appends an event under the actor's next cursor. The order and the fill are as this step has just put them. */
  appendEvent(event: Omit<OrderEventRecord, 'cursor'>): OrderEventRecord {
    const { actorId, at, order, fill } = event;
    const cursor = this.lastCursor(actorId) + 1;
    const { orderId } = order;
    const changed = this.#changed;
    const isOfChange = changed !== null && order === this.#order && changed.cursor === null;
    if (
      isOfChange &&
      event.event === 'STATUS' &&
      fill === null &&
      actorId === order.actorId &&
      at === order.updatedAt
    ) {
      changed.cursor = cursor;
      this.cursors.set(actorId, cursor);
    } else {
      const fillId = fill?.fillId ?? null;
      this.#name({ type: 'event-appended', actorId, cursor, event: event.event, at, orderId, fillId });
    }
    return { cursor, ...event };
  }

  putAction(action: WalletAction): ActionEventRecord {
    const cursor = this.lastCursor(action.actorId) + 1;
    this.#name({ type: 'action-put', cursor, action });
    return { cursor, ...actionEvent(action) };
  }

  putMark(name: string, value: string): void {
    this.#name({ type: 'mark-set', name, value });
  }

  /** Makes sure that no cursor up to `floor` is used from now on. */
  leapCursors(floor: number): void {
    this.#name({ type: 'cursors-leapt', floor });
  }

  putCancelAfter(cancelAfter: CancelAfter): void {
    this.#name({ type: 'switch-armed', cancelAfter });
  }

  deleteCancelAfter(keyId: string): void {
    this.#name({ type: 'switch-disarmed', keyId });
  }

  putProtection(protection: Protection): void {
    this.#name({ type: 'protection-set', protection });
  }

  deleteProtection(scope: ProtectionScope): void {
    this.#name({ type: 'protection-ended', scope });
  }

  countFill(scope: ProtectionScope, fill: CountedFill, dropped: number): void {
    this.#name({ type: 'fill-counted', scope, fill, dropped });
  }

  #begin(): void {
    if (this.#isOpen) throw new AssertionFailure('steps are not nested');
    this.#sequence = this.journal.next;
    this.#isOpen = true;
    this.#hasEvents = false;
    this.#changed = this.#order = null;
    this.undoLog.begin();
    this.#writer.beginWith(LEDGER_EVENTS_VERSION);
  }

  #name(event: LedgerEvent): void {
    if (this.#changed !== null) this.#write(this.#changed);
    this.#hasEvents = true;
    writeEvent(this.#writer, event);
    this.apply(event, this.#sequence);
  }

  /** Writes the latest change of an order, together with its STATUS event and its key. */
  #write(changed: LedgerEvent): void {
    this.#hasEvents = true;
    writeEvent(this.#writer, changed);
    this.#changed = this.#order = null;
  }
}

type Written<Event> = { -readonly [Field in keyof Event]: Event[Field] };
