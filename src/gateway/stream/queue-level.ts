// Computes the shares ahead of own orders at one price of a book, as ranges. The book tells the displayed size, and trades tell what left
// the front of the queue. Nothing tells where a cancelled order stood. The lower bound treats all cancelled orders as ahead, the upper
// bound treats them all as behind. Pure.

/**
 * ARRIVAL means that the book was seen to grow by the order. DISPLAYED means that it was not, so that only the displayed size bounds the
 * range.
 */
type QueueBasis = 'ARRIVAL' | 'DISPLAYED';

/** A range of the micro-shares ahead of an order. */
export interface QueueRange {
  readonly low: number;
  /** Null means that no displayed size bounds the range. */
  readonly high: number | null;
  readonly basis: QueueBasis;
}

/**
 * The time that a book change and its trade wait for each other, because they come in either sequence. The book may also come later than
 * the venue's answer to the order.
 */
export const QUEUE_SETTLES_MS = 1_000;

interface Span {
  low: number;
  high: number;
  /** The micro-shares by which the level has shrunk before `high` was stated, and for which a trade may still come. */
  debt: number;
}

/** The differences between book and trades: trades that the book does not show yet, and shrinks that no trade has explained. */
interface Pending {
  traded: number;
  shrunk: number;
}

interface PlaceTerms {
  /** The leaves quantity of the order. */
  readonly rest: number;
  /** Whether the book displays own orders. It does not if orders go to a paper exchange while the books come from the venue. */
  readonly isDisplayed: boolean;
  /** Whether the order's arrival cannot be seen in the book. */
  readonly isUnseen: boolean;
}

/** The place of an own order in the queue at its price. */
export class QueuePlace {
  rest: number;
  readonly isDisplayed: boolean;
  #isUnseen: boolean;
  /** The range, or null while the order arrives. */
  #span: Span | null = null;
  #basis: QueueBasis = 'ARRIVAL';
  /**
   * The places at which the order may have arrived. `#exact` comes from growth of exactly its size, `#loose` from larger growth that may
   * include it.
   */
  #exact: Span | null = null;
  #loose: Span | null = null;
  /** The time at which the venue said that the order rests. Null before that. */
  #restsAt: number | null = null;
  #isFirst = false;
  /** The shares by which the venue reduces the order, which keeps its place. */
  #ownShrink = 0;

  constructor({ rest, isDisplayed, isUnseen }: PlaceTerms) {
    this.rest = rest;
    this.isDisplayed = isDisplayed;
    this.#isUnseen = isUnseen;
  }

  /** Takes over the place of `from`, which this order replaces. */
  takeOver(from: QueuePlace): void {
    const span = from.#span ?? union(from.#exact, from.#loose);
    this.#span = span === null ? null : { ...span };
    this.#basis = from.#basis;
    this.#isUnseen = true;
    this.#isFirst = from.#isFirst;
    this.#ownShrink = from.rest - this.rest;
  }

  /**
   * Notes that the level has shrunk by `by` since the replacement was made. If the replacement itself caused that, the old order has
   * lowered its upper bound for it. Then this order raises its bound again.
   */
  allowOwnShrink(by: number): void {
    if (by <= 0 || by !== this.#ownShrink || this.#span === null) return;
    this.#ownShrink = 0;
    this.#span.high += by;
  }

  /** Notes that the order may have arrived unseen. */
  markArrivalUnseen(): void {
    this.#isUnseen = true;
  }

  markResting(now: number): void {
    this.#restsAt ??= now;
  }

  /**
   * Notes that a part was filled, so that nothing is ahead. This also holds for an order that traded on arrival: no other order rested at
   * its price on its side.
   */
  fill(left: number): void {
    this.rest = left;
    this.#isFirst = true;
  }

  raiseUpperBound(by: number): void {
    for (const span of [this.#span, this.#exact, this.#loose]) if (span !== null) span.high += by;
  }

  /** Must be called before each of the methods below. `shown` is null if the book is not known. */
  settle(shown: number | null, { shrunk }: Pending, now: number): void {
    if (this.#span !== null || this.#restsAt === null) return;
    if (this.isDisplayed && now - this.#restsAt <= QUEUE_SETTLES_MS) return;
    this.#span = this.#exact ?? this.#loose;
    this.#exact = null;
    this.#loose = null;
    if (this.#span !== null || shown === null) return;
    this.#basis = 'DISPLAYED';
    this.#span = { low: 0, high: this.#limit(shown), debt: shrunk };
  }

  /**
   * Notes that the order may have arrived while the level had this size. This applies only if the book does not display the order. `taken`
   * is the part of `shown` that own orders have taken.
   */
  addPossibleArrival(shown: number, taken: number, pending: Pending): void {
    if (!this.isDisplayed && this.#isArriving) this.#loose = union(this.#loose, spanOf(shown - taken, shown, pending));
  }

  grow(before: number, by: number, pending: Pending): void {
    if (!this.isDisplayed || !this.#isArriving || by < this.rest) return;
    const span = spanOf(before, before + by - this.rest, pending);
    if (by === this.rest) this.#exact = union(this.#exact, span);
    else this.#loose = union(this.#loose, span);
  }

  /** `traded` is the part of the shrink that a trade has explained already. */
  shrink(by: number, traded: number, shown: number): void {
    const isOwn = by === this.#ownShrink;
    if (isOwn) this.#ownShrink = 0;
    for (const span of [this.#span, this.#exact, this.#loose]) {
      if (span === null) continue;
      if (!isOwn) span.low -= by - traded;
      span.high -= traded;
      this.#bound(span, shown);
    }
  }

  /** `shrunk` is the part of the trade that the book has shown already, as unexplained shrinks of `pending`. */
  trade(by: number, shrunk: number, pending: Pending): void {
    for (const span of [this.#span, this.#exact, this.#loose]) {
      if (span === null) continue;
      const debt = Math.min(span.debt, pending.shrunk);
      const paid = Math.min(debt, shrunk);
      span.debt = debt - paid;
      span.low -= by - shrunk;
      span.high -= shrunk - paid;
      inBounds(span);
    }
  }

  /** Notes that an order of this size went to the end of the queue. The level's size does not show that. */
  letOrderRequeue(by: number): void {
    for (const span of [this.#span, this.#exact, this.#loose]) {
      if (span === null) continue;
      span.low -= by;
      inBounds(span);
    }
  }

  /** Notes that an own order took `by` from the front, which the book does not display. An order that still arrives may come after that. */
  advance(by: number): void {
    if (this.#span !== null) this.#span.high -= by;
    this.letOrderRequeue(by);
  }

  /** Notes that the book is not known until the next `restate`. Until then the queue moves unseen. */
  lose(): void {
    this.#isUnseen = true;
    this.#exact = null;
    this.#loose = null;
    if (this.#span !== null) this.#span.low = 0;
  }

  restate(shown: number): void {
    if (this.#span !== null) this.#bound(this.#span, shown);
  }

  /** Notes that no trade comes any more for the shrinks so far. */
  clear(): void {
    for (const span of [this.#span, this.#exact, this.#loose]) if (span !== null) span.debt = 0;
  }

  /** Null means that the order does not rest yet. */
  get range(): QueueRange | null {
    if (this.#restsAt === null) return null;
    if (this.#isFirst) return { low: 0, high: 0, basis: 'ARRIVAL' };
    const span = this.#span ?? union(this.#exact, this.#loose);
    if (span === null) return { low: 0, high: null, basis: 'DISPLAYED' };
    return { low: span.low, high: span.high, basis: this.#basis };
  }

  get #isArriving(): boolean {
    return this.#span === null && !this.#isUnseen;
  }

  #limit(shown: number): number {
    return Math.max(0, this.isDisplayed ? shown - this.rest : shown);
  }

  /** Limits the range: no more can be ahead than is displayed beside the order. */
  #bound(span: Span, shown: number): void {
    const limit = this.#limit(shown);
    if (span.high > limit) {
      // A late trade lowers the bound only by what exceeds this reduction.
      span.debt += span.high - limit;
      span.high = limit;
    }
    inBounds(span);
  }
}

/** One price level on one side of a book, with the own orders at it. */
export class QueueLevel {
  readonly places = new Set<QueuePlace>();
  /** The displayed size. Null means that the book is not known. */
  #shown: number | null;
  readonly #pending: Pending = { traded: 0, shrunk: 0 };
  #pendingSince = 0;
  /** The most that own orders have taken of the displayed size, without the book showing it. */
  #taken = 0;

  constructor(shown: number | null) {
    this.#shown = shown;
  }

  /** Whether the level can be forgotten. */
  get isUnused(): boolean {
    return this.places.size === 0 && this.#taken === 0;
  }

  add(place: QueuePlace): void {
    this.places.add(place);
    if (this.#shown !== null) place.addPossibleArrival(this.#shown, this.#taken, this.#pending);
  }

  /** Takes in the level's new displayed size. */
  show(shown: number, now: number): void {
    this.#settle(now);
    const before = this.#shown;
    this.#shown = shown;
    const pending = this.#pending;
    if (before === null) for (const place of this.places) place.restate(shown);
    else if (shown < before) this.#shrink(before - shown, shown, now);
    else for (const place of this.places) place.grow(before, shown - before, pending);
    if (shown === 0) this.#taken = 0;
    for (const place of this.places) place.addPossibleArrival(shown, this.#taken, pending);
  }

  /**
   * Takes in a partial fill of an own order. If the book does not display the order, that part of the trade took nothing that is displayed.
   */
  fill(filled: QueuePlace, by: number): void {
    filled.fill(filled.rest - by);
    if (filled.isDisplayed) return;
    for (const place of this.places) if (place !== filled) place.raiseUpperBound(by);
  }

  /** Takes in a trade with resting orders of this level. */
  trade(by: number, now: number): void {
    this.#settle(now);
    const pending = this.#pending;
    const shrunk = Math.min(by, pending.shrunk);
    for (const place of this.places) place.trade(by, shrunk, pending);
    pending.shrunk -= shrunk;
    pending.traded += by - shrunk;
    this.#pendingSince = now;
  }

  /** Takes in a trade of an own order from the other side with resting orders of this level. The book goes on to display those orders. */
  tradeOwnOrder(by: number): void {
    this.#taken += by;
    for (const place of this.places) place.advance(by);
  }

  /** Notes that an own order of this size has left its place for the end of the queue. */
  moveToEnd(by: number, moved: QueuePlace): void {
    for (const place of this.places) if (place !== moved) place.letOrderRequeue(by);
  }

  lose(now: number): void {
    this.#settle(now);
    this.#shown = null;
    this.#forget();
    for (const place of this.places) place.lose();
  }

  rangeOf(place: QueuePlace, now: number): QueueRange | null {
    this.#settle(now);
    const { range } = place;
    if (range === null || range.high === null || place.isDisplayed) return range;
    // The book does not display the caller's other orders at this price. All of them may be ahead.
    let others = 0;
    for (const other of this.places) if (other !== place) others += other.rest;
    return { ...range, high: range.high + others };
  }

  #shrink(by: number, shown: number, now: number): void {
    const pending = this.#pending;
    const traded = Math.min(by, pending.traded);
    pending.traded -= traded;
    pending.shrunk += by - traded;
    this.#pendingSince = now;
    for (const place of this.places) place.shrink(by, traded, shown);
  }

  #settle(now: number): void {
    if (now - this.#pendingSince > QUEUE_SETTLES_MS) this.#forget();
    for (const place of this.places) place.settle(this.#shown, this.#pending, now);
  }

  #forget(): void {
    this.#pending.traded = 0;
    this.#pending.shrunk = 0;
    for (const place of this.places) place.clear();
  }
}

function spanOf(low: number, high: number, { traded, shrunk }: Pending): Span {
  return inBounds({ low: low - traded, high, debt: shrunk });
}

function union(one: Span | null, other: Span | null): Span | null {
  if (one === null || other === null) return one ?? other;
  return {
    low: Math.min(one.low, other.low),
    high: Math.max(one.high, other.high),
    debt: Math.max(one.debt, other.debt),
  };
}

function inBounds(span: Span): Span {
  span.high = Math.max(0, span.high);
  span.low = Math.min(Math.max(0, span.low), span.high);
  return span;
}
