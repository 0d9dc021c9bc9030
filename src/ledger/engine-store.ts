// The ledger that the order code uses: the engine's state, with its steps appended to the journal. Engine thread.

import type { Durability } from '../config.ts';
import { limits } from '../limits.ts';
import { CLOSED_CLEAN, OPEN_BOOT_MARK, UNKNOWN_BOOT } from '../store/open-boot.ts';
import type { LedgerStore, LedgerTransaction } from '../store/order-records.ts';
import type { StoreError } from '../store/store-error.ts';
import { type Appender, EngineLedger } from './state/engine-ledger.ts';
import type { LedgerState } from './state/state.ts';
import { StateReads } from './state/state-reads.ts';

/** The part of a journal that the engine needs. */
export interface StepLog extends Appender {
  /** Resolves once everything appended so far is on disk; rejects with a StoreError if the disk has failed. */
  durable(): Promise<void>;
  /** Why a record appended now would not last; null or absent: no reason is known. */
  readonly problem?: StoreError | null;
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
    return this.#mode === 'process-safe' ? Promise.resolve() : this.#log.durable();
  }

  get problem(): StoreError | null {
    return this.#log.problem ?? null;
  }

  /**
   * Call before the first step: marks the journal on disk as open under this boot of the machine (null: unknown). Returns true if
   * the last events sent may be lost: by a power cut, in an older copy, or with a torn end (`wasTorn`). Their cursors are then
   * never reused, so that no resuming client misses events. Rejects with a StoreError.
   */
  async openAfter(bootId: string | null, wasTorn = false): Promise<boolean> {
    const before = this.mark(OPEN_BOOT_MARK);
    const highest = this.state.highestCursor();
    // Without a mark there is no past, or one with an unknown end.
    const isAnother = before === null ? highest > 0 : before !== CLOSED_CLEAN && before !== bootId;
    const mayMiss = isAnother || wasTorn;
    this.#ledger.change(step => {
      if (mayMiss) step.leapCursors(highest + limits.orderEventsLostMax);
      step.putMark(OPEN_BOOT_MARK, bootId ?? UNKNOWN_BOOT);
    });
    await this.#log.durable();
    return mayMiss;
  }

  /** Call after the last step: marks that everything is on disk. Rejects with a StoreError if it is not. */
  async closeClean(): Promise<void> {
    this.#ledger.change(step => step.putMark(OPEN_BOOT_MARK, CLOSED_CLEAN));
    await this.#log.durable();
  }
}
