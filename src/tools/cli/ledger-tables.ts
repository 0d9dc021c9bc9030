// Opens the orders of a data directory for a command: as their owner where no gateway runs, else beside it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFiles } from '../../core/store/files.ts';
import { isOwned } from '../../core/store/owner-lock.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { historyIn, holdsLedger, openLedgerFolder } from '../../orders/history/ledger-folder.ts';
import { HistoryTables } from '../../orders/history/tables.ts';
import { UsageError } from './command-io.ts';

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
  if (!existsSync(history)) throw new StoreError(`store ${folder}: a gateway is just making it: try again`);
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
