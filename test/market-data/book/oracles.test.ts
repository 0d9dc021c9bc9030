// Recordings of other exchanges as independent oracles. Kraken publishes a CRC-32 of its best levels with every update, LOBSTER the ten
// best levels after every message.

import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ASK, BID, type BookId, type Level, PRIMARY, type Side } from '../../../src/core/domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../../src/core/domain/numbers.ts';
import { assert } from '../../../src/core/domain/result.ts';
import { createArena, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookCopy, BookReader } from '../../../src/market-data/book/reader.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import type { BookSink } from '../../../src/venues/feed.ts';
import { levelsOf } from '../../support/book-observer.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';

const region = regionOf(createArena(), 'venue_a');
const reader = new BookReader(region);

describe.skipIf(!recordingsPresent)('Kraken (needs the recordings)', () => {
  it('computed every checksum that our book has', () => {
    const frames = krakenFrames(recording('benchmarks/bench-cryptofeed/sample_data/KRAKEN.ws.50.0'));
    const byPair = Map.groupBy(frames, frame => frame.pair);
    const writer = new BookWriter(region, () => {});
    const verified = [...byPair].map(([pair, own]) => ({ pair, ...verifyKraken(writer, own) }));
    expect(verified.filter(({ mismatches }) => mismatches > 0)).toEqual([]);
    expect(verified.length).toBe(10);
    expect(verified.reduce((sum, { matches }) => sum + matches, 0)).toBe(4_269);
  });
});

describe.skipIf(!recordingsPresent)('LOBSTER (needs the recordings)', () => {
  it('shows the ten levels that our book shows, after every message', () => {
    const name = 'benchmarks/bench-lobster-yile/data/AAPL_2012-06-21_34200000_57600000';
    const orderbook = recording(`${name}_orderbook_10.csv`);
    const base = lobsterBase(orderbook);
    const rows = lobsterRows(orderbook, base);
    const messages = lobsterMessages(recording(`${name}_message_10.csv`), base);
    const lobster = new LobsterBook(new BookWriter(region, () => {}), rows[0]!);
    const copy = new BookCopy(10);
    let revealed = 0;
    for (let at = 1; at < rows.length; at++) {
      expect(lobster.apply(messages[at]!), `message ${at}`).toBe(true);
      revealed += lobster.followSight(rows[at - 1]!, rows[at]!);
      expect(reader.read(lobster.book, PRIMARY, copy)).toBe(true);
      expect([levelsOf(copy, BID), levelsOf(copy, ASK)], `after message ${at}`).toEqual(rows[at]);
    }
    expect(rows.length).toBe(999);
    // Most compared levels were computed, not taken over from the oracle.
    expect(revealed).toBeLessThan(rows.length / 2);
  });
});

function verifyKraken(writer: BookWriter, frames: readonly KrakenFrame[]): { matches: number; mismatches: number } {
  const kraken = new KrakenBook(writer, frames);
  const copy = new BookCopy(10);
  let [matches, mismatches] = [0, 0];
  for (const frame of frames) {
    const isTaken = kraken.apply(frame);
    if (frame.checksum === null) continue;
    const isEqual = isTaken && reader.read(kraken.book, PRIMARY, copy) && kraken.checksum(copy) === frame.checksum;
    if (isEqual) matches += 1;
    else mismatches += 1;
  }
  return { matches, mismatches };
}

function recording(relative: string): string {
  return readFileSync(recordingPath(relative), 'utf8');
}

// The LOBSTER sample (NASDAQ messages, and the ten best levels after each) fed into the book core. Messages move sizes by
// signed changes, as venue B does; the level file is the oracle.

interface LobsterMessage {
  readonly side: Side;
  readonly price: Ticks;
  /** The signed change of the level; 0 if the message does not change the visible book (hidden executions). */
  readonly change: MicroShares;
}

/** The ten best levels, best first. */
type LobsterRow = readonly [bids: readonly Level[], asks: readonly Level[]];

const SUBMISSION = 1;
const HIDDEN_EXECUTION = 5;
const CENT = 100;
/** The price that stands for "no level" in the level file. */
const DUMMY_PRICE = 9_999_999_999;

/** Returns the base price. Slots are cents from it, since the stock trades near $585, far from one dollar. */
function lobsterBase(orderbook: string): number {
  return Math.round(Number(orderbook.split(',', 1)[0]) / CENT) - 5_000;
}

function lobsterMessages(messages: string, base: number): LobsterMessage[] {
  return rows(messages).map(([, type, , size, price, direction]) => ({
    side: direction === 1 ? BID : ASK,
    price: (price! / CENT - base) as Ticks,
    change: (type === HIDDEN_EXECUTION ? 0 : type === SUBMISSION ? size! : -size!) as MicroShares,
  }));
}

function lobsterRows(orderbook: string, base: number): LobsterRow[] {
  return rows(orderbook).map(row => {
    const sides: [Level[], Level[]] = [[], []];
    for (let at = 0; at < row.length; at += 2) {
      const side = (at / 2) % 2 === 0 ? ASK : BID;
      if (Math.abs(row[at]!) === DUMMY_PRICE) continue;
      sides[side].push({ price: (row[at]! / CENT - base) as Ticks, size: row[at + 1]! as MicroShares });
    }
    return sides;
  });
}

/** The stock's book in the core. */
class LobsterBook {
  readonly book: BookId;
  readonly #sink: BookSink;

  constructor(sink: BookSink, opening: LobsterRow) {
    this.#sink = sink;
    this.book = sink.openBook(1 as Ticks)!;
    sink.begin(this.book);
    sink.clear(this.book);
    for (const side of [BID, ASK] as const) {
      for (const { price, size } of opening[side]) sink.set(this.book, side, price, size);
    }
    sink.commitSnapshot(this.book, 0 as UnixMillis);
  }

  /** Applies a message; returns false if the core refused it. */
  apply({ side, price, change }: LobsterMessage): boolean {
    this.#sink.begin(this.book);
    const isApplied = this.#sink.add(this.book, side, price, change);
    return this.#sink.commit(this.book, 0 as UnixMillis) && isApplied;
  }

  /**
   * Nothing is known beyond the ten levels that the sample shows. A level that drops out of the ten is forgotten. A level that enters behind the last
   * known level is taken over. Returns the number of levels taken over.
   */
  followSight(before: LobsterRow, after: LobsterRow): number {
    let revealed = 0;
    this.#sink.begin(this.book);
    for (const side of [BID, ASK] as const) {
      const isBeyond = (price: Ticks, row: readonly Level[]) =>
        row.length === 10 && (side === BID ? price < row.at(-1)!.price : price > row.at(-1)!.price);
      for (const { price } of before[side]) {
        if (isBeyond(price, after[side])) this.#sink.set(this.book, side, price, 0 as MicroShares);
      }
      for (const { price, size } of after[side]) {
        if (!isBeyond(price, before[side])) continue;
        this.#sink.set(this.book, side, price, size);
        revealed += 1;
      }
    }
    this.#sink.commit(this.book, 0 as UnixMillis);
    return revealed;
  }
}

function rows(csv: string): number[][] {
  return csv
    .trim()
    .split('\n')
    .map(line => line.split(',').map(Number));
}

// Kraken's recorded order books (v1 `book-1000` channel, with a CRC-32 per update) fed into the book core. A pair's prices become ticks by
// their rank, and volumes are integers of 1e-8. An oracle that knows nothing of crossbook.

interface KrakenFrame {
  readonly pair: string;
  readonly isSnapshot: boolean;
  /** The levels, in the order of the frame: side, price and volume as sent. */
  readonly levels: readonly (readonly [side: Side, price: string, volume: string])[];
  /** Kraken's checksum of the ten best asks and bids after this frame. Null means a snapshot. */
  readonly checksum: number | null;
}

type Part = Record<string, string | [price: string, volume: string, time: string][]>;
const SIDES: Readonly<Record<string, Side>> = { as: ASK, bs: BID, a: ASK, b: BID };

/** Returns the frames of a recording with lines `<time>: <frame>`; all but book data is skipped. */
function krakenFrames(recording: string): KrakenFrame[] {
  return recording.split('\n').flatMap(line => {
    const frame = /^[\d.]+: (\[.*\])$/.exec(line)?.[1];
    if (frame === undefined) return [];
    const fields = JSON.parse(frame) as [number, ...(Part | string)[]];
    const parts = fields.filter((field): field is Part => typeof field === 'object');
    const checksum = parts.map(part => part.c).find(it => it !== undefined);
    return [
      {
        pair: fields.at(-1) as string,
        isSnapshot: parts.some(part => 'as' in part || 'bs' in part),
        levels: parts.flatMap(levelsOfPart),
        checksum: checksum === undefined ? null : Number(checksum),
      },
    ];
  });
}

function levelsOfPart(part: Part): [Side, string, string][] {
  return Object.entries(part).flatMap(([key, levels]) =>
    Array.isArray(levels) ? levels.map(([price, volume]): [Side, string, string] => [SIDES[key]!, price, volume]) : [],
  );
}

/** The book of one pair in the core. A ladder has 9 999 prices; each price in the recording gets one, in order. */
class KrakenBook {
  readonly book: BookId;
  readonly #sink: BookSink;
  /** The prices as integers of their last decimal; the index is the tick in the ladder. */
  readonly #prices: readonly number[];
  readonly #ticks: ReadonlyMap<number, Ticks>;

  /** @param frames all frames of the pair */
  constructor(sink: BookSink, frames: readonly KrakenFrame[]) {
    const mentioned = new Set(frames.flatMap(frame => frame.levels.map(([, price]) => digits(price))));
    this.#prices = [0, ...[...mentioned].sort((a, b) => a - b)];
    assert(this.#prices.length <= TICKS_PER_DOLLAR, 'more prices than a ladder has');
    this.#ticks = new Map(this.#prices.map((price, rank) => [price, rank as Ticks]));
    this.#sink = sink;
    this.book = sink.openBook(1 as Ticks)!;
  }

  /** Applies a frame; returns false if the core refused it. */
  apply(frame: KrakenFrame): boolean {
    const [sink, book] = [this.#sink, this.book];
    sink.begin(book);
    if (frame.isSnapshot) sink.clear(book);
    for (const [side, price, volume] of frame.levels) {
      sink.set(book, side, this.#ticks.get(digits(price))!, digits(volume) as MicroShares);
    }
    return frame.isSnapshot ? sink.commitSnapshot(book, 0 as UnixMillis) : sink.commit(book, 0 as UnixMillis);
  }

  /** Kraken's rule: ten asks, then ten bids, each price and volume without point and leading zeros. */
  checksum(copy: BookCopy): number {
    const text = [copy.asks, copy.bids].map(({ count, prices, sizes }) => {
      let side = '';
      for (let index = 0; index < Math.min(count, 10); index++) {
        side += `${this.#prices[prices[index]!]}${sizes[index]}`;
      }
      return side;
    });
    return crc32(text.join(''));
  }
}

/** Converts a decimal text to an integer of its last decimal. */
function digits(decimal: string): number {
  return Number(decimal.replace('.', ''));
}
