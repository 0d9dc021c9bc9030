// Numbers and times written as text straight into bytes, without a string in between. A write may spill up to seven bytes
// past the end it returns: the next write covers them, and the caller keeps that much room. Little-endian words: four
// characters at a time, since divisions are what costs. Main thread.

import {
  formatTicks,
  MICROS_PER_SHARE,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../domain/numbers.ts';

/** Room that a write needs behind its last byte. */
export const SPILL_BYTES = 7;

const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const LETTER_Z = 0x5a;
const MINUTE_MS = 60_000;
/** Later times have no four-digit year: 9999-12-31T23:59:59.999Z. */
const TIME_MAX = 253_402_300_799_999;

const quads = buildQuads();
const priceText = buildPriceText();

/** Text that never changes, kept as words. */
export interface Literal {
  readonly words: Int32Array;
  readonly length: number;
}

/** `text` must be ASCII. */
export function literal(text: string): Literal {
  const words = new Int32Array(Math.ceil(text.length / 4));
  for (let index = 0; index < text.length; index++) {
    words[index >> 2] = words[index >> 2]! | (text.charCodeAt(index) << ((index & 3) << 3));
  }
  return { words, length: text.length };
}

/** Each writer returns the end of what it wrote. */
export function writeLiteral(view: DataView, at: number, { words, length }: Literal): number {
  for (let index = 0; index < words.length; index++) view.setInt32(at + (index << 2), words[index]!, true);
  return at + length;
}

/** An integer from 0 to 2^53 − 1, in decimal. */
export function writeInteger(view: DataView, start: number, value: number): number {
  if (value < 10_000) return writeLeading(view, start, value | 0);
  if (value < 100_000_000) {
    const high = ((value | 0) / 10_000) | 0;
    return writeQuad(view, writeLeading(view, start, high), (value | 0) - high * 10_000);
  }
  // What is above 2^31 is split in two halves below it.
  const high = Math.floor(value / 100_000_000);
  const low = (value - high * 100_000_000) | 0;
  const middle = (low / 10_000) | 0;
  const at = writeQuad(view, writeInteger(view, start, high), middle);
  return writeQuad(view, at, low - middle * 10_000);
}

/** Canonical text of a price, as `formatTicks`. */
export function writePrice(view: DataView, at: number, ticks: Ticks): number {
  const low = priceText[ticks << 1]!;
  const high = priceText[(ticks << 1) + 1]!;
  view.setInt32(at, low, true);
  view.setInt32(at + 4, high, true);
  return at + (high >>> 24);
}

/** Canonical text of a size, as `formatMicroShares`. */
export function writeSize(view: DataView, start: number, micros: MicroShares): number {
  const whole = Math.floor(micros / MICROS_PER_SHARE);
  const fraction = (micros - whole * MICROS_PER_SHARE) | 0;
  const at = writeInteger(view, start, whole);
  return fraction === 0 ? at : writeFraction(view, at, fraction);
}

/** Canonical text of a time (contract §1), 24 characters. One instance per kind of time: it keeps the minute it saw last. */
export class TimeWriter {
  readonly #minuteText = new Int32Array(4);
  #minuteStart = Number.NaN;

  write(view: DataView, at: number, time: UnixMillis): number {
    let inMinute = time - this.#minuteStart;
    if (!(inMinute >= 0 && inMinute < MINUTE_MS)) inMinute = this.#enterMinute(time);
    const text = this.#minuteText;
    view.setInt32(at, text[0]!, true);
    view.setInt32(at + 4, text[1]!, true);
    view.setInt32(at + 8, text[2]!, true);
    view.setInt32(at + 12, text[3]!, true);
    const seconds = (inMinute / 1_000) | 0;
    // A quad is four digits: of `00ss` the upper two, of `0mmm` the upper three.
    view.setInt32(at + 16, COLON | ((quads[seconds]! >>> 16) << 8) | (POINT << 24), true);
    view.setInt32(at + 20, (quads[inMinute - seconds * 1_000]! >>> 8) | (LETTER_Z << 24), true);
    return at + 24;
  }

  #enterMinute(time: UnixMillis): number {
    const bounded = Math.min(time, TIME_MAX);
    const text = formatTime(bounded as UnixMillis);
    this.#minuteText.set(literal(text.slice(0, 16)).words);
    this.#minuteStart = bounded - (bounded % MINUTE_MS);
    return bounded - this.#minuteStart;
  }
}

/** The same text at leisure. */
export function formatTime(time: UnixMillis): string {
  return new Date(Math.min(time, TIME_MAX)).toISOString();
}

/** Up to four digits without leading zeros. */
function writeLeading(view: DataView, at: number, value: number): number {
  const digits = value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4;
  view.setInt32(at, quads[value]! >>> ((4 - digits) << 3), true);
  return at + digits;
}

/** Exactly four digits. */
function writeQuad(view: DataView, at: number, value: number): number {
  view.setInt32(at, quads[value]!, true);
  return at + 4;
}

/** `.` and up to six digits without trailing zeros; `fraction` is from 1 to 999 999. */
function writeFraction(view: DataView, start: number, fraction: number): number {
  view.setUint8(start, POINT);
  // Venues count in hundredths: most fractions end here.
  const hundredths = (fraction / 10_000) | 0;
  const rest = fraction - hundredths * 10_000;
  view.setInt32(start + 1, quads[hundredths * 100]!, true);
  if (rest === 0) return start + (hundredths % 10 === 0 ? 2 : 3);
  let end = writeQuad(view, start + 3, rest);
  while (view.getUint8(end - 1) === ZERO) end -= 1;
  return end;
}

/** `0000` to `9999`, the first character in the lowest byte. */
function buildQuads(): Int32Array {
  return Int32Array.from({ length: 10_000 }, (_, value) => literal(String(value).padStart(4, '0')).words[0]!);
}

/** Canonical text of every price, two words each: at most six characters, their number in the last byte. */
function buildPriceText(): Int32Array {
  const table = new Int32Array((TICKS_PER_DOLLAR + 1) * 2);
  for (let ticks = 0; ticks <= TICKS_PER_DOLLAR; ticks++) {
    const { words, length } = literal(formatTicks(ticks as Ticks));
    table.set(words, ticks * 2);
    table[ticks * 2 + 1] = table[ticks * 2 + 1]! | (length << 24);
  }
  return table;
}
