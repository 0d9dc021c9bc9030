// The writing thread of the reading benchmark: plays a workload's changes at a steady rate until it is stopped.

import { workerData } from 'node:worker_threads';
import type { UnixMillis } from '../src/core/domain/numbers.ts';
import { type Arena, regionOf } from '../src/market-data/book/memory.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';
import { openBooks, playChange, workload } from './book-workload.ts';

export interface PacedWriterOptions {
  readonly arena: Arena;
  /** The i32 0 is 1 once books are open, and 2 to stop. The i32 1 is the number of written changes. */
  readonly control: SharedArrayBuffer;
  readonly bookCount: number;
  readonly changeCount: number;
  readonly changesPerSecond: number;
}

const { arena, control, bookCount, changeCount, changesPerSecond } = workerData as PacedWriterOptions;
const flags = new Int32Array(control);
const load = workload(bookCount, changeCount);
const writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
writer.receivedAt = Date.now() as UnixMillis;
openBooks(writer, load, true);

Atomics.store(flags, 0, 1);
Atomics.notify(flags, 0);
const start = performance.now();
let written = 0;
while (Atomics.load(flags, 0) !== 2) {
  const due = ((performance.now() - start) * changesPerSecond) / 1_000;
  for (; written < due; written++) playChange(writer, load.stream, written % load.stream.count);
  Atomics.store(flags, 1, written);
}
