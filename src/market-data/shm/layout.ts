// THE offsets of the shared file; docs/SHARED-MEMORY.md describes them for readers in other languages, and a test compares both. All
// numbers are little-endian. A change of any offset or meaning raises LAYOUT_VERSION.

import { CHECKSUM_DEPTH } from '../book/checksum.ts';

export const MAGIC = 'XBOOKSHM';
export const LAYOUT_VERSION = 1;

/** The most markets in the file at a time, 512 bytes each. A bot that trades a whole sport follows some thousands. */
export const MARKETS_MAX = 16_384;
/** The number of slots in the ring, a power of two. The ring holds three seconds of 20 000 changes a second. */
export const RING_SLOTS = 65_536;
/** The number of levels on each side, which is the number that the checksum covers. */
export const LEVELS = CHECKSUM_DEPTH;

/** States of the file. */
export const FILE_OPEN = 1;
export const FILE_CLOSED = 2;

/** Offsets within the header, in bytes. Each number that changes has a cache line of its own. */
export const HEADER = {
  magic: 0,
  layoutVersion: 8,
  processId: 12,
  createdAt: 16,
  levels: 24,
  symbolsOffset: 32,
  symbolBytes: 40,
  symbolsMax: 44,
  booksOffset: 48,
  bookBytes: 56,
  ringOffset: 64,
  ringSlotBytes: 72,
  ringSlots: 76,
  state: 128,
  heartbeat: 192,
  ringHead: 256,
  symbolsUsed: 320,
} as const;

/** Offsets within an entry of the symbol table. */
export const SYMBOL = { version: 0, stamp: 4, venue: 8, addressLength: 12, address: 16 } as const;
export const ADDRESS_BYTES_MAX = 128;
export const SYMBOL_BYTES = 192;

/** Offsets within a book. */
export const BOOK = {
  version: 0,
  stamp: 4,
  state: 8,
  reason: 9,
  bids: 10,
  asks: 11,
  checksum: 12,
  epoch: 16,
  seq: 24,
  venueTime: 32,
  receivedAt: 40,
  lastTrade: 48,
  bidSizes: 64,
  askSizes: 144,
  bidPrices: 224,
  askPrices: 264,
} as const;
export const BOOK_BYTES = 320;

/** Offsets within a slot of the ring. A trade has its id where other records have the checksum. */
export const RECORD = {
  sequence: 0,
  symbol: 8,
  stamp: 12,
  kind: 16,
  code: 17,
  reason: 18,
  isLast: 19,
  price: 20,
  size: 24,
  venueTime: 32,
  receivedAt: 40,
  epoch: 48,
  seq: 56,
  checksum: 64,
  tradeId: 64,
} as const;
export const RECORD_BYTES = 128;

/** Kinds of records. The first five are those of the tape. */
export const RECORD_LISTED = 6;
export const RECORD_UNLISTED = 7;

export const SYMBOLS_OFFSET = 4_096;
export const BOOKS_OFFSET = SYMBOLS_OFFSET + MARKETS_MAX * SYMBOL_BYTES;
export const RING_OFFSET = BOOKS_OFFSET + MARKETS_MAX * BOOK_BYTES;
export const FILE_BYTES = RING_OFFSET + RING_SLOTS * RECORD_BYTES;
