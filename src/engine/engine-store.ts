// The ledger that the life of orders works with: the engine's state, its steps appended to the journal. Engine thread.

import type { Durability } from '../config.ts';
import { limits } from '../limits.ts';
import type { LedgerStore, LedgerTransaction } from '../store/order-records.ts';
import { type Appender, EngineLedger } from './state/engine-ledger.ts';
import type { LedgerState } from './state/state.ts';
import { StateReads } from './state/state-reads.ts';

/** A journal, as far as the engine needs one. */
export interface StepLog extends Appender {
  /** Resolves once everything appended so far is on disk; rejects with a StoreError if the disk has failed. */
  durable(): Promise<void>;
}

/** Name of a mark: the boot of the machine under which the journal was opened. */
const OPEN_BOOT = 'open-boot';
/** Its value once everything is on disk. */
const CLEAN = '';
/** Its value where the system does not tell its boot: no later boot is the same. */
const UNKNOWN_BOOT = '-';

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

  /**
   * Before the first step: marks the journal as open under this boot of the machine (null: the system does not tell), on disk. True:
   * the last events that clients were told may be lost, by a power cut, or since the files are a copy from before. Their cursors are
   * never given again, as a client that resumes from one would miss what has happened since. Rejects with a StoreError.
   */
  async openAfter(bootId: string | null): Promise<boolean> {
    const before = this.mark(OPEN_BOOT);
    const highest = this.state.highestCursor();
    // Without a mark there is no past, or one of which nobody knows the end.
    const mayMiss = before === null ? highest > 0 : before !== CLEAN && before !== bootId;
    this.#ledger.change(step => {
      if (mayMiss) step.leapCursors(highest + limits.orderEventsLostMax);
      step.putMark(OPEN_BOOT, bootId ?? UNKNOWN_BOOT);
    });
    await this.#log.durable();
    return mayMiss;
  }

  /** After the last step: marks that everything is on disk. Rejects with a StoreError if it is not. */
  async closeClean(): Promise<void> {
    this.#ledger.change(step => step.putMark(OPEN_BOOT, CLEAN));
    await this.#log.durable();
  }
}
