// The folder of orders, opened by its owner.
//
//   id         the id by which the data directory knows the folder (known-ledger.ts)
//   owner      the process that has it open (owner-lock.ts)
//   lock       the file that the kernel’s lock is on
//   journal/   every step of the ledger; segments that the history has are kept up to a number of bytes
//   history/   LMDB, synced: the projection of the journal up to some record
//
// The ledger is the history plus the later records of the journal. Main thread at the start, and the command line.

import { dirname } from 'node:path';
import { type Files, nodeFiles } from '../../core/store/files.ts';
import { textKey } from '../../core/store/orders/keys.ts';
import { OrderReader } from '../../core/store/orders/order-reader.ts';
import { markCodec } from '../../core/store/orders/records.ts';
import { OPEN_BOOT_MARK, takeOwnership, UNKNOWN_BOOT } from '../../core/store/owner-lock.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import { listSegments, readJournal } from '../journal/segments.ts';
import { eventsOf, type LedgerEvent } from '../ledger/events.ts';
import { folderRefusal, knownPosition, noteLedger, refuseLostRecords, refuseUnknownFolder } from './known-ledger.ts';
import { Projection } from './projection.ts';
import { HistoryTables } from './tables.ts';

/** The name of the folder of an incomplete history, beside the finished history that it becomes. */
export const HISTORY_DRAFT = 'history.draft';

export function historyIn(folder: string): string {
  return `${folder}/history`;
}

export function journalIn(folder: string): string {
  return `${folder}/journal`;
}

/**
 * Whether the folder holds a ledger. The empty folder of a disk that is not mounted does not, and opening it would begin a ledger there.
 */
export function hasLedger(folder: string): boolean {
  return nodeFiles.list(folder).some(name => name === 'history' || name === 'journal' || name === HISTORY_DRAFT);
}

interface OpenLedger {
  readonly files?: Files;
  /**
   * Whether the pod's journal is a stream, which has all records, so that the folder may be new. By default the journal is the folder's
   * own.
   */
  readonly hasStream?: boolean;
  /** Whether other data in the data directory shows that there were orders before. By default only the note of the folder counts. */
  readonly isExpected?: boolean;
}

/**
 * Opens the folder, and creates it if it does not exist. Rejects with a StoreError that names the folder if another process has it, if it
 * cannot be used, or if it lacks noted records.
 */
export function openLedgerFolder(folder: string, options: OpenLedger = {}): Promise<LedgerFolder> {
  const { files = nodeFiles, hasStream = false, isExpected = false } = options;
  return openFolder(files, folder, {
    before: () => {
      if (!hasStream) refuseUnknownFolder(files, folder, isExpected && !hasLedger(folder));
    },
    check: tables => {
      if (isJournalMissing(files, folder, tables))
        throw folderRefusal(folder, 'its journal is missing, and with it the last orders');
      const lastFrom = (from: number): number => lastSequence(files, folder, from);
      if (!hasStream) refuseLostRecords(files, folder, { followed: () => tables.followed(), lastFrom });
    },
    // The position on disk is noted by the process that appends.
    after: () => noteLedger(files, folder, 0),
  });
}

/**
 * Makes the folder, as it is or as a new folder, the one that the data directory knows. Events that clients have heard may be lost with the
 * folder's end, so the next start leaps over their cursors. Resolves to the sequence of the last record that is left.
 */
export async function acceptLoss(folder: string): Promise<number> {
  let last = 0;
  const ledger = await openFolder(nodeFiles, folder, {
    before: () => {},
    check: tables => {
      last = lastSequence(nodeFiles, folder, tables.followed() + 1);
      markCopied(tables);
    },
    after: () => noteLedger(nodeFiles, folder, last, true),
  });
  await ledger.close();
  return last;
}

/** The checks of an opening. Each throws a StoreError if the folder must not be opened. */
interface OpenSteps {
  /** Runs before anything is created. */
  before(): void;
  check(tables: HistoryTables): void;
  /** Runs once all names are on disk. */
  after(): void;
}

async function openFolder(files: Files, folder: string, { before, check, after }: OpenSteps): Promise<LedgerFolder> {
  before();
  files.makeFolder(folder);
  const giveUp = takeOwnership(folder);
  try {
    removeDraft(files, folder);
    const tables = HistoryTables.open(historyIn(folder));
    try {
      check(tables);
      // LMDB syncs its files, but not their names, so the names are synced here.
      for (const named of [historyIn(folder), folder, dirname(folder)]) files.syncFolder(named);
      after();
    } catch (error) {
      await tables.close();
      throw error;
    }
    return new LedgerFolder(folder, tables, giveUp);
  } catch (error) {
    giveUp();
    throw error;
  }
}

/** Returns the sequence of the journal's last record. It is `from - 1` if there is no record from `from` on. */
function lastSequence(files: Files, folder: string, from: number): number {
  return readJournal(files, journalIn(folder), from, () => {}).sequence;
}

/** Marks that events may be lost. The next start of an engine then begins above all cursors that were given out. */
export function markCopied(tables: HistoryTables): void {
  tables.change(it => it.put('marks', textKey(OPEN_BOOT_MARK), markCodec.encode(UNKNOWN_BOOT)));
}

/**
 * Whether the folder's journal is missing. An opened ledger always has a segment, whose name is on disk. A copy of a history has none, but
 * a mark says that it is a copy.
 */
function isJournalMissing(files: Files, folder: string, tables: HistoryTables): boolean {
  if (listSegments(files, journalIn(folder)).length > 0 || tables.followed() === 0) return false;
  return new OrderReader(tables).mark(OPEN_BOOT_MARK) !== UNKNOWN_BOOT;
}

export class LedgerFolder {
  readonly folder: string;
  readonly tables: HistoryTables;
  readonly #releaseLock: () => void;

  constructor(folder: string, tables: HistoryTables, giveUp: () => void) {
    this.folder = folder;
    this.tables = tables;
    this.#releaseLock = giveUp;
  }

  /** Returns whether the store has an order of any actor of the pod. Also reads the part of the journal that the history lacks. */
  hasOrders(podId: string): boolean {
    this.tables.refresh();
    try {
      if (new OrderReader(this.tables).hasOrders(podId)) return true;
    } finally {
      this.tables.release();
    }
    let isThere = false;
    readSteps(this.folder, this.tables, (_, events) => {
      isThere ||= events.some(it => it.type === 'order-made' && it.stored.order.podId === podId);
    });
    return isThere;
  }

  /** Follows the journal to its end. To be called only while nothing is appended. */
  followToEnd(): void {
    followJournal(this.folder, this.tables);
  }

  /** The sequence of a record that the journal has had, as far as the data directory knows. 0 means that none is known. */
  get knownPosition(): number {
    return knownPosition(nodeFiles, this.folder);
  }

  /** Notes that the journal has had the record at this position, which is on disk. */
  note(position: number): void {
    noteLedger(nodeFiles, this.folder, position);
  }

  /** Closes the folder, so that another process may open it. */
  async close(): Promise<void> {
    await this.tables.close();
    this.#releaseLock();
  }
}

/** Writes the steps that `tables` lack into them, as far as the folder's journal has these steps by now. Throws a StoreError. */
export function followJournal(folder: string, tables: HistoryTables): void {
  const projection = new Projection(tables);
  const keep = (): void => {
    const full = tables.diskFault();
    if (full !== null) throw full;
    projection.follow();
  };
  readSteps(folder, tables, (sequence, events) => {
    projection.take(sequence, events);
    if (projection.waiting === limits.historyStepsMax) keep();
  });
  keep();
}

type OnStep = (sequence: number, events: readonly LedgerEvent[]) => void;

/** Reads the steps that the history lacks. Throws a StoreError if the journal is damaged. */
export function readSteps(folder: string, tables: HistoryTables, onStep: OnStep): void {
  readJournal(nodeFiles, journalIn(folder), tables.followed() + 1, (sequence, payload) => {
    onStep(sequence, eventsOf(sequence, payload));
  });
}

/** Removes the draft of a history. Throws a StoreError if the folder has nothing but a draft. */
function removeDraft(files: Files, folder: string): void {
  const isThere = files.sizeOf(`${historyIn(folder)}/data.mdb`) !== null;
  if (!isThere && files.list(folder).includes(HISTORY_DRAFT))
    throw new StoreError(`store ${folder}: is a backup that was not finished: take another one`);
  files.remove(`${folder}/${HISTORY_DRAFT}`);
}
