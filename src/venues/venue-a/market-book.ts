// One market's book: from proven changes to the sink. A change is spliced into the images and published only once its
// hashes match, so that a wrong book is never visible.
//
//   EMPTY ──book──▶ PROVEN ──hash does not match──▶ DOUBTED ──a later hash, a book or REST proves it──▶ PROVEN
//     ▲                │ crossed, unreadable            │ REST does not settle it, or the next hash fails again
//     └────────────────┴────────── resync ──────────────┘                         (any) ──resolved──▶ ENDED
//
// While DOUBTED the published ladder stands still and is STALE. Venue A's feed thread.

import { type BookId, PRIMARY, type StateReason, type TakerSide, type View } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { COUNTER, type FeedCounters } from '../../core/metrics/feed-counters.ts';
import { limits } from '../../limits.ts';
import { type BookSink, closeBook } from '../feed.ts';
import type { BookDocument } from './book-document.ts';
import { Doubt } from './doubt.ts';
import type { MarketFacts } from './market-facts.ts';
import type { PriceChanges } from './price-changes.ts';
import { PublishedLadder } from './published-ladder.ts';
import { type Reading, TokenBooks } from './token-books.ts';
import { viewOfSlot } from './token-table.ts';

interface MarketBookParts {
  readonly sink: BookSink;
  readonly counters: FeedCounters;
  /** Asks for the first token's book by REST. The answer goes to `settle` with the same `question`. */
  reread(book: MarketBook, question: number): void;
  /** Asks the venue for a new `book` event. */
  resubscribe(book: MarketBook): void;
  /** Called when the book has no levels, so that the market may be over. */
  onEmpty(book: MarketBook): void;
}

export class MarketBook {
  readonly id: BookId;
  readonly facts: MarketFacts;
  readonly #parts: MarketBookParts;
  readonly #books: TokenBooks;
  readonly #ladder: PublishedLadder;
  #lastEventTime = 0 as UnixMillis;
  #trust: 'EMPTY' | 'PROVEN' | 'DOUBTED' | 'ENDED' = 'EMPTY';
  #doubt = new Doubt(null);
  /** The number of the last REST question. Answers to earlier questions are ignored. */
  #question = 0;
  /** Whether the book was published from REST and no hash of the stream has confirmed it yet: the next mismatch is then the second. */
  #isOnProbation = false;
  /** The REST book that the stream has yet to reach. Our book already contains all changes before it. */
  #ahead: BookDocument | null = null;
  /** The timestamp of the last `book`, until a change after it is proven. Changes that are not later may be in the book already. */
  #bookTime = 0;
  /** The latest venue time of the published book. */
  #shownTime = 0;

  constructor(id: BookId, facts: MarketFacts, parts: MarketBookParts) {
    this.id = id;
    this.facts = facts;
    this.#parts = parts;
    this.#books = new TokenBooks(facts);
    this.#ladder = new PublishedLadder(parts.sink, id, facts.step);
  }

  /** Whether the book is unknown until the venue sends it whole. */
  get isAwaitingBook(): boolean {
    return this.#trust === 'EMPTY';
  }

  /** Whether the published book matches the venue's last hash. */
  get isProven(): boolean {
    return this.#trust === 'PROVEN';
  }

  /** The venue's time of the last price_change or `book`, 0 before the first. */
  get lastEventTime(): UnixMillis {
    return this.#lastEventTime;
  }

  get hasEnded(): boolean {
    return this.#trust === 'ENDED';
  }

  viewOf(tokenId: string): View | null {
    return this.#books.viewOf(tokenId);
  }

  /** Applies the entries [from, to) of a price_change, which are all of this market. */
  applyChanges(bytes: Uint8Array, changes: PriceChanges, from: number, to: number): void {
    if (this.#trust === 'EMPTY' || this.#trust === 'ENDED') return;
    this.#lastEventTime = changes.timestamp;
    if (this.#ahead !== null && this.#isBehind(bytes, changes, from, to, this.#ahead)) return;
    const books = this.#books;
    // Real timestamps step back, and changes may share one. So a change that is not later may still be new, and is tried.
    const held = this.#mayBeInBook(changes.timestamp) ? books.savedState() : null;
    const agrees = books.stage(bytes, changes, from, to);
    let proofs = agrees ? books.proofs(bytes, changes, from, to) : 0;
    if (agrees && proofs === 0) {
      proofs = books.proofsAfterTrade(bytes, changes, from, to);
      if (proofs > 0) this.#parts.counters.count(COUNTER.hashesAdoptedLastTrade);
    }
    if (proofs === 0) {
      if (held === null) this.#mismatch(bytes, changes, from, to);
      else this.#skipMessage(held);
      return;
    }
    this.#parts.counters.count(COUNTER.hashesVerified, proofs);
    this.#isOnProbation = false;
    this.#bookTime = 0;
    this.#shownTime = Math.max(this.#shownTime, changes.timestamp);
    if (this.#trust === 'PROVEN') {
      if (books.hasChanged) this.#publishChanges(changes, from, to);
      return;
    }
    this.#parts.counters.count(COUNTER.hashesHealed);
    if (this.#doubt.add(bytes, changes, from, to)) this.#publishDoubted(changes.timestamp);
    else this.resync('HASH_MISMATCH');
  }

  /** Applies a `book` event of one of the two tokens. */
  applyBook(view: View, document: BookDocument): void {
    if (this.#trust === 'ENDED') return;
    const time = Number(document.timestamp) as UnixMillis;
    this.#lastEventTime = time;
    if (this.#ahead !== null && time <= Number(this.#ahead.timestamp)) return;
    const reading = this.#books.read(view, document);
    const isKnown = this.#trust !== 'EMPTY' && reading.isProven && this.#books.hasLevelsOf(reading);
    if (!isKnown && this.#isOutdated(view, document)) {
      this.#skipMessage(null);
      return;
    }
    if (!reading.isProven) {
      this.#mismatchDocument(reading, document);
      return;
    }
    this.#parts.counters.count(COUNTER.hashesVerified);
    this.#isOnProbation = false;
    if (!isKnown) {
      this.#takeBook(reading, document);
      return;
    }
    this.#shownTime = Math.max(this.#shownTime, time);
    if (!this.#adoptTerms(reading) || this.#trust !== 'DOUBTED') return;
    this.#parts.counters.count(COUNTER.hashesHealed);
    this.#publishDoubted(time);
  }

  /** Takes the REST answer to `question`. A null document means that no answer came. */
  settle(document: BookDocument | null, question: number): void {
    if (this.#trust !== 'DOUBTED' || question !== this.#question) return;
    if (document === null) {
      this.resync('HASH_MISMATCH');
      return;
    }
    const reading = this.#books.read(PRIMARY, document);
    const placement = this.#doubt.place(PRIMARY, document);
    if (!reading.isProven || placement === 'NOWHERE') {
      this.#resyncAfterReread();
      return;
    }
    const doubted = this.#books.primary;
    if (!this.#adoptTerms(reading)) return;
    this.#books.take(reading);
    if (placement !== 'AHEAD' && !this.#books.replay(this.#doubt.pending.slice(placement))) {
      this.#resyncAfterReread();
      return;
    }
    this.#isOnProbation = true;
    const isDoubtedRight = this.#doubt.base === null && this.#books.primary.hasSameLevels(doubted);
    if (placement === 'AHEAD' && !isDoubtedRight) this.#ahead = document;
    const time = Number(this.#doubt.pending.at(-1)?.timestamp ?? document.timestamp) as UnixMillis;
    if (isDoubtedRight) this.#publishDoubted(time);
    else this.#publishImage(time);
  }

  /** Whether the stream has sent all that a REST book shows, also of the stream's last time. Null if no hash proves the REST book. */
  isUpToDate(document: BookDocument): boolean | null {
    const reading = this.#books.read(PRIMARY, document);
    if (!reading.isProven) return null;
    return Number(document.timestamp) < this.#lastEventTime || this.#books.hasLevelsOf(reading);
  }

  announceTrade(view: View, price: Ticks, size: MicroShares, takerSide: TakerSide, time: UnixMillis, id: string): void {
    this.#books.announceTrade(price);
    this.#parts.sink.trade(this.id, view, price, size, takerSide, time, id);
  }

  changeTickSize(tickSize: string): void {
    if (this.#trust === 'ENDED') return;
    if (!this.#ladder.adoptTick(tickSize)) {
      this.resync('TICK_SIZE_CHANGED');
      return;
    }
    this.#books.setTerms({ ...this.#books.terms, tickSize });
  }

  /** Ends the book, because the market is over: its last levels stay and do not change any more. */
  end(reason: StateReason, now: UnixMillis): void {
    this.#forget('ENDED');
    closeBook(this.#parts.sink, this.id, reason, now);
  }

  /** Handles an unreadable frame that named this market, or may have named it: its content is lost. */
  dropContent(reason: StateReason): void {
    if (this.#trust === 'PROVEN' || this.#trust === 'DOUBTED') this.resync(reason);
  }

  /** Marks the book as STALE, because the connection is silent and the book may be old. */
  markStale(): void {
    if (this.#trust !== 'ENDED' && this.#parts.sink.stateOf(this.id) !== 'RESYNCING') {
      this.#parts.sink.setState(this.id, 'STALE', 'SILENCE');
    }
  }

  /** Drops the book, because the connection is lost. The next connection sends a new book unasked. */
  disconnect(): void {
    if (this.#trust === 'ENDED') return;
    this.#forget('EMPTY');
    this.#parts.sink.setState(this.id, 'RESYNCING', 'DISCONNECTED');
  }

  /** Shows no book rather than a wrong one, and asks for a new one. */
  resync(reason: StateReason): void {
    this.#forget('EMPTY');
    this.#parts.counters.count(COUNTER.resyncs);
    this.#parts.sink.setState(this.id, 'RESYNCING', reason);
    this.#parts.resubscribe(this);
  }

  #resyncAfterReread(): void {
    this.#parts.counters.count(COUNTER.hashMismatchesAfterReread);
    this.resync('HASH_MISMATCH');
  }

  #forget(trust: 'EMPTY' | 'PROVEN' | 'ENDED'): void {
    this.#trust = trust;
    this.#doubt = new Doubt(null);
    this.#question += 1;
    this.#ahead = null;
    this.#bookTime = 0;
    this.#shownTime = 0;
    this.#isOnProbation = false;
  }

  #mayBeInBook(time: number): boolean {
    return this.#trust === 'PROVEN' && time <= this.#bookTime;
  }

  /** Whether a book that shows another state is older than the stream: it may come late, without changes that the stream had. */
  #isOutdated(view: View, document: BookDocument): boolean {
    if (this.#trust === 'DOUBTED') return this.#doubt.place(view, document) === 'NOWHERE';
    const time = Number(document.timestamp);
    return this.#mayBeInBook(time) || time < this.#shownTime;
  }

  /** Skips a message that predates the last `book`, which contains it. `held` is the state before the attempt, to be restored. */
  #skipMessage(held: Reading | null): void {
    this.#parts.counters.count(COUNTER.messagesInBook);
    if (held !== null) this.#books.take(held);
  }

  #mismatch(bytes: Uint8Array, changes: PriceChanges, from: number, to: number): void {
    this.#parts.counters.count(COUNTER.hashMismatches);
    if (this.#isOnProbation) {
      this.#resyncAfterReread();
      return;
    }
    if (this.#trust === 'PROVEN') this.#enterDoubt(new Doubt(null));
    if (!this.#doubt.add(bytes, changes, from, to)) this.resync('HASH_MISMATCH');
  }

  #mismatchDocument(reading: Reading, document: BookDocument): void {
    this.#parts.counters.count(COUNTER.hashMismatches);
    if (this.#isOnProbation) {
      this.#resyncAfterReread();
      return;
    }
    this.#books.take(reading);
    if (this.#trust === 'DOUBTED') this.#doubt = new Doubt(document);
    else this.#enterDoubt(new Doubt(document));
  }

  #enterDoubt(doubt: Doubt): void {
    const { sink, counters, reread } = this.#parts;
    this.#trust = 'DOUBTED';
    this.#doubt = doubt;
    this.#question += 1;
    if (sink.stateOf(this.id) === 'LIVE') sink.setState(this.id, 'STALE', 'HASH_MISMATCH');
    counters.count(COUNTER.bookRereads);
    reread(this, this.#question);
  }

  /** Ends a doubt, because the images are proven after all: publishes the changes that were held back. */
  #publishDoubted(time: UnixMillis): void {
    const { sink } = this.#parts;
    const { pending, base } = this.#doubt;
    const isDelta =
      base === null && pending.length <= limits.changesPerBatchMax && sink.stateOf(this.id) !== 'RESYNCING';
    if (!isDelta) {
      this.#publishImage(time);
      return;
    }
    this.#endDoubt();
    if (!pending.every(change => this.#ladder.fit(change.price))) {
      this.resync('OFF_GRID');
      return;
    }
    if (pending.length > 0) {
      sink.begin(this.id);
      for (const { view, side, price, size } of pending) this.#ladder.set(view, side, price, size);
      if (!sink.commit(this.id, time)) {
        this.#crossed();
        return;
      }
    }
    sink.setState(this.id, 'LIVE', 'RESUMED');
    this.#reportIfEmpty();
  }

  #endDoubt(): void {
    this.#trust = 'PROVEN';
    this.#doubt = new Doubt(null);
    this.#question += 1;
  }

  /** Whether the published REST state, `ahead` of the stream, contains a change. */
  #isBehind(bytes: Uint8Array, changes: PriceChanges, from: number, to: number, ahead: BookDocument): boolean {
    if (changes.timestamp > Number(ahead.timestamp)) {
      this.#ahead = null;
      return false;
    }
    const current = new Doubt(null);
    const hasArrived = current.add(bytes, changes, from, to) && current.place(PRIMARY, ahead) !== 'AHEAD';
    if (hasArrived) this.#ahead = null;
    return true;
  }

  #publishChanges(changes: PriceChanges, from: number, to: number): void {
    const { sink } = this.#parts;
    for (let entry = from; entry < to; entry += 1) {
      if (!this.#ladder.fit(changes.price(entry))) {
        this.resync('OFF_GRID');
        return;
      }
    }
    sink.begin(this.id);
    for (let entry = from; entry < to; entry += 1) {
      this.#ladder.set(viewOfSlot(changes.slot(entry)), changes.side(entry), changes.price(entry), changes.size(entry));
    }
    if (sink.commit(this.id, changes.timestamp)) this.#reportIfEmpty();
    else this.#crossed();
  }

  /** Takes a proven book that shows another state and is not outdated. */
  #takeBook(reading: Reading, document: BookDocument): void {
    const time = Number(document.timestamp) as UnixMillis;
    if (this.#trust === 'PROVEN' && this.#bookTime === 0 && time === this.#shownTime) {
      // A change of the same millisecond may be later than this book, so REST decides.
      this.#enterDoubt(new Doubt(null, time));
      return;
    }
    const placement = this.#trust === 'DOUBTED' ? this.#doubt.place(reading.view, document) : 'AHEAD';
    const later = typeof placement === 'number' ? this.#doubt.pending.slice(placement) : [];
    const held = this.#books.savedState();
    if (!this.#adoptTerms(reading)) return;
    this.#books.take(reading);
    if (later.length > 0 && !this.#books.replay(later)) {
      this.#books.take(held);
      return;
    }
    this.#parts.counters.count(COUNTER.snapshots);
    this.#publishImage(Number(later.at(-1)?.timestamp ?? time) as UnixMillis);
    if (this.#trust === 'PROVEN' && later.length === 0) this.#bookTime = time;
  }

  /** Publishes the proven image as a new epoch. */
  #publishImage(time: UnixMillis): void {
    this.#endDoubt();
    this.#shownTime = Math.max(this.#shownTime, time);
    const outcome = this.#ladder.publish(this.#books.primary, time);
    if (outcome === 'off-grid') this.resync('OFF_GRID');
    if (outcome === 'crossed') this.#crossed();
    if (outcome === 'published') this.#reportIfEmpty();
  }

  #reportIfEmpty(): void {
    if (this.#books.primary.isEmpty) this.#parts.onEmpty(this);
  }

  #crossed(): void {
    this.#parts.counters.count(COUNTER.crossed);
    this.resync('CROSSED');
  }

  #adoptTerms(reading: Reading): boolean {
    if (!this.#ladder.adoptTick(reading.terms.tickSize)) {
      this.resync('TICK_SIZE_CHANGED');
      return false;
    }
    this.#books.setTerms(reading.terms);
    return true;
  }
}
