// The entries of one price_change event: the entry scanner writes them, the market's book reads them. Prices and sizes are
// numbers. `…At` and `…Length` locate their text in the scanner's bytes: the book image copies it unchanged, since the
// venue's hash covers the text. One integer array, a row per entry, so that an entry is one cache line. Venue A's feed
// thread.

import { ASK, type Side } from '../../domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';

/** One entry per token of each change. */
export const ENTRIES_MAX = limits.changesPerBatchMax * 2;
export const HASH_HEX_LENGTH = 40;

/** Columns of a row. */
export const ENTRY_INTS = 8;
export const SLOT = 0;
export const SIDE = 1;
export const PRICE = 2;
export const PRICE_AT = 3;
export const PRICE_LENGTH = 4;
export const SIZE_AT = 5;
export const SIZE_LENGTH = 6;
export const HASH_AT = 7;

export class PriceChanges {
  count = 0;
  timestamp = 0 as UnixMillis;
  timestampAt = 0;
  timestampLength = 0;
  readonly rows = new Int32Array(ENTRIES_MAX * ENTRY_INTS);
  readonly sizes = new Float64Array(ENTRIES_MAX);

  /** Slot of the token (token-table.ts), −1 for a token without subscribers. */
  slot(entry: number): number {
    return this.rows[entry * ENTRY_INTS + SLOT]!;
  }

  side(entry: number): Side {
    return this.rows[entry * ENTRY_INTS + SIDE] as Side;
  }

  price(entry: number): Ticks {
    return this.rows[entry * ENTRY_INTS + PRICE] as Ticks;
  }

  priceAt(entry: number): number {
    return this.rows[entry * ENTRY_INTS + PRICE_AT]!;
  }

  priceLength(entry: number): number {
    return this.rows[entry * ENTRY_INTS + PRICE_LENGTH]!;
  }

  size(entry: number): MicroShares {
    return this.sizes[entry] as MicroShares;
  }

  sizeAt(entry: number): number {
    return this.rows[entry * ENTRY_INTS + SIZE_AT]!;
  }

  sizeLength(entry: number): number {
    return this.rows[entry * ENTRY_INTS + SIZE_LENGTH]!;
  }

  hashAt(entry: number): number {
    return this.rows[entry * ENTRY_INTS + HASH_AT]!;
  }

  /** Whether two entries are the two tokens' views of one level (venue-a.md §9.1). */
  isMirrorLevel(one: number, other: number): boolean {
    return (
      (this.slot(one) ^ this.slot(other)) === 1 &&
      this.price(one) + this.price(other) === TICKS_PER_DOLLAR &&
      this.side(one) + this.side(other) === ASK
    );
  }
}
