// Memory of live books: how much the resident set grows from none to 10 000 open books at the 0.01 grid. Each book has a snapshot and some
// changes. The baseline follows in the same (fresh) process. Its books are objects: it counts the heap's growth after a full collection,
// since the resident set shrinks as the earlier books are freed.

import { MICROS_PER_SHARE, TICKS_PER_DOLLAR } from '../src/core/domain/numbers.ts';
import { createArena, regionOf } from '../src/market-data/book/memory.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';
import { FloatSortedArrayBook } from './baselines/float-sorted-array-book.ts';
import { openBooks, playChange, type Workload, workload } from './book-workload.ts';
import { type BenchSuite, collectGarbage, consume, row } from './harness.ts';

export const suite: BenchSuite = {
  name: 'memory',
  async run({ smoke }) {
    const load = workload(smoke ? 500 : 10_000, smoke ? 1_000 : 100_000);
    const ours = growthOf(() => sharedBooks(load), process.memoryUsage.rss);
    const baseline = growthOf(() => floatBooks(load), keptBytes);
    return [
      { name: 'memory/books', value: ours, unit: 'MB', baseline: 'float sorted-array book', ratio: baseline / ours },
      row('memory/books-baseline', baseline, 'MB'),
    ];
  },
};

/** Returns the growth in megabytes while `build` makes its result. */
function growthOf(build: () => object, bytes: () => number): number {
  const before = bytes();
  const built = build();
  const growth = (bytes() - before) / 1e6;
  consume(Object.keys(built).length);
  return growth;
}

/** Returns the bytes of objects and their buffers. */
function keptBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function sharedBooks(load: Workload): object {
  const writer = new BookWriter(regionOf(createArena(), 'venue_b'), () => {});
  openBooks(writer, load, true);
  for (let at = 0; at < load.stream.count; at++) playChange(writer, load.stream, at);
  return writer;
}

function floatBooks({ bookCount, opening, stream }: Workload): object {
  const books = Array.from({ length: bookCount }, () => new FloatSortedArrayBook());
  for (const { books: ids, sides, prices, sizes } of [opening, stream]) {
    ids.forEach((book, at) => {
      books[book]!.apply(sides[at]!, prices[at]! / TICKS_PER_DOLLAR, sizes[at]! / MICROS_PER_SHARE);
    });
  }
  return books;
}
