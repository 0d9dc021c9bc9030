// Scans the bytes of a frame for events. A price_change, which nearly every frame is, is read without allocation. Keys may come in any
// order and with white space (both occur). All other events are only recognised here; cold-frames.ts reads them with JSON.parse. A frame is
// copied once into our own buffer. There, keys are compared four bytes at a time at any offset, and a terminator replaces bounds checks.
// Venue A's feed thread.

import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
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
import { PredictedLayout } from './predicted-layout.ts';
import { ENTRIES_MAX, PriceChanges } from './price-changes.ts';
import type { TokenTable } from './token-table.ts';

/** The results of `next`. */
export const FRAME_END = 0;
export const PRICE_CHANGE = 1;
export const BOOK = 2;
export const LAST_TRADE_PRICE = 3;
export const TICK_SIZE_CHANGE = 4;
export const MARKET_RESOLVED = 5;
/** An event of a known type that does not matter to a book: best_bid_ask, new_market. */
export const IGNORED = 6;
export const UNKNOWN_EVENT = 7;
/** An event in a shape that the venue dropped in 2025: flat price_change, `changes`, `buys` and `sells` (venue-a.md §5.2). */
export const LEGACY_EVENT = 8;
/** A text instead of JSON, such as PONG or NO NEW ASSETS. */
export const NOTICE = 9;
/** The rest of the frame cannot be read. */
export const UNREADABLE = 10;
export type Found = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;

const EVENTS: Readonly<Record<string, Found>> = {
  book: BOOK,
  price_change: PRICE_CHANGE,
  last_trade_price: LAST_TRADE_PRICE,
  tick_size_change: TICK_SIZE_CHANGE,
  market_resolved: MARKET_RESOLVED,
  best_bid_ask: IGNORED,
  new_market: IGNORED,
};

/** Stands for a position once the frame is read to its end. */
const DONE = -2;
const INITIAL_BYTES = 64 * 1024;
const TERMINATOR_BYTES = 8;
const NOTICE_BYTES_MAX = 64;

const PRIC = word('pric');
const E_CH = word('e_ch');
const ANGE = word('ange');
const EVEN = word('even');
const T_TY = word('t_ty');
const TIME = word('time');
const STAM = word('stam');
const BIDS = word('bids');
const ASKS = word('asks');
const BUYS = word('buys');
const SELL = word('sell');
const LETTER_E = 0x65;
const LETTER_P = 0x70;
const LETTER_S = 0x73;

const ASSE = word('asse');
const T_ID = word('t_id');
const SIZE = word('size');
const SIDE = word('side');
const HASH = word('hash');

/** Bits for the fields of an entry that have been read. */
const HAS_TOKEN = 1;
const HAS_PRICE = 2;
const HAS_SIZE = 4;
const HAS_SIDE = 8;
const HAS_HASH = 16;
const HAS_ALL = 31;

export class FrameScanner {
  /** The entries of the last event, if it was PRICE_CHANGE. After UNREADABLE, the entries that were read before the fault. */
  readonly changes: PriceChanges;
  /** The bytes of the frame. `objectAt` and `objectEnd` bound the object of the last `next`. */
  bytes = new Uint8Array(INITIAL_BYTES);
  objectAt = 0;
  objectEnd = 0;
  /** Whether the frame is an array of objects. */
  isArray = false;
  readonly #layout: PredictedLayout;
  #view = new DataView(this.bytes.buffer);
  #length = 0;
  #at = 0;
  #isFirst = true;

  /** The kind of the current object, by the members seen so far. */
  #event: Found = UNKNOWN_EVENT;
  #hasChanges = false;
  #hasLevels = false;
  #hasLegacyLevels = false;
  /** The members of the current entry that were seen, as bits of `HAS_ALL`. */
  #seen = 0;

  constructor(tokens: TokenTable) {
    this.changes = new PriceChanges(tokens);
    this.#layout = new PredictedLayout(this.changes);
  }

  /** Copies a frame into the buffer; `data` is not needed afterwards. */
  load(data: Uint8Array): void {
    const length = data.length;
    if (length + TERMINATOR_BYTES > this.bytes.length) {
      this.bytes = new Uint8Array((length + TERMINATOR_BYTES) * 2);
      this.#view = new DataView(this.bytes.buffer);
    }
    this.bytes.set(data);
    this.#view.setFloat64(length, 0);
    this.#length = length;
    this.#at = skipSpace(this.bytes, 0);
    this.isArray = this.bytes[this.#at] === OPEN_BRACKET;
    this.#isFirst = true;
    this.changes.count = 0;
  }

  /** Returns the next event of the frame. After FRAME_END or UNREADABLE there is no further event. */
  next(): Found {
    const at = this.#isFirst ? this.#firstObject() : this.#followingObject();
    if (at === DONE) return FRAME_END;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (at === NONE || this.bytes[at] !== OPEN_BRACE) {
      this.#at = this.#length;
      if (at === NONE || !isFirst || !this.#isNotice(at)) return UNREADABLE;
      return NOTICE;
    }
    this.objectAt = at;
    this.#at = this.#layout.match(this.bytes, this.#view, at, this.#length);
    if (this.#at !== NONE) return PRICE_CHANGE;
    this.#at = this.#object(at);
    if (this.#at === NONE) return UNREADABLE;
    this.objectEnd = this.#at;
    const kind = this.#kind();
    if (kind === PRICE_CHANGE) this.#layout.learnFrom(this.bytes, at, this.#at);
    return kind;
  }

  /** Returns the start of the first object, or DONE if the frame has no object. */
  #firstObject(): number {
    if (!this.isArray) return this.#at;
    const at = skipSpace(this.bytes, this.#at + 1);
    return this.bytes[at] === CLOSE_BRACKET ? this.#endAt(at + 1) : at;
  }

  #followingObject(): number {
    const at = skipSpace(this.bytes, this.#at);
    if (!this.isArray) return this.#endAt(at);
    if (this.bytes[at] === CLOSE_BRACKET) return this.#endAt(at + 1);
    return this.bytes[at] === COMMA ? skipSpace(this.bytes, at + 1) : NONE;
  }

  #endAt(at: number): number {
    return skipSpace(this.bytes, at) === this.#length ? DONE : NONE;
  }

  #isNotice(at: number): boolean {
    if (this.isArray || this.#length > NOTICE_BYTES_MAX) return false;
    for (let index = at; index < this.#length; index += 1) {
      const byte = this.bytes[index]!;
      if (byte !== 0x20 && (byte < 0x41 || byte > 0x5a)) return false;
    }
    return this.#length > at;
  }

  #kind(): Found {
    const event = this.#event;
    if (event === PRICE_CHANGE) {
      if (!this.#hasChanges) return LEGACY_EVENT;
      return this.changes.timestampLength > 0 ? PRICE_CHANGE : UNREADABLE;
    }
    return event === BOOK && this.#hasLegacyLevels && !this.#hasLevels ? LEGACY_EVENT : event;
  }

  /** Reads an object and returns the position after its closing brace. Returns NONE if the object is unreadable. */
  #object(start: number): number {
    const bytes = this.bytes;
    this.#event = UNKNOWN_EVENT;
    this.#hasChanges = false;
    this.#hasLevels = false;
    this.#hasLegacyLevels = false;
    this.changes.count = 0;
    this.changes.timestampLength = 0;
    let at = skipSpace(bytes, start + 1);
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    for (;;) {
      if (bytes[at] !== QUOTE) return NONE;
      const value = this.#member(at + 1);
      if (value === NONE) return NONE;
      at = skipComma(bytes, value);
      if (at === NONE) return NONE;
      if (bytes[at] === CLOSE_BRACE) return at + 1;
    }
  }

  /** Reads one member of an event, from its key to after its value. */
  #member(key: number): number {
    const bytes = this.bytes;
    const view = this.#view;
    switch (view.getInt32(key)) {
      case PRIC:
        if (view.getInt32(key + 4) !== E_CH || view.getInt32(key + 8) !== ANGE) break;
        if (bytes[key + 12] !== LETTER_S || bytes[key + 13] !== QUOTE) break;
        this.#hasChanges = true;
        return this.#entries(skipColon(bytes, key + 14));
      case EVEN:
        if (view.getInt32(key + 4) !== T_TY || bytes[key + 8] !== LETTER_P || bytes[key + 9] !== LETTER_E) break;
        if (bytes[key + 10] !== QUOTE) break;
        return this.#eventType(skipColon(bytes, key + 11));
      case TIME:
        if (view.getInt32(key + 4) !== STAM || bytes[key + 8] !== LETTER_P || bytes[key + 9] !== QUOTE) break;
        return this.#timestamp(skipColon(bytes, key + 10));
      case BIDS:
      case ASKS:
        this.#hasLevels ||= bytes[key + 4] === QUOTE;
        break;
      case BUYS:
        this.#hasLegacyLevels ||= bytes[key + 4] === QUOTE;
        break;
      case SELL:
        this.#hasLegacyLevels ||= bytes[key + 4] === LETTER_S && bytes[key + 5] === QUOTE;
        break;
      default:
    }
    return skipMember(bytes, key);
  }

  #eventType(at: number): number {
    if (at === NONE || this.bytes[at] !== QUOTE) return NONE;
    const end = skipString(this.bytes, at);
    if (end === NONE) return NONE;
    const name = Buffer.from(this.bytes.subarray(at + 1, end - 1)).toString('latin1');
    this.#event = Object.hasOwn(EVENTS, name) ? EVENTS[name]! : UNKNOWN_EVENT;
    return end;
  }

  #timestamp(at: number): number {
    if (at === NONE) return NONE;
    const end = this.bytes[at] === QUOTE ? this.changes.readTimestamp(this.bytes, at + 1) : NONE;
    // Another event than a price change may have a value of another kind here.
    return end === NONE ? skipValue(this.bytes, at) : end + 1;
  }

  /**
   * Reads the array `price_changes`, which has one entry per token, and returns the position after its closing bracket. Returns NONE if an
   * entry is unreadable; `changes` then has the earlier entries.
   */
  #entries(at: number): number {
    const { bytes, changes } = this;
    if (at === NONE || bytes[at] !== OPEN_BRACKET) return NONE;
    changes.count = 0;
    let next = skipSpace(bytes, at + 1);
    if (bytes[next] === CLOSE_BRACKET) return next + 1;
    for (;;) {
      if (bytes[next] !== OPEN_BRACE || changes.count === ENTRIES_MAX) return NONE;
      next = this.#entry(bytes, next, changes.count);
      if (next === NONE) return NONE;
      changes.count += 1;
      next = skipSpace(bytes, next);
      if (bytes[next] === CLOSE_BRACKET) return next + 1;
      if (bytes[next] !== COMMA) return NONE;
      next = skipSpace(bytes, next + 1);
    }
  }

  #entry(bytes: Uint8Array, start: number, entry: number): number {
    const view = this.#view;
    this.#seen = 0;
    let at = skipSpace(bytes, start + 1);
    for (;;) {
      if (bytes[at] !== QUOTE) return NONE;
      at = this.#entryMember(bytes, view, at + 1, entry);
      if (at === NONE) return NONE;
      at = skipComma(bytes, at);
      if (at === NONE) return NONE;
      if (bytes[at] === CLOSE_BRACE) return this.#seen === HAS_ALL ? at + 1 : NONE;
    }
  }

  /** Reads one member of an entry, from its key to after its value. The first four bytes of the key select its reader. */
  #entryMember(bytes: Uint8Array, view: DataView, key: number, entry: number): number {
    const { changes } = this;
    let keyLength = 4;
    let field = 0;
    switch (view.getInt32(key)) {
      case ASSE:
        if (view.getInt32(key + 4) === T_ID) field = HAS_TOKEN;
        keyLength = 8;
        break;
      case PRIC:
        if (bytes[key + 4] === LETTER_E) field = HAS_PRICE;
        keyLength = 5;
        break;
      case SIZE:
        field = HAS_SIZE;
        break;
      case SIDE:
        field = HAS_SIDE;
        break;
      case HASH:
        field = HAS_HASH;
        break;
      default:
    }
    if (field === 0 || bytes[key + keyLength] !== QUOTE) return skipMember(bytes, key);
    const quote = skipColon(bytes, key + keyLength + 1);
    if (quote === NONE || bytes[quote] !== QUOTE) return NONE;
    this.#seen |= field;
    let end: number;
    if (field === HAS_TOKEN) end = changes.readToken(bytes, view, quote + 1, entry);
    else if (field === HAS_PRICE) end = changes.readPrice(bytes, quote + 1, entry);
    else if (field === HAS_SIZE) end = changes.readSize(bytes, quote + 1, entry);
    else if (field === HAS_SIDE) end = changes.readSide(bytes, view, quote + 1, entry);
    else end = changes.readHash(bytes, quote + 1, this.#length, entry);
    return end === NONE ? NONE : end + 1;
  }
}
