// A book in shared memory and its naive twin. Every step is done to both, and then everything observable of both is compared. The
// comparison reads the writer, the reader in both views, and the book that a subscriber folds from the tape.

import { expect } from 'vitest';
import { ASK, BID, type BookId, COMPLEMENT, PRIMARY, TAKER_BUY, type View } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { deriveNo } from '../../src/market-data/book/derive-no.ts';
import type { BookWriter } from '../../src/market-data/book/writer.ts';
import { type BookObserver, levelsOf } from './book-observer.ts';
import type { Change, Step } from './book-steps.ts';
import { NaiveBook } from './naive-book.ts';
import { naiveChecksum } from './naive-checksum.ts';

export class BookPair {
  readonly book: BookId;
  readonly #writer: BookWriter;
  readonly #observer: BookObserver;
  readonly #twin: NaiveBook;
  #views = [true, true];
  #epoch = 0;
  #epochsSeen = 0;

  /** Opens a book. The book must be possible to open. */
  constructor(writer: BookWriter, observer: BookObserver, step: Ticks) {
    this.#writer = writer;
    this.#observer = observer;
    this.#twin = new NaiveBook(step);
    const book = writer.openBook(step);
    if (book === null) throw new Error('no room for a book');
    this.book = book;
    observer.forget(book);
    writer.setViews(book, true, true);
    this.compare();
  }

  run(step: Step): void {
    const [writer, twin, book] = [this.#writer, this.#twin, this.book];
    if (step.do === 'batch') this.#batch(step);
    else if (step.do === 'regrid') expect(writer.regrid(book, step.step)).toBe(twin.regrid(step.step));
    else if (step.do === 'state') {
      writer.setState(book, step.state, step.reason);
      twin.setState(step.state, step.reason);
    } else if (step.do === 'trade') this.#trade(step.view, step.price);
    else {
      this.#views = [step.primary, step.complement];
      writer.setViews(book, step.primary, step.complement);
    }
    this.compare();
  }

  compare(): void {
    const [twin, book] = [this.#twin, this.book];
    const yes = { bids: twin.side(BID), asks: twin.side(ASK) };
    for (const view of [PRIMARY, COMPLEMENT] as const) {
      const expected = view === PRIMARY ? yes : deriveNo(yes);
      const copy = this.#observer.read(book, view);
      expect({ bids: levelsOf(copy, BID), asks: levelsOf(copy, ASK) }).toEqual(expected);
      expect([copy.state, copy.reason, copy.seq]).toEqual([twin.state, twin.reason, twin.seq]);
      const { lastTrade } = twin;
      expect(copy.lastTrade).toBe(view === PRIMARY || lastTrade === 0 ? lastTrade : 10_000 - lastTrade);
      if (this.#views[view]) expect(copy.checksum).toBe(naiveChecksum(expected.bids, expected.asks));
    }
    expect(this.#writer.stateOf(book)).toBe(twin.state);
    this.#compareEpoch(this.#observer.read(book, PRIMARY).epoch);
    this.#compareFollowed();
  }

  #batch({ isSnapshot, changes, end }: Step & { do: 'batch' }): void {
    const [writer, twin, book] = [this.#writer, this.#twin, this.book];
    // A delta needs a book to change: feeds send a snapshot first.
    const asSnapshot = isSnapshot || twin.epochs === 0 || twin.state === 'RESYNCING';
    writer.begin(book);
    twin.begin();
    if (asSnapshot) {
      writer.clear(book);
      twin.clear();
    }
    for (const change of changes) this.#change(change);
    if (end === 'abandon') {
      writer.abandon(book, 'SEQUENCE_GAP');
      twin.abandon('SEQUENCE_GAP');
    } else if (asSnapshot) expect(writer.commitSnapshot(book, 7 as UnixMillis)).toBe(twin.commitSnapshot());
    else expect(writer.commit(book, 7 as UnixMillis)).toBe(twin.commit());
  }

  /** Records a trade. The twin ignores prices of 0 and 1, because a payout is not a price. */
  #trade(view: View, price: Ticks): void {
    this.#writer.trade(this.book, view, price, 1 as MicroShares, TAKER_BUY, 7 as UnixMillis, 'id');
    const inPrimary = view === PRIMARY ? price : 10_000 - price;
    if (price > 0 && price < 10_000) this.#twin.lastTrade = inPrimary;
  }

  #change(change: Change): void {
    const [writer, twin, book] = [this.#writer, this.#twin, this.book];
    const { side } = change;
    if (change.do === 'removeBest') {
      const best = twin.best(side);
      if (best === null) return;
      expect(writer.add(book, side, best, -twin.sizeAt(side, best) as MicroShares)).toBe(true);
      twin.set(side, best, 0 as MicroShares);
      return;
    }
    const { price, size } = change;
    expect(writer[change.do](book, side, price, size)).toBe(twin[change.do](side, price, size));
    expect(writer.sizeAt(book, side, price)).toBe(twin.sizeAt(side, price));
  }

  /** Checks that every snapshot raises the epoch, and that nothing else changes the epoch. */
  #compareEpoch(epoch: number): void {
    const twin = this.#twin;
    if (this.#epoch === 0 || twin.epochs > this.#epochsSeen) expect(epoch).toBeGreaterThan(this.#epoch);
    else expect(epoch).toBe(this.#epoch);
    this.#epoch = epoch;
    this.#epochsSeen = twin.epochs;
  }

  /** Checks that the book which a subscriber folded from the tape equals the book itself. */
  #compareFollowed(): void {
    this.#observer.follow();
    const followed = this.#observer.books.get(this.book);
    if (followed === undefined) {
      expect([this.#twin.epochs, this.#twin.state]).toEqual([0, 'RESYNCING']);
      return;
    }
    expect(new Map(followed.levels[BID])).toEqual(this.#twin.levels[BID]);
    expect(new Map(followed.levels[ASK])).toEqual(this.#twin.levels[ASK]);
    expect([followed.state, followed.reason, followed.seq]).toEqual([
      this.#twin.state,
      this.#twin.reason,
      this.#twin.seq,
    ]);
  }
}
