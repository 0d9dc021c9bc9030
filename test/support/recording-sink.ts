// A BookSink in plain Maps: the naive twin of the shared-memory writer, for tests of feeds. It keeps every announcement in `events`, and
// fails if a feed breaks the port's rules (a change outside a batch, a batch left open).

import {
  ASK,
  BID,
  type BookId,
  type BookState,
  type Side,
  type StateReason,
  type TakerSide,
  type View,
} from '../../src/core/domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../src/core/domain/numbers.ts';
import { assert } from '../../src/core/domain/result.ts';
import type { BookSink } from '../../src/venues/feed.ts';
import { naiveChecksum } from './naive-checksum.ts';

type Ladder = ReadonlyMap<Ticks, MicroShares>;

/** A book as other threads would see it, after the last batch that ended. */
export interface RecordedBook {
  readonly id: BookId;
  readonly step: Ticks;
  readonly state: BookState;
  readonly reason: StateReason;
  /** The number of snapshots published so far. */
  readonly epoch: number;
  /** The sequence number: 1 after a snapshot, + 1 per delta. */
  readonly seq: number;
  readonly venueTime: UnixMillis;
  readonly bids: Ladder;
  readonly asks: Ladder;
  readonly hasPrimaryView: boolean;
  readonly hasComplementView: boolean;
  readonly isReleased: boolean;
  /** The last trade's price as the venue stated it when the book was opened. 0 means that the venue stated none. */
  readonly statedTrade: Ticks;
}

type SinkEvent =
  | { readonly kind: 'opened'; readonly book: BookId; readonly step: Ticks }
  | { readonly kind: 'released'; readonly book: BookId }
  | { readonly kind: 'regridded'; readonly book: BookId; readonly step: Ticks }
  | { readonly kind: 'snapshot'; readonly book: BookId; readonly epoch: number; readonly venueTime: UnixMillis }
  | { readonly kind: 'delta'; readonly book: BookId; readonly seq: number; readonly venueTime: UnixMillis }
  | { readonly kind: 'state'; readonly book: BookId; readonly state: BookState; readonly reason: StateReason }
  | { readonly kind: 'tradesMissed'; readonly book: BookId }
  | {
      readonly kind: 'trade';
      readonly book: BookId;
      readonly view: View;
      readonly price: Ticks;
      readonly size: MicroShares;
      readonly takerSide: TakerSide;
      readonly venueTime: UnixMillis;
      readonly tradeId: string;
    };

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type MutableBook = Mutable<Omit<RecordedBook, 'bids' | 'asks'>> & {
  bids: Map<Ticks, MicroShares>;
  asks: Map<Ticks, MicroShares>;
};

interface Batch {
  readonly book: BookId;
  readonly bids: Map<Ticks, MicroShares>;
  readonly asks: Map<Ticks, MicroShares>;
  isChanged: boolean;
  /** Whether the book was emptied at the start of the batch. */
  isWhole: boolean;
}

export class RecordingSink implements BookSink {
  receivedAt = 0 as UnixMillis;
  /** Every book that was ever opened, including released books. The index is the BookId. */
  readonly books: RecordedBook[] = [];
  readonly events: SinkEvent[] = [];
  readonly #books: MutableBook[] = [];
  readonly #booksMax: number;
  /** The open batch, with the ladders as they will be after the commit. */
  #batch: Batch | null = null;

  constructor(booksMax = Number.MAX_SAFE_INTEGER) {
    this.#booksMax = booksMax;
  }

  openBook(step: Ticks): BookId | null {
    assert(step > 0 && TICKS_PER_DOLLAR % step === 0, `a ladder step divides the dollar, got ${step}`);
    if (this.#books.filter(book => !book.isReleased).length >= this.#booksMax) return null;
    const id = this.#books.length as BookId;
    const book: MutableBook = {
      id,
      step,
      state: 'RESYNCING',
      reason: 'OPENING',
      epoch: 0,
      seq: 0,
      venueTime: 0 as UnixMillis,
      bids: new Map(),
      asks: new Map(),
      hasPrimaryView: false,
      hasComplementView: false,
      isReleased: false,
      statedTrade: 0 as Ticks,
    };
    this.#books.push(book);
    this.books.push(book);
    this.events.push({ kind: 'opened', book: id, step });
    return id;
  }

  releaseBook(book: BookId): void {
    this.#idle(book).isReleased = true;
    this.events.push({ kind: 'released', book });
  }

  setViews(book: BookId, primary: boolean, complement: boolean): void {
    const it = this.#open(book);
    it.hasPrimaryView = primary;
    it.hasComplementView = complement;
  }

  regrid(book: BookId, step: Ticks): boolean {
    const it = this.#idle(book);
    assert(step > 0 && TICKS_PER_DOLLAR % step === 0, `a ladder step divides the dollar, got ${step}`);
    if ([...it.bids.keys(), ...it.asks.keys()].some(price => price % step !== 0)) return false;
    it.step = step;
    this.events.push({ kind: 'regridded', book, step });
    return true;
  }

  begin(book: BookId): void {
    const it = this.#idle(book);
    this.#batch = { book, bids: new Map(it.bids), asks: new Map(it.asks), isChanged: false, isWhole: false };
  }

  clear(book: BookId): void {
    this.#ladder(book, BID).clear();
    this.#ladder(book, ASK).clear();
    if (this.#batch !== null) this.#batch.isChanged = this.#batch.isWhole = true;
  }

  set(book: BookId, side: Side, price: Ticks, size: MicroShares): boolean {
    assert(Number.isSafeInteger(size) && size >= 0, `a size is a non-negative integer, got ${size}`);
    const ladder = this.#ladder(book, side);
    if (!this.#isOnLadder(book, price)) return false;
    if ((ladder.get(price) ?? 0) !== size && this.#batch !== null) this.#batch.isChanged = true;
    if (size === 0) ladder.delete(price);
    else ladder.set(price, size);
    return true;
  }

  add(book: BookId, side: Side, price: Ticks, change: MicroShares): boolean {
    assert(Number.isSafeInteger(change), `a change is an integer, got ${change}`);
    const size = (this.#ladder(book, side).get(price) ?? 0) + change;
    return size >= 0 && Number.isSafeInteger(size) && this.set(book, side, price, size as MicroShares);
  }

  checksum(book: BookId): number {
    const levels = (side: Side) => Array.from(this.#ladder(book, side), ([price, size]) => ({ price, size }));
    const bids = levels(BID).sort((one, other) => other.price - one.price);
    return naiveChecksum(
      bids,
      levels(ASK).sort((one, other) => one.price - other.price),
    );
  }

  sizeAt(book: BookId, side: Side, price: Ticks): MicroShares {
    const ladder = this.#batch?.book === book ? this.#ladder(book, side) : this.#side(this.#open(book), side);
    return ladder.get(price) ?? (0 as MicroShares);
  }

  commit(book: BookId, venueTime: UnixMillis): boolean {
    const it = this.#open(book);
    assert(it.state !== 'RESYNCING', 'a delta on a book without a snapshot');
    assert(this.#batch?.book === book, 'commit without begin');
    if (!this.#batch.isChanged) {
      this.#batch = null;
      return true;
    }
    const { isWhole } = this.#batch;
    if (!this.#publish(it, venueTime)) return false;
    if (isWhole) {
      this.#beginEpoch(it, venueTime);
      return true;
    }
    it.seq += 1;
    this.events.push({ kind: 'delta', book, seq: it.seq, venueTime });
    return true;
  }

  commitSnapshot(book: BookId, venueTime: UnixMillis): boolean {
    const it = this.#open(book);
    if (!this.#publish(it, venueTime)) return false;
    it.state = 'LIVE';
    it.reason = 'SNAPSHOT';
    this.#beginEpoch(it, venueTime);
    return true;
  }

  abandon(book: BookId, reason: StateReason): void {
    this.#ladder(book, BID);
    this.#batch = null;
    this.setState(book, 'RESYNCING', reason);
  }

  setState(book: BookId, state: BookState, reason: StateReason): void {
    const it = this.#idle(book);
    if (it.state === state && it.reason === reason) return;
    it.state = state;
    it.reason = reason;
    if (state === 'RESYNCING') {
      it.bids.clear();
      it.asks.clear();
    }
    this.events.push({ kind: 'state', book, state, reason });
  }

  stateOf(book: BookId): BookState {
    return this.#open(book).state;
  }

  setLastTrade(book: BookId, price: Ticks): void {
    this.#open(book).statedTrade = price;
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
    this.#open(book);
    this.events.push({ kind: 'trade', book, view, price, size, takerSide, venueTime, tradeId });
  }

  tradesMissed(book: BookId): void {
    this.#open(book);
    this.events.push({ kind: 'tradesMissed', book });
  }

  #beginEpoch(it: MutableBook, venueTime: UnixMillis): void {
    it.epoch += 1;
    it.seq = 1;
    this.events.push({ kind: 'snapshot', book: it.id, epoch: it.epoch, venueTime });
  }

  /** Ends the batch. A batch that crosses the book empties the book instead. */
  #publish(it: MutableBook, venueTime: UnixMillis): boolean {
    const batch = this.#batch;
    assert(batch?.book === it.id, 'commit without begin');
    this.#batch = null;
    if (Math.max(0, ...batch.bids.keys()) >= Math.min(TICKS_PER_DOLLAR, ...batch.asks.keys())) {
      this.setState(it.id, 'RESYNCING', 'CROSSED');
      return false;
    }
    it.bids = batch.bids;
    it.asks = batch.asks;
    it.venueTime = venueTime;
    return true;
  }

  #ladder(book: BookId, side: Side): Map<Ticks, MicroShares> {
    const batch = this.#batch;
    assert(batch?.book === book, `book ${book} is changed outside a batch`);
    return side === BID ? batch.bids : batch.asks;
  }

  #side(it: MutableBook, side: Side): Map<Ticks, MicroShares> {
    return side === BID ? it.bids : it.asks;
  }

  #isOnLadder(book: BookId, price: Ticks): boolean {
    return price > 0 && price < TICKS_PER_DOLLAR && price % this.#open(book).step === 0;
  }

  #open(book: BookId): MutableBook {
    const it = this.#books[book];
    assert(it !== undefined && !it.isReleased, `book ${book} is not open`);
    return it;
  }

  #idle(book: BookId): MutableBook {
    assert(this.#batch === null, 'a batch is still open');
    return this.#open(book);
  }
}
