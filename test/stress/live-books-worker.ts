// The writing thread of the stress run of the index. There are more markets than books, so books go from market to market all the time, as
// main thread and feed do it. A book leaves the index, is released, is opened for another market, and enters the index again. Some markets
// stay.

import { workerData } from 'node:worker_threads';
import { ASK, BID, type BookId, PRIMARY } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { BookIndexWriter } from '../../src/market-data/book/book-index-writer.ts';
import { indexOf, regionOf } from '../../src/market-data/book/memory.ts';
import { BookWriter } from '../../src/market-data/book/writer.ts';
import type { StressOptions } from './stress-book.ts';
import { DONE, STARTED } from './stress-book.ts';
import { askOf, bidOf, KEPT, MARKETS, nameOf, ROUNDS } from './stress-markets.ts';

const { arena, control } = workerData as StressOptions;
const flags = new Int32Array(control);
const writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
const index = new BookIndexWriter(indexOf(arena));

for (let market = 0; market < KEPT; market++) carry(market);
const carried: { market: number; book: BookId }[] = [];
Atomics.store(flags, STARTED, 1);
Atomics.notify(flags, STARTED);
try {
  for (let round = 0; round < ROUNDS; round++) {
    if (carried.length === 3) drop(carried.shift()!);
    const market = KEPT + (round % (MARKETS - KEPT));
    carried.push({ market, book: carry(market) });
  }
} finally {
  Atomics.store(flags, DONE, 1);
}

function carry(market: number): BookId {
  const book = writer.openBook(50 as Ticks)!;
  index.put('venue_b', nameOf(market), { book, view: PRIMARY });
  writer.begin(book);
  writer.clear(book);
  writer.set(book, BID, bidOf(market) as Ticks, 1 as MicroShares);
  writer.set(book, ASK, askOf(market) as Ticks, 1 as MicroShares);
  writer.commitSnapshot(book, 1 as UnixMillis);
  return book;
}

function drop({ market, book }: { readonly market: number; readonly book: BookId }): void {
  index.remove('venue_b', nameOf(market));
  writer.releaseBook(book);
}
