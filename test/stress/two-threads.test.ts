// A writer and a reader on two threads, a bounded number of batches, every outcome counted:
//
//   whole   the book of exactly one batch, both sides and all facts           ACCEPTABLE
//   empty   a book that says it is RESYNCING or CLOSED, without levels        ACCEPTABLE
//   busy    the writer was in the way each time                               ACCEPTABLE
//   lapped  the reader of the tape lost records, and knows it                 ACCEPTABLE
//   torn    anything else that was read from a book                           FORBIDDEN
//   wrong   a book folded from the tape that is no batch's book, or a gap     FORBIDDEN

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { ASK, BID, type BookId, COMPLEMENT, PRIMARY, type View } from '../../src/core/domain/market.ts';
import { TICKS_PER_DOLLAR } from '../../src/core/domain/numbers.ts';
import { createArena, type Region, regionOf } from '../../src/market-data/book/memory.ts';
import { BookCopy, BookReader } from '../../src/market-data/book/reader.ts';
import {
  RECORD_CHANGE,
  RECORD_RESET,
  RECORD_STATE,
  TAPE_EMPTY,
  TAPE_LAPPED,
  TapeReader,
} from '../../src/market-data/book/tape-reader.ts';
import { levelsOf } from '../support/book-observer.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { naiveChecksum } from '../support/naive-checksum.ts';
import { BATCHES, DONE, isSideOfBatch, STARTED, type StressOptions, TURNS } from './stress-book.ts';

const BOOK = 0 as BookId;
const TAPE_RECORDS_PER_TURN = 200;

describe('a writer and a reader on two threads', () => {
  it('never show a torn book, nor a wrong one', async () => {
    const arena = createArena();
    const control = new SharedArrayBuffer(12);
    const flags = new Int32Array(control);
    const observer = new StressObserver(regionOf(arena, 'venue_b'));
    const worker = new Worker(new URL('book-writer-worker.ts', import.meta.url), {
      workerData: { arena, control } satisfies StressOptions,
    });
    // Rejects with what the worker threw, if it did.
    const exit = once(worker, 'exit');
    Atomics.wait(flags, STARTED, 0, PATIENCE_MS);
    while (Atomics.load(flags, DONE) === 0) {
      observer.turn();
      Atomics.add(flags, TURNS, 1);
      Atomics.notify(flags, TURNS);
    }
    const [code] = await exit;
    expect(code).toBe(0);
    observer.turn();
    console.table(observer.outcomes);
    expect(observer.outcomes).toMatchObject({ torn: 0, wrong: 0 });
    expect(observer.outcomes.whole).toBeGreaterThan(0);
    expect(observer.followed).toBeGreaterThan(0);
    expect(observer.lastBatch).toBe(BATCHES);
  });
});

class StressObserver {
  readonly outcomes = { whole: 0, empty: 0, busy: 0, lapped: 0, torn: 0, wrong: 0 };
  turns = 0;
  /** Batches seen whole on the tape. */
  followed = 0;
  lastBatch = 0;
  readonly #reader: BookReader;
  readonly #tape: TapeReader;
  readonly #copy = new BookCopy(20);
  /** The levels folded from the tape, by side; null until the next reset. */
  #folded: [Map<number, number>, Map<number, number>] | null = null;
  #epoch = 0;
  #seq = 0;
  /** Changes whose commit has not been read yet. */
  #batch: { side: 0 | 1; price: number; size: number }[] = [];

  constructor(region: Region) {
    this.#reader = new BookReader(region);
    this.#tape = new TapeReader(region);
  }

  turn(): void {
    this.turns += 1;
    this.#readBook(this.turns % 2 === 0 ? PRIMARY : COMPLEMENT);
    for (let count = 0; count < TAPE_RECORDS_PER_TURN; count++) if (!this.#followTape()) break;
  }

  #readBook(view: View): void {
    const copy = this.#copy;
    if (!this.#reader.read(BOOK, view, copy)) this.outcomes.busy += 1;
    else if (copy.bids.count + copy.asks.count === 0) {
      if (copy.state === 'RESYNCING' || copy.state === 'CLOSED') this.outcomes.empty += 1;
      else this.outcomes.torn += 1;
    } else if (this.#isWhole(view)) this.outcomes.whole += 1;
    else this.outcomes.torn += 1;
  }

  /** The batch that the book's facts name is the one that its levels show, and now and then its checksum too. */
  #isWhole(view: View): boolean {
    const copy = this.#copy;
    const n = copy.venueTime;
    if (copy.state !== 'LIVE') return false;
    const isExpectedChecksum =
      this.turns % 16 !== 0 || copy.checksum === naiveChecksum(levelsOf(copy, BID), levelsOf(copy, ASK));
    const [bids, asks] = view === PRIMARY ? [copy.bids, copy.asks] : [copy.asks, copy.bids];
    if (view === COMPLEMENT) for (const { prices, count } of [bids, asks]) mirror(prices, count);
    this.lastBatch = n;
    return (
      isExpectedChecksum &&
      isSideOfBatch(n, BID, bids.count, bids.prices, bids.sizes) &&
      isSideOfBatch(n, ASK, asks.count, asks.prices, asks.sizes)
    );
  }

  /** Reads one record. Returns false if the tape has no further record. */
  #followTape(): boolean {
    const tape = this.#tape;
    const found = tape.read();
    if (found === TAPE_EMPTY) return false;
    if (found === TAPE_LAPPED) {
      this.outcomes.lapped += 1;
      this.#folded = null;
      this.#batch = [];
    } else if (tape.kind === RECORD_RESET) this.#takeBook();
    else if (tape.kind === RECORD_STATE) this.#folded = null;
    else if (tape.kind === RECORD_CHANGE) this.#fold();
    return true;
  }

  /** After a reset the book is taken from shared memory. It may be ahead of the tape already: `#fold` skips what it has. */
  #takeBook(): void {
    const copy = this.#copy;
    this.#folded = null;
    if (!this.#reader.read(BOOK, PRIMARY, copy) || copy.state !== 'LIVE') return;
    this.#folded = [entries(copy.bids), entries(copy.asks)];
    this.#epoch = copy.epoch;
    this.#seq = copy.seq;
  }

  #fold(): void {
    const { side, price, size, isCommit, epoch, seq, venueTime } = this.#tape;
    this.#batch.push({ side, price, size });
    if (!isCommit) return;
    const batch = this.#batch;
    this.#batch = [];
    const folded = this.#folded;
    if (folded === null || epoch < this.#epoch || (epoch === this.#epoch && seq <= this.#seq)) return;
    for (const change of batch) {
      if (change.size === 0) folded[change.side].delete(change.price);
      else folded[change.side].set(change.price, change.size);
    }
    const isNext = epoch === this.#epoch && seq === this.#seq + 1;
    this.#seq = seq;
    this.followed += 1;
    if (!isNext || !isFoldedBatch(venueTime, folded)) this.outcomes.wrong += 1;
  }
}

function isFoldedBatch(n: number, folded: readonly [Map<number, number>, Map<number, number>]): boolean {
  return [BID, ASK].every(side => {
    const sorted = [...folded[side as 0 | 1]].sort((a, b) => (side === BID ? b[0] - a[0] : a[0] - b[0]));
    const [prices, sizes] = [sorted.map(it => it[0]), sorted.map(it => it[1])];
    return isSideOfBatch(n, side as 0 | 1, sorted.length, prices, sizes);
  });
}

function entries({ count, prices, sizes }: BookCopy['bids']): Map<number, number> {
  return new Map(Array.from({ length: count }, (_, index) => [prices[index]!, sizes[index]!]));
}

function mirror(prices: Int32Array, count: number): void {
  for (let index = 0; index < count; index++) prices[index] = TICKS_PER_DOLLAR - prices[index]!;
}
