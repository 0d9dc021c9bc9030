// A ledger's journal in a temporary folder and what follows it, as the engine's and the history's threads have them; for tests.

import { dirname, join } from 'node:path';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { type Timers, wallTimers } from '../../../src/core/runtime/timers.ts';
import { type Files, nodeFiles } from '../../../src/core/store/files.ts';
import type { LedgerTransaction } from '../../../src/core/store/order-records.ts';
import type { OrderReader } from '../../../src/core/store/orders/order-reader.ts';
import { HistoryFollower, type Question } from '../../../src/orders/history/follower.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';
import { Journal } from '../../../src/orders/journal/journal.ts';
import { JournalPositions } from '../../../src/orders/journal/positions.ts';
import { JournalTail } from '../../../src/orders/journal/tail.ts';
import { NO_ARCHIVE } from '../../../src/orders/ledger/archive.ts';
import { readEvents } from '../../../src/orders/ledger/events.ts';
import { EngineLedger } from '../../../src/orders/ledger/state/engine-ledger.ts';
import { RETENTION } from '../../core/store/orders/lives.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const SEGMENT_BYTES = 2_000;

/** Appends steps as the engine does, and reports its position. Its state follows from the journal's records, from the first record on. */
export class LedgerRig {
  readonly folder: string;
  readonly positions = new JournalPositions();
  readonly journal: Journal;
  readonly #ledger: EngineLedger;

  constructor(folder = join(temporaryFolder(), 'orders'), segmentBytes = SEGMENT_BYTES) {
    this.folder = folder;
    this.#ledger = new EngineLedger(NO_ARCHIVE);
    const options = { folder: this.journalFolder, files: nodeFiles, timers: wallTimers, segmentBytes, syncDelayMs: 5 };
    this.journal = Journal.open(options, 1, (sequence, payload) => {
      for (const event of readEvents(payload)) this.#ledger.apply(event, sequence);
    });
    this.#ledger.appendTo(this.journal);
    this.positions.appended = this.journal.sequence;
  }

  get journalFolder(): string {
    return `${this.folder}/journal`;
  }

  get historyFolder(): string {
    return `${this.folder}/history`;
  }

  step<T>(work: (transaction: LedgerTransaction) => T): T {
    try {
      return this.#ledger.change(work);
    } finally {
      this.positions.appended = this.journal.sequence;
    }
  }

  async close(): Promise<void> {
    await this.journal.close();
  }

  /** Removes the ledger with the data directory that holds it. */
  async remove(): Promise<void> {
    await this.close();
    removeFolder(dirname(this.folder));
  }
}

interface FollowerChanges {
  readonly timers?: Timers;
  readonly files?: Files;
  readonly freeBytes?: () => number;
  readonly warn?: (event: string, fields?: object) => void;
}

/** The history's tables and follower, which tests ask as other threads would. */
export class FollowerRig {
  readonly tables: HistoryTables;
  readonly follower: HistoryFollower;
  readonly #tail: JournalTail;

  constructor(ledger: LedgerRig, { timers = wallTimers, files = nodeFiles, freeBytes, warn }: FollowerChanges = {}) {
    this.tables = HistoryTables.open(ledger.historyFolder, freeBytes);
    this.#tail = new JournalTail(files, ledger.journalFolder, this.tables.followed());
    this.follower = new HistoryFollower({
      ...{ tables: this.tables, tail: this.#tail, positions: ledger.positions, timers, retention: RETENTION },
      log: { ...silentLog, ...(warn && { warn }) },
      onAnswered: () => {},
    });
  }

  ask<T>(answer: (reads: OrderReader) => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.follower.ask({ answer: reads => resolve(answer(reads)), failed: reject } satisfies Question);
    return promise;
  }

  async close(): Promise<void> {
    this.follower.close();
    await this.abandon();
  }

  /** Leaves the history as a killed thread leaves it. */
  async abandon(): Promise<void> {
    this.#tail.close();
    await this.tables.close();
  }
}
