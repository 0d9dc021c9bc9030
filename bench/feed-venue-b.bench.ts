// Raw frames of venue B into shared-memory books of 5 000 markets, against JSON.parse alone of the same frames. The frames
// are deltas in the venue's own layout, and again with their keys in any order. The checksum of subscribed books is not
// part of it: the stream's benchmarks measure that.

import { createArena, regionOf } from '../src/book/memory.ts';
import { BookWriter } from '../src/book/writer.ts';
import { uniformGrid } from '../src/domain/grid.ts';
import { ASK, BID } from '../src/domain/market.ts';
import { MICROS_PER_SHARE, type MicroShares, type Ticks, type UnixMillis } from '../src/domain/numbers.ts';
import { FeedCounters } from '../src/runtime/counters.ts';
import { silentLog } from '../src/runtime/log.ts';
import { FrameHandler } from '../src/venues/venue-b/frame-handler.ts';
import { Market, MarketDirectory } from '../src/venues/venue-b/market-directory.ts';
import { StreamSubscriptions } from '../src/venues/venue-b/stream-subscriptions.ts';
import { alternate, type BenchOptions, type BenchRow, type BenchSuite, median, type Work } from './harness.ts';

const SID = 1;
const STEP = 100 as Ticks;
const LEVELS = 30;
const START_MS = 1_786_085_188_000;

export const suite: BenchSuite = {
  name: 'feed/venue-b',
  async run(options) {
    const markets = options.smoke ? 50 : 5_000;
    return [
      ...rows(framesOf(markets, false), '', options),
      ...rows(framesOf(markets, true), ', keys in any order', options),
    ];
  },
};

interface Frames {
  readonly tickers: readonly string[];
  readonly texts: readonly string[];
}

function rows({ tickers, texts }: Frames, suffix: string, options: BenchOptions): BenchRow[] {
  const bytes = texts.map(text => Buffer.from(text));
  const feed = feedInto(tickers, bytes);
  const [own, parse, parseBytes] = alternate([feed, parsing(texts), parsingBytes(bytes)], options) as [
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
      value: allocation(feed, texts.length),
      unit: 'bytes/frame',
      baseline: '',
      ratio: null,
    },
  ];
}

/** Deltas in pairs, so that the books end a round as they began it; the pairs of all markets lie mixed. */
function framesOf(marketCount: number, isShuffled: boolean): Frames {
  const random = mulberry32(7);
  const tickers = Array.from({ length: marketCount }, (_, index) => {
    const [game, team] = [String(index >> 1).padStart(4, '0'), index & 1 ? 'BOS' : 'LAL'];
    return `KXNBAGAME-26NOV21${game}BOSLAL-${team}`;
  });
  const order = Array.from({ length: 2 * marketCount }, (_, index) => index % marketCount);
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  const added = new Map<number, { price: string; size: string; side: string }>();
  const texts = order.map((market, index) => {
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
  return { tickers, texts };
}

function shuffled(object: object, random: () => number): object {
  const members = Object.entries(object).map(member => ({ member, at: random() }));
  return Object.fromEntries(members.sort((a, b) => a.at - b.at).map(({ member }) => member));
}

/** The feed's own path from the moment that the socket hands it a frame. */
function feedInto(tickers: readonly string[], frames: readonly Buffer[]): Work {
  const sink = new BookWriter(regionOf(createArena(), 'venue_b'), () => {});
  const markets = new MarketDirectory();
  for (const ticker of tickers) markets.add(openMarket(sink, ticker));
  const handler = new FrameHandler({
    sink,
    counters: new FeedCounters(),
    log: silentLog,
    markets,
    events: {
      onDistrust: fail,
      onFault: fail,
      onSnapshot: fail,
      onLifecycle: fail,
      onBooksEnded: fail,
      onAnswer: fail,
    },
  });
  let at = 0;
  return times => {
    for (let done = 0; done < times; done += 1) {
      if (at === 0) handler.attach(subscribed());
      handler.handle(frames[at]!, START_MS as UnixMillis);
      at = at + 1 === frames.length ? 0 : at + 1;
    }
    return times;
  };
}

function openMarket(sink: BookWriter, ticker: string): Market {
  const book = sink.openBook(STEP)!;
  sink.begin(book);
  sink.clear(book);
  for (let level = 1; level <= LEVELS; level += 1) {
    sink.set(book, BID, (level * STEP) as Ticks, (level * MICROS_PER_SHARE) as MicroShares);
    sink.set(book, ASK, (10_000 - level * STEP) as Ticks, (level * MICROS_PER_SHARE) as MicroShares);
  }
  sink.commitSnapshot(book, START_MS as UnixMillis);
  const market = new Market(
    { ticker, grid: uniformGrid(STEP), step: STEP, phase: 'OPEN', closeTime: 0 as UnixMillis },
    book,
  );
  market.awaitsSnapshot = false;
  return market;
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
