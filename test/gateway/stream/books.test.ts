// A market in use that a restarted feed cannot describe.

import { expect, it } from 'vitest';
import { BookIndexWriter } from '../../../src/book/book-index-writer.ts';
import { createArena, indexOf } from '../../../src/book/memory.ts';
import { type BookId, marketKey, PRIMARY } from '../../../src/domain/market.ts';
import { StreamBooks } from '../../../src/gateway/stream/books.ts';
import { STREAM_CODECS } from '../../../src/gateway/stream/clients.ts';
import { limits } from '../../../src/limits.ts';
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
  books.askAgain('venue_b');
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
  books.askAgain('venue_b');
  refuse();
  books.close();
  expect(timers.pending).toBe(0);
  timers.advance(limits.subscribeRetryMsMax);
  expect(asked).toEqual([]);
});
