// The store keeper's thread: a checkpoint reads and writes all of the state, and makes nobody wait here but itself.

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../domain/result.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { wallTimers } from '../runtime/timers.ts';
import { openOrderStore } from '../store/order-store.ts';
import { StoreKeeper } from './store-keeper.ts';

export interface StoreKeeperData {
  readonly storeFolder: string;
  readonly logLevel: Log['level'];
}

const port = parentPort;
assert(port !== null, 'store-keeper-worker.ts runs as a worker');
const { storeFolder: folder, logLevel } = workerData as StoreKeeperData;

const store = await openOrderStore({ folder, mode: 'process-safe', role: 'member', timers: wallTimers });
const keeper = new StoreKeeper(store, wallTimers, createLog('store', { level: logLevel }));
port.once('message', () => void close());

async function close(): Promise<void> {
  await keeper.close();
  await store.close();
  port?.close();
}
