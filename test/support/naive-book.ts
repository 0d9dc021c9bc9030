// A book in two Maps: the naive twin of market-data/book/writer.ts together with market-data/book/reader.ts. The twin does what the port
// promises, and knows nothing of slots, bitmaps or shared memory.

import { BID, type BookState, type Level, type Side, type StateReason } from '../../src/core/domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../src/core/domain/numbers.ts';

export class NaiveBook {
  state: BookState = 'RESYNCING';
  reason: StateReason = 'OPENING';
  seq = 0;
  /** The number of snapshots published so far. */
  epochs = 0;
  /** The price of the last trade in the primary view's frame. 0 means that there was no trade. */
  lastTrade = 0;
  step: Ticks;
  /** The levels by side. */
  readonly levels = [new Map<Ticks, MicroShares>(), new Map<Ticks, MicroShares>()] as const;
  #isSnapshot = false;
  #changes = 0;

  constructor(step: Ticks) {
    this.step = step;
  }

  begin(): void {
    this.#isSnapshot = false;
    this.#changes = 0;
  }

  clear(): void {
    this.#empty();
    this.#isSnapshot = true;
  }

  set(side: Side, price: Ticks, size: MicroShares): boolean {
    if (price <= 0 || price >= TICKS_PER_DOLLAR || price % this.step !== 0) return false;
    if (size !== this.sizeAt(side, price)) this.#changes += 1;
    if (size === 0) this.levels[side].delete(price);
    else this.levels[side].set(price, size);
    return true;
  }

  add(side: Side, price: Ticks, change: MicroShares): boolean {
    const size = this.sizeAt(side, price) + change;
    return size >= 0 && Number.isSafeInteger(size) && this.set(side, price, size as MicroShares);
  }

  sizeAt(side: Side, price: Ticks): MicroShares {
    return this.levels[side].get(price) ?? (0 as MicroShares);
  }

  commit(): boolean {
    if (this.#isSnapshot) return this.commitSnapshot();
    if (this.#isCrossed()) return this.#refuse();
    if (this.#changes > 0) this.seq += 1;
    return true;
  }

  commitSnapshot(): boolean {
    if (this.#isCrossed()) return this.#refuse();
    this.epochs += 1;
    this.seq = 1;
    this.state = 'LIVE';
    this.reason = 'SNAPSHOT';
    return true;
  }

  abandon(reason: StateReason): void {
    this.setState('RESYNCING', reason);
  }

  setState(state: BookState, reason: StateReason): void {
    if (state === 'RESYNCING') this.#empty();
    this.state = state;
    this.reason = reason;
  }

  regrid(step: Ticks): boolean {
    if (this.levels.some(levels => [...levels.keys()].some(price => price % step !== 0))) return false;
    this.step = step;
    return true;
  }

  /** Returns the levels of a side, best first. */
  side(side: Side): Level[] {
    return [...this.levels[side]]
      .map(([price, size]) => ({ price, size }))
      .sort((a, b) => (side === BID ? b.price - a.price : a.price - b.price));
  }

  best(side: Side): Ticks | null {
    return this.side(side)[0]?.price ?? null;
  }

  #isCrossed(): boolean {
    const [bid, ask] = [this.best(0), this.best(1)];
    return bid !== null && ask !== null && bid >= ask;
  }

  #refuse(): false {
    this.setState('RESYNCING', 'CROSSED');
    return false;
  }

  #empty(): void {
    for (const levels of this.levels) levels.clear();
  }
}
