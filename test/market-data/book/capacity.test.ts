// Exhaustion of book ids, of ladder memory, and of tape reach within one batch. Only the affected market hears of it. All other books go on, and released
// memory is available again.

import { describe, expect, it } from 'vitest';
import { ASK, BID, type BookId, PRIMARY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import { ladderCapacity, sideLength } from '../../../src/market-data/book/layout.ts';
import { createArena, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookCopy, BookReader } from '../../../src/market-data/book/reader.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { BookObserver, levelsOf } from '../../support/book-observer.ts';

const CENT = 100 as Ticks;
const FINEST = 1 as Ticks;
const region = regionOf(createArena(), 'venue_a');

function openMarket(writer: BookWriter, step: Ticks, size = 5): BookId {
  const book = writer.openBook(step)!;
  writer.begin(book);
  writer.clear(book);
  writer.set(book, BID, 4_000 as Ticks, size as MicroShares);
  writer.set(book, ASK, 6_000 as Ticks, size as MicroShares);
  writer.commitSnapshot(book, 1 as UnixMillis);
  return book;
}

function bidsOf(book: BookId): unknown {
  const copy = new BookCopy(20);
  expect(new BookReader(region).read(book, PRIMARY, copy)).toBe(true);
  return levelsOf(copy, BID);
}

describe('books', () => {
  it('end at booksPerVenueMax; a released one makes room for one, which starts empty', () => {
    const writer = new BookWriter(region, () => {});
    const first = openMarket(writer, CENT);
    const second = openMarket(writer, CENT, 7);
    for (let opened = 2; opened < limits.booksPerVenueMax; opened++) expect(writer.openBook(CENT)).not.toBeNull();
    expect(writer.openBook(CENT)).toBeNull();
    expect(bidsOf(first)).toEqual([{ price: 4_000, size: 5 }]);
    writer.releaseBook(first);
    const reused = writer.openBook(CENT)!;
    expect(writer.openBook(CENT)).toBeNull();
    expect([writer.stateOf(reused), bidsOf(reused)]).toEqual(['RESYNCING', []]);
    expect(bidsOf(second)).toEqual([{ price: 4_000, size: 7 }]);
  });
});

describe('ladder memory', () => {
  it('ends at ladderBytesPerVenue, for the books that want it and for no other', () => {
    const bytes = 2 * 8 * sideLength(ladderCapacity(FINEST));
    const room = Math.floor(limits.ladderBytesPerVenue / bytes);
    const writer = new BookWriter(region, () => {});
    const coarse = openMarket(writer, CENT);
    const fine: BookId[] = [];
    for (let book = writer.openBook(FINEST); book !== null; book = writer.openBook(FINEST)) fine.push(book);
    expect(room - fine.length).toBeLessThanOrEqual(1);

    expect(writer.regrid(coarse, FINEST)).toBe(false);
    expect(bidsOf(coarse)).toEqual([{ price: 4_000, size: 5 }]);
    writer.begin(coarse);
    expect(writer.set(coarse, BID, 4_100 as Ticks, 1 as MicroShares)).toBe(true);
    expect(writer.commit(coarse, 2 as UnixMillis)).toBe(true);

    writer.releaseBook(fine.pop()!);
    expect(writer.regrid(coarse, FINEST)).toBe(true);
    expect(bidsOf(coarse)).toEqual([
      { price: 4_100, size: 1 },
      { price: 4_000, size: 5 },
    ]);
    expect(writer.openBook(FINEST)).toBeNull();
  });
});

describe('a batch larger than changesPerBatchMax', () => {
  it.each(['LIVE', 'STALE', 'HALTED'] as const)('reaches subscribers whole, and leaves a %s book so', state => {
    const writer = new BookWriter(region, () => {});
    const observer = new BookObserver(region);
    const book = openMarket(writer, FINEST);
    writer.setState(book, state, 'MARKET_PAUSED');
    writer.begin(book);
    const count = limits.changesPerBatchMax + 50;
    for (let index = 0; index < count; index++) writer.set(book, BID, (index + 1) as Ticks, 3 as MicroShares);
    expect(writer.commit(book, 2 as UnixMillis)).toBe(true);
    observer.follow();
    const followed = observer.books.get(book)!;
    expect(followed.levels[BID].size).toBe(count + 1);
    expect(new Map(levelsOf(observer.read(book, PRIMARY), BID).map(it => [it.price, it.size]))).toEqual(
      followed.levels[BID],
    );
    expect([writer.stateOf(book), followed.state]).toEqual([state, state]);
  });
});

describe('within an open batch', () => {
  const misuses: [string, (writer: BookWriter, book: BookId) => void][] = [
    ['another batch', (writer, book) => writer.begin(book)],
    ['a state', (writer, book) => writer.setState(book, 'STALE', 'SILENCE')],
    ['a regrid', (writer, book) => writer.regrid(book, FINEST)],
    ['a release', (writer, book) => writer.releaseBook(book)],
    ['a trade', (writer, book) => writer.trade(book, PRIMARY, 1 as Ticks, 1 as MicroShares, 0, 1 as UnixMillis, 'x')],
  ];

  it.each(misuses)('%s is a defect of the feed, and an error says so', (_what, misuse) => {
    const writer = new BookWriter(region, () => {});
    const book = openMarket(writer, CENT);
    writer.begin(book);
    writer.set(book, BID, 4_100 as Ticks, 1 as MicroShares);
    expect(() => misuse(writer, book)).toThrow('batch');
  });
});
