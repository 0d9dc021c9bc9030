// The entries of one price_change event. They are read from the bytes of a frame into columns, and from there by the market's book. Prices
// and sizes are numbers. `…At` and `…Length` locate their text in the scanner's bytes: the book image copies the text unchanged, because
// the venue's hash covers it. One integer array has a row per entry, so that an entry is one cache line. Venue A's feed thread.

import { ASK, BID, type Side, TOKEN_ID_DIGITS_MAX } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { parseMicroShares, parseTicks, TICKS_PER_DOLLAR } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import { NONE, QUOTE, skipString, word } from './json-bytes.ts';
import type { TokenTable } from './token-table.ts';

/** The most entries: each token of each change has one entry. */
export const ENTRIES_MAX = limits.changesPerBatchMax * 2;
export const HASH_HEX_LENGTH = 40;

/** The number of columns of a row. */
const ENTRY_INTS = 8;
const SLOT = 0;
const SIDE = 1;
const PRICE = 2;
const PRICE_AT = 3;
const PRICE_LENGTH = 4;
const SIZE_AT = 5;
const SIZE_LENGTH = 6;
const HASH_AT = 7;

const BUY = word('BUY"');
const SELL = word('SELL');
const DOT = 0x2e;
const ZERO = 0x30;
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
const PRICE_DECIMALS = 4;
const SIZE_DECIMALS = 6;
/** The most characters of a number on the fast path: scaled by 10^6 it stays below 2^53. Longer text takes the careful path. */
const FAST_DECIMAL_CHARACTERS = 9;
const MILLIS_DIGITS_MAX = 15;
/** The usual least length of a token id: nearly every token id has 76 to 78 digits. */
const TOKEN_DIGITS_USUAL = 76;

/**
 * The entries of one event. Each reader (`read…`) converts a value from bytes to its column. It starts inside the opening quote and returns
 * the position of the closing quote, or NONE if the value is not valid.
 */
export class PriceChanges {
  count = 0;
  timestamp = 0 as UnixMillis;
  timestampAt = 0;
  timestampLength = 0;
  readonly rows = new Int32Array(ENTRIES_MAX * ENTRY_INTS);
  readonly sizes = new Float64Array(ENTRIES_MAX);
  readonly #tokens: TokenTable;
  /** The position of the closing quote of the decimal that was just read. */
  #quoteAt = 0;

  constructor(tokens: TokenTable) {
    this.#tokens = tokens;
  }

  /** Returns the slot of the token (token-table.ts), or −1 if the token has no subscriber. */
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

  readToken(bytes: Uint8Array, view: DataView, at: number, entry: number): number {
    const { rows } = this;
    const row = entry * ENTRY_INTS + SLOT;
    // The second entry is the complement of the first: its token is known without a search.
    const partner = entry === 0 ? NONE : rows[row - ENTRY_INTS]! ^ 1;
    if (partner >= 0) {
      const length = this.#tokens.lengthOf(partner);
      if (length > 0 && bytes[at + length] === QUOTE && this.#tokens.holds(partner, view, at, length)) {
        rows[row] = partner;
        return at + length;
      }
    }
    // Trust a quote where a usual id ends only if the id is known: known ids contain no quote.
    for (let length = TOKEN_DIGITS_USUAL; length <= TOKEN_ID_DIGITS_MAX; length += 1) {
      if (bytes[at + length] !== QUOTE) continue;
      const slot = this.#tokens.find(view, at, length);
      if (slot === NONE) break;
      rows[row] = slot;
      return at + length;
    }
    const end = skipString(bytes, at - 1);
    if (end === NONE) return NONE;
    rows[row] = this.#tokens.find(view, at, end - 1 - at);
    return end - 1;
  }

  readPrice(bytes: Uint8Array, at: number, entry: number): number {
    const ticks = this.#decimal(bytes, at, PRICE_DECIMALS);
    if (ticks <= 0 || ticks >= TICKS_PER_DOLLAR) return NONE;
    const { rows } = this;
    const row = entry * ENTRY_INTS;
    rows[row + PRICE] = ticks;
    rows[row + PRICE_AT] = at;
    rows[row + PRICE_LENGTH] = this.#quoteAt - at;
    return this.#quoteAt;
  }

  readSize(bytes: Uint8Array, at: number, entry: number): number {
    const micros = this.#decimal(bytes, at, SIZE_DECIMALS);
    if (micros === NONE) return NONE;
    const { rows } = this;
    const row = entry * ENTRY_INTS;
    this.sizes[entry] = micros;
    rows[row + SIZE_AT] = at;
    rows[row + SIZE_LENGTH] = this.#quoteAt - at;
    return this.#quoteAt;
  }

  readSide(bytes: Uint8Array, view: DataView, at: number, entry: number): number {
    const text = view.getInt32(at);
    const side = entry * ENTRY_INTS + SIDE;
    if (text === BUY) {
      this.rows[side] = BID;
      return at + 3;
    }
    if (text !== SELL || bytes[at + 4] !== QUOTE) return NONE;
    this.rows[side] = ASK;
    return at + 4;
  }

  /** Reads a hash of forty characters. The later comparison detects characters that are not hexadecimal digits. */
  readHash(bytes: Uint8Array, at: number, frameEnd: number, entry: number): number {
    const end = at + HASH_HEX_LENGTH;
    if (end >= frameEnd || bytes[end] !== QUOTE) return NONE;
    this.rows[entry * ENTRY_INTS + HASH_AT] = at;
    return end;
  }

  readTimestamp(bytes: Uint8Array, at: number): number {
    let millis = 0;
    let next = at;
    for (let digit = bytes[next]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[next]! - ZERO) {
      millis = millis * 10 + digit;
      next += 1;
    }
    const length = next - at;
    if (bytes[next] !== QUOTE || length === 0 || length > MILLIS_DIGITS_MAX) return NONE;
    this.timestamp = millis as UnixMillis;
    this.timestampAt = at;
    this.timestampLength = length;
    return next;
  }

  /** Reads the decimal at `at`, times 10^decimals. Returns NONE if the text is not a decimal, or the product is not whole. */
  #decimal(bytes: Uint8Array, at: number, decimals: number): number {
    let next = at;
    let value = 0;
    let fractionAt = 0;
    for (;;) {
      const byte = bytes[next]!;
      if (byte >= ZERO && byte <= ZERO + 9) value = value * 10 + (byte - ZERO);
      else if (byte === DOT && fractionAt === 0 && next > at) fractionAt = next + 1;
      else break;
      next += 1;
    }
    if (bytes[next] !== QUOTE || next === at || next === fractionAt) return NONE;
    this.#quoteAt = next;
    const fraction = fractionAt === 0 ? 0 : next - fractionAt;
    if (next - at > FAST_DECIMAL_CHARACTERS || fraction > decimals) return carefulDecimal(bytes, at, next, decimals);
    return value * POWERS_OF_TEN[decimals - fraction]!;
  }
}

/**
 * Reads a decimal of long text, or of more decimals than we keep. Surplus zeros are harmless; any other surplus digit makes it unreadable.
 */
function carefulDecimal(bytes: Uint8Array, at: number, end: number, decimals: number): number {
  const text = Buffer.from(bytes.subarray(at, end)).toString('latin1');
  return (decimals === PRICE_DECIMALS ? parseTicks(text) : parseMicroShares(text)) ?? NONE;
}
