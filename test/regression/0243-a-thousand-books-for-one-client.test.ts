// Found by measuring: a client that asked for a thousand books, as after a reconnection, got all snapshots in one turn of the main thread.
// Everybody else's orders and books waited for 30 to 90 ms, longer with deep books, for ten reads of its key.

import { expect, it } from 'vitest';
import { BID, marketKey, PRIMARY } from '../../src/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import type { StreamBooks } from '../../src/gateway/stream/books.ts';
import { StreamSession } from '../../src/gateway/stream/session.ts';
import { VenueStream } from '../../src/gateway/stream/venue-stream.ts';
import { limits } from '../../src/limits.ts';
import type { Connection } from '../../src/net/listen.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import { memoryBooks } from '../support/memory-stream.ts';
import { ANYBODY } from '../support/stream-rig.ts';

const NOW = 1_790_000_000_000 as UnixMillis;
const MARKETS = Array.from({ length: 300 }, (_, number) => marketKey('venue_b', `KXTEST-${number}`));
const SNAPSHOTS_PER_TURN_MAX = 64;

it('the books go out a turn’s worth at a time, and whole in the end', async () => {
  const turns: (() => void)[] = [];
  const yieldTo = (task: () => void): void => void turns.push(task);
  const runTurn = (): void => {
    for (const task of turns.splice(0)) task();
  };
  const { books, stream } = publishedBooks(yieldTo);
  for (let turn = 0; turns.length > 0 && turn < 100; turn += 1) runTurn();

  const frames: string[] = [];
  const reported = (type: string): number => frames.filter(frame => frame.startsWith(`{"type":"${type}"`)).length;
  const own = { codec: jsonCodec, key: ANYBODY, orders: null, takeRead: () => true, nowMs: () => NOW, yieldTo };
  const session = new StreamSession({ ...own, books, streams: { venue_a: stream, venue_b: stream } }, to(frames));
  for (let start = 0; start < MARKETS.length; start += limits.marketsPerSubscribeMax) {
    const markets = MARKETS.slice(start, start + limits.marketsPerSubscribeMax).map(market => ({ market, side: null }));
    session.receive(jsonCodec.encodeClient({ op: 'subscribe', id: String(start), channel: 'book', markets }));
  }
  await new Promise(setImmediate);
  expect(reported('subscribed')).toBe(3);
  let before = 0;
  for (let turn = 0; turns.length > 0; turn += 1) {
    expect(reported('snapshot') - before).toBeLessThanOrEqual(SNAPSHOTS_PER_TURN_MAX);
    before = reported('snapshot');
    expect(turn).toBeLessThan(100);
    runTurn();
  }
  expect([reported('snapshot'), reported('snapshotsDone')]).toEqual([MARKETS.length, 3]);
  books.close();
});

/** Every market of MARKETS, with a level; somebody else has asked for them. */
function publishedBooks(yieldTo: (task: () => void) => void): { books: StreamBooks; stream: VenueStream } {
  const { region, writer, books } = memoryBooks(NOW);
  const parts = {
    venue: 'venue_b',
    region,
    books,
    publish() {},
    suspendLaggards() {},
    now: () => NOW,
    yieldTo,
  } as const;
  const stream = new VenueStream(parts);
  for (const market of MARKETS) {
    void books.acquire(market);
    const book = writer.openBook(100 as Ticks)!;
    writer.begin(book);
    writer.set(book, BID, 5_000 as Ticks, 1_000_000 as MicroShares);
    writer.commitSnapshot(book, NOW);
    stream.begin(books.settle('venue_b', market.venue === 'venue_b' ? market.ticker : '', { book, view: PRIMARY })!);
  }
  return { books, stream };
}

/** A connection that takes everything at once. */
function to(frames: string[]): Connection<null> {
  return {
    context: null,
    send: frame => {
      frames.push(Buffer.from(frame).toString());
      return true;
    },
    batch: task => task(),
    subscribe() {},
    unsubscribe() {},
    bufferedBytes: () => 0,
    end() {},
    terminate() {},
  };
}
