// Kraken's recorded order books (v1 `book-1000` channel, with a CRC-32 per update) fed into the book core. A pair's prices become ticks by
// their rank, and volumes are integers of 1e-8. An oracle that knows nothing of crossbook.

import { crc32 } from 'node:zlib';
import { ASK, BID, type BookId, type Side } from '../../src/core/domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../src/core/domain/numbers.ts';
import { assert } from '../../src/core/domain/result.ts';
import type { BookCopy } from '../../src/market-data/book/reader.ts';
import type { BookSink } from '../../src/venues/feed.ts';

export interface KrakenFrame {
  readonly pair: string;
  readonly isSnapshot: boolean;
  /** In the order of the frame: side, price and volume as sent. */
  readonly levels: readonly (readonly [side: Side, price: string, volume: string])[];
  /** Of the ten best asks and bids after this frame, as Kraken computed it; null with a snapshot. */
  readonly checksum: number | null;
}

type Part = Record<string, string | [price: string, volume: string, time: string][]>;
const SIDES: Readonly<Record<string, Side>> = { as: ASK, bs: BID, a: ASK, b: BID };

/** Frames of a recording whose lines are `<time>: <frame>`; everything but book data is skipped. */
export function krakenFrames(recording: string): KrakenFrame[] {
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

/** One pair's book in the core. A ladder has 9 999 prices: those that the recording mentions, in order, are given one each. */
export class KrakenBook {
  readonly book: BookId;
  readonly #sink: BookSink;
  /** Prices as integers of their last decimal; the index is the ladder's ticks. */
  readonly #prices: readonly number[];
  readonly #ticks: ReadonlyMap<number, Ticks>;

  /** `frames` are all those of the pair. */
  constructor(sink: BookSink, frames: readonly KrakenFrame[]) {
    const mentioned = new Set(frames.flatMap(frame => frame.levels.map(([, price]) => digits(price))));
    this.#prices = [0, ...[...mentioned].sort((a, b) => a - b)];
    assert(this.#prices.length <= TICKS_PER_DOLLAR, 'more prices than a ladder has');
    this.#ticks = new Map(this.#prices.map((price, rank) => [price, rank as Ticks]));
    this.#sink = sink;
    this.book = sink.openBook(1 as Ticks)!;
  }

  /** False if the core refused the frame. */
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

/** Decimal text as an integer of its last decimal. */
function digits(decimal: string): number {
  return Number(decimal.replace('.', ''));
}
