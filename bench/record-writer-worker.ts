// The feed of the recorder's benchmark: changes books at a steady rate, asleep between two bursts, and takes down when each change was published
// and what it cost.

import { parentPort, workerData } from 'node:worker_threads';
import { type Arena, regionOf } from '../src/book/memory.ts';
import { BookWriter } from '../src/book/writer.ts';
import { openBooks, playChange, workload } from './book-workload.ts';

export interface RecordWriterOptions {
  readonly arena: Arena;
  readonly books: number;
  readonly changesPerSecond: number;
  readonly changesMax: number;
  /** Milliseconds of the monotonic clock of all threads, by the number of the change. */
  readonly publishedAt: SharedArrayBuffer;
  /** Microseconds that each change took. */
  readonly tookUs: SharedArrayBuffer;
}

/** Rings the doorbell, and says that all is written. */
export const RECORD_BENCH_DONE = 'done';
/** Changes of the workload before it begins anew. */
const STREAM = 100_000;

const { arena, books, changesPerSecond, changesMax, publishedAt, tookUs } = workerData as RecordWriterOptions;
const port = parentPort!;
const writer = new BookWriter(regionOf(arena, 'venue_b'), () => port.postMessage(null));
const [at, took] = [new Float64Array(publishedAt), new Float64Array(tookUs)];
const nobody = new Int32Array(new SharedArrayBuffer(4));
const load = workload(books, STREAM);
let next = 0;

openBooks(writer, load, true);
port.on('message', (count: number) => {
  const start = performance.now();
  for (let number = 0; number < Math.min(count, changesMax); number++) {
    const waitMs = start + (number * 1_000) / changesPerSecond - performance.now();
    if (waitMs > 0) Atomics.wait(nobody, 0, 0, Math.max(1, waitMs));
    const began = performance.now();
    playChange(writer, load.stream, next);
    const ended = performance.now();
    next = (next + 1) % load.stream.count;
    took[number] = (ended - began) * 1_000;
    at[number] = performance.timeOrigin + ended;
  }
  port.postMessage(RECORD_BENCH_DONE);
});
port.postMessage(RECORD_BENCH_DONE);
