// A subscriber in miniature. It follows one region's tape, folds changes into its own copies of the books, and takes a book from shared
// memory after a reset. Tests compare what it believes with what the writer got.

import {
  ASK,
  BID,
  BOOK_STATES,
  type BookId,
  type BookState,
  type Level,
  PRIMARY,
  type Side,
  STATE_REASONS,
  type StateReason,
  type View,
} from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../src/core/domain/numbers.ts';
import type { Region } from '../../src/market-data/book/memory.ts';
import { BookCopy, BookReader, WHOLE_BOOK } from '../../src/market-data/book/reader.ts';
import {
  RECORD_CHANGE,
  RECORD_RESET,
  RECORD_STATE,
  RECORD_TRADE,
  TAPE_EMPTY,
  TAPE_LAPPED,
  TapeReader,
} from '../../src/market-data/book/tape-reader.ts';

interface FollowedBook {
  readonly levels: readonly [Map<number, number>, Map<number, number>];
  state: BookState;
  reason: StateReason;
  epoch: number;
  seq: number;
  /** The checksums of both views, as the tape gave them with the last delta. −1 means that no delta has come yet. */
  checksums: readonly [number, number];
}

export class BookObserver {
  readonly books = new Map<number, FollowedBook>();
  readonly #reader: BookReader;
  readonly #tape: TapeReader;
  readonly #copy = new BookCopy(WHOLE_BOOK);

  constructor(region: Region) {
    this.#reader = new BookReader(region);
    this.#tape = new TapeReader(region);
  }

  /** Reads the tape until it is empty. Throws on anything that a subscriber could not explain: a gap in seq, or an odd epoch. */
  follow(): void {
    do {
      for (let found = this.#tape.read(); found !== TAPE_EMPTY; found = this.#tape.read()) {
        if (found === TAPE_LAPPED) throw new Error('lapped by a writer in the same thread');
        this.#apply();
      }
    } while (!this.#tape.sleep());
  }

  /** Forgets a book, because its id is about to stand for another book. */
  forget(book: BookId): void {
    this.follow();
    this.books.delete(book);
  }

  /** Reads the whole book of a view straight from shared memory. */
  read(book: BookId, view: View): BookCopy {
    if (!this.#reader.read(book, view, this.#copy)) throw new Error('busy although nobody writes');
    return this.#copy;
  }

  #apply(): void {
    const tape = this.#tape;
    if (tape.kind === RECORD_TRADE) {
      tape.readTradeId();
      return;
    }
    const book = this.#followed(tape.book);
    if (tape.kind === RECORD_CHANGE) this.#change(book);
    else if (tape.kind === RECORD_RESET) this.#reset(book);
    else if (tape.kind === RECORD_STATE) this.#state(book);
  }

  #change(book: FollowedBook): void {
    const { side, price, size, isCommit, epoch, seq, checksum, complementChecksum } = this.#tape;
    if (size === 0) book.levels[side].delete(price);
    else book.levels[side].set(price, size);
    if (!isCommit) return;
    if (epoch !== book.epoch || seq !== book.seq + 1)
      throw new Error(`gap: ${epoch}/${seq} after ${book.epoch}/${book.seq}`);
    book.seq = seq;
    book.checksums = [checksum, complementChecksum];
  }

  #reset(book: FollowedBook): void {
    if (this.#tape.epoch <= book.epoch) throw new Error(`epoch ${this.#tape.epoch} after ${book.epoch}`);
    const copy = this.read(this.#tape.book as BookId, PRIMARY);
    for (const side of [BID, ASK] as const) {
      book.levels[side].clear();
      for (const { price, size } of levelsOf(copy, side)) book.levels[side].set(price, size);
    }
    book.epoch = this.#tape.epoch;
    book.seq = this.#tape.seq;
    book.state = copy.state;
    book.reason = copy.reason;
    book.checksums = [-1, -1];
  }

  #state(book: FollowedBook): void {
    book.state = BOOK_STATES[this.#tape.stateCode]!;
    book.reason = STATE_REASONS[this.#tape.reasonCode]!;
    if (book.state === 'RESYNCING') for (const levels of book.levels) levels.clear();
  }

  #followed(id: number): FollowedBook {
    let book = this.books.get(id);
    if (book === undefined) {
      book = {
        levels: [new Map(), new Map()],
        state: 'RESYNCING',
        reason: 'OPENING',
        epoch: 0,
        seq: 0,
        checksums: [-1, -1],
      };
      this.books.set(id, book);
    }
    return book;
  }
}

/** Returns one side of a copy as levels, best first. */
export function levelsOf(copy: BookCopy, side: Side): Level[] {
  const { count, prices, sizes } = side === BID ? copy.bids : copy.asks;
  return Array.from({ length: count }, (_, index) => ({
    price: prices[index]! as Ticks,
    size: sizes[index]! as MicroShares,
  }));
}
