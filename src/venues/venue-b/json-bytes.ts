// Reads JSON from bytes with rules that allocate nothing. Each rule takes the start of a value and returns the position
// after it; its result is in `number`. Rules accept a subset of what JSON.parse accepts: escapes, exponents and fractions
// of plain numbers are left to JSON.parse. Venue B's feed thread.
//
// A frame is copied into a scratch buffer and ended with a zero byte. Zero is invalid everywhere in JSON, so every rule
// stops there. A failed rule returns the position of that zero, so that the next rule fails as well.

import { limits } from '../../limits.ts';

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

/** The most digits of an integer that always fit an int32. */
const INT32_DIGITS = 9;
/** The most digits that may follow the first nine: all of them together stay below 2^53. */
const LOW_DIGITS = 6;
const UUID_BYTES = 36;
const POWERS_OF_TEN = Int32Array.from({ length: 10 }, (_, exponent) => 10 ** exponent);
/** The bytes after the frame that a load may touch when it starts at the closing zero. */
const MARGIN_BYTES = 64;
/** The bytes after a frame: a zero, then a quote, which ends a search for a quote. */
const CLOSING = (QUOTE << 8) | 0;
const QUOTE_0_POINT = (POINT << 16) | (ZERO << 8) | QUOTE;

/** Returns two or four characters as the little-endian integer that a load at their position gives. */
export function packed(text: string): number {
  let value = 0;
  for (let index = 0; index < text.length; index += 1) value |= text.charCodeAt(index) << (index * 8);
  return value;
}

/**
 * Returns eight characters as the double that a load at their position gives. ASCII text is never NaN or zero as a double, so equal doubles
 * mean equal bytes. This takes half as many comparisons as integers do.
 */
export function packed8(text: string): number {
  const view = new DataView(new ArrayBuffer(8));
  for (let index = 0; index < 8; index += 1) view.setUint8(index, text.charCodeAt(index));
  return view.getFloat64(0, true);
}

export class JsonBytes {
  readonly bytes = new Uint8Array(limits.venueBScanBytesMax + MARGIN_BYTES);
  readonly view: DataView = new DataView(this.bytes.buffer);
  /** The length of the frame, which is the position of its closing zero. */
  end = 0;
  /** The result of the last number rule. It starts as NaN, never as an integer, so that V8 keeps a double field. */
  number: number = Number.NaN;

  /** Copies a frame. Returns false if the frame is too long. */
  load(frame: Uint8Array): boolean {
    if (frame.length > limits.venueBScanBytesMax) return false;
    this.bytes.set(frame);
    this.end = frame.length;
    this.view.setInt16(this.end, CLOSING, true);
    return true;
  }

  /** Skips white space. */
  space(start: number): number {
    const bytes = this.bytes;
    let at = start;
    while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
    return at;
  }

  /** Skips from after a key to the start of its value. */
  colon(start: number): number {
    const at = this.space(start);
    return this.bytes[at] === COLON ? this.space(at + 1) : this.end;
  }

  /** Skips a string. Fails at escapes and control characters. */
  text(at: number): number {
    if (this.bytes[at] !== QUOTE) return this.end;
    const view = this.view;
    for (let from = at + 1; ; from += 4) {
      const word = view.getInt32(from, true);
      const controls = (word - 0x20202020) & ~word & 0x80808080;
      const hits = zeroBytes(word ^ 0x22222222) | zeroBytes(word ^ 0x5c5c5c5c) | controls;
      if (hits === 0) continue;
      const end = from + firstByte(hits);
      return this.bytes[end] === QUOTE ? end + 1 : this.end;
    }
  }

  /** Like `text`, but faster for a UUID. All bytes of a UUID have bit 5; escapes and control characters do not. */
  uuid(start: number): number {
    const view = this.view;
    const behind = start + 1 + UUID_BYTES;
    let quotes = 0;
    let bits = 0x20202020;
    for (let at = start + 1; at < behind; at += 4) {
      const word = view.getInt32(at, true);
      quotes |= zeroBytes(word ^ 0x22222222);
      bits &= word;
    }
    const isPlain = quotes === 0 && bits === 0x20202020 && this.bytes[start] === QUOTE && this.bytes[behind] === QUOTE;
    return isPlain ? behind + 1 : this.text(start);
  }

  /** Reads an integer: only digits, at most 15, without leading zeros. */
  integer(start: number): number {
    const bytes = this.bytes;
    let at = start;
    let high = 0;
    let digit = bytes[at]! - ZERO;
    const highEnd = start + INT32_DIGITS;
    while (digit >>> 0 <= 9 && at < highEnd) {
      high = (high * 10 + digit) | 0;
      at += 1;
      digit = bytes[at]! - ZERO;
    }
    if (at === start || (bytes[start] === ZERO && at > start + 1)) return this.end;
    let low = 0;
    const lowStart = at;
    const lowEnd = at + LOW_DIGITS;
    while (digit >>> 0 <= 9 && at < lowEnd) {
      low = (low * 10 + digit) | 0;
      at += 1;
      digit = bytes[at]! - ZERO;
    }
    this.number = high * POWERS_OF_TEN[at - lowStart]! + low;
    return at;
  }

  /**
   * Reads quoted decimal text, scaled by 10^decimals. The text has 1 to 9 digits, and may have a point with 1 to `decimals` digits after
   * it.
   */
  decimal(at: number, decimals: number): number {
    return this.bytes[at] === QUOTE ? this.#digits(at + 1, decimals) : this.end;
  }

  /** Like `decimal`, with an optional minus sign. */
  signedDecimal(at: number, decimals: number): number {
    if (this.bytes[at] !== QUOTE || this.bytes[at + 1] !== MINUS) return this.decimal(at, decimals);
    const behind = this.#digits(at + 2, decimals);
    // This subtracts, because a unary minus would turn zero into a negative zero.
    this.number = 0 - this.number;
    return behind;
  }

  /** Like `decimal` with 4 places, but faster for `"0.dddd"`. */
  price(at: number): number {
    const view = this.view;
    const digits = fourDigits(view.getInt32(at + 3, true));
    const isUsual = (view.getInt32(at, true) & 0xffffff) === QUOTE_0_POINT && this.bytes[at + 7] === QUOTE;
    if (digits < 0 || !isUsual) return this.decimal(at, 4);
    this.number = digits;
    return at + 8;
  }

  /** Like `integer`, but refuses 0, and is faster for 13 digits, which milliseconds since 2001 have. */
  millis(at: number): number {
    const view = this.view;
    const first = fourDigits(view.getInt32(at, true));
    const second = fourDigits(view.getInt32(at + 4, true));
    const third = fourDigits(view.getInt32(at + 8, true));
    const last = this.bytes[at + 12]! - ZERO;
    const isUsual =
      first >= 1000 && (second | third) >= 0 && last >>> 0 <= 9 && (this.bytes[at + 13]! - ZERO) >>> 0 > 9;
    if (!isUsual) return this.bytes[at] === ZERO ? this.end : this.integer(at);
    this.number = first * 1e9 + (second * 100_000 + third * 10 + last);
    return at + 13;
  }

  #digits(start: number, decimals: number): number {
    const bytes = this.bytes;
    let at = start;
    let whole = 0;
    let digit = bytes[at]! - ZERO;
    while (digit >>> 0 <= 9) {
      whole = (whole * 10 + digit) | 0;
      at += 1;
      digit = bytes[at]! - ZERO;
    }
    if (at === start || at - start > INT32_DIGITS) return this.end;
    let fraction = 0;
    let places = 0;
    if (bytes[at] === POINT) {
      const first = at + 1;
      at = first;
      digit = bytes[at]! - ZERO;
      while (digit >>> 0 <= 9) {
        fraction = (fraction * 10 + digit) | 0;
        at += 1;
        digit = bytes[at]! - ZERO;
      }
      places = at - first;
      if (places === 0 || places > decimals) return this.end;
    }
    this.number = whole * POWERS_OF_TEN[decimals]! + fraction * POWERS_OF_TEN[decimals - places]!;
    return bytes[at] === QUOTE ? at + 1 : this.end;
  }
}

/** Returns the number whose digits are the word's four characters, or −1 if a character is not a digit. */
function fourDigits(word: number): number {
  const nibbles = word ^ 0x30303030;
  if (((nibbles & 0xf0f0f0f0) | ((nibbles + 0x06060606) & 0xf0f0f0f0)) !== 0) return -1;
  const pairs = (nibbles * 10 + (nibbles >>> 8)) & 0x00ff00ff;
  return (pairs * 100 + (pairs >>> 16)) & 0xffff;
}

/** Returns a word with the high bit of the first zero byte set, and perhaps of bytes above it. Returns 0 if no byte is zero. */
export function zeroBytes(word: number): number {
  return (word - 0x01010101) & ~word & 0x80808080;
}

/** Returns the index of the byte that has the lowest set bit. */
export function firstByte(word: number): number {
  return (31 - Math.clz32(word & -word)) >> 3;
}
