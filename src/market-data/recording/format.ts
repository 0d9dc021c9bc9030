// The format of recordings: what they hold, and THE offsets of their files. docs/RECORDING.md describes both for readers in other
// languages, and a test compares them. All numbers are little-endian. A change of any offset or meaning raises FORMAT_VERSION. Any
// thread.
//
//   file    = header (32 bytes) · blocks of records · last block: the file's checksum and contents · tail (8 bytes)
//   block   = head (24 bytes) · payload: records without a gap
//   record  = kind (1 byte) · market (varint) · time since the record before it in the block (varint, ms) · what its kind holds
//
// A file without its last block was cut off: what stands before the first block that is not whole and sound is readable. A file stands alone:
// it begins with the whole book of every market, and a market that joins later begins with its whole book, too.

import type { BookState, Level, Side, StateReason, TakerSide, Venue } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';

/** A market of a recording. Throughout one recording a market is always the same object. */
export interface RecordedMarket {
  readonly venue: Venue;
  /** The token id or ticker. */
  readonly address: string;
}

/**
 * The reasons of a gap: why changes, states and trades of a market may be missing before this place. `START`: the market's recording begins
 * here, or its feed or the recorder was restarted. `EPOCH`: the venue sent a new snapshot. `LAPPED`: the recorder fell a whole tape behind.
 * `CUT`: the file was not closed (a crash, a power cut, a full disk), is damaged, or the next file is missing. Only readers make a `CUT`
 * gap, at the end of such a file.
 */
export const GAP_REASONS = ['START', 'EPOCH', 'LAPPED', 'CUT'] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** The place of a record in its market's stream: the same `epoch` and `seq` as in the stream of the gateway that recorded it. */
interface Position {
  readonly epoch: number;
  readonly seq: number;
}

/** The time by the venue's clock, 0 if the venue states none, and the time by the gateway's clock at which the frame arrived. */
interface Times {
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

export interface RecordedChange {
  readonly side: Side;
  readonly price: Ticks;
  /** The new size of the level; 0 removes the level. */
  readonly size: MicroShares;
}

/** A whole book: all levels, best first. Unless a gap precedes this record, the earlier records already add up to this book. */
export interface RecordedBook extends Position, Times {
  readonly kind: 'book';
  readonly state: BookState;
  readonly reason: StateReason;
  /** The checksum of the ten best levels a side (contract §8). */
  readonly checksum: number;
  /** The price of the last trade. 0 means that no trade is known. */
  readonly lastTrade: Ticks;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** The changes of one batch: they belong together and have one `seq` in the stream. */
export interface RecordedChanges extends Position, Times {
  readonly kind: 'changes';
  /** The checksum of the book with these changes. */
  readonly checksum: number;
  readonly changes: readonly RecordedChange[];
}

interface RecordedTrade extends Position, Times {
  readonly kind: 'trade';
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly takerSide: TakerSide;
  readonly tradeId: string;
}

/** A state of the book, which lasts until the next state. RESYNCING empties the book; every other state keeps the levels. */
interface RecordedState extends Position {
  readonly kind: 'state';
  readonly state: BookState;
  readonly reason: StateReason;
}

/** The venue's feed has missed trades before now. */
interface RecordedTradesMissed {
  readonly kind: 'tradesMissed';
}

/** A gap. The next record of the market is its whole book, or its end. */
interface RecordedGap {
  readonly kind: 'gap';
  readonly why: GapReason;
}

/** From here on, the market is not recorded any more. */
interface RecordedEnd {
  readonly kind: 'end';
}

export type RecordedEvent = {
  readonly market: RecordedMarket;
  /** The time at which the recorder wrote the event, by the gateway's clock. This time never decreases within a file. */
  readonly at: UnixMillis;
} & (RecordedBook | RecordedChanges | RecordedTrade | RecordedState | RecordedTradesMissed | RecordedGap | RecordedEnd);

export const MAGIC = 'XBOOKREC';
export const FORMAT_VERSION = 1;

/**
 * Offsets within the header, in bytes. `session` is a random number. All files that one recorder wrote without a pause have the same
 * session, and `number` counts these files from 1. The checksum is the CRC-32 of the bytes before it.
 */
export const HEADER = { magic: 0, version: 8, session: 12, startedAt: 16, number: 24, checksum: 28 } as const;
export const HEADER_BYTES = 32;

/** Offsets within the head of a block. The checksum is the CRC-32 of all bytes of the block that follow the checksum. */
export const BLOCK = { payloadBytes: 0, checksum: 4, type: 8, records: 12, at: 16 } as const;
export const BLOCK_HEAD_BYTES = 24;
export const BLOCK_OF_RECORDS = 1;
/** The type of the last block: the SHA-256 of all bytes of the file before this block, then the file's contents as JSON. */
export const BLOCK_OF_CONTENTS = 2;
export const SHA256_BYTES = 32;
/** The most bytes of a payload. A longer block counts as damaged. */
export const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024;

/** Offsets within the tail, which ends a closed file: the length of the file's last block, and a magic number. */
export const TAIL = { blockBytes: 0, magic: 4 } as const;
export const TAIL_BYTES = 8;
/** The letters `XEND` as a number. */
export const TAIL_MAGIC = 0x444e_4558;

/**
 * Kinds of records. The first seven have the numbers of the shared file's kinds (docs/SHARED-MEMORY.md). There, 2 is a new epoch, 6 a new
 * listing and 7 its end.
 */
export const KIND_CHANGES = 1;
export const KIND_BOOK = 2;
export const KIND_STATE = 3;
export const KIND_TRADE = 4;
export const KIND_TRADES_MISSED = 5;
/** A record that gives a market the next number in this file, from 0. The record holds the market's venue and address. */
export const KIND_MARKET = 6;
export const KIND_END = 7;
export const KIND_GAP = 8;

/** A level or a change is written as 16 bits, which hold the price and two flags, and its size as a varint. This mask selects the price. */
export const LEVEL_PRICE_MASK = 0x3fff;
/** The flag that says that the size is in hundredths of a share. Without the flag, the size is in micro-shares. */
export const LEVEL_IN_CENTIS = 0x4000;
/** The flag that says that the change is on the ask side. */
export const LEVEL_IS_ASK = 0x8000;
export const MICROS_PER_CENTI = 10_000;

/** The contents of a file, as stated in its last block. If a market was recorded twice in the file, its counts are sums. */
export interface FileContents {
  readonly endedAt: number;
  readonly markets: readonly MarketContents[];
}

export interface MarketContents extends RecordedMarket {
  readonly books: number;
  readonly changes: number;
  readonly trades: number;
  readonly gaps: number;
}

/** The pattern of file names: the start of the file in UTC, such as `20261126T064500123Z.xrec`. */
export const FILE_NAME = /^\d{8}T\d{9}Z\.xrec$/;

export function fileName(startedAt: UnixMillis): string {
  return `${new Date(startedAt).toISOString().replace(/[-:.]/g, '')}.xrec`;
}

/** The error for files that are not a recording, or that cannot be played. The message names the file and the fault. */
export class RecordingFault extends Error {
  override readonly name = 'RecordingFault';
}

/** Maps 0, −1, 1, −2, … to 0, 1, 2, 3, … */
export function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

export function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** The factor by which the eighth byte of a varint counts. */
const SCALE_MAX = 2 ** 49;

/** A writer of bytes whose buffer grows as needed, and is reused from block to block. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(128 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns the bytes since the last `clear`. They are valid until the next write. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  u8(value: number): void {
    this.#need(1);
    this.#bytes[this.#length++] = value;
  }

  u16(value: number): void {
    this.#need(2);
    this.#length = this.#bytes.writeUInt16LE(value, this.#length);
  }

  u32(value: number): void {
    this.#need(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  /** Writes a varint. Throws a RangeError if the number has no encoding as a varint. */
  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} has no varint`);
    this.#need(8);
    let rest = value;
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 0x80;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  signed(value: number): void {
    this.varint(zigzag(value));
  }

  text(value: string): void {
    const bytes = Buffer.from(value);
    this.varint(bytes.length);
    this.#need(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  #need(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** A reader of bytes. Its methods throw a RangeError if the bytes end too early, or are not a valid number. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    return this.#bytes[this.#take(1)]!;
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#take(2));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  varint(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('a varint above 2^53');
      if (byte < 0x80) return value;
      scale *= 128;
      if (scale > SCALE_MAX) throw new RangeError('a varint of more than eight bytes');
    }
  }

  signed(): number {
    return unzigzag(this.varint());
  }

  text(): string {
    const length = this.varint();
    const start = this.#take(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  #take(bytes: number): number {
    const start = this.#at;
    if (start + bytes > this.#bytes.length) throw new RangeError('the bytes end too early');
    this.#at += bytes;
    return start;
  }
}
