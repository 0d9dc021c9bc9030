// The fill model for one price of a venue's displayed book. It says which orders the house has at that price, and how far callers' orders
// in the queue advance. A plan says which house orders change and which callers' orders fill. Pure, integers only; docs/PAPER.md states its
// assumptions.

import type { MicroShares } from '../../core/domain/numbers.ts';
import type { QueueModel } from '../../core/runtime/paper-terms.ts';
import { limits } from '../../limits.ts';
import type { OrderId } from '../engine/engine-types.ts';

/** An order in the queue of a price. */
export interface Queued {
  readonly order: OrderId;
  /** The order's entry into the queue. An order that has moved to the end of the queue has another place. */
  readonly place: number;
  readonly size: MicroShares;
  readonly isHouse: boolean;
}

export interface QueuePlan {
  /** The new sizes of house orders; 0 cancels an order. Only the last order of the queue grows. */
  readonly resizes: readonly Change[];
  /** The trades with callers' orders. */
  readonly fills: readonly Change[];
  /** New house orders of these sizes, each ahead of the caller's order that it names. */
  readonly inserts: readonly Change[];
  /** The size of a new house order at the end of the queue. 0 means no order. */
  readonly growth: MicroShares;
}

interface Change {
  readonly order: OrderId;
  readonly size: MicroShares;
}

/** A part of the size that the house has lost. */
interface Part {
  /** The place of the caller's order that is ahead of the part. 0 means the front of the queue. */
  readonly behind: number;
  left: number;
}

/**
 * A displayed size that shrank without a trade that says why. The house loses this size at the end of the queue first. If a trade turns out
 * to be the cause, the front is still there to fill.
 */
interface Shrink {
  readonly atMs: number;
  /** The lost parts, front first. */
  parts: Part[];
  /** The house's size before the shrink: ahead of the last caller's order, and in all. */
  readonly ahead: number;
  readonly total: number;
  /** The place of the last caller's order. Null means that there was no caller's order. */
  readonly caller: number | null;
}

/** A trade that the venue's displayed book does not show yet. */
interface EarlyTrade {
  readonly atMs: number;
  left: number;
}

/**
 * One price of a displayed book. The book and the trades of a venue come in either order. So a shrink waits for its trade, and a trade for
 * its shrink (`paperTradeWaitMs`).
 */
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
   * Takes note that the venue displays `size`. Without `keepsTaken` the house then has this whole size, so that a change restores what
   * callers have taken. With `keepsTaken` the taken part stays taken while the venue displays at least as much.
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

  /** Applies a trade of `size` at this price. Callers' orders at better prices have already absorbed the part `absorbed`. */
  trade(queue: readonly Queued[], size: MicroShares, absorbed: MicroShares, atMs: number): QueuePlan {
    const draft = new Draft(queue);
    this.#settle(draft, atMs);
    const { house } = draft;
    let unexplained: number = size;
    // A shrink that a trade explains was at the front. So the size comes back where it was taken.
    for (const shrink of this.#shrinks) {
      for (const part of shrink.parts) {
        const explained = Math.min(part.left, unexplained);
        part.left -= explained;
        unexplained -= explained;
        draft.restore(part.behind, explained);
      }
      shrink.parts = shrink.parts.filter(({ left }) => left > 0);
    }
    this.#shrinks = this.#shrinks.filter(({ parts }) => parts.length > 0);
    if (unexplained > 0) this.#trades.push({ atMs, left: unexplained });
    draft.trade(size - absorbed);
    // The venue still displays the size of before. Its own next change says which size has gone.
    if (draft.house < house) draft.grow(house - draft.house);
    else draft.takeFromEnd(draft.house - house);
    return draft.plan();
  }

  /** Returns how much of a shrink earlier trades explain. */
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
    this.#shrinks.push({ atMs, parts: draft.takeFromEnd(by), ahead, total, caller });
  }

  /**
   * Ends the shrinks that have waited long enough, which were cancels. Their share ahead of callers' orders moves from there to the end of
   * the queue.
   */
  #settle(draft: Draft, atMs: number): void {
    const isOver = (since: { readonly atMs: number }): boolean => atMs - since.atMs > limits.paperTradeWaitMs;
    for (const { parts, caller, ahead, total } of this.#shrinks.filter(isOver)) {
      const left = parts.reduce((sum, part) => sum + part.left, 0);
      const last = parts.at(-1);
      const fromEnd = caller === draft.caller && last?.behind === (caller ?? 0) ? last.left : 0;
      const more = this.#shareAhead(left, ahead, total) - (left - fromEnd);
      draft.grow(draft.takeAhead(Math.min(more, fromEnd)));
    }
    this.#shrinks = this.#shrinks.filter(it => !isOver(it));
    this.#trades = this.#trades.filter(it => !isOver(it));
  }

  #shareAhead(left: number, ahead: number, total: number): number {
    if (this.#model === 'pessimistic') return 0;
    return this.#model === 'optimistic' ? Math.min(left, ahead) : share(left, ahead, total);
  }
}

/** Returns ⌊left × ahead ÷ total⌋ in whole steps, with bigints, because products of sizes exceed exact numbers. */
function share(left: number, ahead: number, total: number): number {
  const steps = (BigInt(left) * BigInt(ahead)) / BigInt(total) / BigInt(SIZE_STEP);
  return Number(steps) * SIZE_STEP;
}

/** The least size at both venues: 0.01. */
export const SIZE_STEP = 10_000;

/** The queue of a price while an event is applied to it. */
class Draft {
  readonly #queue: readonly Queued[];
  readonly #callers: readonly Queued[];
  readonly #rests: number[];
  /** The house's size ahead of each caller's order, and behind the last one. */
  readonly #house: number[];

  constructor(queue: readonly Queued[]) {
    this.#queue = queue;
    this.#callers = queue.filter(({ isHouse }) => !isHouse);
    this.#rests = this.#callers.map(({ size }) => size);
    this.#house = this.#sections().map(section => section.reduce((sum, { size }) => sum + size, 0));
  }

  /** The place of the last caller's order. Null means that there is no caller's order. */
  get caller(): number | null {
    return this.#callers.at(-1)?.place ?? null;
  }

  /** The house's size ahead of the last caller's order. */
  get ahead(): number {
    return this.house - this.#house.at(-1)!;
  }

  get house(): number {
    return this.#house.reduce((sum, size) => sum + size, 0);
  }

  grow(by: number): void {
    this.#house[this.#callers.length]! += by;
  }

  /** Puts back size of the house behind the caller's order that had this place, and before the callers' orders that came later. */
  restore(behind: number, by: number): void {
    const index = this.#callers.findIndex(({ place }) => place > behind);
    this.#house[index === -1 ? this.#callers.length : index]! += by;
  }

  /** Takes size of the house from the end of the queue. Returns the taken parts, front first. */
  takeFromEnd(by: number): Part[] {
    return this.#takeBefore(this.#callers.length, by);
  }

  /** Takes size of the house ahead of the last caller's order, the nearest first. Returns how much it took. */
  takeAhead(by: number): number {
    return this.#takeBefore(this.#callers.length - 1, by).reduce((sum, { left }) => sum + left, 0);
  }

  /** Fills the queue from the front, orders of the house and of callers alike. */
  trade(reach: number): void {
    let left = reach;
    const take = (sizes: number[], index: number): void => {
      const part = Math.min(left, sizes[index]!);
      sizes[index]! -= part;
      left -= part;
    };
    for (let index = 0; index < this.#house.length; index += 1) {
      take(this.#house, index);
      if (index < this.#callers.length) take(this.#rests, index);
    }
  }

  plan(): QueuePlan {
    const resizes: Change[] = [];
    const inserts: Change[] = [];
    let growth = 0;
    for (const [index, section] of this.#sections().entries()) {
      let more = this.#house[index]! - section.reduce((sum, { size }) => sum + size, 0);
      for (const { order, size } of section.toReversed()) {
        const now = Math.max(0, size + Math.min(0, more));
        if (now !== size) resizes.push({ order, size: now as MicroShares });
        more += size - now;
      }
      const [last, next] = [section.at(-1), this.#callers[index]];
      if (more <= 0) continue;
      if (next !== undefined) inserts.push({ order: next.order, size: more as MicroShares });
      else if (last !== undefined) resizes.unshift({ order: last.order, size: (last.size + more) as MicroShares });
      else growth = more;
    }
    const fills = this.#callers
      .map(({ order, size }, index) => ({ order, size: (size - this.#rests[index]!) as MicroShares }))
      .filter(({ size }) => size > 0);
    return { resizes, fills, inserts, growth: growth as MicroShares };
  }

  /** Returns the house's orders ahead of each caller's order, and behind the last one. */
  #sections(): Queued[][] {
    const sections: Queued[][] = [[]];
    for (const it of this.#queue)
      if (it.isHouse) sections.at(-1)!.push(it);
      else sections.push([]);
    return sections;
  }

  #takeBefore(end: number, by: number): Part[] {
    const parts: Part[] = [];
    let left = Math.max(0, by);
    for (let index = end; index >= 0 && left > 0; index -= 1) {
      const part = Math.min(left, this.#house[index]!);
      this.#house[index]! -= part;
      left -= part;
      if (part > 0) parts.unshift({ behind: this.#callers[index - 1]?.place ?? 0, left: part });
    }
    return parts;
  }
}
