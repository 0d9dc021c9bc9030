// Reads a tape without slowing its writer. A reader that falls a whole ring behind is lapped. The reader notices a lap before it uses a
// record, and jumps to the newest record. The changes that the reader missed are in the books. Main thread.

import type { Side, TakerSide, View } from '../../core/domain/market.ts';
import { limits } from '../../limits.ts';
import {
  CONTROL_PUBLISHED,
  FLAG_COMMIT,
  KIND_CHANGE,
  KIND_MASK,
  KIND_RESET,
  KIND_STATE,
  KIND_TRADE,
  KIND_TRADES_MISSED,
  READER_ASLEEP,
  S_BOOK,
  S_CHECKSUM,
  S_KIND,
  S_PRICE,
  S_SIDE,
  SF_EPOCH,
  SF_RECEIVED_AT,
  SF_SEQ,
  SF_SIZE,
  SF_VENUE_TIME,
  SLOT_BYTES,
  SLOT_F64,
  SLOT_I32,
  TAKER_MASK,
  TAKER_SHIFT,
  TAPE_START_BYTE,
  TAPE_START_F64,
  TAPE_START_I32,
} from './layout.ts';
import type { Region } from './memory.ts';

const MASK = limits.tapeSlotsPerVenue - 1;
/** Positions have 31 bits and wrap around, so only differences between positions mean anything. */
const POSITION_MASK = 0x7fff_ffff;
/** The number of slots beyond the published position that the writer may be writing. Records in these slots count as overwritten. */
const WRITER_REACH = limits.changesPerBatchMax + 1;

/** The results of `read`. */
export const TAPE_EMPTY = 0;
export const TAPE_RECORD = 1;
/** Records were lost: the reader is at the newest record now. */
export const TAPE_LAPPED = 2;

export const RECORD_CHANGE = KIND_CHANGE;
export const RECORD_RESET = KIND_RESET;
export const RECORD_STATE = KIND_STATE;
export const RECORD_TRADE = KIND_TRADE;
export const RECORD_TRADES_MISSED = KIND_TRADES_MISSED;

export class TapeReader {
  // Fields of the last record. `kind` decides which of them are valid (layout.ts).
  kind = 0;
  book = 0;
  price = 0;
  side: Side = 0;
  size = 0;
  /** Whether this record is the last change of its batch. Only then are checksums, times, epoch and seq set. */
  isCommit = false;
  epoch = 0;
  seq = 0;
  venueTime = 0;
  receivedAt = 0;
  checksum = 0;
  complementChecksum = 0;

  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  readonly #bytes: Uint8Array;
  #position: number;
  #kindWord = 0;

  /** Starts behind the newest record: records that are on the tape already are not read. */
  constructor(region: Region) {
    this.#i32 = region.i32;
    this.#f64 = region.f64;
    this.#bytes = region.bytes;
    this.#position = Atomics.load(region.i32, CONTROL_PUBLISHED) >>> 1;
  }

  /** Asks the writer for a wake-up at the next record. Returns false if a record has arrived meanwhile: the caller then reads on. */
  sleep(): boolean {
    return Atomics.or(this.#i32, CONTROL_PUBLISHED, READER_ASLEEP) >>> 1 === this.#position;
  }

  /** Reads the next record into the fields. Returns TAPE_RECORD, TAPE_EMPTY or TAPE_LAPPED. */
  read(): number {
    const i32 = this.#i32;
    const position = this.#position;
    if (position === Atomics.load(i32, CONTROL_PUBLISHED) >>> 1) return TAPE_EMPTY;
    const slot = position & MASK;
    const word = TAPE_START_I32 + slot * SLOT_I32;
    const at = TAPE_START_F64 + slot * SLOT_F64;
    const f64 = this.#f64;
    const kindWord = i32[word + S_KIND]!;
    this.#kindWord = kindWord;
    this.kind = kindWord & KIND_MASK;
    this.isCommit = (kindWord & FLAG_COMMIT) !== 0;
    this.book = i32[word + S_BOOK]!;
    this.price = i32[word + S_PRICE]!;
    this.side = i32[word + S_SIDE]! as Side;
    this.size = f64[at + SF_SIZE]!;
    this.epoch = f64[at + SF_EPOCH]!;
    this.seq = f64[at + SF_SEQ]!;
    this.venueTime = f64[at + SF_VENUE_TIME]!;
    this.receivedAt = f64[at + SF_RECEIVED_AT]!;
    this.checksum = i32[word + S_CHECKSUM]! >>> 0;
    this.complementChecksum = i32[word + S_CHECKSUM + 1]! >>> 0;
    if (this.#wasOverwritten(position)) return this.#jumpToPresent();
    this.#position = (position + 1) & POSITION_MASK;
    return TAPE_RECORD;
  }

  get takerSide(): TakerSide {
    return ((this.#kindWord >>> TAKER_SHIFT) & TAKER_MASK) as TakerSide;
  }

  get view(): View {
    return this.side as View;
  }

  get stateCode(): number {
    return this.price;
  }

  get reasonCode(): number {
    return this.side;
  }

  /** Reads a trade's id from the next slot; call this after a trade record. Returns null if that slot was overwritten meanwhile. */
  readTradeId(): string | null {
    const position = this.#position;
    const start = TAPE_START_BYTE + (position & MASK) * SLOT_BYTES;
    let id = '';
    for (let index = start; index < start + SLOT_BYTES && this.#bytes[index] !== 0; index++) {
      id += String.fromCharCode(this.#bytes[index]!);
    }
    if (this.#wasOverwritten(position)) return null;
    this.#position = (position + 1) & POSITION_MASK;
    return id;
  }

  #wasOverwritten(position: number): boolean {
    const ahead = ((Atomics.load(this.#i32, CONTROL_PUBLISHED) >>> 1) - position) & POSITION_MASK;
    return ahead + WRITER_REACH > limits.tapeSlotsPerVenue;
  }

  #jumpToPresent(): number {
    this.#position = Atomics.load(this.#i32, CONTROL_PUBLISHED) >>> 1;
    return TAPE_LAPPED;
  }
}
