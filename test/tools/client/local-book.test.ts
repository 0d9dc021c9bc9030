// A subscriber's book against a plain map, and against streams with something missing, repeated or wrong.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID, type Level, type MarketKey, marketKey, type Side } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { connectWebSocket } from '../../../src/core/net/websocket.ts';
import type { Change, Delta, Snapshot } from '../../../src/core/wire/messages.ts';
import { limits } from '../../../src/limits.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';
import { LocalBook } from '../../../src/tools/client/local-book.ts';
import { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { MARKET, startRig, TICKER } from '../../support/stream-rig.ts';

const market: MarketKey = { venue: 'venue_b', ticker: 'KXNBAGAME-26NOV20BOSLAL-BOS' };
const EPOCH = 1_795_237_201_000;

const level = (price: number, size: number): Level => ({ price: price as Ticks, size: size as MicroShares });
const change = (side: Side, price: number, size: number): Change => ({ side, ...level(price, size) });

/** The server's books: levels in maps, and messages with right checksums. */
class Server {
  readonly sides = [new Map<Ticks, MicroShares>(), new Map<Ticks, MicroShares>()] as const;
  epoch = EPOCH;
  seq = 1;

  get bids(): Level[] {
    return this.#sorted(BID).reverse();
  }

  get asks(): Level[] {
    return this.#sorted(ASK);
  }

  snapshot(): Snapshot {
    return { type: 'snapshot', state: 'LIVE', bids: this.bids, asks: this.asks, ...this.#common() };
  }

  delta(...changes: readonly Change[]): Delta {
    this.seq += 1;
    for (const { side, price, size } of changes) {
      if (size === 0) this.sides[side].delete(price);
      else this.sides[side].set(price, size);
    }
    return { type: 'delta', prevSeq: this.seq - 1, changes, ...this.#common() };
  }

  #common() {
    const checksum = checksumLevels(this.bids, this.asks);
    const times = { venueTime: 0 as UnixMillis, receivedAt: EPOCH as UnixMillis };
    return { market, epoch: this.epoch, seq: this.seq, checksum, ...times };
  }

  #sorted(side: Side): Level[] {
    return [...this.sides[side]].sort(([a], [b]) => a - b).map(([price, size]) => ({ price, size }));
  }
}

function followed(): { server: Server; book: LocalBook } {
  const [server, book] = [new Server(), new LocalBook(market)];
  server.delta(change(BID, 5_000, 10_000_000), change(BID, 4_900, 5_000_000), change(ASK, 5_200, 7_000_000));
  expect(book.apply(server.snapshot())).toBe('applied');
  return { server, book };
}

describe('a local book', () => {
  it('has the levels of the server after every delta', () => {
    const changes = fc.array(
      fc.record({
        side: fc.constantFrom<Side>(BID, ASK),
        price: fc.integer({ min: 1, max: 60 }) as fc.Arbitrary<Ticks>,
        size: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2 ** 40 })) as fc.Arbitrary<MicroShares>,
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 40 }), batches => {
        const [server, book] = [new Server(), new LocalBook(market)];
        expect(book.apply(server.snapshot())).toBe('applied');
        for (const batch of batches) {
          expect(book.apply(server.delta(...batch))).toBe('applied');
          expect({ bids: book.bids, asks: book.asks }).toEqual({ bids: server.bids, asks: server.asks });
        }
      }),
    );
  });

  it('names the best levels and the other outcome', () => {
    const { book } = followed();
    expect(book.bestBid).toEqual(level(5_000, 10_000_000));
    expect(book.bestAsk).toEqual(level(5_200, 7_000_000));
    expect(book.no()).toEqual({
      bids: [level(4_800, 7_000_000)],
      asks: [level(5_000, 10_000_000), level(5_100, 5_000_000)],
    });
  });

  it('waits for a snapshot before it believes deltas', () => {
    const [server, book] = [new Server(), new LocalBook(market)];
    expect(book.apply(server.delta(change(BID, 5_000, 1)))).toBe('ignored');
    expect(book.isSynced).toBe(false);
    expect(book.apply(server.snapshot())).toBe('applied');
    expect(book.bids).toEqual([level(5_000, 1)]);
  });

  it.each([
    ['a missing delta', (server: Server) => void server.delta(change(BID, 100, 1))],
    [
      'a new epoch without its snapshot',
      (server: Server) => {
        server.epoch += 1;
        server.seq = 1;
      },
    ],
  ])('notices %s, empties itself and follows again from the next snapshot', (_what, disturb) => {
    const { server, book } = followed();
    disturb(server);
    expect(book.apply(server.delta(change(ASK, 9_000, 1)))).toBe('gap');
    expect({ isSynced: book.isSynced, bids: book.bids, bestAsk: book.bestAsk }).toEqual({
      isSynced: false,
      bids: [],
      bestAsk: null,
    });
    expect(book.apply(server.delta(change(ASK, 9_100, 1)))).toBe('ignored');
    expect(book.apply(server.snapshot())).toBe('applied');
    expect(book.apply(server.delta(change(ASK, 9_100, 0)))).toBe('applied');
    expect(book.asks).toEqual(server.asks);
  });

  it('ignores what it is past already: repeated deltas and those of an older epoch', () => {
    const { server, book } = followed();
    const old = server.delta(change(BID, 5_000, 3));
    expect(book.apply(old)).toBe('applied');
    expect(book.apply(old)).toBe('ignored');
    server.epoch += 1;
    expect(book.apply(server.snapshot())).toBe('applied');
    expect(book.apply({ ...old, seq: old.seq + 1 })).toBe('ignored');
    expect(book.bids).toEqual(server.bids);
  });

  it('notices a wrong checksum of a delta and of a snapshot', () => {
    const { server, book } = followed();
    const delta = server.delta(change(BID, 5_000, 4));
    expect(book.apply({ ...delta, changes: [change(BID, 5_000, 5)] })).toBe('checksum');
    expect({ isSynced: book.isSynced, bids: book.bids }).toEqual({ isSynced: false, bids: [] });
    expect(book.apply({ ...server.snapshot(), checksum: 1 })).toBe('checksum');
    expect(book.isSynced).toBe(false);
  });

  it('keeps its levels through HALTED and STALE, and empties itself when the server rebuilds it', () => {
    const { server, book } = followed();
    book.setState('STALE');
    expect({ state: book.state, bids: book.bids }).toEqual({ state: 'STALE', bids: server.bids });
    book.setState('RESYNCING');
    expect({ state: book.state, isSynced: book.isSynced, bids: book.bids }).toEqual({
      state: 'RESYNCING',
      isSynced: false,
      bids: [],
    });
  });

  it('knows from a heartbeat whether it is behind', () => {
    const { server, book } = followed();
    expect(book.isBehind(server.epoch, server.seq)).toBe(false);
    expect(book.isBehind(server.epoch, server.seq + 1)).toBe(true);
    expect(book.isBehind(server.epoch + 1, 1)).toBe(true);
    expect(book.isBehind(server.epoch - 1, server.seq + 9)).toBe(false);
    book.reset();
    expect(book.isBehind(server.epoch, server.seq + 1)).toBe(false);
  });
});

// Our client's book was LIVE before its levels had come. To the channel `trade`, subscribed first, the gateway sends the state at once.
// After a gap it may send one before the snapshot. A bot that trades on LIVE met a book without a price.
describe('0185: a state before its snapshot', () => {
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
});

// The stream's client put a market without a name, or with a name that is too long, into one message with all its other markets. The gateway refused
// the message, and the client sent the same message for ever, after each reconnection with all its markets.
describe('0092: a market that no gateway takes', () => {
  it.each(['', 'X'.repeat(limits.marketAddressCharactersMax + 1)])(
    'the others are subscribed to beside %j',
    async name => {
      const rig = await startRig();
      const stream = new OrderbookStream({ url: rig.url, connect: connectWebSocket });
      const impossible = marketKey('venue_b', name);
      const refused = new Promise(resolve => stream.on('refused', resolve));
      const reported = new Promise(resolve => stream.on('state', resolve));
      stream.subscribe('book', [impossible, MARKET]);
      stream.start();
      expect(await refused).toMatchObject({ code: 'UNKNOWN_MARKET', market: impossible, asksAgainInMs: null });
      expect(await reported).toEqual(MARKET);
      rig.snapshot(TICKER, 5_000, 5_200);
      await new Promise(resolve => stream.on('book', resolve));
      expect([stream.book(MARKET)?.isSynced, stream.book(impossible)]).toEqual([true, undefined]);
      const over = new Promise(resolve => stream.on('message', it => it.type === 'unsubscribed' && resolve(it)));
      stream.unsubscribe('book', [impossible, MARKET]);
      expect(await over).toMatchObject({ accepted: [MARKET], rejected: [] });
      stream.close();
      rig.close();
    },
  );
});
