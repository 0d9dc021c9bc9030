// Kept markets are requested from their feed a few at a time, and again after a refusal. A kept market is released after a round in which
// nobody wanted it.

import { beforeEach, describe, expect, it } from 'vitest';
import { type BookId, type MarketKey, marketKey, PRIMARY } from '../../../src/core/domain/market.ts';
import { StreamBooks } from '../../../src/gateway/stream/books.ts';
import { KeptMarkets } from '../../../src/gateway/stream/kept-markets.ts';
import { limits } from '../../../src/limits.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf } from '../../../src/market-data/book/memory.ts';
import type { FeedRefusal, FeedSubscription } from '../../../src/venues/feed.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const VENUE = 'venue_b';
const index = new BookIndexWriter(indexOf(createArena()));
const [A, B] = ['KXA', 'KXB'];
const market = (ticker: string): MarketKey => marketKey(VENUE, ticker);
const DOWN: FeedRefusal = { code: 'VENUE_UNAVAILABLE', message: 'down' };
const UNKNOWN: FeedRefusal = { code: 'UNKNOWN_MARKET', message: 'no such' };

let timers: VirtualTimers;
/** The requests to the feed, in order. `+` means that a market is wanted, `-` that it is no longer wanted. */
let reported: string[];
let refused: string[];
let books: StreamBooks;
let kept: KeptMarkets;

beforeEach(() => {
  timers = new VirtualTimers();
  reported = [];
  refused = [];
  const source = {
    subscribe: (_venue: string, ticker: string) => void reported.push(`+${ticker}`),
    unsubscribe: (_venue: string, ticker: string) => void reported.push(`-${ticker}`),
  };
  books = new StreamBooks([], source, index, 0);
  kept = new KeptMarkets({ books, timers, onRefused: (_market, why) => void refused.push(why) });
  kept.beginRound();
});

/** Gives the feed's answer, and lets everybody who waited go on. */
async function answer(ticker: string, outcome: FeedSubscription | FeedRefusal = granted()): Promise<void> {
  books.settle(VENUE, ticker, outcome);
  await timers.settle();
}

const granted = (): FeedSubscription => ({ book: 1 as BookId, view: PRIMARY });
const wanted = (ticker: string) => books.find(market(ticker))?.users ?? 0;
/** A market with a linger of 0 is still released only in a later turn. */
const given = (what: string) => expect.poll(() => reported).toContain(what);

describe('a market', () => {
  it('is subscribed once, however often it is wanted', async () => {
    kept.keep(market(A));
    kept.keep(market(A));
    await answer(A);
    expect([reported, wanted(A), kept.count]).toEqual([[`+${A}`], 1, 1]);
  });

  it('stays through a round in which it is wanted, and is released after one in which it is not', async () => {
    for (const ticker of [A, B]) kept.keep(market(ticker));
    await answer(A);
    await answer(B);
    kept.beginRound();
    kept.keep(market(A));
    kept.endRound();
    await given(`-${B}`);
    expect([wanted(A), wanted(B), kept.count, reported]).toEqual([1, 0, 1, [`+${A}`, `+${B}`, `-${B}`]]);
  });

  it('that is not wanted any more when it is granted is released then', async () => {
    kept.keep(market(A));
    kept.beginRound();
    kept.endRound();
    expect(kept.count).toBe(0);
    await answer(A);
    await given(`-${A}`);
  });

  it('that is wanted anew before it was granted to the first is held once', async () => {
    kept.keep(market(A));
    kept.beginRound();
    kept.endRound();
    kept.keep(market(A));
    await answer(A);
    expect([wanted(A), kept.count, reported]).toEqual([1, 1, [`+${A}`]]);
  });
});

describe('a refused market', () => {
  it('is requested again, later each time, up to keptMarketRetryMsMax', async () => {
    kept.keep(market(A));
    const pauses: number[] = [];
    for (let times = 0; times < 9; times += 1) {
      await answer(A, DOWN);
      const askedBefore = reported.filter(it => it === `+${A}`).length;
      let pauseMs = 0;
      for (; reported.filter(it => it === `+${A}`).length === askedBefore; pauseMs += 500) await timers.settle(500);
      pauses.push(pauseMs);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(refused).toHaveLength(9);
    await answer(A);
    expect(wanted(A)).toBe(1);
  });

  it('that is unknown is requested again after keptMarketUnknownMs', async () => {
    kept.keep(market(A));
    await answer(A, UNKNOWN);
    await timers.settle(limits.keptMarketUnknownMs - 1);
    expect(reported).toEqual([`+${A}`, `-${A}`]);
    await timers.settle(1);
    expect(reported.at(-1)).toBe(`+${A}`);
  });

  it('is not requested again once it is not wanted, nor after the end', async () => {
    for (const ticker of [A, B]) kept.keep(market(ticker));
    await answer(A, DOWN);
    await answer(B, DOWN);
    kept.beginRound();
    kept.keep(market(B));
    kept.endRound();
    expect(timers.pending).toBe(1);
    kept.close();
    expect(timers.pending).toBe(0);
  });
});

describe('many markets', () => {
  const tickers = Array.from({ length: 20 }, (_, number) => `KX${number}`);

  it('are requested keptMarketsAskedMax at a time, refusals or not', async () => {
    for (const ticker of tickers) kept.keep(market(ticker));
    expect(reported).toEqual(tickers.slice(0, limits.keptMarketsAskedMax).map(it => `+${it}`));
    await answer(tickers[0]!);
    await answer(tickers[1]!, UNKNOWN);
    const asked = reported.filter(it => it.startsWith('+'));
    expect(asked).toEqual(tickers.slice(0, limits.keptMarketsAskedMax + 2).map(it => `+${it}`));
  });

  it('that end while they wait are never requested', async () => {
    for (const ticker of tickers) kept.keep(market(ticker));
    kept.beginRound();
    for (const ticker of tickers.slice(0, 10)) kept.keep(market(ticker));
    kept.endRound();
    for (const ticker of tickers.slice(0, 10)) await answer(ticker);
    expect(reported).toEqual(tickers.slice(0, 10).map(it => `+${it}`));
  });

  it('beyond keptMarketsMax are refused', () => {
    for (let number = 0; number <= limits.keptMarketsMax; number += 1) kept.keep(market(`KX-${number}`));
    expect([kept.count, refused]).toEqual([limits.keptMarketsMax, [expect.stringContaining('keptMarketsMax')]]);
  });

  it('are not requested after the end', async () => {
    for (const ticker of tickers) kept.keep(market(ticker));
    kept.close();
    await answer(tickers[0]!);
    expect(reported).toHaveLength(limits.keptMarketsAskedMax);
  });
});
