// Measures recorded venue traffic for the paper exchanges' market flow and writes src/paper/flow/calibration.json: `npm run
// make:flow-calibration`. Sources (README of the recordings): 12 markets of venue B's production for 56 s, 269 frames. Venue A's production
// channel: 81 frames of 5-minute markets, one of them in its last second. Venue A's frames are good for sizes and depth, but not for pace,
// distances and spreads: both venues have these from venue B. The share of changes that are trades is seen on venue A only; the sizes of
// trades are seen only in venue B's fills.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonObject, objectsOf, parseJson, textOf } from '../../src/core/domain/json.ts';
import { readRecording } from '../../src/paper/replay/recording.ts';
import { recordingPath } from './recordings.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const CALIBRATION_PATH = 'src/paper/flow/calibration.json';
const VENUE_B_STREAM = 'venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json';
const VENUE_B_FILLS = 'venue-b/kalshi-cockpit/tests/fixtures/portfolio_fills_redacted.json';
const VENUE_A_STREAM = 'venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market.jsonl';

const RANKS = 12;
const QUANTILES = 20;
const MICROS = 1_000_000;

interface Change {
  readonly market: string;
  readonly atMs: number;
  /** The price in cents in the frame of bids: for an ask, 100 − price. */
  readonly cents: number;
  readonly side: 'bids' | 'asks';
  readonly before: number;
  readonly after: number;
  /** The distance from the best price of the level's side. 0 means that the level is the best one, or better. */
  readonly rank: number;
}

/** A market's levels by cents. Asks are at 100 − price, so that the best level is the highest on both sides. */
interface Book {
  readonly bids: Map<number, number>;
  readonly asks: Map<number, number>;
}

interface Tape {
  readonly opening: readonly Book[];
  readonly changes: readonly Change[];
  readonly trades: number;
}

/** The text of the generated file. */
export async function makeCalibration(): Promise<string> {
  const [venueA, venueB] = [await venueATape(), await venueBTape()];
  const { payload } = parseJson(readFileSync(recordingPath(VENUE_B_FILLS), 'utf8')) as { payload: JsonObject };
  const tradeSizes = objectsOf(payload.fills).map(fill => micros(textOf(fill.count_fp)));
  return formatted(
    JSON.stringify({
      ...paceOf(venueB),
      tradeShare: rounded(venueA.trades / venueA.changes.length),
      tradeSizes: sizeList(quantiles(tradeSizes)),
      venueA: venueOf(venueA),
      venueB: venueOf(venueB),
    }),
  );
}

function paceOf({ changes, opening }: Tape): object {
  const times = changes.map(({ atMs }) => atMs);
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
  const pauses: number[] = [];
  const clusterSizes: number[] = [];
  for (const own of Map.groupBy(changes, ({ market }) => market).values()) {
    const clusters = [...Map.groupBy(own, ({ atMs }) => atMs)];
    clusterSizes.push(...clusters.map(([, members]) => members.length));
    const gaps = clusters.slice(1).map(([at], index) => at - clusters[index]![0]);
    const mean = meanOf(gaps);
    // A market with few changes says little of their distribution.
    if (gaps.length >= 8) pauses.push(...gaps.map(gap => gap / mean));
  }
  const spread = quantiles(pauses);
  const mean = meanOf(spread);
  const spreads = opening.map(({ bids, asks }) => Math.round(100 - best(bids) - best(asks)));
  return {
    changesPerSecond: rounded(changes.length / seconds / opening.length),
    clusterShares: shares(clusterSizes.map(size => size - 1)),
    pauses: spread.map(it => rounded(it / mean)),
    distanceShares: shares(changes.map(({ rank }) => Math.min(rank, RANKS - 1))),
    spreadShares: shares(spreads.map(cents => cents - 1)),
  };
}

function venueOf({ opening, changes }: Tape): object {
  const added = changes.filter(({ before, after }) => after > before);
  const ranks = opening.flatMap(book => [book.bids, book.asks]).map(ladder);
  const depth = Array.from({ length: RANKS }, (_, rank) =>
    medianOf(ranks.map(sizes => sizes[rank]).filter(size => size !== undefined && size > 0) as number[]),
  );
  return {
    addShare: rounded(added.length / changes.length),
    addSizes: sizeList(quantiles(added.map(({ before, after }) => after - before))),
    depth: sizeList(depth),
  };
}

async function venueBTape(): Promise<Tape> {
  const books = new Map<string, Book>();
  const opening: Book[] = [];
  const changes: Change[] = [];
  for (const frame of await framesOf(VENUE_B_STREAM)) {
    const message = isObject(frame.msg) ? frame.msg : {};
    const market = textOf(message.market_ticker);
    if (frame.type === 'orderbook_snapshot') {
      const book = { bids: levelsOf(message.yes_dollars_fp), asks: levelsOf(message.no_dollars_fp) };
      books.set(market, book);
      opening.push({ bids: new Map(book.bids), asks: new Map(book.asks) });
    } else if (frame.type === 'orderbook_delta') {
      const side = message.side === 'yes' ? 'bids' : 'asks';
      const cents = centsOf(message.price_dollars);
      const before = books.get(market)![side].get(cents) ?? 0;
      const after = before + micros(textOf(message.delta_fp));
      changes.push(apply(books.get(market)!, { market, atMs: Number(message.ts_ms), side, cents, before, after }));
    }
  }
  return { opening, changes, trades: 0 };
}

/** Reads the tape of the token whose book is stated first. The market's other token only mirrors that token. */
async function venueATape(): Promise<Tape> {
  const books = new Map<string, Book>();
  const tokens = new Map<string, string>();
  const opening: Book[] = [];
  const changes: Change[] = [];
  let trades = 0;
  for (const frame of await framesOf(VENUE_A_STREAM)) {
    const market = textOf(frame.market);
    if (frame.event_type === 'last_trade_price') trades += 1;
    if (frame.event_type === 'book' && !tokens.has(market)) {
      tokens.set(market, textOf(frame.asset_id));
      const book = { bids: levelsOf(frame.bids), asks: mirrored(levelsOf(frame.asks)) };
      books.set(market, book);
      opening.push({ bids: new Map(book.bids), asks: new Map(book.asks) });
    }
    for (const it of objectsOf(frame.price_changes)) {
      const book = books.get(market);
      if (it.asset_id !== tokens.get(market) || book === undefined) continue;
      const side = it.side === 'BUY' ? 'bids' : 'asks';
      const cents = side === 'bids' ? centsOf(it.price) : 100 - centsOf(it.price);
      const before = book[side].get(cents) ?? 0;
      const after = micros(textOf(it.size));
      changes.push(apply(book, { market, atMs: Number(frame.timestamp), side, cents, before, after }));
    }
  }
  return { opening, changes, trades };
}

function apply(book: Book, change: Omit<Change, 'rank'>): Change {
  const levels = book[change.side];
  const rank = Math.max(0, Math.round(best(levels) - change.cents));
  if (change.after === 0) levels.delete(change.cents);
  else levels.set(change.cents, change.after);
  return { ...change, rank };
}

async function framesOf(path: string): Promise<JsonObject[]> {
  const { frames } = await readRecording(recordingPath(path));
  return frames.flatMap(({ text }) => {
    const value = parseJson(text);
    return Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
  });
}

/** Parses `[["0.01","5.00"]]` or `[{"price":"0.01","size":"5"}]`. */
function levelsOf(value: unknown): Map<number, number> {
  const entries = Array.isArray(value) ? value : [];
  return new Map(
    entries.map(entry => {
      const [price, size] = Array.isArray(entry) ? entry : [entry.price, entry.size];
      return [centsOf(price), micros(textOf(size))];
    }),
  );
}

function mirrored(levels: Map<number, number>): Map<number, number> {
  return new Map([...levels].map(([cents, size]) => [100 - cents, size]));
}

/** Returns sizes by the distance from the best price, in whole cents. */
function ladder(levels: Map<number, number>): number[] {
  const top = best(levels);
  return Array.from({ length: RANKS }, (_, rank) => levels.get(top - rank) ?? 0);
}

function best(levels: ReadonlyMap<number, number>): number {
  return Math.max(0, ...levels.keys());
}

function centsOf(price: unknown): number {
  return Math.round(Number(price) * 10_000) / 100;
}

function micros(text: string): number {
  return Math.round(Number(text) * MICROS);
}

/** Returns the middle values of equal parts of the sample, so that no value is an extreme of the sample. */
function quantiles(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return Array.from(
    { length: QUANTILES },
    (_, index) => sorted[Math.floor(((index + 0.5) / QUANTILES) * sorted.length)]!,
  );
}

/** Returns the share of each of the values 0, 1, 2 …. */
function shares(values: readonly number[]): number[] {
  const counts = Array.from({ length: Math.max(...values) + 1 }, () => 0);
  for (const value of values) counts[value]! += 1;
  return counts.map(count => rounded(count / values.length));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Rounds to the hundredth of a share, the smallest size that both venues trade. */
function sizeList(values: readonly number[]): number[] {
  const cent = MICROS / 100;
  return values.map(value => Math.round(value / cent) * cent);
}

function formatted(text: string): string {
  return execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--stdin-file-path', CALIBRATION_PATH], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(ROOT, CALIBRATION_PATH), await makeCalibration());
}
