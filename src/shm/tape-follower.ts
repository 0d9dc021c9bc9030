// Follows one venue's tape into the shared file: for each record the market's book first, then the record in the ring. So the reader of
// a record finds a book that is at least as new. It never sleeps on the tape, and its writer does not know of it. The shared file's thread.

import { BookIndexReader, type IndexKey, indexKey } from '../book/book-index.ts';
import { type Arena, indexOf, regionOf } from '../book/memory.ts';
import { BookCopy, BookReader } from '../book/reader.ts';
import {
  RECORD_CHANGE,
  RECORD_RESET,
  RECORD_STATE,
  RECORD_TRADE,
  RECORD_TRADES_MISSED,
  TAPE_EMPTY,
  TAPE_LAPPED,
  TapeReader,
} from '../book/tape-reader.ts';
import {
  type BookId,
  COMPLEMENT,
  PRIMARY,
  TAKER_BUY,
  TAKER_SELL,
  TAKER_UNKNOWN,
  type TakerSide,
  type Venue,
  type View,
} from '../domain/market.ts';
import { complementTicks, type Ticks } from '../domain/numbers.ts';
import { limits } from '../limits.ts';
import type { FeedSubscription } from '../venues/feed.ts';
import { LEVELS } from './layout.ts';
import type { FileEntry, MarketFile } from './market-file.ts';

/** A market in the file. */
interface Listing {
  readonly entry: FileEntry;
  readonly book: BookId;
  readonly view: View;
  readonly key: IndexKey;
  /** Of its assignment in the index: with another one the book is another market's. */
  readonly stamp: number;
  /** Records of earlier epochs belong to the previous market of the book. */
  readonly firstEpoch: number;
  /** Position of its book in the file. */
  epoch: number;
  seq: number;
}

/** Whether a market is in the file now. `full`: it has no place. `gone`: its feed has dropped it meanwhile. */
export type Listed = 'listed' | 'full' | 'gone';

export class TapeFollower {
  /** How often the tape's writer was a whole ring ahead. */
  laps = 0;
  readonly #venue: Venue;
  readonly #file: MarketFile;
  readonly #tape: TapeReader;
  readonly #reader: BookReader;
  readonly #index: BookIndexReader;
  readonly #copy = new BookCopy(LEVELS);
  readonly #byAddress = new Map<string, Listing>();
  /** By book, two views each. */
  readonly #byBook: (Listing | undefined)[] = [];
  /** Their books met a write at every attempt; they are read again. */
  readonly #overdue = new Set<Listing>();

  // The batch being read from the tape, parallel arrays.
  readonly #sides = new Uint8Array(limits.changesPerBatchMax);
  readonly #prices = new Int32Array(limits.changesPerBatchMax);
  readonly #sizes = new Float64Array(limits.changesPerBatchMax);
  #changes = 0;

  constructor(venue: Venue, arena: Arena, file: MarketFile) {
    const region = regionOf(arena, venue);
    this.#venue = venue;
    this.#file = file;
    this.#tape = new TapeReader(region);
    this.#reader = new BookReader(region);
    this.#index = new BookIndexReader(indexOf(arena));
  }

  get markets(): number {
    return this.#byAddress.size;
  }

  list(address: string, { book, view }: FeedSubscription): Listed {
    this.unlist(address);
    const key = indexKey(this.#venue, address);
    const found = this.#index.find(key);
    if (found === null || found.book !== book || found.view !== view) return 'gone';
    const entry = this.#file.list(this.#venue, address);
    if (entry === null) return 'full';
    const firstEpoch = this.#reader.epochOf(book);
    const listing = { entry, book, view, key, stamp: found.stamp, firstEpoch, epoch: 0, seq: 0 };
    this.#byAddress.set(address, listing);
    this.#byBook[book * 2 + view] = listing;
    this.#renew(listing);
    this.#file.announce(entry);
    return 'listed';
  }

  unlist(address: string): void {
    const listing = this.#byAddress.get(address);
    if (listing === undefined) return;
    this.#byAddress.delete(address);
    this.#overdue.delete(listing);
    const place = listing.book * 2 + listing.view;
    if (this.#byBook[place] === listing) this.#byBook[place] = undefined;
    this.#file.unlist(listing.entry);
  }

  /** Writes what the tape holds, a turn's worth at most. False: there was nothing. */
  follow(): boolean {
    for (const listing of this.#overdue) this.#renew(listing);
    for (let count = 0; count < limits.tapeRecordsPerTurnMax; count++) {
      const found = this.#tape.read();
      if (found === TAPE_EMPTY) return count > 0;
      if (found === TAPE_LAPPED) this.#resynchronise();
      else this.#take();
    }
    return true;
  }

  #take(): void {
    const tape = this.#tape;
    switch (tape.kind) {
      case RECORD_CHANGE:
        this.#sides[this.#changes] = tape.side;
        this.#prices[this.#changes] = tape.price;
        this.#sizes[this.#changes] = tape.size;
        this.#changes += 1;
        if (!tape.isCommit) return;
        this.#writeBatch(PRIMARY);
        this.#writeBatch(COMPLEMENT);
        this.#changes = 0;
        return;
      case RECORD_TRADE:
        this.#writeTrade();
        return;
      default:
        this.#writeMark(PRIMARY);
        this.#writeMark(COMPLEMENT);
    }
  }

  /** The market that a record of the tape is about, once its book in the file is at least as new; undefined: nobody's. */
  #renewed(view: View): Listing | undefined {
    const { book, epoch, seq, kind } = this.#tape;
    const listing = this.#byBook[book * 2 + view];
    if (listing === undefined || epoch < listing.firstEpoch) return undefined;
    const hasIt = kind === RECORD_CHANGE && (epoch < listing.epoch || (epoch === listing.epoch && seq <= listing.seq));
    return (hasIt ? this.#isHeld(listing) : this.#renew(listing)) ? listing : undefined;
  }

  /** Writes its book as it is now. False: the book is no longer this market's, and nothing was written. */
  #renew(listing: Listing): boolean {
    const copy = this.#copy;
    const isRead = this.#reader.read(listing.book, listing.view, copy);
    // After reading: the book is taken from the index before it can be given to another market.
    if (!this.#isHeld(listing)) return false;
    if (isRead) {
      this.#file.writeBook(listing.entry, copy);
      listing.epoch = copy.epoch;
      listing.seq = copy.seq;
      this.#overdue.delete(listing);
    } else this.#overdue.add(listing);
    return true;
  }

  #isHeld({ key, stamp }: Listing): boolean {
    return this.#index.find(key)?.stamp === stamp;
  }

  #writeBatch(view: View): void {
    const listing = this.#renewed(view);
    if (listing === undefined) return;
    const tape = this.#tape;
    const checksum = view === PRIMARY ? tape.checksum : tape.complementChecksum;
    for (let index = 0; index < this.#changes; index++) {
      const [side, price] = [this.#sides[index]!, this.#prices[index]!];
      const last = index === this.#changes - 1 ? tape : null;
      const size = this.#sizes[index]!;
      if (view === PRIMARY) this.#file.change(listing.entry, side, price, size, last, checksum);
      else this.#file.change(listing.entry, 1 - side, complementTicks(price as Ticks), size, last, checksum);
    }
  }

  #writeMark(view: View): void {
    const listing = this.#renewed(view);
    if (listing === undefined) return;
    const tape = this.#tape;
    if (tape.kind === RECORD_STATE) {
      this.#file.mark(listing.entry, RECORD_STATE, tape, tape.stateCode, tape.reasonCode);
    } else this.#file.mark(listing.entry, tape.kind, tape);
  }

  #writeTrade(): void {
    const tape = this.#tape;
    const { price, size, takerSide, venueTime, receivedAt, view: tradedView } = tape;
    const tradeId = tape.readTradeId();
    if (tradeId === null) return;
    for (const view of [PRIMARY, COMPLEMENT] as const) {
      const listing = this.#renewed(view);
      if (listing === undefined) continue;
      const [taker, shown] =
        view === tradedView ? [takerSide, price] : [mirroredTaker(takerSide), complementTicks(price as Ticks)];
      this.#file.trade(listing.entry, taker, shown, size, venueTime, receivedAt, tradeId);
    }
  }

  /** The tape was lapped: books are read again, and every market says that changes and trades are missing. */
  #resynchronise(): void {
    this.laps += 1;
    this.#changes = 0;
    for (const listing of this.#byAddress.values()) {
      if (!this.#renew(listing)) continue;
      this.#file.mark(listing.entry, RECORD_RESET, this.#copy);
      this.#file.mark(listing.entry, RECORD_TRADES_MISSED, this.#copy);
    }
  }
}

function mirroredTaker(side: TakerSide): TakerSide {
  if (side === TAKER_UNKNOWN) return TAKER_UNKNOWN;
  return side === TAKER_BUY ? TAKER_SELL : TAKER_BUY;
}
