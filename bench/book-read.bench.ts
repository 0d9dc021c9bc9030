// Reads the ten best levels of both sides on one thread, while another thread writes 100 000 changes a second. The changes go to many books, or all
// to the one book that is read. The baseline copies as many levels from arrays of its own thread.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type BookId, PRIMARY } from '../src/core/domain/market.ts';
import { createArena, regionOf } from '../src/market-data/book/memory.ts';
import { BookCopy, BookReader } from '../src/market-data/book/reader.ts';
import { FloatSortedArrayBook } from './baselines/float-sorted-array-book.ts';
import {
  alternate,
  type BenchOptions,
  type BenchRow,
  type BenchSuite,
  consume,
  median,
  percentile,
  row,
  timesLess,
  type Work,
} from './harness.ts';
import type { PacedWriterOptions } from './paced-writer-worker.ts';

const DEPTH = 10;
const CHANGES_PER_SECOND = 100_000;
const BASELINE = 'copy of 10 + 10 float levels, same thread';

export const suite: BenchSuite = {
  name: 'book/read',
  async run(options) {
    return [
      ...(await rowsFor('top10', options.smoke ? 100 : 1_000, options)),
      ...(await rowsFor('hot-top10', 1, options)),
    ];
  },
};

async function rowsFor(name: string, bookCount: number, options: BenchOptions): Promise<BenchRow[]> {
  const arena = createArena();
  const control = new SharedArrayBuffer(8);
  const flags = new Int32Array(control);
  const worker = new Worker(new URL('paced-writer-worker.ts', import.meta.url), {
    workerData: {
      arena,
      control,
      bookCount,
      changeCount: options.smoke ? 2_000 : 100_000,
      changesPerSecond: CHANGES_PER_SECOND,
    } satisfies PacedWriterOptions,
  });
  Atomics.wait(flags, 0, 0);
  const reads = new Reads(new BookReader(regionOf(arena, 'venue_b')), bookCount);
  const [baseline, ours] = alternate([floatCopies(bookCount), reads.many], options);
  const samples = reads.timed(options.smoke ? 1_000 : 1_000_000);
  Atomics.store(flags, 0, 2);
  await once(worker, 'exit');
  return [
    {
      name: `book/read-${name}`,
      value: median(ours!),
      unit: 'ns',
      baseline: BASELINE,
      ratio: timesLess(ours!, baseline!),
    },
    row(`book/read-${name}-p99`, percentile(samples, 0.99), 'ns'),
    row(`book/read-${name}-busy`, (1e6 * reads.busy) / reads.done, 'per million reads'),
  ];
}

class Reads {
  busy = 0;
  done = 0;
  readonly #reader: BookReader;
  readonly #bookCount: number;
  readonly #copy = new BookCopy(DEPTH);
  #book = 0;

  constructor(reader: BookReader, bookCount: number) {
    this.#reader = reader;
    this.#bookCount = bookCount;
  }

  readonly many: Work = times => {
    let sum = 0;
    for (let done = 0; done < times; done++) sum += this.#read();
    return sum;
  };

  /** The nanoseconds of single reads, minus the cost of reading the clock. */
  timed(count: number): number[] {
    const clockNs = median(Array.from({ length: 10_001 }, () => -(performance.now() - performance.now()) * 1e6));
    const samples: number[] = [];
    for (let index = 0; index < count; index++) {
      const start = performance.now();
      const sum = this.#read();
      samples.push((performance.now() - start) * 1e6 - clockNs);
      consume(sum);
    }
    return samples;
  }

  #read(): number {
    const copy = this.#copy;
    this.#book = this.#book + 1 >= this.#bookCount ? 0 : this.#book + 1;
    this.done += 1;
    if (this.#reader.read(this.#book as BookId, PRIMARY, copy)) return copy.bids.count + copy.asks.prices[0]!;
    this.busy += 1;
    return 0;
  }
}

function floatCopies(bookCount: number): Work {
  const books = Array.from({ length: bookCount }, () => {
    const book = new FloatSortedArrayBook();
    for (let level = 1; level <= DEPTH; level++) {
      book.apply(0, (50 - level) / 100, level * 1.5);
      book.apply(1, (50 + level) / 100, level * 2.5);
    }
    return book;
  });
  const prices = new Float64Array(2 * DEPTH);
  const sizes = new Float64Array(2 * DEPTH);
  let at = 0;
  return times => {
    let sum = 0;
    for (let done = 0; done < times; done++) {
      at = at + 1 >= bookCount ? 0 : at + 1;
      let to = 0;
      for (const { levels } of books[at]!.sides) {
        for (let level = 0; level < DEPTH; level++) {
          prices[to] = levels[level]![0];
          sizes[to] = levels[level]![1];
          to += 1;
        }
      }
      sum += prices[0]! + sizes[19]!;
    }
    return sum;
  };
}
