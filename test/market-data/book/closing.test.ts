// No reader sees a book that closes as LIVE.

import { expect, it } from 'vitest';
import { PRIMARY } from '../../../src/core/domain/market.ts';
import type { Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { createArena, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookCopy, BookReader, WHOLE_BOOK } from '../../../src/market-data/book/reader.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { type BookSink, closeBook } from '../../../src/venues/feed.ts';

// A book that closed before it had levels was LIVE and empty for an instant. A reader at that instant saw a market without orders instead of a closed
// market.
it('0189: a book that closes is not LIVE for an instant', () => {
  const region = regionOf(createArena(), 'venue_b');
  const writer = new BookWriter(region, () => {});
  const reader = new BookReader(region);
  const copy = new BookCopy(WHOLE_BOOK);
  const book = writer.openBook(100 as Ticks)!;
  const seen: string[] = [];
  /** Records what a reader sees after each step, except within a batch. */
  const watched = new Proxy<BookSink>(writer, {
    get: (_, name: keyof BookSink) => {
      const step = writer[name] as unknown as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        const result = step.apply(writer, args);
        if (reader.read(book, PRIMARY, copy)) seen.push(`${copy.state} ${copy.seq}`);
        return result;
      };
    },
    set: (_, name: 'receivedAt', value: UnixMillis) => {
      writer[name] = value;
      return true;
    },
  });
  closeBook(watched, book, 'MARKET_CLOSED', 1_790_000_000_005 as UnixMillis);
  expect(seen[0]).toBe('RESYNCING 0');
  expect(seen.at(-1)).toBe('CLOSED 1');
  expect(seen.some(state => state.startsWith('LIVE'))).toBe(false);
});
