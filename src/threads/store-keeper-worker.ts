// The store keeper's thread: a checkpoint reads and writes all of the state, and makes nobody wait here but itself.

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../domain/result.ts';
import { guardHeap } from '../runtime/heap-guard.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { Metrics, type MetricsParts } from '../runtime/metrics.ts';
import { keepPulse } from '../runtime/pulse.ts';
import { wallTimers } from '../runtime/timers.ts';
import { openOrderStore } from '../store/order-store.ts';
import { StoreKeeper } from './store-keeper.ts';
import { StoreProbe } from './store-probe.ts';
import { StoreWatch } from './store-watch.ts';

export interface StoreKeeperData {
  readonly storeFolder: string;
  readonly metrics: MetricsParts;
  readonly logLevel: Log['level'];
}

const port = parentPort;
assert(port !== null, 'store-keeper-worker.ts runs as a worker');
const { storeFolder: folder, metrics, logLevel } = workerData as StoreKeeperData;
const log = createLog('store', { level: logLevel });
guardHeap();
keepPulse();

const store = await openOrderStore({ folder, mode: 'process-safe', role: 'member', timers: wallTimers });
const keeper = new StoreKeeper(store, wallTimers, log);
const probe = new StoreProbe({ store, folder, timers: wallTimers, log });
const watch = new StoreWatch({ store, timers: wallTimers, metrics: new Metrics(metrics), log });
port.once('message', () => void close());

async function close(): Promise<void> {
  probe.close();
  watch.close();
  await keeper.close();
  await store.close();
  port?.close();
}
