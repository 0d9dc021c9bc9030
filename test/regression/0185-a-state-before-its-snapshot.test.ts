// Our client's book was LIVE before its levels had come. To the channel `trade`, subscribed first, the gateway sends the state at once.
// After a gap it may send one before the snapshot. A bot that trades on LIVE met a book without a price.

import { describe, expect, it } from 'vitest';
import { LocalBook } from '../../src/client/local-book.ts';
import type { MarketKey } from '../../src/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import type { Delta, Snapshot } from '../../src/wire/messages.ts';

const market: MarketKey = { venue: 'venue_b', ticker: 'KXNBAGAME-26NOV21BOSLAL-BOS' };
const times = { venueTime: 0 as UnixMillis, receivedAt: 0 as UnixMillis };
const SNAPSHOT: Snapshot = {
  type: 'snapshot',
  market,
  epoch: 7,
  seq: 1,
  state: 'LIVE',
  bids: [],
  asks: [],
  checksum: 0,
  ...times,
};

describe('a book without its levels is RESYNCING', () => {
  it('before its first snapshot, in each state of its market', () => {
    const book = new LocalBook(market);
    book.setState('LIVE');
    expect([book.state, book.isSynced]).toEqual(['RESYNCING', false]);
    book.apply(SNAPSHOT);
    expect([book.state, book.isSynced]).toEqual(['LIVE', true]);
    book.setState('STALE');
    expect(book.state).toBe('STALE');
  });

  it('after a gap, until the requested snapshot', () => {
    const book = new LocalBook(market);
    book.apply(SNAPSHOT);
    const change = { side: 0, price: 4_700 as Ticks, size: 1_000_000 as MicroShares } as const;
    const delta: Delta = {
      type: 'delta',
      market,
      epoch: 7,
      seq: 3,
      prevSeq: 2,
      changes: [change],
      checksum: 0,
      ...times,
    };
    expect(book.apply(delta)).toBe('gap');
    book.setState('LIVE');
    expect(book.state).toBe('RESYNCING');
  });
});
