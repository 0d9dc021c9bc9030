// THE offsets of the shared memory in which books and tapes live. Every other file uses these names and computes no offset itself. One
// arena has one region per venue, and that venue's feed thread is the region's only writer. Behind the regions is the index of all books
// by market, which the main thread writes.
//
//   arena = one SharedArrayBuffer
//   ┌───────────── region of venue_a ─────────────┬─ region of venue_b ─┬────── index ──────┐
//   │ control │ places │ headers │ tape │ ladders │      likewise       │ control │ entries │
//   └─────────┴────────┴─────────┴──────┴─────────┴─────────────────────┴─────────┴─────────┘
//
//   control, one cache line       header of a book, one cache line      tape slot, one cache line
//   i32 0  published: position    i32 0  version (odd: being written)   i32  0  kind | flags
//          << 1 | reader asleep   i32 1  state | reason << 8            i32  1  book
//   f64 1  last epoch given out          | views wanted << 16           i32  2  price, or state code
//   place of a ladder, 8 bytes    i32 2  bids: best slot | last slot    i32  3  side, view, or reason code
//   i32 0  start, in f64                 in the checksum << 16          f64  2  size
//   i32 1  step, in ticks         i32 3  asks, likewise                 f64  3  epoch
//                                 i32 4  price of the last trade        f64  4  seq
//                                 i32 6  checksum of the primary view   f64  5  venue time
//                                 i32 7  checksum of the complement     f64  6  received at
//                                 f64 4  epoch       f64 5  seq         i32 14  checksum, primary view
//                                 f64 6  venue time  f64 7  received at i32 15  checksum, complement
//
//   The last trade is in ticks of the primary view; 0 means that no trade is known. A trade on the tape is followed by a slot with its
//   id: 64 bytes of ASCII, zero-padded. Places are small and apart from the headers, so that a near cache holds them. Because a thread
//   knows the place, it loads the header and the lines of the ladder at once, not one after another.
//
//   ladder of capacity c (a multiple of 32): one block per side
//   ┌──────────────────┬────────────────┬──────────────┐
//   │ summary ⌈c/1024⌉ │ bits c/32 i32  │ sizes c f64  │  × 2
//   └──────────────────┴────────────────┴──────────────┘
//
//   control of the index, one cache line     entry of the index, 32 bytes
//   i32 0  version (odd: being written)      i32 0–3  digest of venue and address
//                                            i32 4    book × 2 + view + 1; 0 means no entry
//                                            i32 5    stamp of its writing
//
// A side's slots run from its best possible price to its worst. So the lowest occupied slot is the best level on either side. An ask at p
// has slot p / step. A bid at p has slot (1 − p) / step, where the same order would stand as an ask of the complement. Best and last
// slots are NO_SLOT where there is no such level.

import { BID, type Side } from '../../core/domain/market.ts';
import { TICKS_PER_DOLLAR } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';

export const I32_BYTES = 4;
export const F64_BYTES = 8;
const CACHE_LINE_BYTES = 64;
export const LINE_I32 = CACHE_LINE_BYTES / I32_BYTES;
const LINE_F64 = CACHE_LINE_BYTES / F64_BYTES;

/**
 * The value that stands for "no slot". It is greater than every slot, so that comparisons need no special case, and two of them fit one
 * word.
 */
export const NO_SLOT = 0x7fff;

// Control block.
export const CONTROL_PUBLISHED = 0;
export const READER_ASLEEP = 1;
/** The index of the last epoch given out, in `f64`. */
export const CONTROL_EPOCH = 1;

// Place of a book's ladder.
const PLACE_BYTES = 8;
const PLACE_I32 = PLACE_BYTES / I32_BYTES;
export const P_LADDER = 0;
export const P_STEP = 1;

// Book header.
const HEADER_BYTES = CACHE_LINE_BYTES;
export const HEADER_I32 = HEADER_BYTES / I32_BYTES;
export const H_VERSION = 0;
export const H_STATUS = 1;
/**
 * The edges of a side, at `H_EDGES + side`. The low half has the best slot, the high half the slot of the tenth level. The high half is
 * NO_SLOT while the side has fewer than ten levels.
 */
export const H_EDGES = 2;
export const H_LAST_TRADE = 4;
/** The checksum of a view, at `H_CHECKSUM + view`. */
export const H_CHECKSUM = 6;
export const HF_EPOCH = 4;
export const HF_SEQ = 5;
export const HF_VENUE_TIME = 6;
export const HF_RECEIVED_AT = 7;
export const STATUS_REASON_SHIFT = 8;
export const STATUS_VIEWS_SHIFT = 16;
export const STATUS_BYTE = 0xff;
export const BEST_MASK = 0xffff;
export const LAST_SHIFT = 16;

// Tape slot.
export const SLOT_BYTES = CACHE_LINE_BYTES;
export const SLOT_I32 = SLOT_BYTES / I32_BYTES;
export const SLOT_F64 = SLOT_BYTES / F64_BYTES;
export const S_KIND = 0;
export const S_BOOK = 1;
export const S_PRICE = 2;
export const S_SIDE = 3;
export const SF_SIZE = 2;
export const SF_EPOCH = 3;
export const SF_SEQ = 4;
export const SF_VENUE_TIME = 5;
export const SF_RECEIVED_AT = 6;
/** The checksum of a view, at `S_CHECKSUM + view`. */
export const S_CHECKSUM = 14;

// Kinds of tape records, and the flags beside them.
export const KIND_CHANGE = 1;
export const KIND_RESET = 2;
export const KIND_STATE = 3;
export const KIND_TRADE = 4;
export const KIND_TRADES_MISSED = 5;
export const KIND_MASK = 0xff;
/** Marks the last change of a batch. Only this slot also carries checksums, times, epoch and seq. */
export const FLAG_COMMIT = 0x100;
/** The position of the two bits that hold a trade's taker side. */
export const TAKER_SHIFT = 9;
export const TAKER_MASK = 0x3;

// Region, as indexes of the region's i32 and f64 views.
const PLACES_OFFSET = CACHE_LINE_BYTES;
const HEADERS_OFFSET = PLACES_OFFSET + limits.booksPerVenueMax * PLACE_BYTES;
const TAPE_OFFSET = HEADERS_OFFSET + limits.booksPerVenueMax * HEADER_BYTES;
const LADDERS_OFFSET = TAPE_OFFSET + limits.tapeSlotsPerVenue * SLOT_BYTES;
export const REGION_BYTES = LADDERS_OFFSET + limits.ladderBytesPerVenue;
const PLACES_START_I32 = PLACES_OFFSET / I32_BYTES;
const HEADERS_START_I32 = HEADERS_OFFSET / I32_BYTES;
export const TAPE_START_BYTE = TAPE_OFFSET;
export const TAPE_START_I32 = TAPE_OFFSET / I32_BYTES;
export const TAPE_START_F64 = TAPE_OFFSET / F64_BYTES;
export const LADDERS_START_F64 = LADDERS_OFFSET / F64_BYTES;

// The index, as offsets in its own `i32` view.
export const INDEX_VERSION = 0;
export const INDEX_ENTRY_I32 = 8;
export const INDEX_ENTRIES_I32 = CACHE_LINE_BYTES / I32_BYTES;
export const X_DIGEST = 0;
export const X_DIGEST_WORDS = 4;
export const X_PLACE = 4;
export const X_STAMP = 5;
export const INDEX_BYTES = CACHE_LINE_BYTES + limits.bookIndexSlotsMax * INDEX_ENTRY_I32 * I32_BYTES;

/** Returns the start of a book's header in `i32`. The start of the header in `f64` is half of this number. */
export function headerOf(book: number): number {
  return HEADERS_START_I32 + book * HEADER_I32;
}

/** Returns the offset of the book's place, in `i32`. The place says where the book's ladder is. */
export function placeOf(book: number): number {
  return PLACES_START_I32 + book * PLACE_I32;
}

/** Returns the number of slots that a ladder of this step needs: prices 0 and 1 included, rounded up to whole bitmap words. */
export function ladderCapacity(step: number): number {
  return Math.ceil((TICKS_PER_DOLLAR / step + 1) / 32) * 32;
}

/** Returns the number of words in a side's summary, which has a bit for each word of the side's bitmap. */
export function summaryWords(capacity: number): number {
  return (capacity + 1023) >>> 10;
}

/** Returns the length of one side's block in `f64`, in whole cache lines. */
export function sideLength(capacity: number): number {
  return (sizesOffset(capacity) + capacity + LINE_F64 - 1) & -LINE_F64;
}

/** Returns the start of a side's sizes within its block, in `f64`. */
export function sizesOffset(capacity: number): number {
  return (summaryWords(capacity) + (capacity >>> 5) + 1) >>> 1;
}

/**
 * The scale of reciprocals: `distance × reciprocal >>> RECIPROCAL_BITS` is `distance / step` for every price of a grid. The largest
 * product, 10 000 × 2^18, fits 32 bits.
 */
export const RECIPROCAL_BITS = 18;

export function reciprocalOf(step: number): number {
  return Math.ceil(2 ** RECIPROCAL_BITS / step);
}

/** Returns the price's distance in ticks from the side's best possible price, which has slot 0. Has no branch. */
export function distanceOf(side: Side, price: number): number {
  const flip = side - 1;
  return (price ^ flip) - flip + (TICKS_PER_DOLLAR & flip);
}

/** Returns the price at a slot. */
export function priceAt(side: Side, slot: number, step: number): number {
  return side === BID ? TICKS_PER_DOLLAR - slot * step : slot * step;
}
