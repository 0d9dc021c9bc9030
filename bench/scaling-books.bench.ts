// The cost of a change to one book, and of a read, with ten to twenty thousand books, the maximum of a venue. Also the memory of all books. Changes
// hit random books, which beyond a few thousand no longer fit the caches.

import { type BookId, PRIMARY } from '../src/core/domain/market.ts';
import { limits } from '../src/limits.ts';
import { createArena, type Region, regionOf } from '../src/market-data/book/memory.ts';
import { BookCopy, BookReader } from '../src/market-data/book/reader.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';
import { openBooks, playChange, type Workload, workload } from './book-workload.ts';
import {
  type BenchOptions,
  type BenchRow,
  type BenchSuite,
  collectGarbage,
  measure,
  randomNumbers,
  type Work,
} from './harness.ts';
import { scalingRow } from './scaling-measures.ts';
import { Feed, framesOf, tickersOf } from './venue-b-workload.ts';

const COUNTS = [10, 100, 1_000, 10_000, limits.booksPerVenueMax];
const SMOKE_COUNTS = [10, 100];
const CHANGES = 200_000;
const SMOKE_CHANGES = 1_000;
const DEPTH = 10;

export const suite: BenchSuite = {
  name: 'scaling/books',
  runsMax: 1,
  async run(options) {
    return (options.smoke ? SMOKE_COUNTS : COUNTS).flatMap(count => rowsOf(count, options));
  },
};

/** The arenas of earlier counts, kept so that memory is never freed and reused. */
const kept: BookWriter[] = [];

function rowsOf(count: number, options: BenchOptions): BenchRow[] {
  const load = workload(count, options.smoke ? SMOKE_CHANGES : CHANGES);
  const before = residentBytes();
  const region = regionOf(createArena(), 'venue_b');
  const writer = new BookWriter(region, () => {});
  kept.push(writer);
  openBooks(writer, load, false);
  const memoryMb = (residentBytes() - before) / 1e6;
  const tickers = tickersOf(count);
  const frames = framesOf(tickers, false).map(text => Buffer.from(text));
  return [
    scalingRow('books-change', count, measure(changes(writer, load), options)),
    scalingRow('books-frame', count, measure(new Feed(tickers).scanning(frames), options)),
    scalingRow('books-read', count, measure(reads(region, count), options)),
    scalingRow('books-memory', count, memoryMb),
  ];
}

/** Returns the resident bytes after a collection, so that garbage does not count. */
function residentBytes(): number {
  collectGarbage();
  return process.memoryUsage.rss();
}

function changes(writer: BookWriter, { stream }: Workload): Work {
  let at = 0;
  return times => {
    let sum = 0;
    for (let done = 0; done < times; done++) {
      sum += playChange(writer, stream, at) ? 1 : 0;
      at = at + 1 === stream.count ? 0 : at + 1;
    }
    return sum;
  };
}

/** Reads random books. */
function reads(region: Region, count: number): Work {
  const [reader, copy, random] = [new BookReader(region), new BookCopy(DEPTH), randomNumbers(count)];
  return times => {
    let sum = 0;
    for (let done = 0; done < times; done++) {
      sum += reader.read(Math.floor(random() * count) as BookId, PRIMARY, copy) ? copy.bids.count : 0;
    }
    return sum;
  };
}
