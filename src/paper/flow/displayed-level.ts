// The fill model of one price of a venue's displayed book: what the house shows there, and how far callers' orders in the queue advance. A
// plan says which house orders change, and which callers' orders fill. Pure, integers only; docs/PAPER.md states its assumptions.

import type { MicroShares } from '../../core/domain/numbers.ts';
import type { QueueModel } from '../../core/runtime/paper-terms.ts';
import { limits } from '../../limits.ts';
import type { OrderId } from '../engine/engine-types.ts';

/** An order in the queue of a price. */
export interface Queued {
  readonly order: OrderId;
  /** Distinguishes an order from itself, once it has moved to the end of the queue. */
  readonly place: number;
  readonly size: MicroShares;
  readonly isHouse: boolean;
}

export interface QueuePlan {
  /** New sizes of house orders, 0 to cancel. Only the last order of the queue grows. */
  readonly resizes: readonly Change[];
  /** Trades that reach callers' orders. */
  readonly fills: readonly Change[];
  /** A new house order at the end of the queue; 0 for none. */
  readonly growth: MicroShares;
}

interface Change {
  readonly order: OrderId;
  readonly size: MicroShares;
}

/** The venue shows less, and no trade has said why. The end of the queue lost it first, because the front is then the later one to fill. */
interface Shrink {
  readonly atMs: number;
  left: number;
  /** The part that the house lost behind the last caller's order. */
  fromEnd: number;
  /** The house's size ahead of the last caller's order, and in all, before. */
  readonly ahead: number;
  readonly total: number;
  /** The place of the last caller's order. */
  readonly caller: number | null;
}

/** A trade that the venue's book does not show yet. */
interface EarlyTrade {
  readonly atMs: number;
  left: number;
}

/** Book and trades of a venue come in either sequence, so a shrink waits for its trade, and a trade for its shrink (`paperTradeWaitMs`). */
export class DisplayedLevel {
  readonly #model: QueueModel;
  #shown = 0 as MicroShares;
  #shrinks: Shrink[] = [];
  #trades: EarlyTrade[] = [];

  constructor(model: QueueModel) {
    this.#model = model;
  }

  /** The size that the venue displays. */
  get shown(): MicroShares {
    return this.#shown;
  }

  /**
   * The venue displays `size`. Without `keepsTaken` the house then has all of it, so that a change ends what callers have taken. With it, the
   * taken part stays taken while the venue displays as much.
   */
  show(queue: readonly Queued[], size: MicroShares, atMs: number, keepsTaken: boolean): QueuePlan {
    const draft = new Draft(queue);
    this.#settle(draft, atMs);
    const growth = size - this.#shown;
    if (growth === 0) return draft.plan();
    const traded = this.#confirmTrades(Math.max(0, -growth));
    const taken = keepsTaken || this.#model === 'pessimistic' ? this.#shown - draft.house : 0;
    const by = Math.max(0, size - taken) - draft.house;
    this.#shown = size;
    if (by >= 0) draft.grow(by);
    else {
      draft.takeFromEnd(Math.min(traded, -by));
      if (-by > traded) this.#shrink(draft, -by - traded, atMs);
    }
    return draft.plan();
  }

  /** A trade of `size` at this price, of which callers' orders at better prices have met `absorbed`. */
  trade(queue: readonly Queued[], size: MicroShares, absorbed: MicroShares, atMs: number): QueuePlan {
    const draft = new Draft(queue);
    this.#settle(draft, atMs);
    let unexplained: number = size;
    let back = 0;
    for (const shrink of this.#shrinks) {
      const part = Math.min(shrink.left, unexplained);
      const fromEnd = shrink.caller === draft.caller ? shrink.fromEnd : 0;
      const more = Math.max(0, part - (shrink.left - fromEnd));
      shrink.left -= part;
      shrink.fromEnd = fromEnd - more;
      back += more;
      unexplained -= part;
    }
    this.#shrinks = this.#shrinks.filter(({ left }) => left > 0);
    if (unexplained > 0) this.#trades.push({ atMs, left: unexplained });
    const { house } = draft;
    draft.trade(Math.max(0, back + unexplained - absorbed));
    // The venue displays as much as before: its own next change says what has gone.
    draft.grow(house - draft.house);
    return draft.plan();
  }

  /** How much of a shrink the earlier trades explain. */
  #confirmTrades(shrunk: number): number {
    let left = shrunk;
    for (const trade of this.#trades) {
      const part = Math.min(trade.left, left);
      trade.left -= part;
      left -= part;
    }
    this.#trades = this.#trades.filter(trade => trade.left > 0);
    return shrunk - left;
  }

  #shrink(draft: Draft, by: number, atMs: number): void {
    const { ahead, house: total, caller } = draft;
    this.#shrinks.push({ atMs, left: by, fromEnd: Math.min(by, total - ahead), ahead, total, caller });
    draft.takeFromEnd(by);
  }

  /** Shrinks that have waited long enough were cancels: their share ahead moves from there to the end of the queue. */
  #settle(draft: Draft, atMs: number): void {
    const isOver = (since: { readonly atMs: number }): boolean => atMs - since.atMs > limits.paperTradeWaitMs;
    for (const shrink of this.#shrinks.filter(isOver)) {
      const fromEnd = shrink.caller === draft.caller ? shrink.fromEnd : 0;
      const more = this.#shareAhead(shrink) - (shrink.left - fromEnd);
      draft.grow(draft.takeAhead(Math.min(more, fromEnd)));
    }
    this.#shrinks = this.#shrinks.filter(it => !isOver(it));
    this.#trades = this.#trades.filter(it => !isOver(it));
  }

  #shareAhead({ left, ahead, total }: Shrink): number {
    if (this.#model === 'pessimistic') return 0;
    return this.#model === 'optimistic' ? Math.min(left, ahead) : share(left, ahead, total);
  }
}

/** ⌊left × ahead ÷ total⌋ in whole steps: products of sizes exceed exact numbers. */
function share(left: number, ahead: number, total: number): number {
  const steps = (BigInt(left) * BigInt(ahead)) / BigInt(total) / BigInt(SIZE_STEP);
  return Number(steps) * SIZE_STEP;
}

/** The least size of both venues, 0.01. */
export const SIZE_STEP = 10_000;

/** The queue of a price while an event is applied to it. */
class Draft {
  readonly #queue: readonly Queued[];
  readonly #sizes: number[];
  /** The index of the last caller's order; −1 without one. */
  readonly #last: number;
  #growth = 0;

  constructor(queue: readonly Queued[]) {
    this.#queue = queue;
    this.#sizes = queue.map(({ size }) => size);
    this.#last = queue.findLastIndex(({ isHouse }) => !isHouse);
  }

  get caller(): number | null {
    return this.#queue[this.#last]?.place ?? null;
  }

  /** The house's size ahead of the last caller's order. */
  get ahead(): number {
    return this.#houseTo(this.#last);
  }

  get house(): number {
    return this.#houseTo(this.#queue.length) + this.#growth;
  }

  grow(by: number): void {
    const end = this.#queue.length - 1;
    if (this.#queue[end]?.isHouse) this.#sizes[end]! += by;
    else this.#growth += by;
  }

  takeFromEnd(by: number): void {
    const fromNew = Math.min(by, this.#growth);
    this.#growth -= fromNew;
    this.#takeBefore(this.#queue.length, by - fromNew);
  }

  /** Takes from the house ahead of the last caller's order, nearest first. Returns what there was. */
  takeAhead(by: number): number {
    return this.#takeBefore(this.#last, Math.max(0, by));
  }

  /** From the front on, house and callers. */
  trade(reach: number): void {
    let left = reach;
    for (let index = 0; index < this.#sizes.length && left > 0; index += 1) {
      const part = Math.min(left, this.#sizes[index]!);
      this.#sizes[index]! -= part;
      left -= part;
    }
  }

  plan(): QueuePlan {
    const resizes: Change[] = [];
    const fills: Change[] = [];
    for (const [index, { order, size, isHouse }] of this.#queue.entries()) {
      const now = this.#sizes[index]!;
      if (now === size) continue;
      if (isHouse) resizes.push({ order, size: now as MicroShares });
      else fills.push({ order, size: (size - now) as MicroShares });
    }
    return { resizes, fills, growth: this.#growth as MicroShares };
  }

  #houseTo(end: number): number {
    let sum = 0;
    for (let index = 0; index < end; index += 1) if (this.#queue[index]!.isHouse) sum += this.#sizes[index]!;
    return sum;
  }

  #takeBefore(end: number, by: number): number {
    let left = by;
    for (let index = end - 1; index >= 0 && left > 0; index -= 1) {
      if (!this.#queue[index]!.isHouse) continue;
      const part = Math.min(left, this.#sizes[index]!);
      this.#sizes[index]! -= part;
      left -= part;
    }
    return by - left;
  }
}
