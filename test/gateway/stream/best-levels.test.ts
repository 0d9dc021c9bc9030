// `depth` of the channel book, and the channel quote, beside naive twins. The twins are books in two Maps, from which the best levels are
// cut anew each time.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID, type BookId, type Level, type Side } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { Quote, ServerMessage } from '../../../src/core/wire/messages.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { LocalBook } from '../../../src/tools/client/local-book.ts';
import { type MemoryClient, MemoryStream, named } from '../../support/memory-stream.ts';
import { NaiveBook } from '../../support/naive-book.ts';

const TICKER = 'KXTEST-26NOV21AAABBB-AAA';
const DEPTHS = [1, 2, 3, 12, 100];
const INTERVALS = [0, 50, 200];

type SetLevel = readonly [side: Side, price: Ticks, size: MicroShares];

type Step =
  | { readonly do: 'change' | 'snapshot'; readonly levels: readonly SetLevel[] }
  | { readonly do: 'state'; readonly state: 'LIVE' | 'STALE' | 'HALTED' | 'RESYNCING' }
  | { readonly do: 'drain' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'follow'; readonly depth: number; readonly codec: typeof jsonCodec }
  | { readonly do: 'quote'; readonly intervalMs: number; readonly codec: typeof jsonCodec };

const setLevel: fc.Arbitrary<SetLevel> = fc
  .tuple(fc.constantFrom<Side>(BID, ASK), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 2 }))
  .map(([side, away, size]) => [
    side,
    (side === BID ? 5_000 - away * 100 : 5_000 + away * 100) as Ticks,
    (size * 1_000_000) as MicroShares,
  ]);
const codec = fc.constantFrom(jsonCodec, protobufCodec);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      levels: fc.array(setLevel, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('drain' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 120 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('snapshot' as const), levels: fc.array(setLevel, { maxLength: 12 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('state' as const),
      state: fc.constantFrom('LIVE', 'STALE', 'HALTED', 'RESYNCING'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('follow' as const), depth: fc.constantFrom(...DEPTHS), codec }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('quote' as const), intervalMs: fc.constantFrom(...INTERVALS), codec }),
  },
);

/** One market, its naive twin, and the clients that follow it. */
class Market {
  readonly rig = new MemoryStream();
  readonly naive = new NaiveBook(100 as Ticks);
  readonly #followers: Follower[] = [];
  readonly #watchers: Watcher[] = [];
  readonly #book: BookId;

  private constructor(book: BookId, rig: MemoryStream) {
    this.rig = rig;
    this.#book = book;
  }

  static async open(): Promise<Market> {
    const rig = new MemoryStream();
    void rig.books.acquire(named(TICKER).market);
    return new Market(rig.open(TICKER), rig);
  }

  async perform(step: Step): Promise<void> {
    switch (step.do) {
      case 'change':
        if (this.naive.state !== 'RESYNCING') this.#write(step.levels, false);
        return;
      case 'snapshot':
        this.#write(step.levels, true);
        return;
      case 'state':
        this.#setState(step.state);
        return;
      case 'wait':
        this.rig.timers.advance(step.ms);
        return;
      case 'follow':
        this.#followers.push(await Follower.join(this.rig.connect(step.codec), step.depth));
        return;
      case 'quote':
        this.#watchers.push(await Watcher.join(this.rig, step.intervalMs, step.codec));
        return;
      case 'drain':
        this.compare();
        return;
      default:
        throw new Error('no such step');
    }
  }

  /** Publishes the written changes, and compares the books of every client. */
  compare(): void {
    this.rig.drain();
    for (const follower of this.#followers) follower.expect(this.naive);
    for (const watcher of this.#watchers) watcher.read();
  }

  /** Lets every interval end. After that each quote is the latest. */
  end(): void {
    this.compare();
    this.rig.timers.advance(Math.max(...INTERVALS));
    for (const watcher of this.#watchers) watcher.expectLatest(this.naive);
    expect(this.rig.timers.pending).toBe(0);
    this.rig.close();
  }

  #write(levels: readonly SetLevel[], isSnapshot: boolean): void {
    const { writer } = this.rig;
    writer.begin(this.#book);
    this.naive.begin();
    if (isSnapshot) {
      writer.clear(this.#book);
      this.naive.clear();
    }
    for (const [side, price, size] of levels) {
      writer.set(this.#book, side, price, size);
      this.naive.set(side, price, size);
    }
    if (isSnapshot) {
      writer.commitSnapshot(this.#book, this.rig.timers.now());
      this.naive.commitSnapshot();
    } else {
      writer.commit(this.#book, this.rig.timers.now());
      this.naive.commit();
    }
  }

  /** Only a snapshot ends RESYNCING. */
  #setState(state: 'LIVE' | 'STALE' | 'HALTED' | 'RESYNCING'): void {
    if (this.naive.state === 'RESYNCING') return;
    const reason = state === 'LIVE' ? 'RESUMED' : state === 'STALE' ? 'SILENCE' : 'MARKET_PAUSED';
    this.rig.writer.setState(this.#book, state, reason);
    this.naive.setState(state, reason);
  }
}

/** A client that keeps the best levels of the book, as our own client does. */
class Follower {
  readonly #client: MemoryClient;
  readonly #depth: number;
  readonly #book = new LocalBook(named(TICKER).market);
  #levels = '';

  private constructor(client: MemoryClient, depth: number) {
    this.#client = client;
    this.#depth = depth;
  }

  static async join(client: MemoryClient, depth: number): Promise<Follower> {
    await client.say({ op: 'subscribe', id: 'f', channel: 'book', depth, markets: [named(TICKER)] });
    return new Follower(client, depth);
  }

  expect(naive: NaiveBook): void {
    const messages = this.#client.take();
    for (const message of messages) this.#apply(message);
    expect(this.#book.isSynced).toBe(naive.state !== 'RESYNCING');
    expect(this.#book.state).toBe(naive.state);
    const [bids, asks] = ([BID, ASK] as const).map(side => naive.side(side).slice(0, this.#depth));
    expect({ bids: this.#book.bids, asks: this.#book.asks }).toEqual({ bids, asks });
    const levels = JSON.stringify([naive.epochs, bids, asks]);
    const deltas = messages.filter(({ type }) => type === 'delta');
    if (levels === this.#levels) expect(deltas).toEqual([]);
    this.#levels = levels;
  }

  #apply(message: ServerMessage): void {
    if (message.type === 'state') this.#book.setState(message.state);
    if (message.type === 'snapshot' || message.type === 'delta') expect(this.#book.apply(message)).toBe('applied');
  }
}

/** A client that keeps quotes, and the time at which each quote came. */
class Watcher {
  readonly #rig: MemoryStream;
  readonly #client: MemoryClient;
  readonly #intervalMs: number;
  #last: Quote | null = null;
  #count = 0;

  private constructor(rig: MemoryStream, client: MemoryClient, intervalMs: number) {
    this.#rig = rig;
    this.#client = client;
    this.#intervalMs = intervalMs;
  }

  static async join(rig: MemoryStream, intervalMs: number, codec: typeof jsonCodec): Promise<Watcher> {
    const client = rig.connect(codec);
    await client.say({
      op: 'subscribe',
      id: 'q',
      channel: 'quote',
      minIntervalMs: intervalMs,
      markets: [named(TICKER)],
    });
    return new Watcher(rig, client, intervalMs);
  }

  /** Reads the quotes, and checks that each quote differs from the quote before it. */
  read(): void {
    for (const message of this.#client.take()) {
      if (message.type !== 'quote') continue;
      this.#count += 1;
      if (this.#last !== null) expect(facts(message)).not.toEqual(facts(this.#last));
      this.#last = message;
    }
    expect(this.#count).toBeGreaterThan(0);
  }

  expectLatest(naive: NaiveBook): void {
    this.read();
    const [bid, ask] = ([BID, ASK] as const).map(side => naive.side(side)[0] ?? null);
    expect(facts(this.#last!), `${this.#intervalMs} ms at ${this.#rig.timers.elapsed()}`).toEqual({
      state: naive.state,
      bid,
      ask,
    });
  }
}

function facts({ state, bid, ask }: Quote): { state: string; bid: Level | null; ask: Level | null } {
  return { state, bid, ask };
}

describe('the best levels of a book', () => {
  it('are those of a naive twin, in every message, for every depth and interval', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async steps => {
        const market = await Market.open();
        for (const it of steps) await market.perform(it);
        market.end();
      }),
      { numRuns: 150 },
    );
  });
});
