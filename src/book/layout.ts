// THE offsets of the shared memory in which books and tapes live; every other file uses these names and does no offset
// arithmetic of its own. One arena, one region per venue, one writer (that venue's feed thread) per region.
//
//   arena = one SharedArrayBuffer
//   ┌────────────── region of venue_a ──────────────┬────────────── region of venue_b ──────────────┐
//   │ control │ book headers │ tape slots │ ladders │ control │ book headers │ tape slots │ ladders │
//   └─────────┴──────────────┴────────────┴─────────┴─────────┴──────────────┴────────────┴─────────┘
//
//   control, 192 bytes            book header, 128 bytes                tape slot, 64 bytes
//   i32  0  tape: published       i32  0  version (odd: being written)  i32  0  kind | flags
//   i32 16  doorbell (0, 1)       i32  1  state code                    i32  1  book
//   (a cache line each)           i32  2  reason code                   i32  2  price, or state code
//                                 i32  3  step, in ticks                i32  3  side, view, or reason code
//                                 i32  4  step reciprocal, × 2^20       f64  2  size
//                                 i32  5  ladder capacity, in slots     f64  3  epoch
//                                 i32  6  ladder start, in f64          f64  4  venue time
//                                 i32  7  best bid slot (-1: none)      f64  5  received at
//                                 i32  8  best ask slot (-1: none)      i32 12  checksum, primary view
//                                 i32  9  bids   i32 10  asks           i32 13  checksum, complement view
//                                 i32 11  views wanted (bit per view)   f64  7  seq
//                                 i32 12  worst bid slot in checksum
//                                 i32 13  worst ask slot in checksum    A trade is followed by one slot with its
//                                 i32 14  checksum, primary view        id: 64 bytes of ASCII, zero-padded.
//                                 i32 15  checksum, complement view
//                                 f64  8  epoch      f64  9  seq
//                                 f64 10  venue time f64 11  received at
//
//   ladder of capacity c (a multiple of 32), slot s = price / step, both sides in the primary view's frame
//   ┌────────────┬────────────┬──────────────┬──────────────┬────────────────┬────────────────┐
//   │ bids c f64 │ asks c f64 │ bid bits i32 │ ask bits i32 │ bid summary    │ ask summary    │
//   │ sizes      │ sizes      │ c/32 words   │ c/32 words   │ ⌈c/1024⌉ words │ ⌈c/1024⌉ words │
//   └────────────┴────────────┴──────────────┴──────────────┴────────────────┴────────────────┘

import { limits } from '../limits.ts';

export const I32_BYTES = 4;
export const F64_BYTES = 8;
const CACHE_LINE_BYTES = 64;

// Control block.
export const CONTROL_BYTES = 3 * CACHE_LINE_BYTES;
export const CONTROL_PUBLISHED = 0;
export const CONTROL_DOORBELL = CACHE_LINE_BYTES / I32_BYTES;

// Book header.
export const HEADER_BYTES = 128;
export const HEADER_I32 = HEADER_BYTES / I32_BYTES;
export const HEADER_F64 = HEADER_BYTES / F64_BYTES;
export const H_VERSION = 0;
export const H_STATE = 1;
export const H_REASON = 2;
export const H_STEP = 3;
export const H_RECIPROCAL = 4;
export const H_CAPACITY = 5;
export const H_LADDER = 6;
/** Best slot of a side: `H_BEST + side`. */
export const H_BEST = 7;
/** Number of levels of a side: `H_LEVELS + side`. */
export const H_LEVELS = 9;
export const H_VIEWS = 11;
/** Slot of a side's last level in the checksum, −1 while that side has fewer than ten: `H_WINDOW + side`. */
export const H_WINDOW = 12;
/** Checksum of a view: `H_CHECKSUM + view`. */
export const H_CHECKSUM = 14;
export const HF_EPOCH = 8;
export const HF_SEQ = 9;
export const HF_VENUE_TIME = 10;
export const HF_RECEIVED_AT = 11;

// Tape slot.
export const SLOT_BYTES = 64;
export const SLOT_I32 = SLOT_BYTES / I32_BYTES;
export const SLOT_F64 = SLOT_BYTES / F64_BYTES;
export const S_KIND = 0;
export const S_BOOK = 1;
export const S_PRICE = 2;
export const S_SIDE = 3;
export const SF_SIZE = 2;
export const SF_EPOCH = 3;
export const SF_VENUE_TIME = 4;
export const SF_RECEIVED_AT = 5;
export const S_CHECKSUM = 12;
export const SF_SEQ = 7;

// Kinds of tape records, and the flags beside them.
export const KIND_CHANGE = 1;
export const KIND_RESET = 2;
export const KIND_STATE = 3;
export const KIND_TRADE = 4;
export const KIND_MASK = 0xff;
/** Last change of its batch: this slot also carries checksums, times and seq. */
export const FLAG_COMMIT = 0x100;
/** Taker side of a trade, in these two bits. */
export const TAKER_SHIFT = 9;
export const TAKER_MASK = 0x3;

/** `price × reciprocal >>> RECIPROCAL_BITS` is `price / step` for every price that the grid has. */
export const RECIPROCAL_BITS = 20;

// Region.
export const BOOKS_OFFSET = CONTROL_BYTES;
export const TAPE_OFFSET = BOOKS_OFFSET + limits.booksPerVenueMax * HEADER_BYTES;
export const LADDERS_OFFSET = TAPE_OFFSET + limits.tapeSlotsPerVenue * SLOT_BYTES;
export const REGION_BYTES = LADDERS_OFFSET + limits.ladderBytesPerVenue;

/** Slots that a ladder of this step needs: prices 0 and 1 included, rounded up to whole bitmap words. */
export function ladderCapacity(step: number): number {
  return Math.ceil((10_000 / step + 1) / 32) * 32;
}

/** Words of a side's bitmap. */
export function bitmapWords(capacity: number): number {
  return capacity >>> 5;
}

/** Words of a side's summary: one bit per bitmap word. */
export function summaryWords(capacity: number): number {
  return (capacity + 1023) >>> 10;
}

/** Bytes of a whole ladder, rounded up to cache lines so that two books never share one. */
export function ladderBytes(capacity: number): number {
  const bytes = 2 * capacity * F64_BYTES + 2 * (bitmapWords(capacity) + summaryWords(capacity)) * I32_BYTES;
  return Math.ceil(bytes / CACHE_LINE_BYTES) * CACHE_LINE_BYTES;
}
