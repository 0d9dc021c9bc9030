// The engine's own ledger with its journal in memory. Tests use the ledger below the code that stands on it; the simulation uses it to
// compute the state that follows from its records. A restart replays the records.

import type { Durability } from '../../src/config.ts';
import type { WalletAction } from '../../src/core/domain/wallet-action.ts';
import type { StoredFill, StoredOrder } from '../../src/core/store/order-records.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import { NO_ARCHIVE } from '../../src/orders/ledger/archive.ts';
import { EngineStore, type StepLog } from '../../src/orders/ledger/engine-store.ts';
import { type LedgerEvent, readEvents } from '../../src/orders/ledger/events.ts';
import { replay } from '../../src/orders/ledger/state/engine-ledger.ts';

export class MemoryLog implements StepLog {
  readonly records: Uint8Array[] = [];
  /** Whether the disk takes no more records. */
  isFull = false;
  /** The reason why too much waits for the history. Null means that the history keeps up. */
  backlog: string | null = null;
  readonly #events: LedgerEvent[] = [];
  /** The number of records whose events are in `#events`. */
  #read = 0;

  get next(): number {
    return this.records.length + 1;
  }

  append(record: Uint8Array): void {
    if (this.isFull) throw new StoreError('no space left on device');
    this.records.push(new Uint8Array(record));
  }

  durable(): Promise<void> {
    return Promise.resolve();
  }

  /** Returns the events of all records, in their order. */
  events(): readonly LedgerEvent[] {
    for (const record of this.records.slice(this.#read)) this.#events.push(...readEvents(record));
    this.#read = this.records.length;
    return this.#events;
  }
}

/** A log whose syncs hang on command. */
export class HangingLog extends MemoryLog {
  #hangs = Promise.withResolvers<void>();
  isHanging = false;

  override durable(): Promise<void> {
    return this.isHanging ? this.#hangs.promise : super.durable();
  }

  comeBack(): void {
    this.isHanging = false;
    this.#hangs.resolve();
  }
}

export class MemoryLedger extends EngineStore {
  readonly log: MemoryLog;

  /** Replays the log. */
  constructor(log = new MemoryLog(), mode: Durability = 'process-safe') {
    super(NO_ARCHIVE, mode);
    this.log = log;
    for (const [index, record] of log.records.entries()) replay(this, index + 1, record);
    this.appendTo(log);
  }

  set isFull(isFull: boolean) {
    this.log.isFull = isFull;
  }

  /** The orders of all actors, in the order in which they came. */
  allOrders(): readonly StoredOrder[] {
    const made = this.log.events().filter(event => event.type === 'order-made');
    const orderIds = new Set(made.map(({ stored }) => stored.order.orderId));
    return Array.from(orderIds, orderId => this.order(orderId)!);
  }

  allActions(): readonly WalletAction[] {
    const put = this.log.events().filter(event => event.type === 'action-put');
    return Array.from(new Set(put.map(({ action }) => action.actionId)), actionId => this.action(actionId)!);
  }

  allFills(): readonly StoredFill[] {
    const booked = this.log.events().filter(event => event.type === 'fill-booked');
    return booked.map(({ account, stored }) => this.fill(account, stored.fill.fillId)!);
  }
}
