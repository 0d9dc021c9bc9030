// A recording that follows from a seed: markets of venue B whose books change and trade around a walking middle. The recorder itself writes
// the recording.

import { ASK, BID, type BookId, PRIMARY, type Side, TAKER_BUY, TAKER_SELL } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { makePrivateFolder } from '../../src/core/runtime/private-file.ts';
import { Random } from '../../src/core/runtime/random.ts';
import { BookIndexWriter } from '../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf, regionOf } from '../../src/market-data/book/memory.ts';
import { BookWriter } from '../../src/market-data/book/writer.ts';
import { Recorder } from '../../src/market-data/recording/recorder.ts';

export const RECORDED_FROM = Date.UTC(2026, 10, 21, 18) as UnixMillis;
const BOUNDS = { recordingBytesMax: 1e12, recordingFileBytesMax: 1e12, diskFreeBytesMin: 0 };
const CENT = 100 as Ticks;
const SHARE = 1_000_000;
const LEVELS = 5;
const TRADE_EVERY = 7;

export interface Made {
  readonly folder: string;
  readonly markets: number;
  readonly changesPerS: number;
  readonly seconds: number;
  /**
   * Whether the first market has marks. The marks are a bid at one cent, which grows by one share every second, so that a bot can count the
   * seconds.
   */
  readonly hasMarks?: boolean;
  /** Whether the recording begins with STALE books, which are LIVE again, as they were, before their first change. */
  readonly isStaleFirst?: boolean;
  /** A price between whole cents, below all other bids. If it is given, a bid at this price is the last change of the first market. */
  readonly lastBid?: Ticks;
  /** The token of venue A that is the only market. By default all markets are tickers of venue B. */
  readonly tokenId?: string;
}

/** The price of the marks, below all other bids. */
export const MARK_PRICE = 100;

export function tickerOf(market: number): string {
  return `KXMADE-26NOV21-M${market}`;
}

/** Makes a recording. The recorder follows once per millisecond of its clock, so that each change has its own time. */
export async function makeRecording(made: Made): Promise<void> {
  const { folder, markets, changesPerS, seconds, hasMarks = false, isStaleFirst = false, lastBid, tokenId } = made;
  const venue = tokenId === undefined ? 'venue_b' : 'venue_a';
  makePrivateFolder(folder);
  const arena = createArena();
  const writer = new BookWriter(regionOf(arena, venue), () => {});
  const index = new BookIndexWriter(indexOf(arena));
  const random = new Random(1);
  let now: number = RECORDED_FROM;
  const recorder = new Recorder({ arena, folder, bounds: BOUNDS, now: () => now as UnixMillis, freeBytes: () => 1 });
  const middles: number[] = [];
  const books: BookId[] = [];
  writer.receivedAt = now as UnixMillis;
  for (let market = 0; market < markets; market += 1) {
    const book = writer.openBook(CENT)!;
    writer.setViews(book, true, false);
    index.put(venue, tokenId ?? tickerOf(market), { book, view: PRIMARY });
    recorder.list(venue, tokenId ?? tickerOf(market), { book, view: PRIMARY });
    books.push(book);
    middles.push(50);
    whole(writer, book, 50, now);
    if (isStaleFirst) writer.setState(book, 'STALE', 'SILENCE');
  }
  while (recorder.turn());
  if (isStaleFirst) for (const book of books) writer.setState(book, 'LIVE', 'RESUMED');
  const changes = changesPerS * seconds;
  for (let change = 1; change <= changes; change += 1) {
    now = RECORDED_FROM + Math.floor((change * 1_000) / changesPerS);
    writer.receivedAt = now as UnixMillis;
    if (hasMarks && change % changesPerS === 0) {
      bid(writer, books[0]!, MARK_PRICE as Ticks, change / changesPerS, now);
      while (recorder.turn());
      continue;
    }
    const market = Math.floor(random.next() * markets);
    const [book, middle] = [books[market]!, middles[market]!];
    const side: Side = random.next() < 0.5 ? BID : ASK;
    const price = ((side === BID ? middle - 1 : middle + 1) * CENT) as Ticks;
    if (change % TRADE_EVERY === 0) {
      const taker = side === BID ? TAKER_SELL : TAKER_BUY;
      writer.trade(book, PRIMARY, price, (7 * SHARE) as MicroShares, taker, now as UnixMillis, `t${change}`);
    } else if (random.next() < 0.02) {
      middles[market] = Math.min(90, Math.max(10, middle + (random.next() < 0.5 ? 1 : -1)));
      whole(writer, book, middles[market], now);
    } else {
      writer.begin(book);
      writer.set(book, side, price, ((1 + Math.floor(random.next() * 50)) * SHARE) as MicroShares);
      writer.commit(book, now as UnixMillis);
    }
    while (recorder.turn());
  }
  if (lastBid !== undefined) {
    writer.regrid(books[0]!, 1 as Ticks);
    bid(writer, books[0]!, lastBid, 1, now);
    while (recorder.turn());
  }
  await recorder.close();
}

function bid(writer: BookWriter, book: BookId, price: Ticks, shares: number, now: number): void {
  writer.begin(book);
  writer.set(book, BID, price, (shares * SHARE) as MicroShares);
  writer.commit(book, now as UnixMillis);
}

/** Writes one batch that states each level around the middle. */
function whole(writer: BookWriter, book: BookId, middle: number, now: number): void {
  writer.begin(book);
  writer.clear(book);
  for (let level = 1; level <= LEVELS; level += 1) {
    writer.set(book, BID, ((middle - level) * CENT) as Ticks, (10 * level * SHARE) as MicroShares);
    writer.set(book, ASK, ((middle + level) * CENT) as Ticks, (10 * level * SHARE) as MicroShares);
  }
  writer.commitSnapshot(book, now as UnixMillis);
}
