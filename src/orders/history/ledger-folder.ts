// The folder of orders, opened by its owner.
//
//   id         by which the data directory knows it (known-ledger.ts)
//   owner      the process that has it open (owner-lock.ts)
//   lock       what the kernel’s lock is on
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
import { knownPosition, noteLedger, refusal, refuseLostRecords, refuseUnknownFolder } from './known-ledger.ts';
import { type FollowedStep, follow, stepOf } from './projection.ts';
import { HistoryTables } from './tables.ts';

/** Holds an incomplete history, beside the finished one that it becomes. */
export const HISTORY_DRAFT = 'history.draft';

export function historyIn(folder: string): string {
  return `${folder}/history`;
}

export function journalIn(folder: string): string {
  return `${folder}/journal`;
}

/** False for the empty folder of a disk that is not mounted: to open it would begin a ledger there. */
export function holdsLedger(folder: string): boolean {
  return nodeFiles.list(folder).some(name => name === 'history' || name === 'journal' || name === HISTORY_DRAFT);
}

interface OpenLedger {
  readonly files?: Files;
  /** The pod's journal is a stream, which has all records: the folder may be a new one. Default: it is the folder's own. */
  readonly hasStream?: boolean;
  /** Whether other data of the directory says that there were orders before. By default only its note of the folder counts. */
  readonly isExpected?: boolean;
}

/**
 * Creates the folder if there is none. Rejects with a StoreError that names the folder if another process has it, if it cannot be used, or
 * if it lacks noted records.
 */
export function openLedgerFolder(folder: string, options: OpenLedger = {}): Promise<LedgerFolder> {
  const { files = nodeFiles, hasStream = false, isExpected = false } = options;
  return opened(files, folder, {
    before: () => {
      if (!hasStream) refuseUnknownFolder(files, folder, isExpected && !holdsLedger(folder));
    },
    look: tables => {
      if (lacksJournal(files, folder, tables))
        throw refusal(folder, 'its journal is missing, and with it the last orders');
      const lastFrom = (from: number): number => lastIn(files, folder, from);
      if (!hasStream) refuseLostRecords(files, folder, { followed: () => tables.followed(), lastFrom });
    },
    // How far it is on disk is noted by who appends.
    after: () => noteLedger(files, folder, 0),
  });
}

/**
 * Makes the folder, as it is or as a new one, the one that the data directory knows. Events that clients have heard may be lost with its
 * end, so that the next start leaps over their cursors. Resolves to the last record that is left.
 */
export async function acceptLoss(folder: string): Promise<number> {
  let last = 0;
  const ledger = await opened(nodeFiles, folder, {
    before: () => {},
    look: tables => {
      last = lastIn(nodeFiles, folder, tables.followed() + 1);
      markCopied(tables);
    },
    after: () => noteLedger(nodeFiles, folder, last, true),
  });
  await ledger.close();
  return last;
}

/** Each check throws a StoreError if the folder must not be opened. */
interface Looks {
  /** Runs before anything is made. */
  before(): void;
  look(tables: HistoryTables): void;
  /** Runs once all names are on disk. */
  after(): void;
}

async function opened(files: Files, folder: string, { before, look, after }: Looks): Promise<LedgerFolder> {
  before();
  files.makeFolder(folder);
  const giveUp = takeOwnership(folder);
  try {
    removeDraft(files, folder);
    const tables = HistoryTables.open(historyIn(folder));
    try {
      look(tables);
      // LMDB syncs its files, but not their names.
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

/** Sequence of the journal's last record; `from - 1` if it has none from there on. */
function lastIn(files: Files, folder: string, from: number): number {
  return readJournal(files, journalIn(folder), from, () => {}).sequence;
}

/** Says that events may be lost: the next start of an engine begins above all cursors that were given out. */
export function markCopied(tables: HistoryTables): void {
  tables.change(it => it.put('marks', textKey(OPEN_BOOT_MARK), markCodec.encode(UNKNOWN_BOOT)));
}

/** An opened ledger always has a segment, whose name is on disk. A copy of a history alone says that it is one. */
function lacksJournal(files: Files, folder: string, tables: HistoryTables): boolean {
  if (listSegments(files, journalIn(folder)).length > 0 || tables.followed() === 0) return false;
  return new OrderReader(tables).mark(OPEN_BOOT_MARK) !== UNKNOWN_BOOT;
}

export class LedgerFolder {
  readonly folder: string;
  readonly tables: HistoryTables;
  readonly #giveUp: () => void;

  constructor(folder: string, tables: HistoryTables, giveUp: () => void) {
    this.folder = folder;
    this.tables = tables;
    this.#giveUp = giveUp;
  }

  /** Whether the store has an order of any actor of the pod. Reads the part of the journal that the history lacks. */
  hasOrders(podId: string): boolean {
    this.tables.refresh();
    try {
      if (new OrderReader(this.tables).hasOrders(podId)) return true;
    } finally {
      this.tables.release();
    }
    let isThere = false;
    readSteps(this.folder, this.tables, ({ events }) => {
      isThere ||= events.some(it => it.type === 'order-made' && it.stored.order.podId === podId);
    });
    return isThere;
  }

  /** Follows the journal to its end. Call this only while nothing is appended. */
  followToEnd(): void {
    followJournal(this.folder, this.tables);
  }

  /** A record that the journal has had, as far as the data directory knows; 0: none. */
  get knownPosition(): number {
    return knownPosition(nodeFiles, this.folder);
  }

  /** Notes that the journal has had this record, which is on disk. */
  note(position: number): void {
    noteLedger(nodeFiles, this.folder, position);
  }

  /** Closes the folder, so that another process may open it. */
  async close(): Promise<void> {
    await this.tables.close();
    this.#giveUp();
  }
}

/** Puts the steps that `tables` lack into them, as far as the folder's journal has them by now. Throws a StoreError. */
export function followJournal(folder: string, tables: HistoryTables): void {
  let steps: FollowedStep[] = [];
  const keep = (): void => {
    const full = tables.fullness();
    if (full !== null) throw full;
    follow(tables, steps);
    steps = [];
  };
  readSteps(folder, tables, step => {
    steps.push(step);
    if (steps.length === limits.historyStepsMax) keep();
  });
  keep();
}

/** Steps that the history lacks. Throws a StoreError if the journal is damaged. */
export function readSteps(folder: string, tables: HistoryTables, onStep: (step: FollowedStep) => void): void {
  readJournal(nodeFiles, journalIn(folder), tables.followed() + 1, (sequence, payload) => {
    onStep(stepOf(sequence, payload));
  });
}

/** Throws a StoreError if the draft is all that the folder has. */
function removeDraft(files: Files, folder: string): void {
  const isThere = files.sizeOf(`${historyIn(folder)}/data.mdb`) !== null;
  if (!isThere && files.list(folder).includes(HISTORY_DRAFT))
    throw new StoreError(`store ${folder}: is a backup that was not finished: take another one`);
  files.remove(`${folder}/${HISTORY_DRAFT}`);
}
