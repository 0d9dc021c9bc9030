// The only place where an order changes. Each change is one step of the engine. The step reads the order, moves it by `transition`, and
// writes the position and the event of the private stream. Listeners are called after the step. Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { OrderId } from '../../core/domain/order.ts';
import type { Soon } from '../../core/domain/soon.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { ActorEventRecord, LedgerStore, LedgerTransaction } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import type { Diverged } from './divergence.ts';
import { LedgerEntry } from './ledger-entry.ts';
import { OrderWaiters } from './order-waiters.ts';
import { recordFault } from './record-fault.ts';

interface LedgerParts {
  readonly store: LedgerStore;
  readonly now: () => UnixMillis;
  /** Publishes the events of completed changes, in sequence. */
  readonly publish: (events: readonly ActorEventRecord[]) => void;
  readonly diverged: Diverged;
}

export interface Committed<T> {
  readonly value: T;
  /** Why the record is not safe. Null means that it is as safe as the mode requires. */
  readonly fault: StoreError | null;
}

export class Ledger {
  readonly store: LedgerStore;
  readonly #parts: LedgerParts;
  /** Waiters for orders. Each change of an order wakes its waiters. */
  readonly waiters: OrderWaiters;
  /** New orders of amendments that the venue has not answered yet. The private stream may already show them as made. */
  readonly amending: Set<OrderId>;

  constructor(parts: LedgerParts, waiters = new OrderWaiters(), amending = new Set<OrderId>()) {
    this.store = parts.store;
    this.#parts = parts;
    this.waiters = waiters;
    this.amending = amending;
  }

  /** Whether every change so far is recorded. A plain ledger throws if it cannot record a change. */
  get isRecorded(): boolean {
    return true;
  }

  /** Makes a change, and returns once the change would survive kill -9. If `work` throws, the change is undone. */
  change<T>(work: (entry: LedgerEntry) => T): T {
    const { entry, value } = this.store.change(transaction => this.#publishStep(transaction, work));
    if (entry.divergences !== null) for (const it of entry.divergences) this.#parts.diverged(...it);
    if (entry.events !== null) this.#parts.publish(entry.events);
    if (entry.changed !== null) this.waiters.wake(entry.changed);
    return value;
  }

  /**
   * Like `change`, for an order that is to be sent. If the record is not safe in time for the caller's answer, `fault` says so, and the
   * order must not be sent. The result comes at once if nothing must be waited for. Throws a StoreError if nothing is recorded.
   */
  commit<T>(timers: Pick<Timers, 'after'>, work: (entry: LedgerEntry) => T): Soon<Committed<T>> {
    const { store } = this;
    if (store.problem !== null) throw store.problem;
    const value = this.change(work);
    const kept = recordFault(store, timers, limits.venueAnswerTimeoutMs);
    return kept === null ? { value, fault: null } : kept.then(fault => ({ value, fault }));
  }

  /** Resolves to whether all records of this ledger are as safe as the mode requires, or will be within a moment. */
  async isSafe(timers: Pick<Timers, 'after'>): Promise<boolean> {
    return this.isRecorded && (await recordFault(this.store, timers)) === null && this.isRecorded;
  }

  /** Resolves to whether all records of this ledger are on disk, or will be within a moment. The mode does not matter. */
  async isOnDisk(timers: Pick<Timers, 'after'>): Promise<boolean> {
    return (await recordFault({ durable: () => this.store.onDisk() }, timers)) === null;
  }

  /** Returns a ledger for one request or look-up that must not wait for a record. */
  lenient(): LenientLedger {
    return new LenientLedger(this.#parts, this.waiters, this.amending);
  }

  /** Returns the result that `change` would return. Nothing changes, and no listener is called. */
  protected rehearse<T>(work: (entry: LedgerEntry) => T): T {
    return this.store.rehearse(transaction => this.#publishStep(transaction, work)).value;
  }

  #publishStep<T>(transaction: LedgerTransaction, work: (entry: LedgerEntry) => T) {
    const entry = new LedgerEntry(transaction, this.#parts.now());
    return { entry, value: work(entry) };
  }
}

/**
 * A ledger that goes on without a record. If the journal cannot take a change, it returns the result that the change would have, so that
 * actions that lower risk go on. After that it records nothing, since a later change may depend on the missing change. The venue reports
 * the outcome again. Throws a StoreError only if evicted rows cannot be read either.
 */
class LenientLedger extends Ledger {
  #isRecorded = true;

  override get isRecorded(): boolean {
    return this.#isRecorded && this.store.problem === null;
  }

  override change<T>(work: (entry: LedgerEntry) => T): T {
    if (!this.#isRecorded) return this.rehearse(work);
    try {
      return super.change(work);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
    this.#isRecorded = false;
    return this.rehearse(work);
  }
}
