// Raw frames of venue B into shared-memory books of 5 000 markets, against JSON.parse alone of the same frames. The frames
// are deltas in the venue's own layout, and again with their keys in any order. The checksum of subscribed books is not
// part of it: the stream's benchmarks measure that.

import { createArena, regionOf } from '../src/book/memory.ts';
import { BookWriter } from '../src/book/writer.ts';
import { uniformGrid } from '../src/domain/grid.ts';
import { ASK, BID } from '../src/domain/market.ts';
import {
  MICROS_PER_SHARE,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../src/domain/numbers.ts';
import { FeedCounters } from '../src/runtime/counters.ts';
import { silentLog } from '../src/runtime/log.ts';
import { FrameHandler } from '../src/venues/venue-b/frame-handler.ts';
import { MarketDirectory } from '../src/venues/venue-b/market-directory.ts';
import { StreamSubscriptions } from '../src/venues/venue-b/stream-subscriptions.ts';
import { alternate, type BenchOptions, type BenchRow, type BenchSuite, median, type Work } from './harness.ts';

const SID = 1;
const STEP = 100 as Ticks;
const LEVELS = 30;
const START_MS = 1_786_085_188_000;

export const suite: BenchSuite = {
  name: 'feed/venue-b',
  async run(options) {
    const tickers = tickersOf(options.smoke ? 50 : 5_000);
    const feed = new Feed(tickers);
    return [
      ...rows(feed, framesOf(tickers, false), '', options),
      ...rows(feed, framesOf(tickers, true), ', keys in any order', options),
    ];
  },
};

function rows(feed: Feed, texts: readonly string[], suffix: string, options: BenchOptions): BenchRow[] {
  const bytes = texts.map(text => Buffer.from(text));
  const ours = feed.playing(bytes);
  const [own, parse, parseBytes] = alternate([ours, parsing(texts), parsingBytes(bytes)], options) as [
    number[],
    number[],
    number[],
  ];
  const row = (name: string, baseline: string, baselineNs: number[]): BenchRow => ({
    name: `feed/venue-b${name}${suffix}`,
    value: median(own),
    unit: 'ns',
    baseline,
    ratio: median(own.map((ns, round) => baselineNs[round]! / ns)),
  });
  return [
    row('', 'JSON.parse of strings made beforehand', parse),
    row(' from bytes', 'JSON.parse of the bytes', parseBytes),
    {
      name: `feed/venue-b allocation${suffix}`,
      value: allocation(ours, texts.length),
      unit: 'bytes/frame',
      baseline: '',
      ratio: null,
    },
  ];
}

function tickersOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const [game, team] = [String(index >> 1).padStart(4, '0'), index & 1 ? 'BOS' : 'LAL'];
    return `KXNBAGAME-26NOV21${game}BOSLAL-${team}`;
  });
}

/** Deltas in pairs, so that the books end a round as they began it; the pairs of all markets lie mixed. */
function framesOf(tickers: readonly string[], isShuffled: boolean): string[] {
  const random = mulberry32(7);
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
    const frame = { type: 'orderbook_delta', sid: SID, seq: index + 1, msg };
    return `${JSON.stringify(isShuffled ? shuffled({ ...frame, msg: shuffled(msg, random) }, random) : frame)}\n`;
  });
}

function shuffled(object: object, random: () => number): object {
  const members = Object.entries(object).map(member => ({ member, at: random() }));
  return Object.fromEntries(members.sort((a, b) => a.at - b.at).map(({ member }) => member));
}

/** The feed's own path from the moment that the socket hands it a frame. One instance, as in a feed's thread. */
class Feed {
  readonly #handler: FrameHandler;

  constructor(tickers: readonly string[]) {
    const sink = new BookWriter(regionOf(createArena(), 'venue_b'), () => {});
    const markets = new MarketDirectory();
    const events = {
      onDistrust: fail,
      onFault: fail,
      onSnapshot: fail,
      onLifecycle: fail,
      onBooksEnded: fail,
      onAnswer: fail,
    };
    for (const ticker of tickers) openMarket(sink, markets, ticker);
    this.#handler = new FrameHandler({ sink, counters: new FeedCounters(), log: silentLog, markets, events });
  }

  /** Plays the frames in a circle; every round is a connection of its own. */
  playing(frames: readonly Buffer[]): Work {
    const handler = this.#handler;
    let subscriptions = subscribed();
    let at = 0;
    return times => {
      handler.attach(subscriptions);
      for (let done = 0; done < times; done += 1) {
        handler.handle(frames[at]!, START_MS as UnixMillis);
        at += 1;
        if (at < frames.length) continue;
        at = 0;
        subscriptions = subscribed();
        handler.attach(subscriptions);
      }
      return times;
    };
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
  const facts = { ticker, grid: uniformGrid(STEP), step: STEP, phase: 'OPEN', closeTime: 0 as UnixMillis } as const;
  markets.add(facts, book).awaitsSnapshot = false;
}

/** A connection whose sequence numbers start at 1. */
function subscribed(): StreamSubscriptions {
  const subscriptions = new StreamSubscriptions({ send: () => {}, now: () => START_MS });
  subscriptions.want('KX');
  subscriptions.flush();
  subscriptions.opened('orderbook_delta', SID);
  return subscriptions;
}

function fail(): never {
  throw new Error('the frames of the benchmark are sound');
}

function parsing(texts: readonly string[]): Work {
  let at = 0;
  return times => {
    let sum = 0;
    for (let done = 0; done < times; done += 1) {
      sum += (JSON.parse(texts[at]!) as { seq: number }).seq;
      at = at + 1 === texts.length ? 0 : at + 1;
    }
    return sum;
  };
}

function parsingBytes(frames: readonly Buffer[]): Work {
  let at = 0;
  return times => {
    let sum = 0;
    for (let done = 0; done < times; done += 1) {
      sum += (JSON.parse(frames[at]!.toString()) as { seq: number }).seq;
      at = at + 1 === frames.length ? 0 : at + 1;
    }
    return sum;
  };
}

/** Heap bytes per frame of a warm feed over one round; what is left is the round's new subscription. */
function allocation(feed: Work, frames: number): number {
  const before = process.memoryUsage().heapUsed;
  feed(frames);
  return Math.max(0, process.memoryUsage().heapUsed - before) / frames;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
