// The house's orders in one market. They follow a displayed book of the venue: its levels, and its trades that reach callers' orders.
// Thread of the paper exchanges.

import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';
import type { QueueModel } from '../../core/runtime/paper-terms.ts';
import { otherSide } from '../engine/matching.ts';
import { DisplayedLevel, type Queued, type QueuePlan, SIZE_STEP } from './displayed-level.ts';
import type { HouseDesk, HouseMarket } from './market-maker.ts';

interface HouseBookParts {
  readonly desk: HouseDesk;
  readonly market: HouseMarket;
  readonly model: QueueModel;
}

export class HouseBook {
  readonly #parts: HouseBookParts;
  readonly #levels: readonly [bids: Map<Ticks, DisplayedLevel>, asks: Map<Ticks, DisplayedLevel>] = [
    new Map(),
    new Map(),
  ];

  /** Whether the book is not known. The house then has no orders until the whole book is stated. */
  #isLost = false;
  /** The displayed book while matching is halted. Null means that matching is not halted. */
  #halted: readonly [bids: Map<Ticks, Halted>, asks: Map<Ticks, Halted>] | null = null;

  constructor(parts: HouseBookParts) {
    this.#parts = parts;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Treats the book as unknown until the next `state`. Meanwhile nothing matches. */
  markUnknown(): void {
    this.#halted = null;
    this.#isLost = true;
    this.#close();
  }

  /** Halts matching until `resume`. The venue still displays the book. */
  halt(): void {
    if (this.#isLost || this.#halted !== null) return;
    const sizes = (side: Side) => new Map(this.prices(side).map(price => [price, this.#displayedAt(side, price)]));
    this.#halted = [sizes(BID), sizes(ASK)];
    this.#close();
  }

  /** Sets the whole book of a market in which nothing matches yet, if the book is not known. `resume` goes on with this book. */
  stateHalted(bids: readonly Level[], asks: readonly Level[]): void {
    if (!this.#isLost) return;
    const sizes = (levels: readonly Level[]) => new Map(levels.map(({ price, size }) => [price, { size, taken: 0 }]));
    this.#isLost = false;
    this.#halted = [sizes(bids), sizes(asks)];
  }

  resume(): void {
    if (this.#halted === null) return;
    const halted = this.#halted;
    const [bids, asks] = halted.map(side => Array.from(side, ([price, { size }]) => ({ price, size })));
    this.state(bids!, asks!, 0);
    for (const side of [BID, ASK] as const)
      for (const [price, { taken }] of halted[side]) this.#restoreTaken(side, price, taken);
  }

  /** Makes the market's grid as fine as these levels need it. Call this if nothing else tells of the grid. */
  refineGridFor(levels: readonly Level[]): void {
    const { desk, market } = this.#parts;
    for (const { price, size } of levels)
      if (size > 0 && !market.isOnGrid(price))
        desk.refine(market, (price % TENTH_OF_CENT === 0 ? TENTH_OF_CENT : 1) as Ticks);
  }

  /** Sets the whole book. After a gap, callers' orders that have waited move behind it, because nobody knows how far they had come. */
  state(bids: readonly Level[], asks: readonly Level[], atMs: number): void {
    const { desk, market } = this.#parts;
    const isRenewed = this.#isLost || this.#halted !== null;
    this.#isLost = false;
    this.#halted = null;
    if (!isRenewed) {
      this.change([...this.#gone(BID, bids), ...this.#gone(ASK, asks), ...sided(bids, asks)], atMs);
      return;
    }
    desk.setMatching(market, true);
    for (const { side, price, size } of sided(bids, asks)) {
      this.show(side, price, size, atMs);
      for (const { order, isHouse } of desk.queue(market, side, price)) if (!isHouse) desk.move(market, order, null);
    }
  }

  /** Applies the changes of levels that changed together. Of two changes of one level the last one counts. */
  change(together: readonly Shown[], atMs: number): void {
    if (this.#isLost) return;
    const changes = together.length < 2 ? together : lastOfEach(together);
    const growthOf = ({ side, price, size }: Shown): number => size - this.shown(side, price);
    if (this.#halted !== null) for (const change of changes) this.#changeHalted(this.#halted[change.side], change);
    else
      for (const { side, price, size } of changes.toSorted((a, b) => growthOf(a) - growthOf(b)))
        this.show(side, price, size, atMs);
  }

  shown(side: Side, price: Ticks): MicroShares {
    return this.#levels[side].get(price)?.shown ?? (0 as MicroShares);
  }

  /** Returns the prices at which the venue displays a size. */
  prices(side: Side): Ticks[] {
    return [...this.#levels[side]].flatMap(([price, { shown }]) => (shown > 0 ? [price] : []));
  }

  /**
   * Shows the size that the venue displays at a price. Call this for levels that shrink first, so that the house does not match with
   * itself.
   */
  show(side: Side, price: Ticks, size: MicroShares, atMs: number): void {
    const { desk, market } = this.#parts;
    const queue = desk.queue(market, side, price);
    const plan = this.#level(side, price).show(queue, inSteps(size), atMs, this.#crossesCaller(side, price));
    this.#apply(side, price, plan);
  }

  /** Applies a trade of the venue with resting orders of `side`. Callers' orders at better prices fill first. */
  trade(side: Side, price: Ticks, size: MicroShares, atMs: number): void {
    if (this.#isLost || this.#halted !== null) return;
    const { desk, market } = this.#parts;
    const traded = inSteps(size);
    let absorbed = 0;
    for (const { order, size: rests } of this.#callersBefore(side, price)) {
      const part = Math.min(rests, traded - absorbed) as MicroShares;
      if (part > 0) desk.fill(market, order, part);
      absorbed += part;
    }
    const queue = desk.queue(market, side, price);
    this.#apply(side, price, this.#level(side, price).trade(queue, traded, absorbed as MicroShares, atMs));
  }

  /** Whether a caller's order would fill if orders of `side` traded at this price, or if the other side had an order at this price. */
  wouldFillCaller(side: Side, price: Ticks): boolean {
    const { desk, market } = this.#parts;
    if (desk.queue(market, side, price).some(({ isHouse }) => !isHouse)) return true;
    return this.#callersBefore(side, price).length > 0;
  }

  /** Cancels the house's orders. The house has none until levels are shown again. */
  withdraw(): void {
    const { desk, market } = this.#parts;
    for (const side of [BID, ASK] as const) {
      for (const price of this.#levels[side].keys())
        for (const { order, isHouse } of desk.queue(market, side, price)) if (isHouse) desk.cancel(order);
      this.#levels[side].clear();
    }
  }

  #gone(side: Side, levels: readonly Level[]): Shown[] {
    const named = new Set(levels.map(({ price }) => price));
    const gone = this.prices(side).filter(price => !named.has(price));
    return gone.map(price => ({ side, price, size: 0 as MicroShares }));
  }

  /** Returns what the venue displays at a price, and how much of it callers have taken. */
  #displayedAt(side: Side, price: Ticks): Halted {
    const { desk, market } = this.#parts;
    const house = desk.queue(market, side, price).reduce((sum, it) => sum + (it.isHouse ? it.size : 0), 0);
    const size = this.shown(side, price);
    return { size, taken: Math.max(0, size - house) };
  }

  /** As for a level that is not halted, a change ends what callers have taken, unless the model is pessimistic. */
  #changeHalted(side: Map<Ticks, Halted>, { price, size }: Level): void {
    const before = side.get(price);
    const keepsTaken = this.#parts.model === 'pessimistic' || size === before?.size;
    side.set(price, { size, taken: keepsTaken ? Math.min(size, before?.taken ?? 0) : 0 });
  }

  #restoreTaken(side: Side, price: Ticks, taken: number): void {
    const { desk, market } = this.#parts;
    let left = taken;
    for (const { order, size, isHouse } of desk.queue(market, side, price)) {
      const part = isHouse ? Math.min(left, size) : 0;
      if (part > 0) desk.resize(order, (size - part) as MicroShares);
      left -= part;
    }
  }

  #close(): void {
    this.withdraw();
    this.#parts.desk.setMatching(this.#parts.market, false);
  }

  /** Returns the callers' orders at better prices, in the order in which they would fill. */
  #callersBefore(side: Side, price: Ticks): Queued[] {
    const { desk, market } = this.#parts;
    const callers: Queued[] = [];
    for (const level of desk.levels(market, side)) {
      if (!isBetter(side, level.price, price)) break;
      callers.push(...desk.queue(market, side, level.price).filter(({ isHouse }) => !isHouse));
    }
    return callers;
  }

  #level(side: Side, price: Ticks): DisplayedLevel {
    let level = this.#levels[side].get(price);
    if (level === undefined) {
      level = new DisplayedLevel(this.#parts.model);
      this.#levels[side].set(price, level);
    }
    return level;
  }

  /**
   * Whether a caller's order rests at a price where the venue now shows the other side. That order has already matched with the size shown
   * so far, so only growth is new.
   */
  #crossesCaller(side: Side, price: Ticks): boolean {
    const best = this.#parts.desk.best(this.#parts.market, otherSide(side));
    return best !== null && !isBetter(otherSide(side), price, best.price);
  }

  #apply(side: Side, price: Ticks, { resizes, fills, inserts, growth }: QueuePlan): void {
    const { desk, market } = this.#parts;
    // Orders that grow come first. A level that is smaller for a moment would tell callers that less size is ahead of their orders than
    // there is.
    for (const { order, size } of inserts) {
      const placed = desk.place(market, side, price, size, 'rest');
      if (placed !== null) desk.move(market, placed, order);
    }
    if (growth > 0) desk.place(market, side, price, growth, 'rest');
    for (const { order, size } of resizes) desk.resize(order, size);
    for (const { order, size } of fills) desk.fill(market, order, size);
  }
}

/** In ticks. */
const TENTH_OF_CENT = 10;

/** A level while nothing matches. */
interface Halted {
  readonly size: MicroShares;
  /** The part that callers had taken. */
  readonly taken: number;
}

/** A level with its side. The size is the displayed one. */
type Shown = Level & { readonly side: Side };

function lastOfEach(changes: readonly Shown[]): readonly Shown[] {
  return [...new Map(changes.map(change => [change.price * 2 + change.side, change])).values()];
}

function sided(bids: readonly Level[], asks: readonly Level[]): Shown[] {
  return [
    ...bids.map(level => ({ ...level, side: BID }) as const),
    ...asks.map(level => ({ ...level, side: ASK }) as const),
  ];
}

/** Whether an order of `side` at `price` fills before an order at the price `than`. */
function isBetter(side: Side, price: Ticks, than: Ticks): boolean {
  return side === BID ? price > than : price < than;
}

function inSteps(size: MicroShares): MicroShares {
  return (Math.floor(size / SIZE_STEP) * SIZE_STEP) as MicroShares;
}
