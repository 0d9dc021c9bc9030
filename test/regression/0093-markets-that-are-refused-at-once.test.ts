// A market that its feed refused at once was kept in memory, 4 KB each, for as long as the feed might have taken. A client that asked for
// nonexistent markets, a hundred in a message, made the gateway keep those of ten seconds.

import { expect, it } from 'vitest';
import { BookIndexWriter } from '../../src/book/book-index-writer.ts';
import { createArena, indexOf } from '../../src/book/memory.ts';
import { type BookId, marketKey, PRIMARY } from '../../src/domain/market.ts';
import { StreamBooks } from '../../src/gateway/stream/books.ts';
import { STREAM_CODECS } from '../../src/gateway/stream/clients.ts';
import { limits } from '../../src/limits.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

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
