// Writes the symbols, books and ring of the shared file. The order of the writes is as src/market-data/shm/layout.ts and
// docs/SHARED-MEMORY.md promise to readers. This class is the only writer. The shared file's thread.

import { BOOK_STATES, STATE_REASONS, VENUES, type Venue } from '../../core/domain/market.ts';
import { assert } from '../../core/domain/result.ts';
import type { FeedSubscription } from '../../venues/feed.ts';
import { type LevelChanges, type Listed, MarketTape, type TapeMarket, type TapeTrade } from '../book/market-tape.ts';
import type { Arena } from '../book/memory.ts';
import { BookCopy, type SideCopy } from '../book/reader.ts';
import {
  RECORD_CHANGE,
  RECORD_RESET,
  RECORD_STATE,
  RECORD_TRADE,
  RECORD_TRADES_MISSED,
  type TapeReader,
} from '../book/tape-reader.ts';
import {
  ADDRESS_BYTES_MAX,
  BOOK,
  BOOK_BYTES,
  BOOKS_OFFSET,
  FILE_CLOSED,
  HEADER,
  LEVELS,
  MARKETS_MAX,
  RECORD,
  RECORD_BYTES,
  RECORD_LISTED,
  RECORD_UNLISTED,
  RING_OFFSET,
  RING_SLOTS,
  SYMBOL,
  SYMBOL_BYTES,
  SYMBOLS_OFFSET,
} from './layout.ts';

/** The position of a record in its market's stream (epoch and seq), and its times in Unix milliseconds. */
type Standing = Pick<BookCopy, 'epoch' | 'seq' | 'venueTime' | 'receivedAt'>;

/** A market's place in the file. */
interface FileEntry {
  readonly symbol: number;
  /** The stamp of this listing. The place may go to another market later, with another stamp. */
  readonly stamp: number;
}

const BEING_WRITTEN = 0n;
const RING_MASK = RING_SLOTS - 1;

export class MarketFile {
  readonly #u8: Uint8Array;
  readonly #i32: Int32Array;
  readonly #u64: BigUint64Array;
  readonly #freeSymbols: number[] = [];
  #symbolsUsed = 0;
  #lastStamp = 0;
  #records = 0;

  /** `memory` is a new file that createSharedFile has made. */
  constructor(memory: ArrayBufferLike) {
    this.#u8 = new Uint8Array(memory);
    this.#i32 = new Int32Array(memory);
    this.#u64 = new BigUint64Array(memory);
  }

  /** Adds a market. Returns null if the table is full or the address is too long. Write the market's book next, then announce it. */
  list(venue: Venue, address: string): FileEntry | null {
    const isUsedUp = this.#freeSymbols.length === 0 && this.#symbolsUsed === MARKETS_MAX;
    if (isUsedUp || address.length > ADDRESS_BYTES_MAX) return null;
    const symbol = this.#freeSymbols.shift() ?? this.#symbolsUsed++;
    this.#lastStamp += 1;
    const entry = { symbol, stamp: this.#lastStamp };
    const at = symbolAt(symbol);
    this.#turn(at + SYMBOL.version);
    this.#i32[(at + SYMBOL.stamp) >> 2] = entry.stamp;
    this.#u8[at + SYMBOL.venue] = VENUES.indexOf(venue);
    this.#i32[(at + SYMBOL.addressLength) >> 2] = address.length;
    this.#writeText(at + SYMBOL.address, address, ADDRESS_BYTES_MAX);
    this.#turn(at + SYMBOL.version);
    Atomics.store(this.#i32, HEADER.symbolsUsed >> 2, this.#symbolsUsed);
    return entry;
  }

  announce(entry: FileEntry): void {
    this.#end(this.#begin(entry, RECORD_LISTED));
  }

  /** Removes a market. Its entry and its book have the stamp 0 from now on. */
  unlist(entry: FileEntry): void {
    const [at, book] = [symbolAt(entry.symbol), bookAt(entry.symbol)];
    for (const [version, stamp] of [
      [book + BOOK.version, book + BOOK.stamp],
      [at + SYMBOL.version, at + SYMBOL.stamp],
    ] as const) {
      this.#turn(version);
      this.#i32[stamp >> 2] = 0;
      this.#turn(version);
    }
    this.#end(this.#begin(entry, RECORD_UNLISTED));
    this.#freeSymbols.push(entry.symbol);
  }

  /** Replaces a market's book. */
  writeBook({ symbol, stamp }: FileEntry, copy: BookCopy): void {
    const at = bookAt(symbol);
    const i32 = this.#i32;
    this.#turn(at + BOOK.version);
    i32[(at + BOOK.stamp) >> 2] = stamp;
    this.#u8[at + BOOK.state] = BOOK_STATES.indexOf(copy.state);
    this.#u8[at + BOOK.reason] = STATE_REASONS.indexOf(copy.reason);
    this.#u8[at + BOOK.bids] = copy.bids.count;
    this.#u8[at + BOOK.asks] = copy.asks.count;
    i32[(at + BOOK.checksum) >> 2] = copy.checksum;
    this.#writeU64(at + BOOK.epoch, copy.epoch);
    this.#writeU64(at + BOOK.seq, copy.seq);
    this.#writeU64(at + BOOK.venueTime, copy.venueTime);
    this.#writeU64(at + BOOK.receivedAt, copy.receivedAt);
    i32[(at + BOOK.lastTrade) >> 2] = copy.lastTrade;
    this.#writeSide(at + BOOK.bidPrices, at + BOOK.bidSizes, copy.bids);
    this.#writeSide(at + BOOK.askPrices, at + BOOK.askSizes, copy.asks);
    this.#turn(at + BOOK.version);
  }

  /**
   * Writes one change of a batch. Only the last change has `last`: the position and times of the whole batch, which the tape has just read.
   */
  change(entry: FileEntry, side: number, price: number, size: number, last: Standing | null, checksum: number): void {
    const at = this.#begin(entry, RECORD_CHANGE);
    this.#u8[at + RECORD.code] = side;
    this.#i32[(at + RECORD.price) >> 2] = price;
    this.#writeU64(at + RECORD.size, size);
    this.#u8[at + RECORD.isLast] = last === null ? 0 : 1;
    if (last !== null) {
      this.#writeStanding(at, last);
      this.#i32[(at + RECORD.checksum) >> 2] = checksum;
    }
    this.#end(at);
  }

  /** Writes a record without a level. For a state, `code` and `reason` are its codes. */
  mark(entry: FileEntry, kind: number, at: Standing, code = 0, reason = 0): void {
    const slot = this.#begin(entry, kind);
    this.#u8[slot + RECORD.code] = code;
    this.#u8[slot + RECORD.reason] = reason;
    this.#writeStanding(slot, at);
    this.#end(slot);
  }

  /** Writes a trade. `price` is in ticks of the market's view, `size` in micro-shares, and times are in Unix milliseconds. */
  trade(
    entry: FileEntry,
    taker: number,
    price: number,
    size: number,
    venueTime: number,
    receivedAt: number,
    tradeId: string,
  ): void {
    const at = this.#begin(entry, RECORD_TRADE);
    this.#u8[at + RECORD.code] = taker;
    this.#i32[(at + RECORD.price) >> 2] = price;
    this.#writeU64(at + RECORD.size, size);
    this.#writeU64(at + RECORD.venueTime, venueTime);
    this.#writeU64(at + RECORD.receivedAt, receivedAt);
    this.#writeText(at + RECORD.tradeId, tradeId, RECORD_BYTES - RECORD.tradeId);
    this.#end(at);
  }

  /** `now` is in Unix milliseconds. */
  beat(now: number): void {
    Atomics.store(this.#u64, HEADER.heartbeat >> 3, BigInt(now));
  }

  close(): void {
    Atomics.store(this.#i32, HEADER.state >> 2, FILE_CLOSED);
  }

  /** Opens the next slot of the ring, and returns its offset. Readers see that the slot is being written. */
  #begin({ symbol, stamp }: FileEntry, kind: number): number {
    const at = RING_OFFSET + (this.#records & RING_MASK) * RECORD_BYTES;
    Atomics.store(this.#u64, (at + RECORD.sequence) >> 3, BEING_WRITTEN);
    const i32 = this.#i32;
    for (let word = (at + RECORD.symbol) >> 2; word <= (at + RECORD.checksum) >> 2; word++) i32[word] = 0;
    i32[(at + RECORD.symbol) >> 2] = symbol;
    i32[(at + RECORD.stamp) >> 2] = stamp;
    this.#u8[at + RECORD.kind] = kind;
    return at;
  }

  #end(at: number): void {
    this.#records += 1;
    const sequence = BigInt(this.#records);
    Atomics.store(this.#u64, (at + RECORD.sequence) >> 3, sequence);
    Atomics.store(this.#u64, HEADER.ringHead >> 3, sequence);
  }

  #writeStanding(at: number, { epoch, seq, venueTime, receivedAt }: Standing): void {
    this.#writeU64(at + RECORD.venueTime, venueTime);
    this.#writeU64(at + RECORD.receivedAt, receivedAt);
    this.#writeU64(at + RECORD.epoch, epoch);
    this.#writeU64(at + RECORD.seq, seq);
  }

  #writeSide(pricesAt: number, sizesAt: number, { count, prices, sizes }: SideCopy): void {
    for (let level = 0; level < LEVELS; level++) {
      const isThere = level < count;
      this.#i32[(pricesAt >> 2) + level] = isThere ? prices[level]! : 0;
      this.#writeU64(sizesAt + level * 8, isThere ? sizes[level]! : 0);
    }
  }

  /**
   * Writes a number below 2^53 as two halves, without a BigInt, which would be an allocation. The halves need no atomic write, because a
   * version or a sequence guards them.
   */
  #writeU64(at: number, value: number): void {
    const word = at >> 2;
    this.#i32[word] = value;
    this.#i32[word + 1] = value / 2 ** 32;
  }

  /** Writes ASCII, padded with zeros. */
  #writeText(at: number, text: string, bytes: number): void {
    const length = Math.min(text.length, bytes);
    for (let index = 0; index < length; index++) this.#u8[at + index] = text.charCodeAt(index);
    this.#u8.fill(0, at + length, at + bytes);
  }

  /**
   * Changes a version before and after a write, so that it is odd during the write. Each step is a read-modify-write, as for books
   * (src/market-data/book/writer.ts).
   */
  #turn(versionAt: number): void {
    Atomics.add(this.#i32, versionAt >> 2, 1);
  }
}

function symbolAt(symbol: number): number {
  assert(symbol < MARKETS_MAX, 'the table bounds its entries');
  return SYMBOLS_OFFSET + symbol * SYMBOL_BYTES;
}

function bookAt(symbol: number): number {
  return BOOKS_OFFSET + symbol * BOOK_BYTES;
}

// Follows one venue's tape into the shared file. For each record, the market's book is written first, then the record in the ring. So a
// reader of a record finds a book that is at least as new as the record. The shared file's thread.

/** A market's place in the file. */
interface Place {
  readonly entry: FileEntry;
  /** The epoch of the market's book in the file; `seq` likewise. */
  epoch: number;
  seq: number;
}

type Listing = TapeMarket<Place>;

export class TapeFollower {
  /** The number of times that the tape's writer was a whole ring ahead. */
  laps = 0;
  readonly #venue: Venue;
  readonly #file: MarketFile;
  readonly #tape: MarketTape<Place>;
  readonly #copy = new BookCopy(LEVELS);
  /** Markets whose books could not be read, because every attempt met a write. They are read again. */
  readonly #overdue = new Set<Listing>();

  constructor(venue: Venue, arena: Arena, file: MarketFile) {
    this.#venue = venue;
    this.#file = file;
    this.#tape = new MarketTape<Place>(venue, arena, {
      onChanges: (listing, changes, tape, checksum) => this.#writeBatch(listing, changes, tape, checksum),
      onMark: (listing, tape) => this.#writeMark(listing, tape),
      onTrade: (listing, trade) => this.#writeTrade(listing, trade),
      onLap: () => this.#resynchronise(),
    });
  }

  get markets(): number {
    return this.#tape.size;
  }

  list(address: string, binding: FeedSubscription): Listed {
    this.unlist(address);
    const listed = this.#tape.list(address, binding, () => {
      const entry = this.#file.list(this.#venue, address);
      return entry && { entry, epoch: 0, seq: 0 };
    });
    const listing = this.#tape.get(address);
    if (listing === undefined) return listed;
    this.#renew(listing);
    this.#file.announce(listing.own.entry);
    return listed;
  }

  unlist(address: string): void {
    const listing = this.#tape.unlist(address);
    if (listing === undefined) return;
    this.#overdue.delete(listing);
    this.#file.unlist(listing.own.entry);
  }

  /** Writes at most one turn's number of the tape's records. Returns false if the tape had no record. */
  follow(): boolean {
    for (const listing of this.#overdue) this.#renew(listing);
    return this.#tape.follow();
  }

  /** Writes the market's present book. Returns false, and writes nothing, if the book belongs to another market now. */
  #renew(listing: Listing): boolean {
    const copy = this.#copy;
    const isRead = this.#tape.read(listing, copy);
    // The check comes after the read, because a book leaves the index before it goes to another market.
    if (!this.#tape.stillHasBook(listing)) return false;
    if (isRead) {
      const { own } = listing;
      this.#file.writeBook(own.entry, copy);
      own.epoch = copy.epoch;
      own.seq = copy.seq;
      this.#overdue.delete(listing);
    } else this.#overdue.add(listing);
    return true;
  }

  #writeBatch(listing: Listing, changes: LevelChanges, tape: TapeReader, checksum: number): void {
    const { entry, epoch, seq } = listing.own;
    const hasIt = tape.epoch < epoch || (tape.epoch === epoch && tape.seq <= seq);
    if (!(hasIt ? this.#tape.stillHasBook(listing) : this.#renew(listing))) return;
    const { count, sides, prices, sizes } = changes;
    for (let index = 0; index < count; index++) {
      const last = index === count - 1 ? tape : null;
      this.#file.change(entry, sides[index]!, prices[index]!, sizes[index]!, last, checksum);
    }
  }

  #writeMark(listing: Listing, tape: TapeReader): void {
    if (!this.#renew(listing)) return;
    const { entry } = listing.own;
    if (tape.kind === RECORD_STATE) this.#file.mark(entry, RECORD_STATE, tape, tape.stateCode, tape.reasonCode);
    else this.#file.mark(entry, tape.kind, tape);
  }

  #writeTrade(listing: Listing, { takerSide, price, size, venueTime, receivedAt, tradeId }: TapeTrade): void {
    if (!this.#renew(listing)) return;
    this.#file.trade(listing.own.entry, takerSide, price, size, venueTime, receivedAt, tradeId);
  }

  /** Handles a lap: reads all books again, and writes for every market that changes and trades are missing. */
  #resynchronise(): void {
    this.laps += 1;
    for (const listing of this.#tape.all()) {
      if (!this.#renew(listing)) continue;
      this.#file.mark(listing.own.entry, RECORD_RESET, this.#copy);
      this.#file.mark(listing.own.entry, RECORD_TRADES_MISSED, this.#copy);
    }
  }
}
