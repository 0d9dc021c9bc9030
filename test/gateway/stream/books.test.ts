// A market in use that its restarted feed cannot describe.

import { describe, expect, it } from 'vitest';
import { type BookId, marketKey, PRIMARY } from '../../../src/core/domain/market.ts';
import { StreamBook } from '../../../src/gateway/stream/book.ts';
import { StreamBooks } from '../../../src/gateway/stream/books.ts';
import { STREAM_CODECS } from '../../../src/gateway/stream/clients.ts';
import { OwedSnapshots } from '../../../src/gateway/stream/market-subscriptions.ts';
import { limits } from '../../../src/limits.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf } from '../../../src/market-data/book/memory.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const MARKETS = ['KXA', 'KXB'];
const REFUSAL = { code: 'VENUE_UNAVAILABLE', message: 'HTTP 503' } as const;

function restarted() {
  const timers = new VirtualTimers();
  const asked: string[] = [];
  const source = { subscribe: (_venue: string, address: string) => void asked.push(address), unsubscribe() {} };
  const books = new StreamBooks(STREAM_CODECS, source, new BookIndexWriter(indexOf(createArena())), 0, timers);
  const bind = (ticker: string) =>
    books.settle('venue_b', ticker, { book: MARKETS.indexOf(ticker) as BookId, view: PRIMARY });
  for (const ticker of MARKETS) {
    void books.acquire(marketKey('venue_b', ticker));
    bind(ticker);
  }
  asked.length = 0;
  books.unbind('venue_b');
  books.subscribeAgain('venue_b');
  const refuse = (): void => {
    for (const ticker of asked.splice(0)) books.settle('venue_b', ticker, REFUSAL);
  };
  return { timers, asked, books, bind, refuse };
}

it('a refused market is requested again with all others, at growing intervals', () => {
  const { timers, asked, refuse } = restarted();
  const pauses: number[] = [];
  for (let refusals = 0; refusals < 8; refusals++) {
    refuse();
    let pause = 0;
    for (; pause < 60 && asked.length === 0; pause++) timers.advance(limits.subscribeRetryMs);
    expect(asked).toEqual(MARKETS);
    pauses.push(pause);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
});

it('the intervals of a described market begin anew, and a market that nobody wants is not requested', () => {
  const { timers, asked, books, bind, refuse } = restarted();
  refuse();
  timers.advance(limits.subscribeRetryMs);
  for (const ticker of asked.splice(0)) bind(ticker);
  expect(timers.pending).toBe(0);
  books.unbind('venue_b');
  books.subscribeAgain('venue_b');
  refuse();
  books.close();
  expect(timers.pending).toBe(0);
  timers.advance(limits.subscribeRetryMsMax);
  expect(asked).toEqual([]);
});

// Before, a market that its feed refused at once was kept in memory, 4 KB each, for as long as the feed might have taken. A client that
// asked for a hundred nonexistent markets per message made the gateway keep the markets of ten seconds.
describe('0093: markets that are refused at once', () => {
  const TICKER = 'KXA';

  function wanted() {
    const timers = new VirtualTimers();
    const source = { subscribe() {}, unsubscribe() {} };
    const books = new StreamBooks(STREAM_CODECS, source, new BookIndexWriter(indexOf(createArena())), 0, timers);
    const answer = books.acquire(marketKey('venue_b', TICKER));
    return { timers, books, answer };
  }

  it.each([
    ['refused', { code: 'UNKNOWN_MARKET', message: 'no' }],
    ['known', { book: 0 as BookId, view: PRIMARY }],
  ] as const)('nothing waits for the answer about a market that is %s', async (_which, outcome) => {
    const { timers, books, answer } = wanted();
    expect(timers.pending).toBe(1);
    books.settle('venue_b', TICKER, outcome);
    expect(await answer).toMatchObject('code' in outcome ? { refusal: outcome } : { book: { address: TICKER } });
    expect(timers.pending).toBe(0);
  });

  it('a market of which its feed says nothing is refused for now', async () => {
    const { timers, books, answer } = wanted();
    timers.advance(limits.subscribeAnswerMs);
    expect(await answer).toMatchObject({ refusal: { code: 'VENUE_UNAVAILABLE' } });
    expect([timers.pending, books.of('venue_b')]).toEqual([0, []]);
  });

  it('when the gateway ends, nothing is waited for', async () => {
    const { timers, books, answer } = wanted();
    books.close();
    expect(await answer).toMatchObject({ refusal: { code: 'VENUE_UNAVAILABLE' } });
    expect(timers.pending).toBe(0);
  });
});

// Before, the earlier request was forgotten if it had to wait for room. Its snapshot never came, and a book that needed the snapshot after
// a gap stayed empty.
describe('0245: requests of one id', () => {
  const [first, second] = ['KXTEST-A', 'KXTEST-B'].map(
    (ticker, at) => new StreamBook(marketKey('venue_b', ticker), at, []),
  );

  it('requests of one id are each answered', () => {
    const owed = new OwedSnapshots();
    owed.add('1', [first!]);
    owed.add('1', [second!]);
    expect([owed.has(first!), owed.has(second!)]).toEqual([true, true]);
    expect(owed.settle(first!)).toEqual(['1']);
    expect(owed.settle(second!)).toEqual(['1']);
  });

  it('requests of one id each count in snapshotsOwedMax', () => {
    const owed = new OwedSnapshots();
    for (let count = 0; count < limits.snapshotsOwedMax; count += 1) {
      expect(owed.hasRoom).toBe(true);
      owed.add('1', [first!]);
    }
    expect(owed.hasRoom).toBe(false);
  });
});
