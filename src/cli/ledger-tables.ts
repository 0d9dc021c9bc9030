// Opens the orders of a data directory for a command: as their owner where no gateway runs, else beside it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { historyIn, holdsLedger, openLedgerFolder } from '../history/ledger-folder.ts';
import { HistoryTables } from '../history/tables.ts';
import { nodeFiles } from '../store/files.ts';
import { isOwned } from '../store/owner-lock.ts';
import { StoreError } from '../store/store-error.ts';
import { type CommandIo, UsageError } from './command-io.ts';

/** Throws a UsageError if there are none. */
export function ordersIn(dataDir: string): string {
  const folder = join(dataDir, 'orders');
  if (!existsSync(folder) || !holdsLedger(folder)) throw new UsageError(`--data-dir: ${dataDir} holds no order store`);
  return folder;
}

/**
 * State at one moment: the journal's head if no other process has the folder open, else the history's latest commit.
 */
export async function withTables(
  folder: string,
  io: CommandIo,
  work: (tables: HistoryTables, folder: string) => void | Promise<void>,
): Promise<void> {
  const isOpen = isOwned(nodeFiles, folder);
  const { tables, close } = isOpen ? besideOwner(folder) : await asOwner(folder, io);
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
  if (!existsSync(history)) throw new StoreError(`store ${folder}: a gateway of an earlier release has it open`);
  const tables = HistoryTables.openAgain(history);
  return { tables, close: () => tables.close() };
}

async function asOwner(folder: string, io: CommandIo): Promise<OpenTables> {
  const ledger = await openLedgerFolder(folder);
  try {
    if (ledger.converted !== null)
      io.err(`the order store of an earlier release was converted: ${ledger.converted} rows\n`);
    ledger.followToEnd();
  } catch (error) {
    await ledger.close();
    throw error;
  }
  return { tables: ledger.tables, close: () => ledger.close() };
}
