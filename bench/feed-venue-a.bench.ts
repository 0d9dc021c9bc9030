// Venue A's market data: from the raw bytes of a frame to the book, and what checking the book's hash adds to that.
//
//   feed/venue-a           scanner and book, hash excluded; 4 000 tokens      vs JSON.parse alone of the same frames
//   feed/venue-a-hash      one change of one token's image, and its SHA-1     vs JSON.stringify of the book, and its SHA-1
//   feed/venue-a-verified  the whole feed, both tokens' hashes checked        vs JSON.parse, objects, JSON.stringify and SHA-1
//
// The frames are laid out as the venue's are (key order and white space of a 2026 recording), for books of 60 levels.

import { ASK, BID, type BookId, COMPLEMENT, PRIMARY, type Side } from '../src/core/domain/market.ts';
import { parseMicroShares, type Ticks, type UnixMillis } from '../src/core/domain/numbers.ts';
import { FeedCounters } from '../src/core/metrics/feed-counters.ts';
import type { SocketHandlers } from '../src/core/net/websocket.ts';
import { silentLog } from '../src/core/runtime/log.ts';
import { wallTimers } from '../src/core/runtime/timers.ts';
import { createArena, regionOf } from '../src/market-data/book/memory.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';
import type { LevelText } from '../src/venues/venue-a/book-document.ts';
import { BookImage } from '../src/venues/venue-a/book-image.ts';
import { createVenueAFeed } from '../src/venues/venue-a/feed.ts';
import { FRAME_END, FrameScanner, PRICE_CHANGE } from '../src/venues/venue-a/frame-scanner.ts';
import { bookOfSlot, TokenTable, tokenSlot } from '../src/venues/venue-a/token-table.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, compare } from './harness.ts';
import {
  type BenchMarket,
  type BookJson,
  describeMarket,
  hashOf,
  initialBooks,
  type LevelJson,
  makeMarket,
  randomFrom,
  shuffled,
  sizeText,
  TERMS,
} from './venue-a-workload.ts';

const MARKETS = 2_000;
const MARKETS_SMOKE = 20;

interface PriceChangeJson {
  readonly timestamp: string;
  readonly price_changes: readonly {
    readonly asset_id: string;
    readonly price: string;
    readonly size: string;
    readonly side: string;
  }[];
}

export const suite: BenchSuite = {
  name: 'feed/venue-a',
  async run(options) {
    const random = randomFrom(20_260_816);
    const markets = Array.from({ length: options.smoke ? MARKETS_SMOKE : MARKETS }, () => makeMarket(random));
    const texts = shuffled(markets, random);
    return [
      scanRow(markets, texts, options),
      hashRow(makeMarket(random), random, options),
      await verifiedRow(markets, texts, options),
    ];
  },
};

function scanRow(markets: readonly BenchMarket[], texts: readonly string[], options: BenchOptions): BenchRow {
  const tokens = new TokenTable();
  const writer = new BookWriter(regionOf(createArena(), 'venue_a'), () => {});
  for (const { tokens: pair, books } of markets) {
    const book = openBook(writer, books[PRIMARY]);
    for (const view of [PRIMARY, COMPLEMENT] as const) tokens.insert(pair[view], tokenSlot(book, view));
  }
  const scanner = new FrameScanner(tokens);
  const frames = texts.map(text => Buffer.from(text));
  const { changes } = scanner;
  const scan = (times: number) => {
    let sum = 0;
    for (let time = 0; time < times; time += 1) {
      scanner.load(frames[time % frames.length]!);
      if (scanner.next() !== PRICE_CHANGE) throw new Error('a frame that is not a price_change');
      // The first entry may be of either token. The entry of the other token is its mirror.
      const entry = (changes.slot(0) & 1) === PRIMARY ? 0 : 1;
      const book = bookOfSlot(changes.slot(entry));
      writer.begin(book);
      writer.set(book, changes.side(entry), changes.price(entry), changes.size(entry));
      if (!writer.commit(book, changes.timestamp) || scanner.next() !== FRAME_END) throw new Error('a crossed book');
      sum += changes.price(1);
    }
    return sum;
  };
  const { ns, ratio } = compare(scan, parseWork(texts), options);
  return { name: 'feed/venue-a', value: round(ns), unit: 'ns', baseline: 'JSON.parse alone', ratio };
}

function hashRow(market: BenchMarket, random: () => number, options: BenchOptions): BenchRow {
  const book = market.books[PRIMARY];
  const image = new BookImage(book.market, book.asset_id);
  image.load(book.timestamp, levelTexts(book.bids), levelTexts(book.asks), TERMS);
  // Most changes are near the best price.
  const changes = Array.from({ length: 256 }, () => {
    const side: Side = random() < 0.5 ? BID : ASK;
    const levels = side === BID ? book.bids : book.asks;
    const level = levels[levels.length - 1 - Math.floor(random() ** 2 * levels.length)]!;
    const size = sizeText(random);
    const ticks = Math.round(Number(level.price) * 10_000) as Ticks;
    const bytes = Buffer.from(`${level.price}${size}${Date.UTC(2026, 7, 16) + Math.floor(random() * 1e9)}`);
    return {
      side,
      level,
      size,
      ticks,
      bytes,
      priceLength: level.price.length,
      timeAt: level.price.length + size.length,
    };
  });
  const splice = (times: number) => {
    let sum = 0;
    for (let time = 0; time < times; time += 1) {
      const { side, ticks, bytes, priceLength, timeAt } = changes[time % changes.length]!;
      image.change(side, ticks, false, bytes, 0, priceLength, priceLength, timeAt - priceLength);
      image.setTimestamp(bytes, timeAt, bytes.length - timeAt);
      sum += image.digest().charCodeAt(0);
    }
    return sum;
  };
  const stringify = (times: number) => {
    let sum = 0;
    for (let time = 0; time < times; time += 1) {
      const { level, size } = changes[time % changes.length]!;
      level.size = size;
      sum += hashOf(book).charCodeAt(0);
    }
    return sum;
  };
  const { ns, ratio } = compare(splice, stringify, options);
  return {
    name: 'feed/venue-a-hash',
    value: round(ns),
    unit: 'ns',
    baseline: 'JSON.stringify + SHA-1, 60 levels',
    ratio,
  };
}

async function verifiedRow(
  markets: readonly BenchMarket[],
  texts: readonly string[],
  options: BenchOptions,
): Promise<BenchRow> {
  const counters = new FeedCounters();
  const handlers: SocketHandlers[] = [];
  const byId = new Map(
    markets.flatMap(market => [market.conditionId, ...market.tokens].map(id => [id, market] as const)),
  );
  const feed = createVenueAFeed(
    {
      sink: new BookWriter(regionOf(createArena(), 'venue_a'), () => {}),
      expireFacts: () => {},
      connect: (_options, own) => {
        handlers.push(own);
        return { send() {}, terminate() {} };
      },
      get: async url => ({ status: 200, body: JSON.stringify(describeMarket(byId.get(/[^/]*$/.exec(url)![0])!)) }),
      timers: { ...wallTimers, after: (delayMs, task) => later(delayMs, task) },
      random: Math.random,
      counters,
      log: silentLog,
    },
    { restUrl: 'rest', streamUrl: 'stream' },
  );
  for (const { tokens } of markets) await feed.subscribe(tokens[PRIMARY]);
  await new Promise(resolve => setImmediate(resolve));
  for (const own of handlers) own.onOpen();
  const onFrame = (frame: Uint8Array) => handlers[0]!.onFrame(frame, false);
  for (const market of markets) for (const book of initialBooks(market)) onFrame(Buffer.from(JSON.stringify(book)));
  const frames = texts.map(text => Buffer.from(text));
  // Hashes follow from state to state, so frames continue where the last round stopped.
  let next = 0;
  const verify = (times: number) => {
    for (let time = 0; time < times; time += 1) {
      onFrame(frames[next]!);
      next = (next + 1) % frames.length;
    }
    return counters.read('hashesVerified');
  };
  const byToken = new Map(markets.flatMap(({ books }) => books.map(book => [book.asset_id, book] as const)));
  const naive = (times: number) => {
    let sum = 0;
    for (let time = 0; time < times; time += 1) sum += applyNaively(JSON.parse(texts[time % texts.length]!), byToken);
    return sum;
  };
  const { ns, ratio } = compare(verify, naive, options);
  if (counters.read('hashMismatches') > 0) throw new Error('a hash that does not match');
  feed.close();
  return {
    name: 'feed/venue-a-verified',
    value: round(ns),
    unit: 'ns',
    baseline: 'JSON.parse + objects + JSON.stringify + SHA-1',
    ratio,
  };
}

/** Applies a frame as a client does that keeps its books as objects and checks their hashes. */
function applyNaively(event: PriceChangeJson, books: ReadonlyMap<string, BookJson>): number {
  let sum = 0;
  for (const { asset_id, price, size, side } of event.price_changes) {
    const book = books.get(asset_id)!;
    const level = (side === 'BUY' ? book.bids : book.asks).find(other => other.price === price)!;
    level.size = size;
    book.timestamp = event.timestamp;
    sum += hashOf(book).charCodeAt(0);
  }
  return sum;
}

function parseWork(texts: readonly string[]): (times: number) => number {
  return times => {
    let sum = 0;
    for (let time = 0; time < times; time += 1) {
      sum += (JSON.parse(texts[time % texts.length]!) as { price_changes: unknown[] }).price_changes.length;
    }
    return sum;
  };
}

/** Runs a task without a delay soon, and drops a task with a delay. The feed's watchdogs do not matter here, but batches must go out. */
function later(delayMs: number, task: () => void): () => void {
  if (delayMs > 0) return () => {};
  const immediate = setImmediate(task);
  return () => clearImmediate(immediate);
}

function openBook(writer: BookWriter, book: BookJson): BookId {
  const id = writer.openBook(100 as Ticks)!;
  writer.begin(id);
  writer.clear(id);
  for (const { price, size } of levelTexts(book.bids)) writer.set(id, BID, price, size);
  for (const { price, size } of levelTexts(book.asks)) writer.set(id, ASK, price, size);
  writer.commitSnapshot(id, 1 as UnixMillis);
  return id;
}

function levelTexts(levels: readonly LevelJson[]): LevelText[] {
  return levels.map(({ price, size }) => ({
    price: Math.round(Number(price) * 10_000) as Ticks,
    size: parseMicroShares(size)!,
    priceText: price,
    sizeText: size,
  }));
}

function round(ns: number): number {
  return Math.round(ns);
}
