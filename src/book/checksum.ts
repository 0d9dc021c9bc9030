// The checksum of a book (contract §8): unsigned CRC-32 (IEEE) over up to 10 bids then up to 10 asks, best first, each
// `price:size` in canonical decimals, joined by `|`; 0 for an empty book. Rendered as bytes into one scratch buffer,
// so that a feed thread can afford it for every delta. Any thread; one instance per thread.

import type { Level } from '../domain/market.ts';
import { formatTicks, MICROS_PER_SHARE, TICKS_PER_DOLLAR, type Ticks } from '../domain/numbers.ts';

export const CHECKSUM_DEPTH = 10;

const BAR = 0x7c;
const POINT = 0x2e;
const ZERO = 0x30;
/** The longest level: `0.9999:9007199254.740991|`. */
const LEVEL_BYTES_MAX = 32;
const PRICE_WORDS = 3;

const crcTables = buildCrcTables();
const priceText = buildPriceText();
const quads = buildQuads();

export class ChecksumWriter {
  readonly #scratch = new Uint8Array(2 * CHECKSUM_DEPTH * LEVEL_BYTES_MAX);
  readonly #words = new Int32Array(this.#scratch.buffer);
  readonly #view = new DataView(this.#scratch.buffer);
  #length = 0;

  begin(): void {
    this.#length = 0;
  }

  /** Adds the next level: bids first, then asks, best first within each, at most ten of each. */
  level(price: number, size: number): void {
    const view = this.#view;
    let at = this.#length;
    if (at > 0) view.setUint8(at++, BAR);
    const entry = price * PRICE_WORDS;
    // Eight places are written without asking how many characters there are: what is too much is overwritten.
    view.setInt32(at, priceText[entry + 1]!, true);
    view.setInt32(at + 4, priceText[entry + 2]!, true);
    at += priceText[entry]!;
    this.#length = writeSize(view, at, size);
  }

  /** The checksum as an unsigned 32-bit number. */
  finish(): number {
    return this.#length === 0 ? 0 : crc32(this.#scratch, this.#words, this.#length);
  }
}

const sharedWriter = new ChecksumWriter();

/** The checksum of a book given as levels, best first. */
export function checksumLevels(bids: readonly Level[], asks: readonly Level[]): number {
  sharedWriter.begin();
  for (const level of bids.slice(0, CHECKSUM_DEPTH)) sharedWriter.level(level.price, level.size);
  for (const level of asks.slice(0, CHECKSUM_DEPTH)) sharedWriter.level(level.price, level.size);
  return sharedWriter.finish();
}

/** Writes micro-shares as canonical decimal text; returns the end. Four digits at a time: divisions are what costs. */
function writeSize(view: DataView, start: number, micros: number): number {
  const whole = Math.floor(micros / MICROS_PER_SHARE);
  const fraction = (micros - whole * MICROS_PER_SHARE) | 0;
  let at = start;
  if (whole < 10_000) at = writeLeading(view, at, whole | 0);
  else if (whole < 100_000_000) {
    const high = ((whole | 0) / 10_000) | 0;
    at = writeLeading(view, at, high);
    at = writeQuad(view, at, (whole | 0) - high * 10_000);
  } else {
    const high = Math.floor(whole / 100_000_000);
    const low = (whole - high * 100_000_000) | 0;
    const middle = (low / 10_000) | 0;
    at = writeLeading(view, at, high);
    at = writeQuad(view, at, middle);
    at = writeQuad(view, at, low - middle * 10_000);
  }
  return fraction === 0 ? at : writeFraction(view, at, fraction);
}

/** Up to four digits without leading zeros. */
function writeLeading(view: DataView, at: number, value: number): number {
  const digits = value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4;
  // All four places are written; those after the last digit are overwritten by what follows.
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
  writeQuad(view, start + 3, rest);
  let end = start + 7;
  while (view.getUint8(end - 1) === ZERO) end -= 1;
  return end;
}

/** Slicing by eight: two words at a time, eight table lookups that do not wait for each other (little-endian machines). */
function crc32(bytes: Uint8Array, words: Int32Array, length: number): number {
  const tables = crcTables;
  let crc = -1;
  const pairs = length >>> 3;
  for (let pair = 0; pair < pairs; pair++) {
    const low = words[pair << 1]! ^ crc;
    const high = words[(pair << 1) + 1]!;
    crc =
      tables[1792 + (low & 0xff)]! ^
      tables[1536 + ((low >>> 8) & 0xff)]! ^
      tables[1280 + ((low >>> 16) & 0xff)]! ^
      tables[1024 + (low >>> 24)]! ^
      tables[768 + (high & 0xff)]! ^
      tables[512 + ((high >>> 8) & 0xff)]! ^
      tables[256 + ((high >>> 16) & 0xff)]! ^
      tables[high >>> 24]!;
  }
  for (let at = pairs << 3; at < length; at++) crc = tables[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

function buildCrcTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    tables[byte] = crc;
  }
  for (let table = 1; table < 8; table++) {
    for (let byte = 0; byte < 256; byte++) {
      const before = tables[(table - 1) * 256 + byte]!;
      tables[table * 256 + byte] = tables[before & 0xff]! ^ (before >>> 8);
    }
  }
  return tables;
}

/** `0000` to `9999`, the first character in the lowest byte. */
function buildQuads(): Int32Array {
  return Int32Array.from({ length: 10_000 }, (_, value) => {
    const text = String(value).padStart(4, '0');
    return text.charCodeAt(0) | (text.charCodeAt(1) << 8) | (text.charCodeAt(2) << 16) | (text.charCodeAt(3) << 24);
  });
}

/** Canonical text of every price, three words each: its length with the colon behind it, then its characters. */
function buildPriceText(): Int32Array {
  const table = new Int32Array((TICKS_PER_DOLLAR + 1) * PRICE_WORDS);
  for (let ticks = 0; ticks <= TICKS_PER_DOLLAR; ticks++) {
    const text = `${formatTicks(ticks as Ticks)}:`;
    table[ticks * PRICE_WORDS] = text.length;
    for (let index = 0; index < text.length; index++) {
      const word = ticks * PRICE_WORDS + 1 + (index >> 2);
      table[word] = table[word]! | (text.charCodeAt(index) << ((index & 3) << 3));
    }
  }
  return table;
}
