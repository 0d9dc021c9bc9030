// Writes a venue's tape: a ring of 64-byte records in shared memory, with one writer and any number of readers. Records are first written
// beyond the published position. Moving that position publishes all of them at once. Feed threads.

import {
  BOOK_STATES,
  type BookState,
  STATE_REASONS,
  type StateReason,
  type TakerSide,
  type View,
} from '../../core/domain/market.ts';
import { limits } from '../../limits.ts';
import {
  CONTROL_PUBLISHED,
  FLAG_COMMIT,
  H_CHECKSUM,
  HF_EPOCH,
  HF_RECEIVED_AT,
  HF_SEQ,
  HF_VENUE_TIME,
  headerOf,
  KIND_CHANGE,
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
  TAKER_SHIFT,
  TAPE_START_BYTE,
  TAPE_START_F64,
  TAPE_START_I32,
} from './layout.ts';
import type { Region } from './memory.ts';

const MASK = limits.tapeSlotsPerVenue - 1;

export class TapeWriter {
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  readonly #bytes: Uint8Array;
  readonly #ring: () => void;
  /** The position of the next record to publish. Positions have 31 bits and wrap around, so only differences mean anything. */
  #published: number;
  /** Changes of the open batch that are written but not published. */
  #pending = 0;

  /** `ring` wakes the reading thread. It is called once each time after the reader has gone to sleep. */
  constructor(region: Region, ring: () => void) {
    this.#i32 = region.i32;
    this.#f64 = region.f64;
    this.#bytes = region.bytes;
    this.#ring = ring;
    this.#published = Atomics.load(region.i32, CONTROL_PUBLISHED) >>> 1;
  }

  get pendingChanges(): number {
    return this.#pending;
  }

  change(book: number, side: number, price: number, size: number): void {
    const slot = (this.#published + this.#pending) & MASK;
    const word = TAPE_START_I32 + slot * SLOT_I32;
    const i32 = this.#i32;
    i32[word + S_KIND] = KIND_CHANGE;
    i32[word + S_BOOK] = book;
    i32[word + S_PRICE] = price;
    i32[word + S_SIDE] = side;
    this.#f64[TAPE_START_F64 + slot * SLOT_F64 + SF_SIZE] = size;
    this.#pending += 1;
  }

  discardChanges(): void {
    this.#pending = 0;
  }

  /**
   * Marks the last pending change as the end of its batch, copies checksums, times and position from the book's header, and publishes the
   * batch.
   */
  commitChanges(book: number): void {
    const slot = (this.#published + this.#pending - 1) & MASK;
    const word = TAPE_START_I32 + slot * SLOT_I32;
    const header = headerOf(book);
    const i32 = this.#i32;
    i32[word + S_KIND] = KIND_CHANGE | FLAG_COMMIT;
    i32[word + S_CHECKSUM] = i32[header + H_CHECKSUM]!;
    i32[word + S_CHECKSUM + 1] = i32[header + H_CHECKSUM + 1]!;
    this.#copyTimes(header >>> 1, slot);
    this.#publish(this.#pending);
    this.#pending = 0;
  }

  /** Publishes that a new epoch has begun: readers copy the book itself from shared memory. */
  reset(book: number): void {
    const slot = this.#record(KIND_RESET, book, 0, 0);
    this.#copyTimes(headerOf(book) >>> 1, slot);
    this.#publish(1);
  }

  state(book: number, state: BookState, reason: StateReason): void {
    const slot = this.#record(KIND_STATE, book, BOOK_STATES.indexOf(state), STATE_REASONS.indexOf(reason));
    this.#copyTimes(headerOf(book) >>> 1, slot);
    this.#publish(1);
  }

  trade(
    book: number,
    view: View,
    price: number,
    size: number,
    takerSide: TakerSide,
    venueTime: number,
    receivedAt: number,
    tradeId: string,
  ): void {
    const slot = this.#record(KIND_TRADE | (takerSide << TAKER_SHIFT), book, price, view);
    const at = TAPE_START_F64 + slot * SLOT_F64;
    this.#copyTimes(headerOf(book) >>> 1, slot);
    this.#f64[at + SF_SIZE] = size;
    this.#f64[at + SF_VENUE_TIME] = venueTime;
    this.#f64[at + SF_RECEIVED_AT] = receivedAt;
    const idStart = TAPE_START_BYTE + ((slot + 1) & MASK) * SLOT_BYTES;
    const length = Math.min(tradeId.length, limits.tradeIdBytesMax);
    for (let index = 0; index < length; index++) this.#bytes[idStart + index] = tradeId.charCodeAt(index);
    this.#bytes.fill(0, idStart + length, idStart + SLOT_BYTES);
    this.#publish(2);
  }

  tradesMissed(book: number): void {
    const slot = this.#record(KIND_TRADES_MISSED, book, 0, 0);
    this.#copyTimes(headerOf(book) >>> 1, slot);
    this.#publish(1);
  }

  #record(kind: number, book: number, price: number, side: number): number {
    const slot = this.#published & MASK;
    const word = TAPE_START_I32 + slot * SLOT_I32;
    this.#i32[word + S_KIND] = kind;
    this.#i32[word + S_BOOK] = book;
    this.#i32[word + S_PRICE] = price;
    this.#i32[word + S_SIDE] = side;
    return slot;
  }

  /**
   * Copies epoch, seq and times straight from memory to memory: V8 would allocate doubles that are passed as arguments. `header` is an
   * index of `f64`.
   */
  #copyTimes(header: number, slot: number): void {
    const f64 = this.#f64;
    const at = TAPE_START_F64 + slot * SLOT_F64;
    f64[at + SF_EPOCH] = f64[header + HF_EPOCH]!;
    f64[at + SF_SEQ] = f64[header + HF_SEQ]!;
    f64[at + SF_VENUE_TIME] = f64[header + HF_VENUE_TIME]!;
    f64[at + SF_RECEIVED_AT] = f64[header + HF_RECEIVED_AT]!;
  }

  /** Moves the published position, and reads in the same operation whether the reader sleeps. */
  #publish(count: number): void {
    const published = (this.#published + count) & 0x7fff_ffff;
    this.#published = published;
    if (Atomics.exchange(this.#i32, CONTROL_PUBLISHED, published << 1) & READER_ASLEEP) this.#ring();
  }
}
