// Reads of a book by its market, in the requested frame: the prices of a LIVE book, and the last trade of any book.

import { beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID, type BookId, COMPLEMENT, PRIMARY, TAKER_BUY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { NO_PRICES } from '../../../src/core/domain/position.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { INDEX_VERSION } from '../../../src/market-data/book/layout.ts';
import { LiveBooks } from '../../../src/market-data/book/live-books.ts';
import { createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';

const [YES, NO] = ['1', '2'];
const arena = createArena();
const books = new LiveBooks(arena);
const index = new BookIndexWriter(indexOf(arena));
let writer: BookWriter;
let book: BookId;

beforeEach(() => {
  writer = new BookWriter(regionOf(arena, 'venue_a'), () => {});
  book = writer.openBook(1 as Ticks)!;
  index.put('venue_a', YES, { book, view: PRIMARY });
  index.put('venue_a', NO, { book, view: COMPLEMENT });
});

function snapshot(bids: readonly number[], asks: readonly number[]): void {
  writer.begin(book);
  writer.clear(book);
  for (const price of bids) writer.set(book, BID, price as Ticks, 5 as MicroShares);
  for (const price of asks) writer.set(book, ASK, price as Ticks, 7 as MicroShares);
  writer.commitSnapshot(book, 1 as UnixMillis);
}

const prices = () => [books.prices('venue_a', YES), books.prices('venue_a', NO)];
const best = () =>
  [YES, NO].map(it => ({ bid: books.best('venue_a', it, false), ask: books.best('venue_a', it, true) }));

describe('what is known of prices', () => {
  it('is of the best levels, either way round', () => {
    snapshot([4_000, 3_999], [4_100, 4_200]);
    expect(prices()).toEqual([
      { bid: 4_000, ask: 4_100, lastTrade: null },
      { bid: 5_900, ask: 6_000, lastTrade: null },
    ]);
  });

  it('is the same for one side at a time, while the book is LIVE and stays in its place', () => {
    expect(best()).toEqual([
      { bid: null, ask: null },
      { bid: null, ask: null },
    ]);
    snapshot([4_000, 3_999], [4_100, 4_200]);
    expect(best()).toEqual([
      { bid: 4_000, ask: 4_100 },
      { bid: 5_900, ask: 6_000 },
    ]);
    snapshot([], [4_300]);
    expect(best()).toEqual([
      { bid: null, ask: 4_300 },
      { bid: 5_700, ask: null },
    ]);
    index.put('venue_a', YES, { book, view: COMPLEMENT });
    expect(best()[0]).toEqual({ bid: 5_700, ask: null });
    index.remove('venue_a', YES);
    expect(best()[0]).toEqual({ bid: null, ask: null });
    expect(books.best('venue_a', 'another', true)).toBeNull();
  });

  it('leaves out the side that is empty', () => {
    snapshot([4_000], []);
    expect(prices()).toMatchObject([
      { bid: 4_000, ask: null },
      { bid: null, ask: 6_000 },
    ]);
  });

  it('has the last trade, in the frame of either outcome, until the book is another market’s', () => {
    snapshot([], []);
    writer.trade(book, COMPLEMENT, 5_800 as Ticks, 1 as MicroShares, TAKER_BUY, 1 as UnixMillis, 'id');
    expect(prices()).toMatchObject([{ lastTrade: 4_200 }, { lastTrade: 5_800 }]);
    writer.setLastTrade(book, 4_300 as Ticks);
    expect(prices()).toMatchObject([{ lastTrade: 4_300 }, { lastTrade: 5_700 }]);
    writer.releaseBook(book);
    expect(writer.openBook(1 as Ticks)).toBe(book);
    expect(prices()).toMatchObject([{ lastTrade: null }, { lastTrade: null }]);
  });

  it.each(['STALE', 'HALTED', 'CLOSED', 'RESYNCING'] as const)('of a %s book has no levels', state => {
    snapshot([4_000], [4_100]);
    writer.setLastTrade(book, 4_050 as Ticks);
    writer.setState(book, state, 'SILENCE');
    expect(prices()[0]).toEqual({ bid: null, ask: null, lastTrade: 4_050 });
    expect(books.sides('venue_a', YES)).toBeNull();
  });

  it('a market without a book, or at the other venue, has none', () => {
    snapshot([4_000], [4_100]);
    expect([books.prices('venue_a', '3'), books.prices('venue_b', YES)]).toEqual([NO_PRICES, NO_PRICES]);
    index.remove('venue_a', YES);
    expect(books.prices('venue_a', YES)).toEqual(NO_PRICES);
    expect(books.sides('venue_a', YES)).toBeNull();
  });
});

it('all levels come best first, either way round', () => {
  snapshot([4_000, 3_999], [4_100]);
  expect(books.sides('venue_a', NO)).toEqual({
    bids: [{ price: 5_900, size: 7 }],
    asks: [
      { price: 6_000, size: 5 },
      { price: 6_001, size: 5 },
    ],
  });
});

describe('6211: a write during which the system took the thread off its core', () => {
  const sleeps: number[] = [];
  let endsAfter = 0;
  let end = (): void => {};
  const patient = new LiveBooks(arena, ms => {
    sleeps.push(ms);
    if (sleeps.length === endsAfter) end();
  });
  beforeEach(() => {
    sleeps.length = 0;
  });
  const bestAsk = () => patient.best('venue_a', YES, true);

  it.each(['book', 'index'])('of the %s is waited for', written => {
    snapshot([], [4_100]);
    const begin = (ask: number): void => {
      writer.begin(book);
      writer.set(book, ASK, ask as Ticks, 5 as MicroShares);
      end = () => writer.commitSnapshot(book, 1 as UnixMillis);
      if (written === 'book') return;
      end();
      const turn = () => Atomics.add(indexOf(arena), INDEX_VERSION, 1);
      turn();
      end = turn;
    };
    endsAfter = 3;
    begin(4_000);
    expect(bestAsk()).toBe(4_000);
    expect(sleeps.splice(0)).toEqual([0.25, 0.5, 1]);
    begin(3_900);
    expect(patient.prices('venue_a', YES)).toEqual({ bid: null, ask: 3_900, lastTrade: null });
    expect(sleeps.splice(0)).toEqual([0.25, 0.5, 1]);

    // A write that does not end holds up one look-up for 32 ms, and no later look-up. No price is taken from before the write.
    endsAfter = Number.POSITIVE_INFINITY;
    begin(3_800);
    expect(bestAsk()).toBe('busy');
    expect(sleeps.splice(0)).toEqual([0.25, 0.5, 1, 2, 4, 8, 16]);
    expect(bestAsk()).toBe('busy');
    expect(sleeps).toEqual([]);
    end();
    expect(bestAsk()).toBe(3_800);
    endsAfter = 1;
    begin(3_700);
    expect(bestAsk()).toBe(3_700);
  });
});
