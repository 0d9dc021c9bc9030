// Reads a file of a recording as docs/RECORDING.md says, one byte after the other: the naive twin of
// src/market-data/recording/recorded-file.ts with record-codec.ts. The twin holds the whole file, counts in bigints, and shares nothing
// with that code.

import { crc32 } from 'node:zlib';

/** The content of a record, as one line of text for comparison. */
type Line = string;

const STATES = ['RESYNCING', 'LIVE', 'STALE', 'HALTED', 'CLOSED'];
const GAPS = ['START', 'EPOCH', 'LAPPED', 'CUT'];
const VENUES = ['venue_a', 'venue_b'];

/** Returns the lines of all records in the whole and sound blocks at the beginning. Returns null if the file's header is not sound. */
export function naiveLines(file: Uint8Array): Line[] | null {
  const bytes = Buffer.from(file);
  if (bytes.length < 32 || bytes.toString('latin1', 0, 8) !== 'XBOOKREC') return null;
  if (bytes.readUInt32LE(8) !== 1 || crc32(bytes.subarray(0, 28)) !== bytes.readUInt32LE(28)) return null;
  const lines: Line[] = [];
  const markets: Market[] = [];
  for (let at = 32; at + 24 <= bytes.length; ) {
    const end = at + 24 + bytes.readUInt32LE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 8, end)) !== bytes.readUInt32LE(at + 4)) break;
    if (bytes.readUInt32LE(at + 8) !== 1) break;
    try {
      new NaiveBlock(bytes.subarray(at + 24, end), Number(bytes.readBigUInt64LE(at + 16)), markets).readInto(lines);
    } catch {
      // The block was copied from another file: this file does not know the block's markets.
      break;
    }
    at = end;
  }
  return lines;
}

interface Market {
  readonly name: string;
  epoch: bigint;
  seq: bigint;
}

class NaiveBlock {
  readonly #bytes: Buffer;
  readonly #markets: Market[];
  #place = 0;
  #at: number;

  constructor(bytes: Buffer, at: number, markets: Market[]) {
    this.#bytes = bytes;
    this.#at = at;
    this.#markets = markets;
  }

  readInto(lines: Line[]): void {
    while (this.#place < this.#bytes.length) {
      const kind = this.#byte();
      if (kind === 6) {
        const venue = VENUES[this.#byte()];
        this.#markets.push({ name: `${venue} ${this.#text()}`, epoch: 0n, seq: 0n });
      } else lines.push(this.#record(kind));
    }
  }

  #record(kind: number): Line {
    const market = this.#markets[Number(this.#varint())]!;
    this.#at += Number(this.#varint());
    return `${this.#at} ${market.name} ${this.#body(kind, market)}`;
  }

  #body(kind: number, market: Market): string {
    switch (kind) {
      case 1:
        return `changes ${this.#position(market)} ${this.#times()} ${this.#sum()} ${this.#levels(true)}`;
      case 2: {
        const head = `${this.#position(market)} ${this.#times()} ${this.#sum()} ${this.#state()} ${this.#varint()}`;
        return `book ${head} ${this.#levels(false)} | ${this.#levels(false)}`;
      }
      case 3:
        return `state ${this.#position(market)} ${this.#state()}`;
      case 4:
        return `trade ${this.#position(market)} ${this.#times()} ${this.#byte()} ${this.#level(false)} ${this.#text()}`;
      case 5:
        return 'tradesMissed';
      case 7:
        return 'end';
      case 8:
        return `gap ${GAPS[this.#byte()]}`;
      default:
        throw new Error(`kind ${kind}`);
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#place];
    if (byte === undefined) throw new Error('the block ends within a record');
    this.#place += 1;
    return byte;
  }

  #varint(): bigint {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = BigInt(this.#byte());
      value |= (byte & 0x7fn) << shift;
      shift += 7n;
      if (byte < 0x80n) return value;
    }
  }

  #zigzag(): bigint {
    const value = this.#varint();
    return value & 1n ? -(value + 1n) / 2n : value / 2n;
  }

  #text(): string {
    const bytes = Array.from({ length: Number(this.#varint()) }, () => this.#byte());
    return Buffer.from(bytes).toString();
  }

  #sum(): number {
    return this.#byte() + this.#byte() * 2 ** 8 + this.#byte() * 2 ** 16 + this.#byte() * 2 ** 24;
  }

  #position(market: Market): string {
    market.epoch += this.#zigzag();
    market.seq += this.#zigzag();
    return `${market.epoch} ${market.seq}`;
  }

  #times(): string {
    const receivedAt = BigInt(this.#at) - this.#zigzag();
    const stated = this.#varint();
    if (stated === 0n) return `${receivedAt} unstated`;
    const lead = stated - 1n;
    return `${receivedAt} ${receivedAt - (lead & 1n ? -(lead + 1n) / 2n : lead / 2n)}`;
  }

  #state(): string {
    return `${STATES[this.#byte()]} ${this.#byte()}`;
  }

  #levels(hasSides: boolean): string {
    return Array.from({ length: Number(this.#varint()) }, () => this.#level(hasSides)).join(' ');
  }

  #level(hasSide: boolean): string {
    const word = this.#byte() + this.#byte() * 256;
    const size = this.#varint() * (word & 0x4000 ? 10_000n : 1n);
    return `${hasSide ? (word & 0x8000 ? 'ask ' : 'bid ') : ''}${word & 0x3fff}:${size}`;
  }
}
