// The LOBSTER sample (NASDAQ messages, and the ten best levels after each) fed into the book core. Messages move sizes by
// signed changes, as venue B does; the level file is the oracle.

import { ASK, BID, type BookId, type Level, type Side } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import type { BookSink } from '../../src/venues/feed.ts';

interface LobsterMessage {
  readonly side: Side;
  readonly price: Ticks;
  /** Signed change of the level; 0 for what does not move the visible book (hidden executions). */
  readonly change: MicroShares;
}

/** The ten best levels, best first. */
type LobsterRow = readonly [bids: readonly Level[], asks: readonly Level[]];

const SUBMISSION = 1;
const HIDDEN_EXECUTION = 5;
const CENT = 100;
/** Stands for "no level" in the level file. */
const DUMMY_PRICE = 9_999_999_999;

/** Slots are cents from `base`: the stock trades near $585, far from one dollar. */
export function lobsterBase(orderbook: string): number {
  return Math.round(Number(orderbook.split(',', 1)[0]) / CENT) - 5_000;
}

export function lobsterMessages(messages: string, base: number): LobsterMessage[] {
  return rows(messages).map(([, type, , size, price, direction]) => ({
    side: direction === 1 ? BID : ASK,
    price: (price! / CENT - base) as Ticks,
    change: (type === HIDDEN_EXECUTION ? 0 : type === SUBMISSION ? size! : -size!) as MicroShares,
  }));
}

export function lobsterRows(orderbook: string, base: number): LobsterRow[] {
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
export class LobsterBook {
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

  /** False if the core refused the message. */
  apply({ side, price, change }: LobsterMessage): boolean {
    this.#sink.begin(this.book);
    const isApplied = this.#sink.add(this.book, side, price, change);
    return this.#sink.commit(this.book, 0 as UnixMillis) && isApplied;
  }

  /**
   * Beyond the ten levels that the sample shows nothing is known. A level that drops out of sight is forgotten. One that comes into sight
   * behind the last known one is taken over. Returns how many were taken over.
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
