// Venue B's market data for benchmarks: markets, their deltas as venue frames, and a feed thread's work with them.

import { uniformGrid } from '../src/core/domain/grid.ts';
import { ASK, BID } from '../src/core/domain/market.ts';
import {
  MICROS_PER_SHARE,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../src/core/domain/numbers.ts';
import { FeedCounters } from '../src/core/metrics/feed-counters.ts';
import { silentLog } from '../src/core/runtime/log.ts';
import { createArena, regionOf } from '../src/market-data/book/memory.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';
import { applyDelta, BookFrame } from '../src/venues/venue-b/book-updates.ts';
import { FrameHandler } from '../src/venues/venue-b/frame-handler.ts';
import { DELTA, FrameScanner } from '../src/venues/venue-b/frame-scanner.ts';
import { MarketDirectory } from '../src/venues/venue-b/market-directory.ts';
import { StreamSubscriptions } from '../src/venues/venue-b/subscription.ts';
import { randomNumbers, type Work } from './harness.ts';

const SID = 1;
const STEP = 100 as Ticks;
const LEVELS = 30;
const START_MS = 1_786_085_188_000;

/** Returns a work that repeats from first to last. */
export function circling(count: number, one: (index: number) => number): Work {
  let at = 0;
  return times => {
    let sum = 0;
    for (let done = 0; done < times; done += 1) {
      sum += one(at);
      at = at + 1 === count ? 0 : at + 1;
    }
    return sum;
  };
}

export function tickersOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const [game, team] = [String(index >> 1).padStart(4, '0'), index & 1 ? 'BOS' : 'LAL'];
    return `KXNBAGAME-26NOV21${game}BOSLAL-${team}`;
  });
}

/** Deltas in pairs, so that books end a round as they began; the pairs of all markets are mixed. */
export function framesOf(tickers: readonly string[], isShuffled: boolean): string[] {
  const random = randomNumbers(7);
  const marketCount = tickers.length;
  const order = Array.from({ length: 2 * marketCount }, (_, index) => index % marketCount);
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  const added = new Map<number, { price: string; size: string; side: string }>();
  return order.map((market, index) => {
    const change = added.get(market) ?? {
      price: `0.${String(1 + Math.floor(random() * LEVELS)).padStart(2, '0')}00`,
      size: `${1 + Math.floor(random() * 2_000)}.${String(Math.floor(random() * 100)).padStart(2, '0')}`,
      side: random() < 0.5 ? 'yes' : 'no',
    };
    const size = added.has(market) ? `-${change.size}` : change.size;
    added.set(market, change);
    const time = START_MS + index;
    const ts = `${new Date(time).toISOString().slice(0, -1)}${String(index % 1_000).padStart(3, '0')}Z`;
    const msg = {
      market_ticker: tickers[market],
      market_id: `957ed958-9b9b-4a98-b024-${String(market).padStart(12, '0')}`,
      price_dollars: change.price,
      delta_fp: size,
      side: change.side,
      ts,
      ts_ms: time,
    };
    const frame = { type: 'orderbook_delta', sid: SID, seq: index + 1, msg, sending_ts_ms: time + 3 };
    return `${JSON.stringify(isShuffled ? shuffled({ ...frame, msg: shuffled(msg, random) }, random) : frame)}\n`;
  });
}

function shuffled(object: object, random: () => number): object {
  const members = Object.entries(object).map(member => ({ member, at: random() }));
  return Object.fromEntries(members.sort((a, b) => a.at - b.at).map(({ member }) => member));
}

/** Books of markets, and a feed thread's handling of frames. Each such thread has one instance. */
export class Feed {
  readonly #sink = new BookWriter(regionOf(createArena(), 'venue_b'), () => {});
  readonly #markets = new MarketDirectory();
  readonly #frame = new BookFrame();
  readonly #scanner: FrameScanner;

  constructor(tickers: readonly string[]) {
    for (const ticker of tickers) openMarket(this.#sink, this.#markets, ticker);
    this.#scanner = new FrameScanner(this.#markets.tickers, this.#frame);
  }

  scanning(frames: readonly Buffer[]): Work {
    const [sink, markets, frame, scanner] = [this.#sink, this.#markets, this.#frame, this.#scanner];
    return circling(frames.length, index => {
      if (scanner.scan(frames[index]!) !== DELTA || applyDelta(sink, markets, frame) !== null) fail();
      return frame.price;
    });
  }

  /** Every circle is its own connection, with sequence numbers from 1. */
  handling(frames: readonly Buffer[]): Work {
    const [sink, markets] = [this.#sink, this.#markets];
    const events = {
      onDistrust: fail,
      onFault: fail,
      onSnapshot: fail,
      onLifecycle: fail,
      onLifecycleElsewhere: fail,
      onBooksEnded: fail,
      onLifeMissed: fail,
      onAnswer: fail,
    };
    const handler = new FrameHandler({ sink, markets, events, counters: new FeedCounters(), log: silentLog });
    return circling(frames.length, index => {
      if (index === 0) handler.attach(subscribed());
      handler.handle(frames[index]!, START_MS as UnixMillis);
      return index;
    });
  }
}

function openMarket(sink: BookWriter, markets: MarketDirectory, ticker: string): void {
  const book = sink.openBook(STEP)!;
  sink.begin(book);
  sink.clear(book);
  for (let level = 1; level <= LEVELS; level += 1) {
    sink.set(book, BID, (level * STEP) as Ticks, (level * MICROS_PER_SHARE) as MicroShares);
    sink.set(book, ASK, (TICKS_PER_DOLLAR - level * STEP) as Ticks, (level * MICROS_PER_SHARE) as MicroShares);
  }
  sink.commitSnapshot(book, START_MS as UnixMillis);
  const facts = {
    ticker,
    grid: uniformGrid(STEP),
    step: STEP,
    phase: 'OPEN',
    closeTime: 0 as UnixMillis,
    lastTrade: null,
  } as const;
  markets.add(facts, book).awaitsSnapshot = false;
}

/** A connection whose sequence numbers start at 1. */
function subscribed(): StreamSubscriptions {
  const subscriptions = new StreamSubscriptions({
    send: () => {},
    elapsed: () => START_MS,
    onBookDeleted: () => {},
    onTradesMissed: () => {},
  });
  subscriptions.addMarket('KX');
  subscriptions.flush();
  subscriptions.opened('orderbook_delta', SID);
  return subscriptions;
}

function fail(): never {
  throw new Error('the frames of the benchmark are sound');
}
