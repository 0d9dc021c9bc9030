// The inner half of the general frame scanner: the array `price_changes`, one entry per token, with keys in any order. The
// first four bytes of a key select its reader. Venue A's feed thread.

import type { EntryValues } from './entry-values.ts';
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
  word,
} from './json-bytes.ts';
import { ENTRIES_MAX, type PriceChanges } from './price-changes.ts';

const ASSE = word('asse');
const T_ID = word('t_id');
const PRIC = word('pric');
const SIZE = word('size');
const SIDE = word('side');
const HASH = word('hash');
const LETTER_E = 0x65;

/** Bits of the fields that have been read of an entry. */
const HAS_TOKEN = 1;
const HAS_PRICE = 2;
const HAS_SIZE = 4;
const HAS_SIDE = 8;
const HAS_HASH = 16;
const HAS_ALL = 31;

export class EntryScanner {
  readonly #values: EntryValues;
  readonly #changes: PriceChanges;
  #seen = 0;

  constructor(values: EntryValues, changes: PriceChanges) {
    this.#values = values;
    this.#changes = changes;
  }

  /**
   * From the opening bracket to after the closing one. NONE if an entry is unreadable; `changes` then holds the earlier
   * ones.
   */
  scan(bytes: Uint8Array, view: DataView, at: number, frameEnd: number): number {
    if (at === NONE || bytes[at] !== OPEN_BRACKET) return NONE;
    const changes = this.#changes;
    changes.count = 0;
    let next = skipSpace(bytes, at + 1);
    if (bytes[next] === CLOSE_BRACKET) return next + 1;
    for (;;) {
      if (bytes[next] !== OPEN_BRACE || changes.count === ENTRIES_MAX) return NONE;
      next = this.#entry(bytes, view, next, frameEnd, changes.count);
      if (next === NONE) return NONE;
      changes.count += 1;
      next = skipSpace(bytes, next);
      if (bytes[next] === CLOSE_BRACKET) return next + 1;
      if (bytes[next] !== COMMA) return NONE;
      next = skipSpace(bytes, next + 1);
    }
  }

  #entry(bytes: Uint8Array, view: DataView, start: number, frameEnd: number, entry: number): number {
    this.#seen = 0;
    let at = skipSpace(bytes, start + 1);
    for (;;) {
      if (bytes[at] !== QUOTE) return NONE;
      at = this.#member(bytes, view, at + 1, frameEnd, entry);
      if (at === NONE) return NONE;
      at = skipComma(bytes, at);
      if (at === NONE) return NONE;
      if (bytes[at] === CLOSE_BRACE) return this.#seen === HAS_ALL ? at + 1 : NONE;
    }
  }

  /** Reads one member of an entry, from its key to after its value. */
  #member(bytes: Uint8Array, view: DataView, key: number, frameEnd: number, entry: number): number {
    const values = this.#values;
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
    if (field === HAS_TOKEN) end = values.token(bytes, view, quote + 1, entry);
    else if (field === HAS_PRICE) end = values.price(bytes, quote + 1, entry);
    else if (field === HAS_SIZE) end = values.size(bytes, quote + 1, entry);
    else if (field === HAS_SIDE) end = values.side(bytes, view, quote + 1, entry);
    else end = values.hash(bytes, quote + 1, frameEnd, entry);
    return end === NONE ? NONE : end + 1;
  }
}
