// Many books continue with a snapshot at once, as after a venue's reconnection. Between two checks for slow readers no more is sent than
// every socket takes.

import { expect, it } from 'vitest';
import { BID, marketKey, PRIMARY } from '../../../src/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/domain/numbers.ts';
import { VenueStream } from '../../../src/gateway/stream/venue-stream.ts';
import { limits } from '../../../src/limits.ts';
import { jsonCodec } from '../../../src/wire/json.ts';
import { memoryBooks } from '../../support/memory-stream.ts';

const NOW = 1_790_000_000_000 as UnixMillis;
const LEVELS = 1_000;
const BOOKS = 100;

it('slow clients are looked for before any snapshot goes out, and again after snapshotBytesPerTurn', () => {
  const { region, writer, books } = memoryBooks(NOW);
  /** Bytes that were published after each look. */
  const bursts: number[] = [];
  const turns: (() => void)[] = [];
  let bytesOfOne = 0;
  const stream = new VenueStream({
    venue: 'venue_b',
    region,
    books,
    publish: (_topic, frame) => {
      expect(bursts.length).toBeGreaterThan(0);
      bytesOfOne = Math.max(bytesOfOne, frame.byteLength);
      bursts[bursts.length - 1]! += frame.byteLength;
    },
    suspendLaggards: () => void bursts.push(0),
    now: () => NOW,
    yieldTo: task => void turns.push(task),
  });
  for (let index = 0; index < BOOKS; index++) {
    const ticker = `KXTEST-${index}`;
    void books.acquire(marketKey('venue_b', ticker));
    const book = writer.openBook(1 as Ticks)!;
    writer.begin(book);
    for (let price = 1; price <= LEVELS; price++) writer.set(book, BID, price as Ticks, 123_456_789 as MicroShares);
    writer.commitSnapshot(book, NOW);
    const bound = books.settle('venue_b', ticker, { book, view: PRIMARY })!;
    bound.outletOf(jsonCodec).subscribers.book = 1;
    stream.begin(bound);
  }
  while (turns.length > 0) turns.shift()!();
  expect(stream.counts.snapshots).toBe(BOOKS);
  expect(Math.max(...bursts)).toBeLessThanOrEqual(limits.snapshotBytesPerTurn + bytesOfOne);
  expect(bursts.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(4 * limits.snapshotBytesPerTurn);
});
