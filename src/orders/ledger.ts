// The only place where an order changes. Every change is one transaction that reads the order first, moves it by `transition`, and
// writes what follows from that: position, the event for the private stream. Whoever listens hears of it after the commit.
// Whichever thread runs it.

import type { UnixMillis } from '../domain/numbers.ts';
import type { OrderEventRecord, OrderStore } from '../store/order-records.ts';
import { LedgerEntry } from './ledger-entry.ts';

/** What contradicts what is known: counted and logged, never silent. */
export type Divergence =
  /** The venue refuses what it has, or has what it refused. */
  | 'refused-but-there'
  | 'fill-of-refused'
  /** Made by nobody here. */
  | 'unattributed-fill'
  | 'unattributed-order'
  /** A trace after the order was given up. */
  | 'late-trace';

export interface LedgerParts {
  readonly store: OrderStore;
  readonly now: () => UnixMillis;
  /** Of committed changes, in their order. */
  readonly tell: (events: readonly OrderEventRecord[]) => void;
  readonly diverged: (kind: Divergence, detail: Readonly<Record<string, string>>) => void;
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
    const events: OrderEventRecord[] = [];
    const value = this.#parts.store.change(transaction => work(this.#entry(transaction, events)));
    this.#tell(events);
    return value;
  }

  /** As `change`, together with whatever else is wanted at the same time; on disk, in the power-safe mode. */
  async commit<T>(work: (entry: LedgerEntry) => T): Promise<T> {
    const events: OrderEventRecord[] = [];
    const value = await this.#parts.store.commit(transaction => work(this.#entry(transaction, events)));
    this.#tell(events);
    return value;
  }

  #entry(
    transaction: ConstructorParameters<typeof LedgerEntry>[0]['transaction'],
    events: OrderEventRecord[],
  ): LedgerEntry {
    // A transaction that is run once more begins anew.
    events.length = 0;
    const { now, diverged } = this.#parts;
    return new LedgerEntry({ transaction, at: now(), events, diverged });
  }

  #tell(events: readonly OrderEventRecord[]): void {
    if (events.length > 0) this.#parts.tell(events);
  }
}
