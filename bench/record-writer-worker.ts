// The feed of the recorder's benchmark. It changes books at a steady rate, sleeps between two bursts, and writes down when each change began and
// how long it took. The message null is the doorbell. Another message says that all changes are written.

import { parentPort, workerData } from 'node:worker_threads';
import type { BookId } from '../src/core/domain/market.ts';
import type { UnixMillis } from '../src/core/domain/numbers.ts';
import { type Arena, regionOf } from '../src/market-data/book/memory.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';
import { openBooks, workload } from './book-workload.ts';

export interface RecordWriterOptions {
  readonly arena: Arena;
  readonly books: number;
  readonly changesPerSecond: number;
  readonly changesMax: number;
  /** When each change began, in milliseconds of the clock of all threads, by the number of the change. */
  readonly begunAt: SharedArrayBuffer;
  /** The microseconds that each change took. */
  readonly tookUs: SharedArrayBuffer;
}

/** The number of changes of the workload before it begins anew. */
const STREAM = 100_000;
/** The time in ms from the venue’s clock to ours. */
const WAY_MS = 35;

const { arena, books, changesPerSecond, changesMax, begunAt, tookUs } = workerData as RecordWriterOptions;
const port = parentPort!;
const writer = new BookWriter(regionOf(arena, 'venue_b'), () => port.postMessage(null));
const [at, took] = [new Float64Array(begunAt), new Float64Array(tookUs)];
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
    // The time is stored before the change, because the stream may publish the change at once.
    at[number] = performance.timeOrigin + began;
    change(next);
    took[number] = (performance.now() - began) * 1_000;
    next = (next + 1) % load.stream.count;
  }
  port.postMessage('done');
});
port.postMessage('done');

/** Makes a change, with times as a venue has them. A recording stores times as differences. */
function change(place: number): void {
  const { books: changed, sides, prices, sizes } = load.stream;
  const book = changed[place]! as BookId;
  writer.receivedAt = Date.now() as UnixMillis;
  writer.begin(book);
  writer.set(book, sides[place]!, prices[place]!, sizes[place]!);
  writer.commit(book, (writer.receivedAt - WAY_MS) as UnixMillis);
}
