// An operator's tools for the history: they copy it, even while a gateway runs, and compact it. The command line.

import { dirname } from 'node:path';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { nodeFiles as files, syncPath } from '../../core/store/files.ts';
import { usedBytes } from '../../core/store/lmdb-files.ts';
import { ORDER_TABLES, type OrderTable } from '../../core/store/orders/keys.ts';
import { OrderReader } from '../../core/store/orders/order-reader.ts';
import { PRUNE_FROM_START, pruneSlice } from '../../core/store/orders/prune.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import { listSegments } from '../journal/segments.ts';
import { followJournal, HISTORY_DRAFT, historyIn, journalIn, type LedgerFolder, markCopied } from './ledger-folder.ts';
import { HistoryTables } from './tables.ts';

/**
 * Makes `target` an order folder of its own, from one read snapshot of `folder` and the later part of its journal. The next start in
 * `target` assumes that events may be lost. Rejects with a StoreError that names the file in the way.
 */
export async function copyHistory(folder: string, tables: HistoryTables, target: string): Promise<void> {
  files.makeFolder(target);
  if (files.list(target).length > 0) throw new StoreError(`store: the folder ${target} is not empty`);
  const draft = `${target}/${HISTORY_DRAFT}`;
  try {
    files.makeFolder(draft);
    await tables.copyTo(draft);
    const copy = HistoryTables.open(draft);
    try {
      if (hasNextOf(folder, copy)) followJournal(folder, copy);
      checkRows(copy);
      markCopied(copy);
    } finally {
      await copy.close();
    }
    files.rename(draft, historyIn(target));
    files.syncFolder(target);
    files.syncFolder(dirname(target));
  } catch (error) {
    files.remove(draft);
    throw error;
  }
}

/** Reads all rows. Throws a StoreError that names the first row that differs from its written form. */
function checkRows(tables: HistoryTables): void {
  const reader = new OrderReader(tables);
  for (const table of Object.keys(ORDER_TABLES) as OrderTable[]) for (const _ of reader.rows(table));
}

/**
 * Whether the journal still has the next record of the copy. If the copy took too long, the record is gone, and the copy stays as of its
 * beginning.
 */
function hasNextOf(folder: string, copy: HistoryTables): boolean {
  const [oldest] = listSegments(files, journalIn(folder));
  return oldest === undefined || oldest.first <= copy.followed() + 1;
}

interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Removes expired rows, frees their space, and closes the folder. */
export async function compactHistory(ledger: LedgerFolder, now: UnixMillis): Promise<Compaction> {
  const { tables, folder } = ledger;
  const history = historyIn(folder);
  const draft = `${folder}/${HISTORY_DRAFT}`;
  const bytesBefore = usedBytes(history);
  try {
    prune(tables, now);
    files.makeFolder(draft);
    await tables.copyTo(draft);
    await tables.close();
    syncPath(files, `${draft}/data.mdb`);
    // The atomic rename puts equivalent data in place, so that a reader sees the same rows before and after.
    files.rename(`${draft}/data.mdb`, `${history}/data.mdb`);
    files.syncFolder(history);
  } finally {
    files.remove(draft);
    await ledger.close();
  }
  return { bytesBefore, bytesAfter: usedBytes(history) };
}

function prune(tables: HistoryTables, now: UnixMillis): void {
  let place = PRUNE_FROM_START;
  for (let isMore = true; isMore; ) {
    tables.change(transaction => {
      const slice = pruneSlice(transaction, now, place, limits);
      place = slice.next;
      isMore = slice.isMore;
    });
  }
}
