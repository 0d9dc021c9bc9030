// The feed of the shared file’s benchmark. It changes one book at a steady rate, sleeps between two changes, and writes down the time of each
// change.

import { parentPort, workerData } from 'node:worker_threads';
import { BID, type BookId } from '../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../src/core/domain/numbers.ts';
import { type Arena, regionOf } from '../src/market-data/book/memory.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';

export interface ShmWriterOptions {
  readonly arena: Arena;
  /** The nanoseconds of the monotonic clock at each change, by seq. */
  readonly changedAt: SharedArrayBuffer;
  readonly changesPerSecond: number;
}

const { arena, changedAt, changesPerSecond } = workerData as ShmWriterOptions;
const port = parentPort!;
const writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
const times = new BigUint64Array(changedAt);
const nobody = new Int32Array(new SharedArrayBuffer(4));
const book: BookId = writer.openBook(100 as Ticks)!;
writer.setViews(book, true, false);
writer.begin(book);
writer.clear(book);
for (let level = 1; level <= 10; level++) writer.set(book, BID, (level * 100) as Ticks, 1 as MicroShares);
writer.commitSnapshot(book, 1 as UnixMillis);
port.postMessage(book);
port.once('message', () => {
  const start = performance.now();
  // The snapshot has the seq 1.
  for (let seq = 2; seq < times.length; seq++) {
    const waitMs = start + ((seq - 1) * 1_000) / changesPerSecond - performance.now();
    if (waitMs > 0) Atomics.wait(nobody, 0, 0, waitMs);
    times[seq] = process.hrtime.bigint();
    writer.begin(book);
    writer.set(book, BID, 1_000 as Ticks, seq as MicroShares);
    writer.commit(book, 1 as UnixMillis);
  }
});
