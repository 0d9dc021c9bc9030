// The main thread's part. It is kept from its processor in the middle of a write of the index, and ends the write some time later.

import { parentPort, workerData } from 'node:worker_threads';
import { INDEX_VERSION } from '../../../src/market-data/book/layout.ts';
import { type Arena, indexOf } from '../../../src/market-data/book/memory.ts';

/** Far longer than 1 000 attempts to read. */
const PAUSE_MS = 50;

const index = indexOf(workerData as Arena);
Atomics.add(index, INDEX_VERSION, 1);
parentPort?.postMessage('within a write');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
Atomics.add(index, INDEX_VERSION, 1);
