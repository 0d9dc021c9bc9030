// Converts the order store of releases before the engine, once. Its LMDB state has the same tables and rows, without the CRC. Main
// thread at the start, and the command line.

import { limits } from '../limits.ts';
import { type Files, readText } from '../store/files.ts';
import { type KeyValue, openRowEnvironment, type RowEnvironment } from '../store/lmdb.ts';
import { freeBytes, isWholeDataFile } from '../store/lmdb-files.ts';
import { OPEN_BOOT_MARK, UNKNOWN_BOOT } from '../store/open-boot.ts';
import { NOTHING, ORDER_TABLES, type OrderTable, textKey } from '../store/orders/keys.ts';
import { indexRows } from '../store/orders/order-index.ts';
import { orderCodec } from '../store/orders/order-record.ts';
import { markCodec } from '../store/orders/records.ts';
import { StoreError } from '../store/store-error.ts';
import { type Row, rowOf, type Transaction } from '../store/tables.ts';
import { HistoryTables } from './tables.ts';

/** Every file that such a release leaves in the folder, except its lock. */
const OLD_NAME = /^(mark(\.draft)?|state(\.\w+)?|(check|checkpoint|journal)\.draft|journal-\d{15}|checkpoint-\d{15})$/;
/** Earlier releases see this as a checkpoint without a seal: they refuse the folder and name this file. */
const BAR = 'checkpoint-000000000000001';
const BAR_DRAFT = 'bar.draft';
const BAR_FILE = 'seal';
const BAR_TEXT =
  'The orders here are of a later release. To go back, restore a backup of before (docs/OPERATIONS.md, Upgrade).\n';
const BAR_BYTES_MAX = 1_024;
const MARK_BYTES_MAX = 256;
const CLEAN = 'clean\n';
/** The store's own rows: version of the tables; present while committed changes may be lost. */
const SCHEMA_KEY = Uint8Array.of(3, 1);
const LOSS_KEY = Uint8Array.of(3, 2);
const SCHEMA_VERSION = 3;
const NAMES = new Map(Object.entries(ORDER_TABLES).map(([name, number]) => [2 * number, name as OrderTable]));

export function hasOldStore(files: Files, folder: string): boolean {
  return !isBarred(files, folder) && files.list(folder).some(name => OLD_NAME.test(name));
}

/** Removes the converted files and keeps earlier releases out. */
export function barOldReleases(files: Files, folder: string): void {
  const isThere = isBarred(files, folder);
  for (const name of files.list(folder)) {
    if (OLD_NAME.test(name) && !(isThere && name === BAR)) files.remove(`${folder}/${name}`);
  }
  if (isThere) return;
  // With its content at once: without that it would look like the checkpoint of an earlier release to a start after this one is killed.
  const draft = `${folder}/${BAR_DRAFT}`;
  files.makeFolder(draft);
  const file = files.create(`${draft}/${BAR_FILE}`);
  try {
    files.append(file, Buffer.from(BAR_TEXT));
    files.sync(file);
  } finally {
    files.close(file);
  }
  files.syncFolder(draft);
  files.rename(draft, `${folder}/${BAR}`);
}

function isBarred(files: Files, folder: string): boolean {
  return readText(files, `${folder}/${BAR}/${BAR_FILE}`, BAR_BYTES_MAX) === BAR_TEXT;
}

/** Copies the old store's rows into tables at `draft` and returns their number. Throws a StoreError if rows are missing. */
export async function convertOldStore(files: Files, folder: string, draft: string): Promise<number> {
  const state = `${folder}/state`;
  const data = `${state}/data.mdb`;
  const bytes = files.sizeOf(data);
  const isClean = readText(files, `${folder}/mark`, MARK_BYTES_MAX) === CLEAN;
  if (!isClean || bytes === null || !isWholeDataFile(data)) throw notClosed(folder);
  files.remove(draft);
  if (freeBytes(folder) < bytes + limits.historyFreeBytesMin)
    throw new StoreError(`store ${folder}: to be converted it needs ${bytes} bytes more of the disk`);
  const source = openRowEnvironment(state, limits.storeStateBytesMax);
  const target = HistoryTables.open(draft);
  try {
    source.refresh();
    if (source.get(SCHEMA_KEY)?.[0] !== SCHEMA_VERSION) throw notClosed(folder);
    return copyRows(source, target);
  } finally {
    await target.close();
    await source.close();
  }
}

function copyRows(source: RowEnvironment, target: HistoryTables): number {
  let rows = 0;
  for (const page of pagesOf(source)) {
    target.change(transaction => {
      for (const { key, value } of page) {
        const table = NAMES.get(key[0]!);
        // The store's own rows are not converted.
        if (table === undefined) continue;
        const row = rowOf({ key, value });
        transaction.put(table, row.key, row.value);
        if (table === 'orders') listAwaited(transaction, row);
        rows += 1;
      }
    });
  }
  if (source.get(LOSS_KEY) !== undefined) {
    const key = textKey(OPEN_BOOT_MARK);
    target.change(transaction => transaction.put('marks', key, markCodec.encode(UNKNOWN_BOOT)));
  }
  return rows;
}

/** Adds to a table that the old store did not have. */
function listAwaited(transaction: Transaction<OrderTable>, { key, value }: Row): void {
  for (const { table, key: place } of indexRows(orderCodec.decode(value, key).order)) {
    if (table === 'awaited') transaction.put(table, place, NOTHING);
  }
}

function* pagesOf(source: RowEnvironment): Iterable<readonly KeyValue[]> {
  for (let gte: Uint8Array = Uint8Array.of(0); ; ) {
    const page = source.range({ gte, lt: Uint8Array.of(0xff), reverse: false, limit: limits.storeRangeRowsMax });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    gte = Uint8Array.of(...last.key, 0);
  }
}

function notClosed(folder: string): StoreError {
  const what = 'is of an earlier release, which has not closed it in good order';
  return new StoreError(`store ${folder}: ${what}: start that release once more, stop it, and start this one`);
}
