// The only place where an order changes. Every change is one transaction that reads the order first, moves it by `transition`, and
// writes what follows from that: position, the event for the private stream. Whoever listens hears of it after the commit.
// Whichever thread runs it.

import type { UnixMillis } from '../domain/numbers.ts';
import type { Until } from '../store/durable/group-commit.ts';
import type { OrderEventRecord, OrderStore, OrderTransaction } from '../store/order-records.ts';
import { StoreError } from '../store/store-error.ts';
import type { Diverged } from './divergence.ts';
import { LedgerEntry } from './ledger-entry.ts';

export interface LedgerParts {
  readonly store: OrderStore;
  readonly now: () => UnixMillis;
  /** Of committed changes, in their order. */
  readonly tell: (events: readonly OrderEventRecord[]) => void;
  readonly diverged: Diverged;
}

/** What follows from a transaction once it is committed. */
interface Outbox {
  readonly events: OrderEventRecord[];
  readonly divergences: Parameters<Diverged>[];
}

export class Ledger {
  readonly #parts: LedgerParts;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  get store(): OrderStore {
    return this.#parts.store;
  }

  /** Whether every change so far is recorded: a plain ledger throws where one cannot be. */
  get isRecorded(): boolean {
    return true;
  }

  /** Returns when it would survive kill -9. What `work` throws undoes it. */
  change<T>(work: (entry: LedgerEntry) => T): T {
    const outbox: Outbox = { events: [], divergences: [] };
    const value = this.#parts.store.change(transaction => work(this.#entry(transaction, outbox)));
    this.#tell(outbox);
    return value;
  }

  /** As `change`, together with whatever else is wanted at the same time; if `safe`, on disk in the power-safe mode. */
  async commit<T>(work: (entry: LedgerEntry) => T, until: Until): Promise<T> {
    const outbox: Outbox = { events: [], divergences: [] };
    const value = await this.#parts.store.commit(transaction => work(this.#entry(transaction, outbox)), until);
    this.#tell(outbox);
    return value;
  }

  /** For one request or look that must not wait for a record. */
  lenient(): LenientLedger {
    return new LenientLedger(this.#parts);
  }

  /** What `change` would return; nothing changes, and nobody is told. */
  protected rehearse<T>(work: (entry: LedgerEntry) => T): T {
    return this.#parts.store.rehearse(transaction => work(this.#entry(transaction, { events: [], divergences: [] })));
  }

  #entry(transaction: OrderTransaction, { events, divergences }: Outbox): LedgerEntry {
    // A transaction that is run once more begins anew.
    events.length = 0;
    divergences.length = 0;
    const diverged: Diverged = (...divergence) => divergences.push(divergence);
    return new LedgerEntry({ transaction, at: this.#parts.now(), events, diverged });
  }

  #tell({ events, divergences }: Outbox): void {
    for (const divergence of divergences) this.#parts.diverged(...divergence);
    if (events.length > 0) this.#parts.tell(events);
  }
}

/**
 * A change that the store cannot take returns what would have come of it: what lowers risk goes on without a record. From then on nothing
 * is recorded by it, since a later change may rest on one that is missing. The venue tells the outcome again, by its private stream or
 * when it is asked. Throws a StoreError only if the store cannot be read either.
 */
class LenientLedger extends Ledger {
  #isRecorded = true;

  override get isRecorded(): boolean {
    return this.#isRecorded;
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
