// `crossbook store`: maintenance of the orders on disk: check, export as lines of JSON, backup, compaction. Commands that need sole
// ownership of the folder require that the gateway is stopped. The others may run beside it, and read the history. Each runs in a child
// process: LMDB trusts the files that it reads, and a damaged page can kill the process silently. The parent then reports what happened, and
// what to do.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join, relative, sep } from 'node:path';
import { historyIn, openLedgerFolder, readSteps } from '../history/ledger-folder.ts';
import { HistoryTables } from '../history/tables.ts';
import { compactHistory, copyHistory } from '../history/upkeep.ts';
import { wallTimers } from '../runtime/timers.ts';
import { nodeFiles } from '../store/files.ts';
import { checkOrders } from '../store/orders/check.ts';
import { exportOrders } from '../store/orders/export.ts';
import { isOwned } from '../store/owner-lock.ts';
import { StoreError } from '../store/store-error.ts';
import { type Arguments, type CommandIo, dataDirOf, runSubcommand, type Subcommand, UsageError } from './command-io.ts';

export const STORE_USAGE = `  store check
  store export
      orders, fills and positions, a line of JSON each
  store backup FOLDER
      a copy, made while the gateway runs or not; to restore it, put it in place of DIR/orders
      the secrets of the pods, on which order ids depend, are not in it: keep a copy of DIR/pods
  store compact
      gives back the room of what was deleted; not while the gateway runs
      all of store: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
`;

export function storeCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runSubcommand('store', SUBCOMMANDS, args, io);
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  check: { run: (args, io) => withTables(folderOf(args, io), io, (tables, folder) => check(tables, folder, io)) },
  export: {
    run: (args, io) =>
      withTables(folderOf(args, io), io, tables => {
        exportOrders(tables, line => io.out(`${line}\n`));
      }),
  },
  backup: { positionals: ['FOLDER'], run: (args, io) => backup(folderOf(args, io), args.positionals[0]!, io) },
  compact: { run: (args, io) => compact(folderOf(args, io), io) },
};

function folderOf(args: Arguments, io: CommandIo): string {
  const dataDir = dataDirOf(args, io);
  const folder = join(dataDir, 'orders');
  if (!existsSync(folder)) throw new UsageError(`--data-dir: ${dataDir} holds no order store`);
  return folder;
}

/**
 * State at one moment: the journal's head if no other process has the folder open, else the history's latest commit.
 */
async function withTables(
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
  const tables = HistoryTables.open(history);
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

/** Checks the journal behind the history, then every row against all others. */
function check(tables: HistoryTables, folder: string, io: CommandIo): void {
  readSteps(folder, tables, () => {});
  const { rows, faultsTotal, faults } = checkOrders(tables);
  for (const fault of faults) io.err(`${fault}\n`);
  if (faultsTotal > 0) throw new StoreError(`${faultsTotal} faults`);
  io.out(`whole: ${rows.orders} orders, ${rows.fills} fills, ${rows.positions} positions\n`);
}

async function backup(folder: string, target: string, io: CommandIo): Promise<void> {
  const isInside = relative(folder, target).split(sep)[0] !== '..';
  if (isInside) throw new UsageError(`FOLDER: must not be in ${folder}, which it is a copy of`);
  await withTables(folder, io, tables => copyHistory(tables, target));
  io.out(`a copy is in ${target}\n`);
}

async function compact(folder: string, io: CommandIo): Promise<void> {
  const ledger = await openLedgerFolder(folder);
  const { bytesBefore, bytesAfter } = await compactHistory(ledger, wallTimers.now());
  io.out(`${bytesBefore} bytes before, ${bytesAfter} after\n`);
}

/** First argument of such a child process. */
const HERE = 'here';

/** Signals that end a process which reads damaged pages, LMDB's assertions included. */
const CRASHES: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

export async function watchedStoreCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === HERE) return storeCommand(rest, io);
  const ended = await run(args);
  if (typeof ended === 'number') return ended;
  const isCrash = CRASHES.has(ended);
  const words = isCrash
    ? `the history cannot be read (${ended}): stop the gateway, and restore a backup of it (docs/OPERATIONS.md, Backups)`
    : `ended (${ended})`;
  io.err(`crossbook: ${words}\n`);
  return isCrash ? 1 : 128 + constants.signals[ended];
}

/** Exit code, or the signal that ended the child. The child prints its own output. */
async function run(args: readonly string[]): Promise<number | NodeJS.Signals> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'store', HERE, ...args], {
    stdio: 'inherit',
  });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, passOn);
  try {
    const [code, signal] = await once(child, 'exit');
    return signal ?? code;
  } finally {
    for (const signal of signals) process.off(signal, passOn);
  }
}
