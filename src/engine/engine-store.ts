// The ledger that the life of orders works with: the engine's state, its steps appended to the journal. Engine thread.

import type { Durability } from '../config.ts';
import type { LedgerStore, LedgerTransaction } from '../store/order-records.ts';
import { type Appender, EngineLedger } from './state/engine-ledger.ts';
import type { LedgerState } from './state/state.ts';
import { StateReads } from './state/state-reads.ts';

/** A journal, as far as the engine needs one. */
export interface StepLog extends Appender {
  /** Resolves once everything appended so far is on disk; rejects with a StoreError if the disk has failed. */
  durable(): Promise<void>;
}

export class EngineStore extends StateReads implements LedgerStore {
  readonly #ledger: EngineLedger;
  readonly #log: StepLog;
  readonly #mode: Durability;

  constructor(state: LedgerState, log: StepLog, mode: Durability) {
    super(state);
    this.#ledger = new EngineLedger(state, log);
    this.#log = log;
    this.#mode = mode;
  }

  change<T>(work: (transaction: LedgerTransaction) => T): T {
    return this.#ledger.change(work);
  }

  rehearse<T>(work: (transaction: LedgerTransaction) => T): T {
    return this.#ledger.rehearse(work);
  }

  durable(): Promise<void> {
    return this.#mode === 'power-safe' ? this.#log.durable() : Promise.resolve();
  }
}
