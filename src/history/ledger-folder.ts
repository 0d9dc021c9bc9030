// The folder of orders, opened by its owner.
//
//   owner      the process that has it open (owner-lock.ts)
//   lock       what the kernel’s lock is on
//   journal/   every step of the ledger; segments that the history has are kept up to a number of bytes
//   history/   LMDB, synced: the projection of the journal up to some record
//
// The ledger is the history plus the later records of the journal. Main thread at the start, and the command line.

import { dirname } from 'node:path';
import { listSegments, readJournal } from '../journal/segments.ts';
import { limits } from '../limits.ts';
import { type Files, nodeFiles } from '../store/files.ts';
import { OPEN_BOOT_MARK, UNKNOWN_BOOT } from '../store/open-boot.ts';
import { OrderReader } from '../store/orders/order-reader.ts';
import { takeOwnership } from '../store/owner-lock.ts';
import { StoreError } from '../store/store-error.ts';
import { barOldReleases, convertOldStore, hasOldStore } from './old-store.ts';
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
  const isThere = nodeFiles
    .list(folder)
    .some(name => name === 'history' || name === 'journal' || name === HISTORY_DRAFT);
  return isThere || hasOldStore(nodeFiles, folder);
}

/**
 * Creates the folder if there is none, and converts that of an earlier release. Rejects with a StoreError that names the folder if
 * another process has it or it cannot be used.
 */
export async function openLedgerFolder(folder: string, files = nodeFiles): Promise<LedgerFolder> {
  files.makeFolder(folder);
  const giveUp = takeOwnership(folder);
  try {
    const converted = await convert(files, folder);
    const tables = HistoryTables.open(historyIn(folder));
    if (lacksJournal(files, folder, tables)) {
      await tables.close();
      throw new StoreError(
        `store ${folder}: its journal is missing, and with it the last orders: put it back, or restore a whole backup`,
      );
    }
    // LMDB syncs its files, but not their names.
    for (const named of [historyIn(folder), folder, dirname(folder)]) files.syncFolder(named);
    return new LedgerFolder(folder, tables, converted, giveUp);
  } catch (error) {
    giveUp();
    throw error;
  }
}

/** An opened ledger always has a segment, whose name is on disk. A copy of a history alone says that it is one. */
function lacksJournal(files: Files, folder: string, tables: HistoryTables): boolean {
  if (listSegments(files, journalIn(folder)).length > 0 || tables.followed() === 0) return false;
  return new OrderReader(tables).mark(OPEN_BOOT_MARK) !== UNKNOWN_BOOT;
}

export class LedgerFolder {
  readonly folder: string;
  readonly tables: HistoryTables;
  /** Rows converted from an earlier release's store; null: there was none. */
  readonly converted: number | null;
  readonly #giveUp: () => void;

  constructor(folder: string, tables: HistoryTables, converted: number | null, giveUp: () => void) {
    this.folder = folder;
    this.tables = tables;
    this.converted = converted;
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

  /** Follows the journal to its end. Only while nothing is appended. */
  followToEnd(): void {
    followJournal(this.folder, this.tables);
  }

  /** Another process may open it afterwards. */
  async close(): Promise<void> {
    await this.tables.close();
    this.#giveUp();
  }
}

/** Puts the steps of the folder's journal that `tables` lack into them: those that are there by now. Throws a StoreError. */
export function followJournal(folder: string, tables: HistoryTables): void {
  let steps: FollowedStep[] = [];
  const keep = (): void => {
    follow(tables, steps, limits.orderEventsKeptMax);
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

/** Continues an interrupted conversion. */
async function convert(files: Files, folder: string): Promise<number | null> {
  const [history, draft] = [historyIn(folder), `${folder}/${HISTORY_DRAFT}`];
  const isThere = files.sizeOf(`${history}/data.mdb`) !== null;
  let converted: number | null = null;
  if (!isThere && hasOldStore(files, folder)) {
    converted = await convertOldStore(files, folder, draft);
    files.syncFolder(draft);
    files.rename(draft, history);
    files.syncFolder(folder);
  } else if (!isThere && files.list(folder).includes(HISTORY_DRAFT))
    throw new StoreError(`store ${folder}: is a backup that was not finished: take another one`);
  files.remove(draft);
  barOldReleases(files, folder);
  return converted;
}
