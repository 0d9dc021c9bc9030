// The shares ahead of own orders at one price of a book, as ranges. The book says what is displayed, and trades say what left the front.
// Nobody says where a cancelled order stood: the lower bound takes all cancels as ahead, the upper bound takes them as behind. Pure.

/** ARRIVAL: the book was seen to grow by the order. DISPLAYED: it was not, so that only what is displayed bounds it. */
type QueueBasis = 'ARRIVAL' | 'DISPLAYED';

/** Micro-shares ahead of an order. */
export interface QueueRange {
  readonly low: number;
  /** Null: nothing is displayed that bounds it. */
  readonly high: number | null;
  readonly basis: QueueBasis;
}

/** Book and trades come in either sequence, and the book may come behind the venue's answer: each waits this long for the other. */
export const QUEUE_SETTLES_MS = 1_000;

interface Span {
  low: number;
  high: number;
  /** Trades that may still come for shrinks from before `high` was stated. */
  debt: number;
}

/** Beside the size of a level: trades that the book does not show yet, and shrinks that no trade has explained. */
interface Pending {
  traded: number;
  shrunk: number;
}

interface PlaceTerms {
  /** The rest of the order. */
  readonly rest: number;
  /** Whether the book displays own orders. It does not where orders go to a paper exchange, and books come from the venue. */
  readonly isDisplayed: boolean;
  /** Whether the order came unseen. */
  readonly isUnseen: boolean;
}

/** An own order at its price. */
export class QueuePlace {
  rest: number;
  readonly isDisplayed: boolean;
  #isUnseen: boolean;
  /** Null while the order arrives. */
  #span: Span | null = null;
  #basis: QueueBasis = 'ARRIVAL';
  /** Places it may have come to: with growth of exactly its size, and with more growth, of which it may be a part. */
  #exact: Span | null = null;
  #loose: Span | null = null;
  /** The time at which its venue said that it rests; null before. */
  #restsAt: number | null = null;
  #isFirst = false;
  /** Shares that the venue takes off the order, which keeps its place. */
  #ownShrink = 0;

  constructor({ rest, isDisplayed, isUnseen }: PlaceTerms) {
    this.rest = rest;
    this.isDisplayed = isDisplayed;
    this.#isUnseen = isUnseen;
  }

  /** The order replaces `from`, and keeps its place. */
  take(from: QueuePlace): void {
    const span = from.#span ?? joined(from.#exact, from.#loose);
    this.#span = span === null ? null : { ...span };
    this.#basis = from.#basis;
    this.#isUnseen = true;
    this.#isFirst = from.#isFirst;
    this.#ownShrink = from.rest - this.rest;
  }

  /** `by`: how much the level has shrunk since a replacement was made. If that was the replacement itself, the old order counted it. */
  expect(by: number): void {
    if (by <= 0 || by !== this.#ownShrink || this.#span === null) return;
    this.#ownShrink = 0;
    this.#span.high += by;
  }

  /** The order may have come unseen. */
  overlook(): void {
    this.#isUnseen = true;
  }

  rests(now: number): void {
    this.#restsAt ??= now;
  }

  /** A part was filled, so nothing is ahead. That also holds for an order that took a part first: its price was empty on its side. */
  fill(left: number): void {
    this.rest = left;
    this.#isFirst = true;
  }

  spare(by: number): void {
    for (const span of [this.#span, this.#exact, this.#loose]) if (span !== null) span.high += by;
  }

  /** Call this before each of the following. `shown` null: the book is not known. */
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

  /** The order may have come while the level had this size, which does not display it. `taken`: displayed, but taken by own orders. */
  meet(shown: number, taken: number, pending: Pending): void {
    if (!this.isDisplayed && this.#isArriving) this.#loose = joined(this.#loose, spanOf(shown - taken, shown, pending));
  }

  grow(before: number, by: number, pending: Pending): void {
    if (!this.isDisplayed || !this.#isArriving || by < this.rest) return;
    const span = spanOf(before, before + by - this.rest, pending);
    if (by === this.rest) this.#exact = joined(this.#exact, span);
    else this.#loose = joined(this.#loose, span);
  }

  /** `traded`: the part that a trade has explained already. */
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

  /** `shrunk`: the part that the book has shown already, of the unexplained shrinks of `pending`. */
  trade(by: number, shrunk: number, pending: Pending): void {
    for (const span of [this.#span, this.#exact, this.#loose]) {
      if (span === null) continue;
      const debt = Math.min(span.debt, pending.shrunk);
      const paid = Math.min(debt, shrunk);
      span.debt = debt - paid;
      span.low -= by - shrunk;
      span.high -= shrunk - paid;
      tidy(span);
    }
  }

  /** An order of this size went to the end of the queue, which shows in no change of the level. */
  pass(by: number): void {
    for (const span of [this.#span, this.#exact, this.#loose]) {
      if (span === null) continue;
      span.low -= by;
      tidy(span);
    }
  }

  /** An own order took this from the front, which the book does not display. While the order arrives, it may come after that. */
  advance(by: number): void {
    if (this.#span !== null) this.#span.high -= by;
    this.pass(by);
  }

  /** The book is not known from here to the next `restate`: the queue moves unseen. */
  lose(): void {
    this.#isUnseen = true;
    this.#exact = null;
    this.#loose = null;
    if (this.#span !== null) this.#span.low = 0;
  }

  restate(shown: number): void {
    if (this.#span !== null) this.#bound(this.#span, shown);
  }

  /** No trade comes any more for the shrinks so far. */
  clear(): void {
    for (const span of [this.#span, this.#exact, this.#loose]) if (span !== null) span.debt = 0;
  }

  /** Null: it does not rest yet. */
  get range(): QueueRange | null {
    if (this.#restsAt === null) return null;
    if (this.#isFirst) return { low: 0, high: 0, basis: 'ARRIVAL' };
    const span = this.#span ?? joined(this.#exact, this.#loose);
    if (span === null) return { low: 0, high: null, basis: 'DISPLAYED' };
    return { low: span.low, high: span.high, basis: this.#basis };
  }

  get #isArriving(): boolean {
    return this.#span === null && !this.#isUnseen;
  }

  #limit(shown: number): number {
    return Math.max(0, this.isDisplayed ? shown - this.rest : shown);
  }

  /** No more can be ahead than is displayed beside the order. */
  #bound(span: Span, shown: number): void {
    const limit = this.#limit(shown);
    if (span.high > limit) {
      // A late trade counts only beyond what this takes off.
      span.debt += span.high - limit;
      span.high = limit;
    }
    tidy(span);
  }
}

/** One price of one side of a book. */
export class QueueLevel {
  readonly places = new Set<QueuePlace>();
  /** Null: the book is not known. */
  #shown: number | null;
  readonly #pending: Pending = { traded: 0, shrunk: 0 };
  #pendingSince = 0;
  /** The most that own orders have taken of the displayed size. */
  #taken = 0;

  constructor(shown: number | null) {
    this.#shown = shown;
  }

  /** Whether nothing of the level needs to be kept. */
  get isUnused(): boolean {
    return this.places.size === 0 && this.#taken === 0;
  }

  add(place: QueuePlace): void {
    this.places.add(place);
    if (this.#shown !== null) place.meet(this.#shown, this.#taken, this.#pending);
  }

  /** The book displays `size`. */
  show(shown: number, now: number): void {
    this.#settle(now);
    const before = this.#shown;
    this.#shown = shown;
    const pending = this.#pending;
    if (before === null) for (const place of this.places) place.restate(shown);
    else if (shown < before) this.#shrink(before - shown, shown, now);
    else for (const place of this.places) place.grow(before, shown - before, pending);
    if (shown === 0) this.#taken = 0;
    for (const place of this.places) place.meet(shown, this.#taken, pending);
  }

  /** A part of an own order was filled. Where the book does not display it, that part of a trade took nothing that is displayed. */
  fill(filled: QueuePlace, by: number): void {
    filled.fill(filled.rest - by);
    if (filled.isDisplayed) return;
    for (const place of this.places) if (place !== filled) place.spare(by);
  }

  /** A trade with resting orders of this level. */
  trade(by: number, now: number): void {
    this.#settle(now);
    const pending = this.#pending;
    const shrunk = Math.min(by, pending.shrunk);
    for (const place of this.places) place.trade(by, shrunk, pending);
    pending.shrunk -= shrunk;
    pending.traded += by - shrunk;
    this.#pendingSince = now;
  }

  /** An own order of the other side has traded with resting orders of this level, which the book goes on to display. */
  take(by: number): void {
    this.#taken += by;
    for (const place of this.places) place.advance(by);
  }

  /** An own order of this size has left its place for the end of the queue. */
  sendBack(by: number, moved: QueuePlace): void {
    for (const place of this.places) if (place !== moved) place.pass(by);
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
    // Nothing displays the caller's other orders here, which may all be ahead.
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
  return tidy({ low: low - traded, high, debt: shrunk });
}

function joined(one: Span | null, other: Span | null): Span | null {
  if (one === null || other === null) return one ?? other;
  return {
    low: Math.min(one.low, other.low),
    high: Math.max(one.high, other.high),
    debt: Math.max(one.debt, other.debt),
  };
}

function tidy(span: Span): Span {
  span.high = Math.max(0, span.high);
  span.low = Math.min(Math.max(0, span.low), span.high);
  return span;
}
