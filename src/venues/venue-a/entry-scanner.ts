// The inner half of the frame scanner: the array `price_changes`, one entry per token, into the columns of PriceChanges.
// Dispatch is on the first four bytes of a key; values of fixed length are jumped over. Venue A's feed thread.

import { ASK, BID } from '../../domain/market.ts';
import { parseMicroShares, parseTicks, TICKS_PER_DOLLAR } from '../../domain/numbers.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isQuoteFree,
  NONE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipColon,
  skipComma,
  skipMember,
  skipSpace,
  skipString,
  skipValue,
  word,
} from './json-bytes.ts';
import {
  ENTRIES_MAX,
  ENTRY_INTS,
  HASH_AT,
  HASH_HEX_LENGTH,
  PRICE,
  PRICE_AT,
  PRICE_LENGTH,
  type PriceChanges,
  SIDE,
  SIZE_AT,
  SIZE_LENGTH,
  SLOT,
} from './price-changes.ts';
import type { TokenTable } from './token-table.ts';

const ASSE = word('asse');
const T_ID = word('t_id');
const PRIC = word('pric');
const SIZE_KEY = word('size');
const SIDE_KEY = word('side');
const HASH_KEY = word('hash');
const BEST = word('best');
const _BID = word('_bid');
const _ASK = word('_ask');
const QUOTED_BUY = word('"BUY');
const QUOTED_SEL = word('"SEL');
const LETTER_E = 0x65;
const LETTER_L = 0x4c;
const DOT = 0x2e;
const ZERO = 0x30;

/** Which fields of an entry have been read. */
const HAS_TOKEN = 1;
const HAS_PRICE = 2;
const HAS_SIZE = 4;
const HAS_SIDE = 8;
const HAS_HASH = 16;
const HAS_ALL = 31;

const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
const PRICE_DECIMALS = 4;
const SIZE_DECIMALS = 6;
/** So many digits, scaled by 10^6, stay below 2^53; longer text takes the careful path. */
const FAST_DECIMAL_CHARACTERS = 9;
/** Nearly every token id has 76 to 78 digits: 77 is tried first, then its neighbours. */
const TOKEN_DIGITS = 77;

export class EntryScanner {
  readonly #tokens: TokenTable;
  readonly #changes: PriceChanges;
  #seen = 0;
  /** The closing quote of the decimal just read. */
  #quoteAt = 0;

  constructor(tokens: TokenTable, changes: PriceChanges) {
    this.#tokens = tokens;
    this.#changes = changes;
  }

  /** From the opening bracket to after the closing one; NONE if an entry cannot be read, `changes.count` stand before it. */
  scan(bytes: Uint8Array, view: DataView, at: number): number {
    if (at === NONE || bytes[at] !== OPEN_BRACKET) return NONE;
    const changes = this.#changes;
    changes.count = 0;
    let next = skipSpace(bytes, at + 1);
    if (bytes[next] === CLOSE_BRACKET) return next + 1;
    for (;;) {
      if (bytes[next] !== OPEN_BRACE || changes.count === ENTRIES_MAX) return NONE;
      next = this.#entry(bytes, view, next, changes.count);
      if (next === NONE) return NONE;
      changes.count += 1;
      next = skipSpace(bytes, next);
      if (bytes[next] === CLOSE_BRACKET) return next + 1;
      if (bytes[next] !== COMMA) return NONE;
      next = skipSpace(bytes, next + 1);
    }
  }

  #entry(bytes: Uint8Array, view: DataView, start: number, entry: number): number {
    this.#seen = 0;
    let at = skipSpace(bytes, start + 1);
    for (;;) {
      if (bytes[at] !== QUOTE) return NONE;
      at = this.#member(bytes, view, at + 1, entry);
      if (at === NONE) return NONE;
      at = skipComma(bytes, at);
      if (at === NONE) return NONE;
      if (bytes[at] === CLOSE_BRACE) return this.#seen === HAS_ALL ? at + 1 : NONE;
    }
  }

  /** Reads one member of an entry, from its key to after its value. */
  #member(bytes: Uint8Array, view: DataView, key: number, entry: number): number {
    switch (view.getInt32(key)) {
      case ASSE:
        if (view.getInt32(key + 4) !== T_ID || bytes[key + 8] !== QUOTE) break;
        return this.#token(bytes, view, skipColon(bytes, key + 9), entry);
      case PRIC:
        if (bytes[key + 4] !== LETTER_E || bytes[key + 5] !== QUOTE) break;
        return this.#price(bytes, skipColon(bytes, key + 6), entry);
      case SIZE_KEY:
        if (bytes[key + 4] !== QUOTE) break;
        return this.#size(bytes, skipColon(bytes, key + 5), entry);
      case SIDE_KEY:
        if (bytes[key + 4] !== QUOTE) break;
        return this.#side(bytes, view, skipColon(bytes, key + 5), entry);
      case HASH_KEY:
        if (bytes[key + 4] !== QUOTE) break;
        return this.#hash(bytes, view, skipColon(bytes, key + 5), entry);
      case BEST: {
        const rest = view.getInt32(key + 4);
        if ((rest !== _BID && rest !== _ASK) || bytes[key + 8] !== QUOTE) break;
        const value = skipColon(bytes, key + 9);
        return value === NONE ? NONE : skipValue(bytes, value);
      }
      default:
    }
    return skipMember(bytes, key);
  }

  #token(bytes: Uint8Array, view: DataView, at: number, entry: number): number {
    if (at === NONE || bytes[at] !== QUOTE) return NONE;
    const rows = this.#changes.rows;
    this.#seen |= HAS_TOKEN;
    // A quote where a usual id ends is believed only if the id is known, for known ids hold no quote themselves.
    for (let length = TOKEN_DIGITS - 1; length <= TOKEN_DIGITS + 1; length += 1) {
      if (bytes[at + 1 + length] !== QUOTE) continue;
      const slot = this.#tokens.find(view, at + 1, length);
      if (slot === NONE) break;
      rows[entry * ENTRY_INTS + SLOT] = slot;
      return at + length + 2;
    }
    const end = skipString(bytes, at);
    if (end !== NONE) rows[entry * ENTRY_INTS + SLOT] = this.#tokens.find(view, at + 1, end - at - 2);
    return end;
  }

  #price(bytes: Uint8Array, at: number, entry: number): number {
    const ticks = at === NONE ? NONE : this.#decimal(bytes, at, PRICE_DECIMALS);
    if (ticks === NONE || ticks > TICKS_PER_DOLLAR) return NONE;
    const rows = this.#changes.rows;
    const row = entry * ENTRY_INTS;
    rows[row + PRICE] = ticks;
    rows[row + PRICE_AT] = at + 1;
    rows[row + PRICE_LENGTH] = this.#quoteAt - at - 1;
    this.#seen |= HAS_PRICE;
    return this.#quoteAt + 1;
  }

  #size(bytes: Uint8Array, at: number, entry: number): number {
    const micros = at === NONE ? NONE : this.#decimal(bytes, at, SIZE_DECIMALS);
    if (micros === NONE) return NONE;
    const rows = this.#changes.rows;
    const row = entry * ENTRY_INTS;
    this.#changes.sizes[entry] = micros;
    rows[row + SIZE_AT] = at + 1;
    rows[row + SIZE_LENGTH] = this.#quoteAt - at - 1;
    this.#seen |= HAS_SIZE;
    return this.#quoteAt + 1;
  }

  #side(bytes: Uint8Array, view: DataView, at: number, entry: number): number {
    if (at === NONE) return NONE;
    const text = view.getInt32(at);
    this.#seen |= HAS_SIDE;
    if (text === QUOTED_BUY && bytes[at + 4] === QUOTE) {
      this.#changes.rows[entry * ENTRY_INTS + SIDE] = BID;
      return at + 5;
    }
    if (text === QUOTED_SEL && bytes[at + 4] === LETTER_L && bytes[at + 5] === QUOTE) {
      this.#changes.rows[entry * ENTRY_INTS + SIDE] = ASK;
      return at + 6;
    }
    return NONE;
  }

  #hash(bytes: Uint8Array, view: DataView, at: number, entry: number): number {
    if (at === NONE || bytes[at] !== QUOTE || bytes[at + HASH_HEX_LENGTH + 1] !== QUOTE) return NONE;
    if (!isQuoteFree(view, at + 1, HASH_HEX_LENGTH)) return NONE;
    this.#changes.rows[entry * ENTRY_INTS + HASH_AT] = at + 1;
    this.#seen |= HAS_HASH;
    return at + HASH_HEX_LENGTH + 2;
  }

  /** The quoted decimal at `at`, times 10^decimals; NONE if it is none, or not a whole number then. */
  #decimal(bytes: Uint8Array, at: number, decimals: number): number {
    if (bytes[at] !== QUOTE) return NONE;
    let next = at + 1;
    let value = 0;
    let fractionAt = 0;
    for (;;) {
      const byte = bytes[next]!;
      if (byte >= ZERO && byte <= ZERO + 9) value = value * 10 + (byte - ZERO);
      else if (byte === DOT && fractionAt === 0 && next > at + 1) fractionAt = next + 1;
      else if (byte === QUOTE) break;
      else return NONE;
      next += 1;
    }
    this.#quoteAt = next;
    const fraction = fractionAt === 0 ? 0 : next - fractionAt;
    const isPlain = next > at + 1 && fractionAt !== next;
    if (!isPlain) return NONE;
    if (next - at - 1 > FAST_DECIMAL_CHARACTERS || fraction > decimals) return carefulDecimal(bytes, at + 1, next, decimals);
    return value * POWERS_OF_TEN[decimals - fraction]!;
  }
}

/** Long text, or more decimals than we keep: zeros there are harmless, anything else is unreadable. */
function carefulDecimal(bytes: Uint8Array, at: number, end: number, decimals: number): number {
  const text = String.fromCharCode(...bytes.subarray(at, end));
  return (decimals === PRICE_DECIMALS ? parseTicks(text) : parseMicroShares(text)) ?? NONE;
}
