// The writing end of a venue's tape: a ring of 64-byte records in shared memory, one writer, any number of readers.
// Records are written beyond the published position and appear all at once when it moves. Feed threads.

import type { StateReason } from '../domain/market.ts';
import { BOOK_STATES, type BookState, STATE_REASONS, type TakerSide, type View } from '../domain/market.ts';
import { limits } from '../limits.ts';
import {
  CONTROL_DOORBELL,
  CONTROL_PUBLISHED,
  FLAG_COMMIT,
  KIND_CHANGE,
  KIND_RESET,
  KIND_STATE,
  KIND_TRADE,
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
} from './layout.ts';
import { type Region, TAPE_F64, TAPE_I32 } from './memory.ts';

const MASK = limits.tapeSlotsPerVenue - 1;

export class TapeWriter {
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  readonly #bytes: Uint8Array;
  readonly #ring: () => void;
  /** Where the next published record goes; wraps at 2^32, only differences matter. */
  #published: number;
  /** Changes of the open batch, written but not published. */
  #pending = 0;

  /** `ring` wakes the reading thread; it is called at most once until the reader has answered. */
  constructor(region: Region, ring: () => void) {
    this.#i32 = region.i32;
    this.#f64 = region.f64;
    this.#bytes = region.bytes;
    this.#ring = ring;
    this.#published = Atomics.load(region.i32, CONTROL_PUBLISHED);
  }

  get pendingChanges(): number {
    return this.#pending;
  }

  change(book: number, side: number, price: number, size: number): void {
    const slot = (this.#published + this.#pending) & MASK;
    const word = TAPE_I32 + slot * SLOT_I32;
    const i32 = this.#i32;
    i32[word + S_KIND] = KIND_CHANGE;
    i32[word + S_BOOK] = book;
    i32[word + S_PRICE] = price;
    i32[word + S_SIDE] = side;
    this.#f64[TAPE_F64 + slot * SLOT_F64 + SF_SIZE] = size;
    this.#pending += 1;
  }

  discardChanges(): void {
    this.#pending = 0;
  }

  /** Completes the last pending change as the end of its batch and publishes the batch. */
  commitChanges(
    epoch: number,
    seq: number,
    checksum: number,
    complementChecksum: number,
    venueTime: number,
    receivedAt: number,
  ): void {
    const slot = (this.#published + this.#pending - 1) & MASK;
    const word = TAPE_I32 + slot * SLOT_I32;
    this.#i32[word + S_KIND] = KIND_CHANGE | FLAG_COMMIT;
    this.#i32[word + S_CHECKSUM] = checksum;
    this.#i32[word + S_CHECKSUM + 1] = complementChecksum;
    this.#stamp(slot, epoch, seq, venueTime, receivedAt);
    this.#publish(this.#pending);
    this.#pending = 0;
  }

  /** A new epoch: the reader takes the book itself from shared memory. */
  reset(book: number, epoch: number, venueTime: number, receivedAt: number): void {
    const slot = this.#record(KIND_RESET, book, 0, 0);
    this.#stamp(slot, epoch, 1, venueTime, receivedAt);
    this.#publish(1);
  }

  state(book: number, state: BookState, reason: StateReason, epoch: number, seq: number, receivedAt: number): void {
    const slot = this.#record(KIND_STATE, book, BOOK_STATES.indexOf(state), STATE_REASONS.indexOf(reason));
    this.#stamp(slot, epoch, seq, 0, receivedAt);
    this.#publish(1);
  }

  trade(
    book: number,
    view: View,
    price: number,
    size: number,
    takerSide: TakerSide,
    epoch: number,
    venueTime: number,
    receivedAt: number,
    tradeId: string,
  ): void {
    const slot = this.#record(KIND_TRADE | (takerSide << TAKER_SHIFT), book, price, view);
    this.#f64[TAPE_F64 + slot * SLOT_F64 + SF_SIZE] = size;
    this.#stamp(slot, epoch, 0, venueTime, receivedAt);
    const idStart = TAPE_I32 * 4 + ((slot + 1) & MASK) * SLOT_BYTES;
    const length = Math.min(tradeId.length, limits.tradeIdBytesMax);
    for (let index = 0; index < length; index++) this.#bytes[idStart + index] = tradeId.charCodeAt(index);
    this.#bytes.fill(0, idStart + length, idStart + SLOT_BYTES);
    this.#publish(2);
  }

  #record(kind: number, book: number, price: number, side: number): number {
    const slot = this.#published & MASK;
    const word = TAPE_I32 + slot * SLOT_I32;
    this.#i32[word + S_KIND] = kind;
    this.#i32[word + S_BOOK] = book;
    this.#i32[word + S_PRICE] = price;
    this.#i32[word + S_SIDE] = side;
    return slot;
  }

  #stamp(slot: number, epoch: number, seq: number, venueTime: number, receivedAt: number): void {
    const at = TAPE_F64 + slot * SLOT_F64;
    this.#f64[at + SF_EPOCH] = epoch;
    this.#f64[at + SF_SEQ] = seq;
    this.#f64[at + SF_VENUE_TIME] = venueTime;
    this.#f64[at + SF_RECEIVED_AT] = receivedAt;
  }

  #publish(count: number): void {
    this.#published = (this.#published + count) | 0;
    Atomics.store(this.#i32, CONTROL_PUBLISHED, this.#published);
    if (Atomics.load(this.#i32, CONTROL_DOORBELL) === 0 && Atomics.exchange(this.#i32, CONTROL_DOORBELL, 1) === 0) {
      this.#ring();
    }
  }
}
