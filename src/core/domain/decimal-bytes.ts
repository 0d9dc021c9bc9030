// Writes numbers and short text straight into bytes, without intermediate strings. A write may spill past the end that it returns: the next
// write covers the spilled bytes, and the caller keeps SPILL_BYTES of room. Words are little-endian and hold four characters. Digits are
// made four at a time, since stores and divisions dominate the cost.

import { formatTicks, MICROS_PER_SHARE, type MicroShares, TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';
import { assert } from './result.ts';

/** The number of bytes that must be free behind the end that a write returns. */
export const SPILL_BYTES = 16;

const POINT = 0x2e;
const ZERO = 0x30;

const quads = buildQuads();
const priceText = buildPriceText();

/** ASCII text of up to 16 characters that never changes, as four words. */
export interface Literal {
  readonly length: number;
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
}

export function literal(text: string): Literal {
  assert(/^[ -~]{1,16}$/.test(text), `a literal has 1 to 16 plain characters: ${text}`);
  const [first, second, third, fourth] = [0, 4, 8, 12].map(start => word(text.slice(start, start + 4)));
  return { length: text.length, first: first!, second: second!, third: third!, fourth: fourth! };
}

/** Returns up to four characters as one word, the first character in the lowest byte. */
export function word(text: string): number {
  return [...text].reduceRight((bits, character) => (bits << 8) | character.charCodeAt(0), 0);
}

/** Writes the literal. Like each writer here, returns the end of the bytes that it wrote. */
export function writeLiteral(view: DataView, at: number, text: Literal): number {
  view.setInt32(at, text.first, true);
  view.setInt32(at + 4, text.second, true);
  view.setInt32(at + 8, text.third, true);
  view.setInt32(at + 12, text.fourth, true);
  return at + text.length;
}

/** Writes an integer from 0 to 2^32 − 1, in decimal. */
export function writeUint32(view: DataView, start: number, value: number): number {
  const bits = value >>> 0;
  if (bits < 100_000_000) return writeInteger(view, start, bits);
  const high = (bits / 100_000_000) >>> 0;
  return writeEight(view, writeLeading(view, start, high), bits - high * 100_000_000);
}

/** Writes an integer from 0 to 2^53 − 1, in decimal. */
export function writeInteger(view: DataView, start: number, value: number): number {
  if (value < 10_000) return writeLeading(view, start, value | 0);
  if (value < 100_000_000) {
    const high = ((value | 0) / 10_000) | 0;
    return writeQuad(view, writeLeading(view, start, high), (value | 0) - high * 10_000);
  }
  // Values above 2^31 are split in two halves below it.
  const high = Math.floor(value / 100_000_000);
  return writeEight(view, writeInteger(view, start, high), (value - high * 100_000_000) | 0);
}

/** Writes the canonical text of a price, as `formatTicks` does. */
export function writePrice(view: DataView, at: number, ticks: Ticks): number {
  const low = priceText[ticks << 1]!;
  const high = priceText[(ticks << 1) + 1]!;
  view.setInt32(at, low, true);
  view.setInt32(at + 4, high, true);
  return at + (high >>> 24);
}

/** Writes the canonical text of a size, as `formatMicroShares` does. */
export function writeSize(view: DataView, start: number, micros: MicroShares): number {
  const whole = Math.floor(micros / MICROS_PER_SHARE);
  const fraction = (micros - whole * MICROS_PER_SHARE) | 0;
  const at = writeInteger(view, start, whole);
  return fraction === 0 ? at : writeFraction(view, at, fraction);
}

/** Returns two digits in the lower half of a word. */
export function twoDigits(value: number): number {
  return quads[value]! >>> 16;
}

/** Returns three digits in the lower three quarters of a word. */
export function threeDigits(value: number): number {
  return quads[value]! >>> 8;
}

/** Writes up to four digits without leading zeros. */
function writeLeading(view: DataView, at: number, value: number): number {
  const digits = value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4;
  view.setInt32(at, quads[value]! >>> ((4 - digits) << 3), true);
  return at + digits;
}

/** Writes exactly four digits. */
function writeQuad(view: DataView, at: number, value: number): number {
  view.setInt32(at, quads[value]!, true);
  return at + 4;
}

/** Writes exactly eight digits. */
function writeEight(view: DataView, at: number, value: number): number {
  const high = (value / 10_000) | 0;
  return writeQuad(view, writeQuad(view, at, high), value - high * 10_000);
}

/** Writes `.` and up to six digits without trailing zeros; `fraction` is from 1 to 999 999. */
function writeFraction(view: DataView, start: number, fraction: number): number {
  view.setUint8(start, POINT);
  // Venues count in hundredths, so most fractions are complete here.
  const hundredths = (fraction / 10_000) | 0;
  const rest = fraction - hundredths * 10_000;
  view.setInt32(start + 1, quads[hundredths * 100]!, true);
  if (rest === 0) return start + (hundredths % 10 === 0 ? 2 : 3);
  let end = writeQuad(view, start + 3, rest);
  while (view.getUint8(end - 1) === ZERO) end -= 1;
  return end;
}

/** Returns the texts `0000` to `9999` as words, the first character in the lowest byte. */
function buildQuads(): Int32Array {
  return Int32Array.from({ length: 10_000 }, (_, value) => word(String(value).padStart(4, '0')));
}

/** Returns the canonical text of every price, two words each. A text has at most six characters; the last byte holds their number. */
function buildPriceText(): Int32Array {
  const table = new Int32Array((TICKS_PER_DOLLAR + 1) * 2);
  for (let ticks = 0; ticks <= TICKS_PER_DOLLAR; ticks++) {
    const text = formatTicks(ticks as Ticks);
    table[ticks * 2] = word(text.slice(0, 4));
    table[ticks * 2 + 1] = word(text.slice(4)) | (text.length << 24);
  }
  return table;
}
