// The order book of one market. Each side has its price levels, best first, and each level has its queue. A price is used as a slot: its
// distance from the best possible price of the side. So both sides share the code.

import { ASK, BID, type Side } from '../../core/domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import type { MarketId } from './engine-types.ts';

/** The number of empty levels that a side keeps for reuse, because prices tend to come back. */
const EMPTY_MAX = 4;

/** The fields of an order that a book reads, with the order's links to its level and to its neighbours in the queue. */
interface Queued<O> {
  readonly side: Side;
  readonly price: Ticks;
  readonly resting: MicroShares;
  level: PriceLevel<O> | null;
  ahead: O | null;
  behind: O | null;
}

/** One price of one side: its queue, oldest order first, and its total size. */
export class PriceLevel<O> {
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly #ladder: Ladder<O>;
  size = 0 as MicroShares;
  head: O | null = null;
  tail: O | null = null;

  constructor(ladder: Ladder<O>, side: Side, price: Ticks) {
    this.market = ladder.market;
    this.side = side;
    this.price = price;
    this.#ladder = ladder;
  }

  /** Removes the level if it is empty. Call this at the end of the request that changed the level. */
  forgetIfEmpty(): void {
    if (this.head === null) this.#ladder.forgetEmpty(slotOf(this.side, this.price));
  }
}

class Ladder<O> {
  readonly market: MarketId;
  readonly #side: Side;
  readonly #occupied = new SlotSet();
  #occupiedCount = 0;
  /** The levels by slot. A map suffices, because a book uses some dozens of the 10 000 prices. */
  readonly #levels = new Map<number, PriceLevel<O>>();
  #best = NO_SLOT;

  constructor(market: MarketId, side: Side) {
    this.market = market;
    this.#side = side;
  }

  get best(): number {
    return this.#best;
  }

  nextWorse(slot: number): number {
    return this.#occupied.firstFrom(slot + 1);
  }

  /** Returns the level of a slot, and makes it if it does not exist. */
  at(slot: number): PriceLevel<O> {
    let level = this.#levels.get(slot);
    if (level === undefined) {
      level = new PriceLevel(this, this.#side, slotOf(this.#side, slot as Ticks) as Ticks);
      this.#levels.set(slot, level);
    }
    return level;
  }

  /** Returns the size of a slot's level without making the level. */
  sizeAt(slot: number): MicroShares {
    return this.#levels.get(slot)?.size ?? (0 as MicroShares);
  }

  occupy(slot: number): void {
    this.#occupiedCount += 1;
    this.#occupied.add(slot);
    if (slot < this.#best) this.#best = slot;
  }

  vacate(slot: number): void {
    this.#occupiedCount -= 1;
    this.#occupied.delete(slot);
    if (slot === this.#best) this.#best = this.#occupied.firstFrom(slot + 1);
  }

  forgetEmpty(slot: number): void {
    if (this.#levels.size > this.#occupiedCount + EMPTY_MAX) this.#levels.delete(slot);
  }
}

export class OrderBook<O extends Queued<O>> {
  readonly #bids: Ladder<O>;
  readonly #asks: Ladder<O>;

  constructor(market: MarketId) {
    this.#bids = new Ladder(market, BID);
    this.#asks = new Ladder(market, ASK);
  }

  /** Puts an order ahead of `next`, an order of its price. Null puts it behind all others. */
  insert(order: O, next: O | null): PriceLevel<O> {
    const ladder = this.#ladder(order.side);
    const slot = slotOf(order.side, order.price);
    const level = ladder.at(slot);
    if (level.head === null) ladder.occupy(slot);
    const ahead = next === null ? level.tail : next.ahead;
    order.level = level;
    order.ahead = ahead;
    order.behind = next;
    if (ahead === null) level.head = order;
    else ahead.behind = order;
    if (next === null) level.tail = order;
    else next.ahead = order;
    level.size = (level.size + order.resting) as MicroShares;
    return level;
  }

  /** Reduces the size of an order that stays. */
  lessen(level: PriceLevel<O>, by: MicroShares): void {
    level.size = (level.size - by) as MicroShares;
  }

  /** Removes an order with its size. */
  remove(order: O, level: PriceLevel<O>): void {
    const { ahead, behind } = order;
    if (ahead === null) level.head = behind;
    else ahead.behind = behind;
    if (behind === null) level.tail = ahead;
    else behind.ahead = ahead;
    order.level = null;
    order.ahead = null;
    order.behind = null;
    level.size = (level.size - order.resting) as MicroShares;
    if (level.head === null) this.#ladder(level.side).vacate(slotOf(level.side, level.price));
  }

  /** Returns the first order that would match with an order of the other side at `price`. Null means that no price of `side` reaches it. */
  firstMatch(side: Side, price: Ticks): O | null {
    const ladder = this.#ladder(side);
    return ladder.best <= slotOf(side, price) ? ladder.at(ladder.best).head : null;
  }

  /** Returns the order at the front of a price's queue. */
  front(side: Side, price: Ticks): O | null {
    return this.sizeAt(side, price) > 0 ? this.#ladder(side).at(slotOf(side, price)).head : null;
  }

  sizeAt(side: Side, price: Ticks): MicroShares {
    return this.#ladder(side).sizeAt(slotOf(side, price));
  }

  best(side: Side): PriceLevel<O> | null {
    const ladder = this.#ladder(side);
    return ladder.best === NO_SLOT ? null : ladder.at(ladder.best);
  }

  /** Yields the levels, best first. */
  *levels(side: Side): Generator<PriceLevel<O>> {
    const ladder = this.#ladder(side);
    for (let slot = ladder.best; slot !== NO_SLOT; slot = ladder.nextWorse(slot)) yield ladder.at(slot);
  }

  #ladder(side: Side): Ladder<O> {
    return side === BID ? this.#bids : this.#asks;
  }
}

/** Returns the distance of a price from the best possible price of its side. The same function turns a slot back into its price. */
function slotOf(side: Side, price: Ticks): number {
  return side === BID ? TICKS_PER_DOLLAR - price : price;
}

const WORDS = (TICKS_PER_DOLLAR >>> 5) + 1;
const SUMMARY_WORDS = (WORDS >>> 5) + 1;

/** Stands for no slot. It is larger than every slot. */
export const NO_SLOT = TICKS_PER_DOLLAR + 1;

/** A set of slots, 0 … 10 000. */
export class SlotSet {
  readonly #words = new Int32Array(WORDS);
  readonly #summary = new Int32Array(SUMMARY_WORDS);

  add(slot: number): void {
    const word = slot >>> 5;
    this.#words[word]! |= 1 << (slot & 31);
    this.#summary[word >>> 5]! |= 1 << (word & 31);
  }

  delete(slot: number): void {
    const word = slot >>> 5;
    this.#words[word]! &= ~(1 << (slot & 31));
    if (this.#words[word] === 0) this.#summary[word >>> 5]! &= ~(1 << (word & 31));
  }

  /** Returns the first member from `slot` on, or NO_SLOT if there is none. */
  firstFrom(slot: number): number {
    const word = slot >>> 5;
    if (word >= WORDS) return NO_SLOT;
    const here = this.#words[word]! & (-1 << (slot & 31));
    if (here !== 0) return (word << 5) + lowestBit(here);
    return this.#firstFromWord(word + 1);
  }

  #firstFromWord(word: number): number {
    let at = word >>> 5;
    if (at >= SUMMARY_WORDS) return NO_SLOT;
    let bits = this.#summary[at]! & (-1 << (word & 31));
    while (bits === 0) {
      at += 1;
      if (at === SUMMARY_WORDS) return NO_SLOT;
      bits = this.#summary[at]!;
    }
    const found = (at << 5) + lowestBit(bits);
    return (found << 5) + lowestBit(this.#words[found]!);
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
