// The store flusher's thread.

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../domain/result.ts';
import { guardHeap } from '../runtime/heap-guard.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { keepPulse } from '../runtime/pulse.ts';
import { wallTimers } from '../runtime/timers.ts';
import { openOrderStore } from '../store/order-store.ts';
import { StoreFlusher } from './store-flusher.ts';

export interface StoreFlusherData {
  readonly storeFolder: string;
  readonly logLevel: Log['level'];
}

const port = parentPort;
assert(port !== null, 'store-flusher-worker.ts runs as a worker');
const { storeFolder: folder, logLevel } = workerData as StoreFlusherData;
guardHeap();
keepPulse();

const store = await openOrderStore({ folder, mode: 'process-safe', role: 'member', timers: wallTimers });
const flusher = new StoreFlusher(store, wallTimers, createLog('store', { level: logLevel }));
port.once('message', () => void close());

async function close(): Promise<void> {
  flusher.close();
  await store.close();
  port?.close();
}
