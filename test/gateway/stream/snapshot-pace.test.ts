// Many books continue with a snapshot at once, as after a venue's reconnection. Between two checks for slow readers, the gateway sends no
// more than every socket takes.

import { describe, expect, it } from 'vitest';
import { fullActorId } from '../../../src/core/domain/identity.ts';
import { BID, marketKey, PRIMARY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { Connection } from '../../../src/core/net/listen.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { StreamBooks } from '../../../src/gateway/stream/books.ts';
import { StreamSession } from '../../../src/gateway/stream/session.ts';
import { TurnQueue } from '../../../src/gateway/stream/streaming.ts';
import { VenueStream } from '../../../src/gateway/stream/venue-stream.ts';
import { limits } from '../../../src/limits.ts';
import { orderOf } from '../../support/memory-order-feed.ts';
import { memoryBooks } from '../../support/memory-stream.ts';
import { ANYBODY } from '../../support/stream-rig.ts';
import { OrderRig } from './order-rig.ts';

const NOW = 1_790_000_000_000 as UnixMillis;
const LEVELS = 1_000;
const BOOKS = 100;

it('slow clients are looked for before any snapshot goes out, and again after snapshotBytesPerTurn', () => {
  const { region, writer, books } = memoryBooks(NOW);
  /** The bytes that were published after each look. */
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

// Before, ten reads of one key made all other orders and books wait for 30 to 90 ms, and longer with deep books.
describe('0243: a thousand books for one client', () => {
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
      const markets = MARKETS.slice(start, start + limits.marketsPerSubscribeMax).map(market => ({
        market,
        side: null,
      }));
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

  /** Returns books of every market of MARKETS, with a level each. Another client has requested the books. */
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
      ping() {},
      bufferedBytes: () => 0,
      end() {},
      terminate() {},
    };
  }
});

// Before, each client read a page in every turn of the main thread. A hundred clients kept all others waiting for 100 to 180 ms, again and
// again.
describe('0244: many who have much to read', () => {
  const CLIENTS = 10;
  const PAGES = 3;

  it('read one after another, and everything in the end', async () => {
    const rig = new OrderRig();
    for (let event = 0; event < PAGES * limits.orderEventsPerReadMax; event += 1) rig.feed.commit(fullActorId(ANYBODY));
    const clients = Array.from({ length: CLIENTS }, () => rig.connect());
    rig.feed.isHeld = true;
    for (const client of clients) await client.subscribe(0);
    rig.feed.release();
    for (let page = 1; page <= PAGES * CLIENTS; page++) {
      await rig.timers.settle();
      const read = clients.reduce((sum, { cursors }) => sum + cursors.length, 0);
      expect(read).toBe(page * limits.orderEventsPerReadMax);
    }
    for (const { cursors } of clients) expect(cursors).toHaveLength(PAGES * limits.orderEventsPerReadMax);
    expect(rig.feed.underWayMax).toBe(1);
  });

  it('a slice of each between two turns of everything else', () => {
    const turns: (() => void)[] = [];
    const queue = new TurnQueue(task => void turns.push(task));
    const ran: string[] = [];
    const twice = (name: string) => (): void => {
      ran.push(name);
      if (ran.filter(it => it === name).length < 2) queue.add(twice(name));
    };
    for (const name of ['a', 'b', 'c']) queue.add(twice(name));
    const callOff = queue.add(() => ran.push('never'));
    callOff();
    const lengths: number[] = [];
    while (turns.length > 0) {
      expect(turns).toHaveLength(1);
      turns.shift()!();
      lengths.push(ran.length);
    }
    expect(ran).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(lengths).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

// Before, open orders were read and written in one turn of the main thread, as many as the connection took. For one read of their actor, 4
// 000 orders kept all others waiting for 70 ms.
describe('0242: open orders a part in a turn', () => {
  const PARTS = 5;
  const ACTOR = fullActorId(ANYBODY);

  it('open orders are sent a part in a turn, and then what happened meanwhile', async () => {
    const rig = new OrderRig();
    rig.feed.commit(ACTOR);
    rig.feed.prune(1);
    rig.feed.open = Array.from({ length: PARTS * limits.ordersPerSnapshotMax }, (_, number) => orderOf(ACTOR, number));
    const client = rig.connect();
    await client.subscribe(0);
    // After CURSOR_EXPIRED, the client gets the last cursor, then the first part.
    for (let turn = 0; turn < 2; turn++) await rig.timers.settle();
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    const reported = (): boolean[] =>
      client.heard.flatMap(message => (message.type === 'ordersSnapshot' ? [message.hasMore] : []));
    expect([reported(), client.cursors]).toEqual([[true], []]);
    await rig.settle();
    expect(reported()).toEqual([true, true, true, true, false]);
    expect(client.cursors).toEqual([2]);
  });
});
