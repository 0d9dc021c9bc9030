// `crossbook store`: the order store on disk, looked after by hand: whether it is whole, all that it holds as lines of JSON, a copy that
// can be opened, and fewer bytes. What only its owner may do waits for the gateway to end; the rest runs beside it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { wallTimers } from '../runtime/timers.ts';
import { type OpenedOrderStore, openOrderStore } from '../store/order-store.ts';
import { checkOrders } from '../store/orders/check.ts';
import { exportOrders } from '../store/orders/export.ts';
import { StoreError } from '../store/store-error.ts';
import { type Arguments, type CommandIo, dataDirOf, readArguments, runCommand, UsageError } from './command-io.ts';

export const STORE_USAGE = `  store check
  store export
      orders, fills and positions, a line of JSON each
  store backup FOLDER
      a copy, made while the gateway runs or not; to restore it, put it in place of DIR/orders
  store compact
      not while the gateway runs
      all of store: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
`;

const OPTIONS = { options: ['data-dir'] };

export async function storeCommand([name, ...rest]: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => {
    switch (name) {
      case 'check':
        return withStore(io, readArguments(rest, OPTIONS), 'any', store => check(store, io));
      case 'export':
        return withStore(io, readArguments(rest, OPTIONS), 'any', store => {
          store.inspect(reader => exportOrders(reader, line => io.out(`${line}\n`)));
        });
      case 'backup': {
        const args = readArguments(rest, { ...OPTIONS, positionals: ['FOLDER'] });
        return withStore(io, args, 'any', store => store.durable.backup(args.positionals[0]!));
      }
      case 'compact':
        return withStore(io, readArguments(rest, OPTIONS), 'owner', compact);
      default:
        throw new UsageError('store: must be followed by check, export, backup or compact');
    }
  });
}

async function withStore(
  io: CommandIo,
  args: Arguments,
  role: 'owner' | 'any',
  work: (store: OpenedOrderStore) => unknown,
): Promise<void> {
  const dataDir = dataDirOf(args, io);
  const folder = join(dataDir, 'orders');
  if (!existsSync(folder)) throw new UsageError(`--data-dir: ${dataDir} holds no order store`);
  const store = await openAs(folder, role);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** As the owner if nobody else is, so that what a crash has left is put right first. */
async function openAs(folder: string, role: 'owner' | 'any'): Promise<OpenedOrderStore> {
  const options = { folder, mode: 'process-safe', timers: wallTimers } as const;
  try {
    return await openOrderStore({ ...options, role: 'owner' });
  } catch (error) {
    if (role === 'owner' || !(error instanceof StoreError)) throw error;
    const member = await openOrderStore({ ...options, role: 'member' }).catch(() => null);
    // Nobody else has it open: that was not what is wrong with it.
    if (member === null) throw error;
    return member;
  }
}

function check(store: OpenedOrderStore, io: CommandIo): void {
  const { rows, faultsTotal, faults } = store.inspect(checkOrders);
  if (faultsTotal > 0) {
    for (const fault of faults) io.err(`${fault}\n`);
    throw new StoreError(`${faultsTotal} faults`);
  }
  io.out(`whole: ${rows.orders} orders, ${rows.fills} fills, ${rows.positions} positions\n`);
}

async function compact(store: OpenedOrderStore): Promise<void> {
  const now = wallTimers.now();
  let isMore = true;
  while (isMore) isMore = store.prune(now);
  await store.durable.checkpoint();
}
