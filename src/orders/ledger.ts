// The only place where an order changes. Every change is one transaction that reads the order first, moves it by `transition`, and
// writes what follows from that: position, the event for the private stream. Whoever listens hears of it after the commit.
// Whichever thread runs it.

import type { UnixMillis } from '../domain/numbers.ts';
import type { Until } from '../store/durable/group-commit.ts';
import type { OrderEventRecord, OrderStore, OrderTransaction } from '../store/order-records.ts';
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
