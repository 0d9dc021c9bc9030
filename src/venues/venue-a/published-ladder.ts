// The published ladder of one market of venue A, in the first token's frame. Its step gets finer when a proven price or a new tick needs
// that. Venue A's feed thread.

import { ladderStep, uniformGrid } from '../../core/domain/grid.ts';
import { ASK, BID, type BookId, PRIMARY, type Side, type View } from '../../core/domain/market.ts';
import { complementTicks, type MicroShares, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import type { BookSink } from '../feed.ts';
import type { BookImage } from './book-image.ts';
import { stepOfTick } from './market-facts.ts';

export class PublishedLadder {
  readonly #sink: BookSink;
  readonly #book: BookId;
  #step: Ticks;

  constructor(sink: BookSink, book: BookId, step: Ticks) {
    this.#sink = sink;
    this.#book = book;
    this.#step = step;
  }

  /** Ensures a slot for a price that a hash has proven, even if it is off the announced tick. */
  fit(price: Ticks): boolean {
    return price % this.#step === 0 || this.#refine(price);
  }

  /** Ensures a slot for every price of this tick. Returns false also if the text is not a tick. */
  adoptTick(tickSize: string): boolean {
    const step = stepOfTick(tickSize);
    return step !== null && (step % this.#step === 0 || this.#refine(step));
  }

  /** Sets the size of a level; call this inside a batch, for a price that has a slot. */
  set(view: View, side: Side, price: Ticks, size: MicroShares): void {
    if (view === PRIMARY) this.#sink.set(this.#book, side, price, size);
    else this.#sink.set(this.#book, side === BID ? ASK : BID, complementTicks(price), size);
  }

  /** Publishes the first token's image as a new epoch. */
  publish(image: BookImage, time: UnixMillis): 'published' | 'off-grid' | 'crossed' {
    const levels = [image.levels(BID), image.levels(ASK)] as const;
    if (!levels.flat().every(level => this.fit(level.price))) return 'off-grid';
    this.#sink.begin(this.#book);
    this.#sink.clear(this.#book);
    for (const side of [BID, ASK] as const) {
      for (const { price, size } of levels[side]) this.#sink.set(this.#book, side, price, size);
    }
    return this.#sink.commitSnapshot(this.#book, time) ? 'published' : 'crossed';
  }

  /** Moves to a step with a slot for `price`, never to a coarser step. */
  #refine(price: Ticks): boolean {
    const step = ladderStep([...uniformGrid(this.#step), ...uniformGrid(price)]);
    if (!this.#sink.regrid(this.#book, step)) return false;
    this.#step = step;
    return true;
  }
}
