// The checksum of a book (contract §8): unsigned CRC-32 (IEEE) over up to 10 bids, then up to 10 asks, best first. Each level is
// `price:size` in canonical decimals; `|` joins the levels; an empty book has the checksum 0. The scratch buffer is reused, so that a feed
// thread can afford a checksum for every delta. Any thread; one instance per thread.

import { SPILL_BYTES, writePrice, writeSize } from '../../core/domain/decimal-bytes.ts';
import type { Level } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';

export const CHECKSUM_DEPTH = 10;

const BAR = 0x7c;
const COLON = 0x3a;
/** The bytes reserved for one level. The longest level is `0.9999:9007199254.740991|`. */
const LEVEL_BYTES_MAX = 32;

const crcTables = buildCrcTables();

export class ChecksumWriter {
  readonly #scratch = new Uint8Array(2 * CHECKSUM_DEPTH * LEVEL_BYTES_MAX + SPILL_BYTES);
  readonly #words = new Int32Array(this.#scratch.buffer);
  readonly #view = new DataView(this.#scratch.buffer);
  #length = 0;

  begin(): void {
    this.#length = 0;
  }

  /** Adds the next level: bids before asks, best first, at most ten a side. */
  level(price: number, size: number): void {
    const view = this.#view;
    let at = this.#length;
    if (at > 0) view.setUint8(at++, BAR);
    at = writePrice(view, at, price as Ticks);
    view.setUint8(at, COLON);
    this.#length = writeSize(view, at + 1, size as MicroShares);
  }

  /** The checksum as an unsigned integer of 32 bits. */
  finish(): number {
    return this.#length === 0 ? 0 : crc32(this.#scratch, this.#words, this.#length);
  }
}

const sharedWriter = new ChecksumWriter();

/** The checksum of levels that are given best first. */
export function checksumLevels(bids: readonly Level[], asks: readonly Level[]): number {
  sharedWriter.begin();
  for (const level of bids.slice(0, CHECKSUM_DEPTH)) sharedWriter.level(level.price, level.size);
  for (const level of asks.slice(0, CHECKSUM_DEPTH)) sharedWriter.level(level.price, level.size);
  return sharedWriter.finish();
}

/** Slicing by eight: two words at a time, eight independent table look-ups (little-endian machines). */
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
