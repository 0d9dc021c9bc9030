// Venue A traffic for benchmarks: markets of 60 levels, and price_change frames with true hashes. They are laid out as the venue's are (key
// order and white space of a 2026 recording). Each market's frames end where they began, so that they can be played over and over.

import { createHash } from 'node:crypto';
import { COMPLEMENT, PRIMARY } from '../src/core/domain/market.ts';
import { formatTicks, type Ticks } from '../src/core/domain/numbers.ts';
import type { HashTerms } from '../src/venues/venue-a/book-document.ts';

const FRAMES_PER_MARKET = 4;
const LEVELS_PER_SIDE = 30;
const BEST_BID_CENTS = 50;
export const TERMS: HashTerms = { minOrderSize: '5', tickSize: '0.01', negRisk: false, lastTradePrice: '0.500' };

export interface BenchMarket {
  readonly conditionId: string;
  readonly tokens: readonly [string, string];
  readonly books: readonly [BookJson, BookJson];
  readonly frames: readonly string[];
}

export interface LevelJson {
  readonly price: string;
  size: string;
}

export interface BookJson {
  readonly market: string;
  readonly asset_id: string;
  timestamp: string;
  hash: string;
  readonly bids: readonly LevelJson[];
  readonly asks: readonly LevelJson[];
}

/** Returns the initial dump. */
export function initialBooks({ books }: BenchMarket): object[] {
  const terms = { tick_size: TERMS.tickSize, last_trade_price: TERMS.lastTradePrice };
  return books.map(book => ({ ...book, ...terms, hash: hashOf(book), event_type: 'book' }));
}

/** A market whose frames can be played over and over: the last change of the round restores the first state. */
export function makeMarket(random: () => number): BenchMarket {
  const conditionId = `0x${digits(random, 64, '0123456789abcdef')}`;
  const token = () => `${1 + Math.floor(random() * 9)}${digits(random, 75 + Math.floor(random() * 3), '0123456789')}`;
  const tokens = [token(), token()] as const;
  const sizes = Array.from({ length: LEVELS_PER_SIDE * 2 }, () => sizeText(random));
  const books = [PRIMARY, COMPLEMENT].map(view => {
    const bids = Array.from({ length: LEVELS_PER_SIDE }, (_, index) => BEST_BID_CENTS - LEVELS_PER_SIDE + 1 + index);
    const asks = Array.from({ length: LEVELS_PER_SIDE }, (_, index) => BEST_BID_CENTS + LEVELS_PER_SIDE - index);
    const level = (cents: number, index: number): LevelJson => ({ price: priceText(cents), size: sizes[index]! });
    const own = bids.map((cents, index) => level(view === PRIMARY ? cents : 100 - cents, index));
    const other = asks.map((cents, index) => level(view === PRIMARY ? cents : 100 - cents, LEVELS_PER_SIDE + index));
    const [bidLevels, askLevels] = view === PRIMARY ? [own, other] : [other, own];
    return {
      market: conditionId,
      asset_id: tokens[view]!,
      timestamp: '1786845510819',
      hash: '',
      bids: bidLevels,
      asks: askLevels,
    };
  }) as unknown as [BookJson, BookJson];
  const changed = Array.from({ length: FRAMES_PER_MARKET / 2 }, () => Math.floor(random() * LEVELS_PER_SIDE));
  const first = changed.map(index => books[PRIMARY].bids[index]!.size);
  const frames = [
    ...changed.map(index => frameOf(books, index, sizeText(random), random)),
    ...changed.map((index, turn) => frameOf(books, index, first[turn]!, random)),
  ];
  return { conditionId, tokens, books, frames };
}

/** Changes a bid of the first token in both books and writes the venue's frame for it. */
function frameOf(books: readonly [BookJson, BookJson], index: number, size: string, random: () => number): string {
  const timestamp = String(1_786_845_510_819 + Math.floor(random() * 1e6));
  const entry = (view: 0 | 1) => {
    const book = books[view];
    const level = (view === PRIMARY ? book.bids : book.asks)[index]!;
    level.size = size;
    book.timestamp = timestamp;
    return (
      `{"asset_id":"${book.asset_id}", "price":"${level.price}", "size":"${size}", "side":"${view === PRIMARY ? 'BUY' : 'SELL'}", ` +
      `"hash":"${hashOf(book)}", "best_bid":"${book.bids.at(-1)!.price}", "best_ask":"${book.asks.at(-1)!.price}"}`
    );
  };
  const entries = random() < 0.5 ? [entry(PRIMARY), entry(COMPLEMENT)] : [entry(COMPLEMENT), entry(PRIMARY)];
  return (
    `{"market":"${books[PRIMARY].market}", "price_changes":[${entries.join(', ')}], ` +
    `"timestamp":"${timestamp}", "event_type":"price_change"}`
  );
}

/** Returns the SHA-1 as a client with object books computes it. */
export function hashOf({ market, asset_id, timestamp, bids, asks }: BookJson): string {
  const preimage = {
    market,
    asset_id,
    timestamp,
    hash: '',
    bids,
    asks,
    min_order_size: TERMS.minOrderSize,
    tick_size: TERMS.tickSize,
    neg_risk: TERMS.negRisk,
    last_trade_price: TERMS.lastTradePrice,
  };
  return createHash('sha1').update(JSON.stringify(preimage)).digest('hex');
}

export function describeMarket({ conditionId, tokens }: BenchMarket): object {
  return { condition_id: conditionId, t: tokens.map(t => ({ t })), mts: 0.01, mos: 5 };
}

/** Returns the frames of all markets, mixed. Each market's frames keep their order. */
export function shuffled(markets: readonly BenchMarket[], random: () => number): string[] {
  const turns = markets.flatMap(market => market.frames.map(() => market));
  for (let last = turns.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [turns[last], turns[other]] = [turns[other]!, turns[last]!];
  }
  const next = new Map<BenchMarket, number>();
  return turns.map(market => {
    const turn = next.get(market) ?? 0;
    next.set(market, turn + 1);
    return market.frames[turn]!;
  });
}

function priceText(cents: number): string {
  return formatTicks((cents * 100) as Ticks);
}

export function sizeText(random: () => number): string {
  return (1 + random() * 3_000).toFixed(2).replace(/\.?0+$/, '');
}

function digits(random: () => number, length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}
