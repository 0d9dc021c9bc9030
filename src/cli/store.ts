// `crossbook store`: the order store on disk, looked after by hand: whether it is whole, all that it holds as lines of JSON, a copy that
// can be opened, and fewer bytes. What only its owner may do waits for the gateway to end; the rest runs beside it. Each runs in a
// process of its own (store-process.ts), for what a damaged state does to it.

import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { systemBootId } from '../runtime/boot-id.ts';
import { wallTimers } from '../runtime/timers.ts';
import { nodeFiles } from '../store/durable/files.ts';
import { checkStore, compactStore, rebuildState } from '../store/durable/upkeep.ts';
import { type OpenedOrderStore, openOrderStore } from '../store/order-store.ts';
import { checkOrders } from '../store/orders/check.ts';
import { exportOrders } from '../store/orders/export.ts';
import { isOwned } from '../store/owner-lock.ts';
import { StoreError } from '../store/store-error.ts';
import { type Arguments, type CommandIo, dataDirOf, readArguments, runCommand, UsageError } from './command-io.ts';

export const STORE_USAGE = `  store check
  store export
      orders, fills and positions, a line of JSON each
  store backup FOLDER
      a copy, made while the gateway runs or not; to restore it, put it in place of DIR/orders
      the secrets of the pods, on which order ids depend, are not in it: keep a copy of DIR/pods
  store compact
      gives back the room of what was deleted, and mends a damaged state or journal from the other; not while the gateway runs
      all of store: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
`;

const OPTIONS = { options: ['data-dir'] };

/** What is done after a signal, which each is given, has ended a process that read the state. Not for operators. */
export const EXPLAIN = 'explain';
export const REBUILD = 'rebuild';

export async function storeCommand([name, ...rest]: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => {
    switch (name) {
      case 'check':
        return check(folderOf(readArguments(rest, OPTIONS), io), io);
      case 'export':
        return withStore(folderOf(readArguments(rest, OPTIONS), io), io, store => {
          store.inspect(reader => exportOrders(reader, line => io.out(`${line}\n`)));
        });
      case 'backup': {
        const args = readArguments(rest, { ...OPTIONS, positionals: ['FOLDER'] });
        return backup(folderOf(args, io), args.positionals[0]!, io);
      }
      case 'compact':
        return compact(folderOf(readArguments(rest, OPTIONS), io), io);
      case EXPLAIN:
      case REBUILD: {
        const args = readArguments(rest, { ...OPTIONS, positionals: ['SIGNAL'] });
        return afterCrash(folderOf(args, io), args.positionals[0]!, name === REBUILD, io);
      }
      default:
        throw new UsageError('store: must be followed by check, export, backup or compact');
    }
  });
}

function folderOf(args: Arguments, io: CommandIo): string {
  const dataDir = dataDirOf(args, io);
  const folder = join(dataDir, 'orders');
  if (!existsSync(folder)) throw new UsageError(`--data-dir: ${dataDir} holds no order store`);
  return folder;
}

async function withStore<T>(
  folder: string,
  io: CommandIo,
  work: (store: OpenedOrderStore) => T | Promise<T>,
): Promise<T> {
  const store = await openByAnybody(folder, io);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** As the owner if nobody else is, so that what a crash has left is put right first. */
async function openByAnybody(folder: string, io: CommandIo): Promise<OpenedOrderStore> {
  try {
    return await openAs(folder, 'owner', io);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const member = await openAs(folder, 'member', io).catch(() => null);
    // Nobody else has it open: that was not what is wrong with it.
    if (member === null) throw error;
    return member;
  }
}

/** What a gateway would say of it at its start it says no more when a command has opened it before. */
async function openAs(folder: string, role: 'owner' | 'member', io: CommandIo): Promise<OpenedOrderStore> {
  const store = await openOrderStore({ folder, mode: 'process-safe', timers: wallTimers, role });
  if (store.recovery?.state === 'rebuilt') io.err('the order store was rebuilt from checkpoint and journal\n');
  return store;
}

/** The state against the journal, unless somebody is at work; then every row against every other. */
async function check(folder: string, io: CommandIo): Promise<void> {
  const ofJournal = isOwned(nodeFiles, folder) ? [] : (await checkStore(folder)).faults;
  const { rows, faultsTotal, faults } = await withStore(folder, io, store => store.inspect(checkOrders));
  for (const fault of [...ofJournal, ...faults]) io.err(`${fault}\n`);
  const total = ofJournal.length + faultsTotal;
  if (total > 0) throw new StoreError(`${total} faults`);
  io.out(`whole: ${rows.orders} orders, ${rows.fills} fills, ${rows.positions} positions\n`);
}

async function backup(folder: string, target: string, io: CommandIo): Promise<void> {
  const isInside = relative(folder, target).split(sep)[0] !== '..';
  if (isInside) throw new UsageError(`FOLDER: must not be in ${folder}, which it is a copy of`);
  await withStore(folder, io, store => store.durable.backup(target));
  io.out(`a copy is in ${target}\n`);
}

async function compact(folder: string, io: CommandIo): Promise<void> {
  // What is wrong in the state would go into the checkpoint, and the journal that knows better be dropped.
  const { state, faults } = await checkStore(folder);
  if (state === 'different') await rebuild(folder, faults.join(', '), io);
  const store = await openAs(folder, 'owner', io);
  try {
    const now = wallTimers.now();
    while (store.prune(now));
  } finally {
    await store.close();
  }
  const { bytesBefore, bytesAfter } = await compactStore(folder);
  io.out(`${bytesBefore} bytes before, ${bytesAfter} after\n`);
}

/** Reads everything but the state. Throws a StoreError that says how to go on, unless it could do so itself. */
async function afterCrash(folder: string, signal: string, rebuilds: boolean, io: CommandIo): Promise<void> {
  const fault = `the state cannot be read (${signal})`;
  if (isOwned(nodeFiles, folder)) {
    throw new StoreError(`${fault}: stop the gateway, and check again, which looks at checkpoint and journal`);
  }
  const { faults, transactions } = await checkStore(folder, systemBootId(), false);
  if (faults.length > 0)
    throw new StoreError(`${fault}, and ${faults.join(', ')}: put a backup in the place of ${folder}`);
  if (rebuilds) return rebuild(folder, fault, io);
  const whole = `checkpoint and journal are whole up to transaction ${transactions}`;
  throw new StoreError(
    `${fault}; ${whole}: stop the gateway and move ${folder}/state away: the next start builds it anew`,
  );
}

async function rebuild(folder: string, fault: string, io: CommandIo): Promise<void> {
  await rebuildState(folder);
  io.err(`${fault}: the state is built anew from checkpoint and journal\n`);
}
