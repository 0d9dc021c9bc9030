// The one writer of a venue's books: batches under a seqlock per book, every change on the tape, derived state (best,
// checksums) kept with the levels. This is the BookSink that a feed is handed. Feed threads; never two for one region.

import {
  ASK,
  BID,
  BOOK_STATES,
  type BookId,
  type BookState,
  COMPLEMENT,
  PRIMARY,
  type Side,
  STATE_REASONS,
  type StateReason,
  type TakerSide,
  type View,
} from '../domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../domain/numbers.ts';
import { assert } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { ChecksumWriter } from './checksum.ts';
import { Ladder } from './ladder.ts';
import { LadderPool } from './ladder-pool.ts';
import {
  H_CAPACITY,
  H_CHECKSUM,
  H_LADDER,
  H_REASON,
  H_STATE,
  H_VERSION,
  H_VIEWS,
  HEADER_F64,
  HEADER_I32,
  HF_EPOCH,
  HF_RECEIVED_AT,
  HF_SEQ,
  HF_VENUE_TIME,
  ladderCapacity,
} from './layout.ts';
import { BOOKS_F64, BOOKS_I32, type Region } from './memory.ts';
import { TapeWriter } from './tape-writer.ts';

const NO_BOOK = -1;

export class BookWriter {
  receivedAt = 0 as UnixMillis;

  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  readonly #ladders: LadderPool;
  readonly #ladder: Ladder;
  /** A second view of memory, for moving levels from one ladder to another. */
  readonly #otherLadder: Ladder;
  readonly #tape: TapeWriter;
  readonly #checksum = new ChecksumWriter();
  readonly #freeBooks: number[] = [];
  #booksEverOpened = 0;
  #lastEpoch = 0;

  /** The book of the open batch, NO_BOOK outside one. */
  #book = NO_BOOK;
  #header = 0;
  #isSnapshot = false;
  #isChecksumStale = false;

  /** `ring` wakes the thread that reads the tape. */
  constructor(region: Region, ring: () => void) {
    this.#i32 = region.i32;
    this.#f64 = region.f64;
    this.#ladders = new LadderPool(region);
    this.#ladder = new Ladder(region);
    this.#otherLadder = new Ladder(region);
    this.#tape = new TapeWriter(region, ring);
  }

  openBook(step: Ticks): BookId | null {
    const reused = this.#freeBooks.at(-1);
    const book = reused ?? this.#booksEverOpened;
    if (book >= limits.booksPerVenueMax) return null;
    const capacity = ladderCapacity(step);
    const start = this.#ladders.allocate(capacity);
    if (start === null) return null;
    if (reused === undefined) this.#booksEverOpened += 1;
    else this.#freeBooks.pop();
    const header = headerOf(book);
    // A writer that died may have left the version odd.
    if (this.#i32[header + H_VERSION]! & 1) this.#bumpVersion(header);
    this.#bumpVersion(header);
    this.#i32.fill(0, header + 1, header + HEADER_I32);
    this.#ladder.install(header, step, capacity, start);
    this.#i32[header + H_STATE] = BOOK_STATES.indexOf('RESYNCING');
    this.#i32[header + H_REASON] = STATE_REASONS.indexOf('OPENING');
    this.#f64[timesOf(book) + HF_EPOCH] = this.#nextEpoch();
    this.#bumpVersion(header);
    return book as BookId;
  }

  releaseBook(book: BookId): void {
    const header = headerOf(book);
    this.#bumpVersion(header);
    this.#ladder.select(header);
    this.#ladder.clear();
    this.#i32[header + H_STATE] = BOOK_STATES.indexOf('CLOSED');
    this.#i32[header + H_REASON] = STATE_REASONS.indexOf('UNSUBSCRIBED');
    this.#bumpVersion(header);
    this.#ladders.release(this.#i32[header + H_LADDER]!, this.#i32[header + H_CAPACITY]!);
    this.#freeBooks.push(book);
  }

  setViews(book: BookId, primary: boolean, complement: boolean): void {
    const header = headerOf(book);
    const views = (primary ? 1 << PRIMARY : 0) | (complement ? 1 << COMPLEMENT : 0);
    if (this.#i32[header + H_VIEWS] === views) return;
    this.#bumpVersion(header);
    this.#i32[header + H_VIEWS] = views;
    this.#ladder.select(header);
    this.#updateChecksums(header);
    this.#bumpVersion(header);
  }

  regrid(book: BookId, step: Ticks): boolean {
    const header = headerOf(book);
    const old = this.#otherLadder;
    old.select(header);
    if (old.step === step) return true;
    if (!everyLevelFits(old, step)) return false;
    const oldStart = this.#i32[header + H_LADDER]!;
    const oldCapacity = this.#i32[header + H_CAPACITY]!;
    const bests = [old.best(BID), old.best(ASK)] as const;
    const capacity = ladderCapacity(step);
    const start = this.#ladders.allocate(capacity);
    if (start === null) return false;
    this.#bumpVersion(header);
    this.#ladder.install(header, step, capacity, start);
    for (const side of [BID, ASK] as const) {
      for (let slot = bests[side]; slot !== -1; slot = old.nextWorse(side, slot)) {
        this.#ladder.store(side, (slot * old.step) / step, old.sizeAt(side, slot), 0);
      }
    }
    this.#updateChecksums(header);
    this.#bumpVersion(header);
    this.#ladders.release(oldStart, oldCapacity);
    return true;
  }

  begin(book: BookId): void {
    assert(this.#book === NO_BOOK, 'a batch is already open');
    const header = headerOf(book);
    this.#book = book;
    this.#header = header;
    this.#isSnapshot = false;
    this.#isChecksumStale = false;
    this.#ladder.select(header);
    this.#bumpVersion(header);
  }

  clear(_book: BookId): void {
    this.#ladder.clear();
    this.#tape.discardChanges();
    this.#isSnapshot = true;
  }

  set(book: BookId, side: Side, price: Ticks, size: MicroShares): boolean {
    const slot = this.#ladder.slotOf(price);
    if (slot < 0) return false;
    this.#change(book, side, slot, price, size, this.#ladder.sizeAt(side, slot));
    return true;
  }

  add(book: BookId, side: Side, price: Ticks, change: MicroShares): boolean {
    const slot = this.#ladder.slotOf(price);
    if (slot < 0) return false;
    const old = this.#ladder.sizeAt(side, slot);
    const size = old + change;
    if (size < 0) return false;
    this.#change(book, side, slot, price, size, old);
    return true;
  }

  sizeAt(book: BookId, side: Side, price: Ticks): MicroShares {
    const ladder = this.#otherLadder;
    ladder.select(headerOf(book));
    const slot = ladder.slotOf(price);
    return (slot < 0 ? 0 : ladder.sizeAt(side, slot)) as MicroShares;
  }

  commit(book: BookId, venueTime: UnixMillis): boolean {
    if (this.#isSnapshot) return this.commitSnapshot(book, venueTime);
    if (this.#ladder.isCrossed()) return this.#refuseCrossed(book);
    const header = this.#header;
    if (this.#tape.pendingChanges > 0) {
      if (this.#isChecksumStale) this.#updateChecksums(header);
      const times = timesOf(book);
      const seq = this.#f64[times + HF_SEQ]! + 1;
      const epoch = this.#f64[times + HF_EPOCH]!;
      this.#stamp(times, seq, venueTime);
      const checksum = this.#i32[header + H_CHECKSUM]!;
      const complementChecksum = this.#i32[header + H_CHECKSUM + COMPLEMENT]!;
      this.#tape.commitChanges(epoch, seq, checksum, complementChecksum, venueTime, this.receivedAt);
    }
    this.#book = NO_BOOK;
    this.#bumpVersion(header);
    return true;
  }

  commitSnapshot(book: BookId, venueTime: UnixMillis): boolean {
    if (this.#ladder.isCrossed()) return this.#refuseCrossed(book);
    this.#tape.discardChanges();
    const header = this.#header;
    const times = timesOf(book);
    const epoch = this.#nextEpoch();
    this.#f64[times + HF_EPOCH] = epoch;
    this.#stamp(times, 1, venueTime);
    this.#i32[header + H_STATE] = BOOK_STATES.indexOf('LIVE');
    this.#i32[header + H_REASON] = STATE_REASONS.indexOf('SNAPSHOT');
    this.#updateChecksums(header);
    this.#tape.reset(book, epoch, venueTime, this.receivedAt);
    this.#book = NO_BOOK;
    this.#bumpVersion(header);
    return true;
  }

  abandon(book: BookId, reason: StateReason): void {
    this.#tape.discardChanges();
    this.#ladder.clear();
    this.#updateChecksums(this.#header);
    this.#announce(book, 'RESYNCING', reason);
    this.#book = NO_BOOK;
    this.#bumpVersion(this.#header);
  }

  setState(book: BookId, state: BookState, reason: StateReason): void {
    assert(this.#book === NO_BOOK, 'a state is set outside batches');
    const header = headerOf(book);
    const isSame =
      this.#i32[header + H_STATE] === BOOK_STATES.indexOf(state) &&
      this.#i32[header + H_REASON] === STATE_REASONS.indexOf(reason);
    if (isSame) return;
    this.#bumpVersion(header);
    if (state === 'RESYNCING') {
      this.#ladder.select(header);
      this.#ladder.clear();
      this.#updateChecksums(header);
    }
    this.#announce(book, state, reason);
    this.#bumpVersion(header);
  }

  stateOf(book: BookId): BookState {
    return BOOK_STATES[this.#i32[headerOf(book) + H_STATE]!]!;
  }

  trade(
    book: BookId,
    view: View,
    price: Ticks,
    size: MicroShares,
    takerSide: TakerSide,
    venueTime: UnixMillis,
    tradeId: string,
  ): void {
    const epoch = this.#f64[timesOf(book) + HF_EPOCH]!;
    this.#tape.trade(book, view, price, size, takerSide, epoch, venueTime, this.receivedAt, tradeId);
  }

  #change(book: BookId, side: Side, slot: number, price: number, size: number, old: number): void {
    if (size === old) return;
    this.#ladder.store(side, slot, size, old);
    if (this.#isSnapshot) return;
    if (this.#ladder.isInWindow(side, slot)) this.#isChecksumStale = true;
    if (this.#tape.pendingChanges < limits.changesPerBatchMax) this.#tape.change(book, side, price, size);
    // A batch that outgrows the tape's reach is told as a whole: readers take the book instead.
    else this.#isSnapshot = true;
  }

  #refuseCrossed(book: BookId): false {
    this.abandon(book, 'CROSSED');
    return false;
  }

  #updateChecksums(header: number): void {
    const views = this.#i32[header + H_VIEWS]!;
    for (const view of [PRIMARY, COMPLEMENT] as const) {
      if (views & (1 << view)) this.#i32[header + H_CHECKSUM + view] = this.#ladder.checksum(this.#checksum, view);
    }
  }

  #stamp(times: number, seq: number, venueTime: UnixMillis): void {
    this.#f64[times + HF_SEQ] = seq;
    this.#f64[times + HF_VENUE_TIME] = venueTime;
    this.#f64[times + HF_RECEIVED_AT] = this.receivedAt;
  }

  #announce(book: BookId, state: BookState, reason: StateReason): void {
    const header = headerOf(book);
    const times = timesOf(book);
    this.#i32[header + H_STATE] = BOOK_STATES.indexOf(state);
    this.#i32[header + H_REASON] = STATE_REASONS.indexOf(reason);
    this.#tape.state(book, state, reason, this.#f64[times + HF_EPOCH]!, this.#f64[times + HF_SEQ]!, this.receivedAt);
  }

  /**
   * Odd while the book is being written. A read-modify-write on both edges: no store of the batch becomes visible before
   * the first, all of them are visible with the second.
   */
  #bumpVersion(header: number): void {
    Atomics.add(this.#i32, header + H_VERSION, 1);
  }

  /** Greater than every earlier one, after a restart too: microseconds of the clock unless already past them. */
  #nextEpoch(): number {
    this.#lastEpoch = Math.max(this.#lastEpoch + 1, this.receivedAt * 1_000);
    return this.#lastEpoch;
  }
}

function headerOf(book: number): number {
  return BOOKS_I32 + book * HEADER_I32;
}

function timesOf(book: number): number {
  return BOOKS_F64 + book * HEADER_F64;
}

function everyLevelFits(ladder: Ladder, step: number): boolean {
  for (const side of [BID, ASK] as const) {
    for (let slot = ladder.best(side); slot !== -1; slot = ladder.nextWorse(side, slot)) {
      if ((slot * ladder.step) % step !== 0) return false;
    }
  }
  return true;
}
