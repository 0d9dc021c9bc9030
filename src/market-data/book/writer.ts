// The only writer of a venue's books. Each batch runs under the book's seqlock and goes on the tape; best slots and checksums are updated
// with the levels. This class is the BookSink of a feed. Feed threads; never two for one region.

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
} from '../../core/domain/market.ts';
import {
  complementTicks,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import { ChecksumWriter } from './checksum.ts';
import { Ladder, LadderPool } from './ladder.ts';
import {
  CONTROL_EPOCH,
  H_CHECKSUM,
  H_LAST_TRADE,
  H_STATUS,
  H_VERSION,
  HEADER_I32,
  HF_EPOCH,
  HF_RECEIVED_AT,
  HF_SEQ,
  HF_VENUE_TIME,
  headerOf,
  ladderCapacity,
  NO_SLOT,
  STATUS_BYTE,
  STATUS_REASON_SHIFT,
  STATUS_VIEWS_SHIFT,
} from './layout.ts';
import type { Region } from './memory.ts';
import { TapeWriter } from './tape-writer.ts';

const NO_BOOK = -1;
const STATUS_STATE_AND_REASON = (1 << STATUS_VIEWS_SHIFT) - 1;

export class BookWriter {
  receivedAt = 0 as UnixMillis;

  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  readonly #ladders: LadderPool;
  readonly #ladder: Ladder;
  /** A second ladder, for moving levels from one ladder to another and for reading sizes within a batch. */
  readonly #otherLadder: Ladder;
  readonly #tape: TapeWriter;
  readonly #checksum = new ChecksumWriter();
  readonly #freeBooks: number[] = [];
  #booksEverOpened = 0;

  /** The book of the open batch; NO_BOOK between batches. */
  #book = NO_BOOK;
  #header = 0;
  #isSnapshot = false;
  #isChecksumStale = false;
  /** Whether the open batch has changed anything. If so, the version is odd. */
  #isLocked = false;

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
    // The version is odd if an earlier writer died within a batch.
    if (this.#i32[header + H_VERSION]! & 1) this.#bumpVersion(header);
    this.#bumpVersion(header);
    this.#i32.fill(0, header + 1, header + HEADER_I32);
    this.#ladder.install(book, step, start);
    this.#setStatus(header, 'RESYNCING', 'OPENING');
    this.#f64[(header >>> 1) + HF_EPOCH] = this.#nextEpoch();
    this.#bumpVersion(header);
    return book as BookId;
  }

  releaseBook(book: BookId): void {
    this.#assertNoBatch();
    const header = headerOf(book);
    const ladder = this.#ladder;
    this.#bumpVersion(header);
    ladder.select(book);
    ladder.clear();
    this.#setStatus(header, 'CLOSED', 'UNSUBSCRIBED');
    this.#bumpVersion(header);
    this.#ladders.release(ladder.start, ladder.capacity);
    this.#freeBooks.push(book);
  }

  setViews(book: BookId, primary: boolean, complement: boolean): void {
    this.#assertNoBatch();
    const header = headerOf(book);
    const views = (primary ? 1 << PRIMARY : 0) | (complement ? 1 << COMPLEMENT : 0);
    const status = this.#i32[header + H_STATUS]!;
    if (status >> STATUS_VIEWS_SHIFT === views) return;
    this.#bumpVersion(header);
    this.#i32[header + H_STATUS] = (status & STATUS_STATE_AND_REASON) | (views << STATUS_VIEWS_SHIFT);
    this.#ladder.select(book);
    this.#updateChecksums(header);
    this.#bumpVersion(header);
  }

  regrid(book: BookId, step: Ticks): boolean {
    this.#assertNoBatch();
    const header = headerOf(book);
    const old = this.#otherLadder;
    old.select(book);
    if (old.step === step) return true;
    if (!everyLevelFits(old, step)) return false;
    const bests = [old.best(BID), old.best(ASK)] as const;
    const capacity = ladderCapacity(step);
    const start = this.#ladders.allocate(capacity);
    if (start === null) return false;
    this.#bumpVersion(header);
    this.#ladder.install(book, step, start);
    for (const side of [BID, ASK] as const) {
      for (let slot = bests[side]; slot !== NO_SLOT; slot = old.nextWorse(side, slot)) {
        this.#ladder.store(side, this.#ladder.slotOf(side, old.priceAt(side, slot)), old.sizeAt(side, slot));
      }
    }
    this.#updateChecksums(header);
    this.#bumpVersion(header);
    this.#ladders.release(old.start, old.capacity);
    return true;
  }

  begin(book: BookId): void {
    this.#assertNoBatch();
    this.#book = book;
    this.#header = headerOf(book);
    this.#isSnapshot = false;
    this.#isChecksumStale = false;
    this.#ladder.select(book);
  }

  clear(_book: BookId): void {
    this.#lockBatch();
    this.#ladder.clear();
    this.#tape.discardChanges();
    this.#isSnapshot = true;
  }

  set(book: BookId, side: Side, price: Ticks, size: MicroShares): boolean {
    const ladder = this.#ladder;
    const slot = ladder.slotOf(side, price);
    if (slot === NO_SLOT) return false;
    if (ladder.sizeAt(side, slot) !== size) this.#change(book, side, price, slot, size);
    return true;
  }

  add(book: BookId, side: Side, price: Ticks, change: MicroShares): boolean {
    const ladder = this.#ladder;
    const slot = ladder.slotOf(side, price);
    if (slot === NO_SLOT) return false;
    const size = ladder.sizeAt(side, slot) + change;
    if (size < 0 || size > Number.MAX_SAFE_INTEGER) return false;
    if (change !== 0) this.#change(book, side, price, slot, size);
    return true;
  }

  checksum(_book: BookId): number {
    if (this.#isLocked && (this.#isSnapshot || this.#isChecksumStale)) {
      this.#updateChecksums(this.#header);
      this.#isChecksumStale = false;
    }
    return this.#i32[this.#header + H_CHECKSUM]! >>> 0;
  }

  sizeAt(book: BookId, side: Side, price: Ticks): MicroShares {
    const ladder = this.#otherLadder;
    ladder.select(book);
    const slot = ladder.slotOf(side, price);
    return (slot === NO_SLOT ? 0 : ladder.sizeAt(side, slot)) as MicroShares;
  }

  commit(book: BookId, venueTime: UnixMillis): boolean {
    if (!this.#isLocked) {
      this.#book = NO_BOOK;
      return true;
    }
    if (this.#ladder.isCrossed()) return this.#refuseCrossed(book);
    if (this.#isSnapshot) this.#publishWhole(book, venueTime);
    else {
      const header = this.#header;
      const times = header >>> 1;
      const f64 = this.#f64;
      if (this.#isChecksumStale) this.#updateChecksums(header);
      f64[times + HF_SEQ] = f64[times + HF_SEQ]! + 1;
      f64[times + HF_VENUE_TIME] = venueTime;
      f64[times + HF_RECEIVED_AT] = this.receivedAt;
      this.#tape.commitChanges(book);
    }
    this.#endBatch();
    return true;
  }

  commitSnapshot(book: BookId, venueTime: UnixMillis): boolean {
    this.#lockBatch();
    if (this.#ladder.isCrossed()) return this.#refuseCrossed(book);
    this.#setStatus(this.#header, 'LIVE', 'SNAPSHOT');
    this.#publishWhole(book, venueTime);
    this.#endBatch();
    return true;
  }

  abandon(book: BookId, reason: StateReason): void {
    this.#lockBatch();
    this.#tape.discardChanges();
    this.#ladder.clear();
    this.#updateChecksums(this.#header);
    const isNews = !this.#hasStatus(this.#header, 'RESYNCING', reason);
    if (isNews) this.#announce(book, 'RESYNCING', reason);
    this.#endBatch(isNews);
  }

  setState(book: BookId, state: BookState, reason: StateReason): void {
    this.#assertNoBatch();
    const header = headerOf(book);
    if (this.#hasStatus(header, state, reason)) return;
    this.#bumpVersion(header);
    if (state === 'RESYNCING') {
      this.#ladder.select(book);
      this.#ladder.clear();
      this.#updateChecksums(header);
    }
    this.#announce(book, state, reason);
    this.#bumpVersion(header);
  }

  stateOf(book: BookId): BookState {
    return BOOK_STATES[this.#i32[headerOf(book) + H_STATUS]! & STATUS_BYTE]!;
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
    this.#assertNoBatch();
    this.setLastTrade(book, view === PRIMARY ? price : complementTicks(price));
    this.#tape.trade(book, view, price, size, takerSide, venueTime, this.receivedAt, tradeId);
  }

  tradesMissed(book: BookId): void {
    this.#tape.tradesMissed(book);
  }

  /** Sets the price of the last trade. The price is a single word that the version does not guard, and no part of a batch. */
  setLastTrade(book: BookId, price: Ticks): void {
    if (price > 0 && price < TICKS_PER_DOLLAR) Atomics.store(this.#i32, headerOf(book) + H_LAST_TRADE, price);
  }

  #change(book: BookId, side: Side, price: Ticks, slot: number, size: number): void {
    // The batch locks as late as possible: a batch that changes nothing then needs no lock. The cache lines of the change are requested
    // before the lock, because no load moves ahead of a lock.
    if (!this.#isLocked) {
      this.#ladder.prefetch(side, slot);
      this.#lockBatch();
    }
    if (this.#ladder.store(side, slot, size)) this.#isChecksumStale = true;
    if (this.#isSnapshot) return;
    if (this.#tape.pendingChanges < limits.changesPerBatchMax) this.#tape.change(book, side, price, size);
    // A batch that is too large for the tape becomes a new epoch: readers then copy the whole book.
    else this.#isSnapshot = true;
  }

  #assertNoBatch(): void {
    assert(this.#book === NO_BOOK, 'not inside a batch: commit or abandon it first');
  }

  #lockBatch(): void {
    if (this.#isLocked) return;
    this.#isLocked = true;
    this.#bumpVersion(this.#header);
  }

  #hasStatus(header: number, state: BookState, reason: StateReason): boolean {
    return (this.#i32[header + H_STATUS]! & STATUS_STATE_AND_REASON) === statusOf(state, reason);
  }

  /**
   * Ends the batch. A locked batch has just published a record by a read-modify-write, which no store passes in either direction. So a
   * plain store suffices to make the version even, and is 5 ns cheaper (ADR 0001).
   */
  #endBatch(hasPublished = true): void {
    this.#book = NO_BOOK;
    this.#isLocked = false;
    if (!hasPublished) {
      this.#bumpVersion(this.#header);
      return;
    }
    const version = this.#header + H_VERSION;
    this.#i32[version] = this.#i32[version]! + 1;
  }

  /** Publishes the batch as a new epoch: readers copy the whole book. */
  #publishWhole(book: BookId, venueTime: UnixMillis): void {
    const times = this.#header >>> 1;
    this.#f64[times + HF_EPOCH] = this.#nextEpoch();
    this.#f64[times + HF_SEQ] = 1;
    this.#f64[times + HF_VENUE_TIME] = venueTime;
    this.#f64[times + HF_RECEIVED_AT] = this.receivedAt;
    this.#updateChecksums(this.#header);
    this.#tape.discardChanges();
    this.#tape.reset(book);
  }

  #refuseCrossed(book: BookId): false {
    this.abandon(book, 'CROSSED');
    return false;
  }

  #updateChecksums(header: number): void {
    const views = this.#i32[header + H_STATUS]! >> STATUS_VIEWS_SHIFT;
    if (views & (1 << PRIMARY)) this.#i32[header + H_CHECKSUM] = this.#ladder.checksum(this.#checksum, PRIMARY);
    if (views & (1 << COMPLEMENT)) {
      this.#i32[header + H_CHECKSUM + COMPLEMENT] = this.#ladder.checksum(this.#checksum, COMPLEMENT);
    }
  }

  #announce(book: BookId, state: BookState, reason: StateReason): void {
    this.#setStatus(headerOf(book), state, reason);
    this.#tape.state(book, state, reason);
  }

  #setStatus(header: number, state: BookState, reason: StateReason): void {
    const views = this.#i32[header + H_STATUS]! & ~STATUS_STATE_AND_REASON;
    this.#i32[header + H_STATUS] = views | statusOf(state, reason);
  }

  /**
   * Adds one to the version, which is odd while the book is being written. A read-modify-write before and after each batch: no store of the
   * batch is visible before the first, all are visible with the second.
   */
  #bumpVersion(header: number): void {
    Atomics.add(this.#i32, header + H_VERSION, 1);
  }

  /** Returns an epoch greater than every earlier epoch, also those of a writer that died. */
  #nextEpoch(): number {
    const epoch = this.#f64[CONTROL_EPOCH]! + 1;
    this.#f64[CONTROL_EPOCH] = epoch;
    return epoch;
  }
}

function statusOf(state: BookState, reason: StateReason): number {
  return BOOK_STATES.indexOf(state) | (STATE_REASONS.indexOf(reason) << STATUS_REASON_SHIFT);
}

function everyLevelFits(ladder: Ladder, step: number): boolean {
  for (const side of [BID, ASK] as const) {
    for (let slot = ladder.best(side); slot !== NO_SLOT; slot = ladder.nextWorse(side, slot)) {
      if (ladder.priceAt(side, slot) % step !== 0) return false;
    }
  }
  return true;
}
