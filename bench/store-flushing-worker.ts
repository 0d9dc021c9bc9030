// The thread that flushes a store of intents, as the gateway's does its order store.

import { parentPort, workerData } from 'node:worker_threads';
import { silentLog } from '../src/runtime/log.ts';
import { wallTimers } from '../src/runtime/timers.ts';
import { StoreFlusher } from '../src/threads/store-flusher.ts';
import { openIntentStore } from './store-workload.ts';

const store = await openIntentStore(workerData as string, 'process-safe', 'member');
const flusher = new StoreFlusher({ durable: store }, wallTimers, silentLog);
parentPort?.once('message', async () => {
  flusher.close();
  await store.close();
  parentPort?.close();
});
