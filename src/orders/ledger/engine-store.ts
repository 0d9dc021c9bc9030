// The ledger that the order code uses: the engine's state, with its steps appended to the journal. Engine thread.

import type { Durability } from '../../config.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { CLOSED_CLEAN, OPEN_BOOT_MARK, UNKNOWN_BOOT } from '../../core/store/owner-lock.ts';
import type { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import type { Archive } from './archive.ts';
import { type Appender, EngineLedger } from './state/engine-ledger.ts';

/** The part of a journal that the engine needs. */
export interface StepLog extends Appender {
  /** Resolves once everything appended so far is on disk; rejects with a StoreError if the disk has failed. */
  durable(): Promise<void>;
  /** Why a record appended now would not last; null or absent: no reason is known. */
  readonly problem?: StoreError | null;
  /** Why no new order is taken: too many records wait for the history. Null or absent if it follows. */
  readonly backlog?: string | null;
}

export class EngineStore extends EngineLedger<StepLog> implements LedgerStore {
  readonly #mode: Durability;

  constructor(archive: Archive, mode: Durability) {
    super(archive);
    this.#mode = mode;
  }

  durable(): Promise<void> | null {
    return this.#mode === 'process-safe' ? null : this.onDisk();
  }

  onDisk(): Promise<void> {
    return this.journal.durable();
  }

  get backlog(): string | null {
    return this.journal.backlog ?? null;
  }

  get problem(): StoreError | null {
    return this.journal.problem ?? null;
  }

  /**
   * Call before the first step: marks the journal on disk as open under this boot of the machine (null: unknown). Returns true if
   * the last events sent may be lost: by a power cut, in an older copy, or with a torn end (`wasTorn`). Their cursors are then
   * never reused, so that no resuming client misses events. Rejects with a StoreError.
   */
  async openAfter(bootId: string | null, wasTorn = false): Promise<boolean> {
    const before = this.mark(OPEN_BOOT_MARK);
    const highest = this.highestCursor();
    // Without a mark there is no past, or a past with an unknown end.
    const isAnother = before === null ? highest > 0 : before !== CLOSED_CLEAN && before !== bootId;
    const mayMiss = isAnother || wasTorn;
    this.change(step => {
      if (mayMiss) this.leapCursors(highest + limits.orderEventsLostMax);
      step.putMark(OPEN_BOOT_MARK, bootId ?? UNKNOWN_BOOT);
    });
    await this.journal.durable();
    return mayMiss;
  }

  /** Call after the last step: marks that everything is on disk. Rejects with a StoreError if it is not. */
  async closeClean(): Promise<void> {
    this.change(step => step.putMark(OPEN_BOOT_MARK, CLOSED_CLEAN));
    await this.journal.durable();
  }
}
