// `crossbook store` maintains the orders on disk: check, export as lines of JSON, compaction, and a restart after a loss. The last two need
// sole ownership of the folder, so the gateway must be stopped for them. The others may run beside the gateway, and read the history.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { wallTimers } from '../../core/runtime/timers.ts';
import { nodeFiles } from '../../core/store/files.ts';
import { DATA_NAME, usedBytes } from '../../core/store/lmdb-files.ts';
import { checkOrders } from '../../core/store/orders/check.ts';
import { exportOrders } from '../../core/store/orders/export.ts';
import { isOwned } from '../../core/store/owner-lock.ts';
import { StoreError } from '../../core/store/store-error.ts';
import {
  acceptLoss,
  HISTORY_DRAFT,
  hasLedger,
  historyIn,
  openLedgerFolder,
  readSteps,
} from '../../orders/history/ledger-folder.ts';
import { HistoryTables } from '../../orders/history/tables.ts';
import { compactHistory } from '../../orders/history/upkeep.ts';
import { type Arguments, type CommandIo, dataDirOf, UsageError, withSubcommands } from './command-io.ts';
import { Progress } from './progress.ts';

export const STORE_USAGE = `  store check
  store export
      orders, fills and positions, a line of JSON each
  store compact
      frees the space of deleted rows; the gateway must not run
  store accept-loss
      makes the folder of orders, as it is or as a new one, that of the data directory; the gateway then starts without what is lost
      all of store: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook store check
    crossbook store export > orders.jsonl
`;

export const storeCommand = withSubcommands('store', {
  check: { run: (args, io) => withTables(ordersFolderOf(args, io), (tables, folder) => check(tables, folder, io)) },
  export: {
    run: (args, io) =>
      withTables(ordersFolderOf(args, io), tables => {
        exportOrders(tables, line => io.out(`${line}\n`));
      }),
  },
  compact: { run: (args, io) => compact(ordersFolderOf(args, io), io) },
  'accept-loss': { run: goOn },
});

export function ordersFolderOf(args: Arguments, io: CommandIo): string {
  return ordersIn(dataDirOf(args, io));
}

async function goOn(args: Arguments, io: CommandIo): Promise<void> {
  const dataDir = dataDirOf(args, io);
  // A folder without keys is a mistyped folder, in which nothing was lost.
  if (!existsSync(join(dataDir, 'keys'))) throw new UsageError(`--data-dir: ${dataDir} holds no keys`);
  const last = await acceptLoss(join(dataDir, 'orders'));
  io.out(`the orders of ${dataDir} end with record ${last} from now on; what is lost:\n${LOSS}`);
}

const LOSS = `  stops, protections and switches: make them again before bots run
  idempotency keys: a bot must not repeat one whose outcome it does not know
  open orders: the first readings find them at the venues, and nobody may own them
`;

/** Checks the records of the journal that the history does not have yet, then every row of the history against all others. */
function check(tables: HistoryTables, folder: string, io: CommandIo): void {
  readSteps(folder, tables, () => {});
  const bar = new Progress(io.progress, 'checking', usedBytes(tables.folder));
  let bytes = 0;
  const { rows, faultsTotal, faults } = checkOrders(tables, rowBytes => {
    bytes += rowBytes;
    bar.reach(bytes);
  });
  bar.end();
  for (const fault of faults) io.err(`${fault}\n`);
  if (faultsTotal > 0) throw new StoreError(`${faultsTotal} faults`);
  io.out(`whole: ${rows.orders} orders, ${rows.fills} fills, ${rows.positions} positions\n`);
}

async function compact(folder: string, io: CommandIo): Promise<void> {
  const ledger = await openLedgerFolder(folder);
  const bar = new Progress(io.progress, 'compacting', usedBytes(ledger.tables.folder));
  const { bytesBefore, bytesAfter } = await bar.during(`${folder}/${HISTORY_DRAFT}/${DATA_NAME}`, () =>
    compactHistory(ledger, wallTimers.now()),
  );
  io.out(`${bytesBefore} bytes before, ${bytesAfter} after\n`);
}

/** The folder of the orders. Throws a UsageError if the data directory has none. */
function ordersIn(dataDir: string): string {
  const folder = join(dataDir, 'orders');
  if (!existsSync(folder) || !hasLedger(folder)) throw new UsageError(`--data-dir: ${dataDir} holds no order store`);
  return folder;
}

/**
 * Reads the tables as of one moment. That is the journal's head if no other process has the folder open, else the latest commit of
 * the history.
 */
export async function withTables(
  folder: string,
  work: (tables: HistoryTables, folder: string) => void | Promise<void>,
): Promise<void> {
  const isOpen = isOwned(nodeFiles, folder);
  const { tables, close } = isOpen ? besideOwner(folder) : await asOwner(folder);
  try {
    tables.refresh();
    await work(tables, folder);
  } finally {
    tables.release();
    await close();
  }
}

interface OpenTables {
  readonly tables: HistoryTables;
  close(): Promise<void>;
}

function besideOwner(folder: string): OpenTables {
  const history = historyIn(folder);
  if (!existsSync(history)) throw new StoreError(`store ${folder}: a gateway is creating it: try again`);
  const tables = HistoryTables.openAgain(history);
  return { tables, close: () => tables.close() };
}

async function asOwner(folder: string): Promise<OpenTables> {
  const ledger = await openLedgerFolder(folder);
  try {
    ledger.followToEnd();
  } catch (error) {
    await ledger.close();
    throw error;
  }
  return { tables: ledger.tables, close: () => ledger.close() };
}
