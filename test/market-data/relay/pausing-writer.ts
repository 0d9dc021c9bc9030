// A thread in the role of the main thread. It pauses in the middle of a write of the index, as if the system had stopped it, and ends the write some
// time later.

import { parentPort, workerData } from 'node:worker_threads';
import { INDEX_VERSION } from '../../../src/market-data/book/layout.ts';
import { type Arena, indexOf } from '../../../src/market-data/book/memory.ts';

/** A pause that is far longer than 1 000 attempts to read. */
const PAUSE_MS = 50;

const index = indexOf(workerData as Arena);
Atomics.add(index, INDEX_VERSION, 1);
parentPort?.postMessage('within a write');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
Atomics.add(index, INDEX_VERSION, 1);
