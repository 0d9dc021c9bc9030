// One change to one of many books, as the feed thread makes it. The baseline is the sorted float array of common exchange libraries, fed
// with the same changes.

import { MICROS_PER_SHARE, TICKS_PER_DOLLAR, type UnixMillis } from '../src/core/domain/numbers.ts';
import { Ladder } from '../src/market-data/book/ladder.ts';
import { H_VERSION, headerOf } from '../src/market-data/book/layout.ts';
import { createArena, type Region, regionOf } from '../src/market-data/book/memory.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';
import { FloatSortedArrayBook } from './baselines/float-sorted-array-book.ts';
import { openBooks, playChange, type Workload, workload } from './book-workload.ts';
import {
  alternate,
  type BenchOptions,
  type BenchRow,
  type BenchSuite,
  median,
  timesLess,
  type Work,
} from './harness.ts';

const BASELINE = 'float sorted-array book';

export const suite: BenchSuite = {
  name: 'book/apply',
  async run(options) {
    const changes = options.smoke ? 2_000 : 200_000;
    return [
      ...applyRows(workload(options.smoke ? 100 : 1_000, changes), '', options),
      ...applyRows(workload(options.smoke ? 200 : 10_000, changes), '-10k', options),
    ];
  },
};

function applyRows(load: Workload, suffix: string, options: BenchOptions): BenchRow[] {
  const works = [floatBooks(load), ladders(load), writers(load, false), writers(load, true)];
  const [baseline, ...ours] = alternate(works, options);
  return ['apply', 'apply+tape', 'apply+tape+checksum'].map((name, index) => ({
    name: `book/${name}${suffix}`,
    value: 1e3 / median(ours[index]!),
    unit: 'M/s',
    baseline: BASELINE,
    ratio: timesLess(ours[index]!, baseline!),
  }));
}

function floatBooks({ bookCount, opening, stream }: Workload): Work {
  const all = Array.from({ length: bookCount }, () => new FloatSortedArrayBook());
  const decimals = (changes: typeof stream) => ({
    prices: changes.prices.map(price => price / TICKS_PER_DOLLAR),
    sizes: changes.sizes.map(size => size / MICROS_PER_SHARE),
  });
  const first = decimals(opening);
  opening.books.forEach((book, at) => {
    all[book]!.apply(opening.sides[at]!, first.prices[at]!, first.sizes[at]!);
  });
  const { books, sides } = stream;
  const { prices, sizes } = decimals(stream);
  let at = 0;
  return times => {
    let sum = 0;
    for (let done = 0; done < times; done++) {
      sum += all[books[at]!]!.apply(sides[at]!, prices[at]!, sizes[at]!);
      at = at + 1 === books.length ? 0 : at + 1;
    }
    return sum;
  };
}

/** The writer without its tape: seqlock, ladder, bitmap, best price, and the check whether the book is crossed. */
function ladders(load: Workload): Work {
  const region = openedWriter(load, false).region;
  const ladder = new Ladder(region);
  const { i32 } = region;
  const { books, sides, prices, sizes } = load.stream;
  let at = 0;
  return times => {
    let sum = 0;
    for (let done = 0; done < times; done++) {
      const book = books[at]!;
      const side = sides[at]!;
      ladder.select(book);
      const slot = ladder.slotOf(side, prices[at]!);
      Atomics.add(i32, headerOf(book) + H_VERSION, 1);
      ladder.store(side, slot, sizes[at]!);
      if (ladder.isCrossed()) throw new Error('the workload crosses a book');
      Atomics.add(i32, headerOf(book) + H_VERSION, 1);
      sum += ladder.best(side);
      at = at + 1 === books.length ? 0 : at + 1;
    }
    return sum;
  };
}

/** The writer as feeds use it, with batches of one change. */
function writers(load: Workload, isChecksumWanted: boolean): Work {
  const { writer } = openedWriter(load, isChecksumWanted);
  const { stream } = load;
  const count = stream.count;
  let at = 0;
  return times => {
    let sum = 0;
    for (let done = 0; done < times; done++) {
      if (playChange(writer, stream, at)) sum += 1;
      at = at + 1 === count ? 0 : at + 1;
    }
    return sum;
  };
}

function openedWriter(load: Workload, isChecksumWanted: boolean): { region: Region; writer: BookWriter } {
  const region = regionOf(createArena(), 'venue_b');
  const writer = new BookWriter(region, () => {});
  writer.receivedAt = Date.now() as UnixMillis;
  openBooks(writer, load, isChecksumWanted);
  return { region, writer };
}
