// The ledger that the code of orders uses: the engine's state, whose steps are appended to the journal. Engine thread.

import type { Durability } from '../../config.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { CLOSED_CLEAN, OPEN_BOOT_MARK, UNKNOWN_BOOT } from '../../core/store/owner-lock.ts';
import type { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import type { Archive } from './archive.ts';
import { type Appender, EngineLedger } from './state/engine-ledger.ts';

/** The part of a journal that the engine needs. */
export interface StepLog extends Appender {
  /** Resolves once everything appended so far is on disk. Rejects with a StoreError if the disk has failed. */
  durable(): Promise<void>;
  /** Why a record that is appended now would not last. Null, or no such member, means that no reason is known. */
  readonly problem?: StoreError | null;
  /** Why no new order is taken: too many records wait for the history. Null, or no such member, means that the history follows. */
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
   * Marks the journal on disk as open under this boot of the machine; a null `bootId` means an unknown boot. To be called before the first
   * step. Returns true if the last events sent may be lost: by a power cut, in an older copy, or with a torn end (`wasTorn`). The cursors
   * of such events are never reused, so that no client that resumes misses events. Rejects with a StoreError.
   */
  async openAfter(bootId: string | null, wasTorn = false): Promise<boolean> {
    const before = this.mark(OPEN_BOOT_MARK);
    const highest = this.highestCursor();
    // Without a mark the ledger has no past, or a past whose end is unknown.
    const isAnother = before === null ? highest > 0 : before !== CLOSED_CLEAN && before !== bootId;
    const mayMiss = isAnother || wasTorn;
    this.change(step => {
      if (mayMiss) this.leapCursors(highest + limits.orderEventsLostMax);
      step.putMark(OPEN_BOOT_MARK, bootId ?? UNKNOWN_BOOT);
    });
    await this.journal.durable();
    return mayMiss;
  }

  /** Marks that everything is on disk. To be called after the last step. Rejects with a StoreError if not everything is on disk. */
  async closeClean(): Promise<void> {
    this.change(step => step.putMark(OPEN_BOOT_MARK, CLOSED_CLEAN));
    await this.journal.durable();
  }
}
