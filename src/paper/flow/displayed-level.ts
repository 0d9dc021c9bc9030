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
  /** New house orders of these sizes, each ahead of a caller's order. */
  readonly inserts: readonly Change[];
  /** A new house order at the end of the queue; 0 for none. */
  readonly growth: MicroShares;
}

interface Change {
  readonly order: OrderId;
  readonly size: MicroShares;
}

/** Size that the house has lost. */
interface Part {
  /** The place of the caller's order before it; 0 at the front of the queue. */
  readonly behind: number;
  left: number;
}

/** The venue shows less, and no trade has said why. The end of the queue lost it first, because the front is then the later one to fill. */
interface Shrink {
  readonly atMs: number;
  /** Front first. */
  parts: Part[];
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
    const { house } = draft;
    let unexplained: number = size;
    // A shrink that a trade explains was at the front, so the size comes back where it was taken.
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
    // The venue displays as much as before: its own next change says what has gone.
    if (draft.house < house) draft.grow(house - draft.house);
    else draft.takeFromEnd(draft.house - house);
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
    this.#shrinks.push({ atMs, parts: draft.takeFromEnd(by), ahead, total, caller });
  }

  /** Shrinks that have waited long enough were cancels: their share ahead moves from there to the end of the queue. */
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

  /** The place of the last caller's order; null without one. */
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

  /** Puts size of the house behind the caller's order that had this place, before those that came later. */
  restore(behind: number, by: number): void {
    const index = this.#callers.findIndex(({ place }) => place > behind);
    this.#house[index === -1 ? this.#callers.length : index]! += by;
  }

  /** Returns what was taken, front first. */
  takeFromEnd(by: number): Part[] {
    return this.#takeBefore(this.#callers.length, by);
  }

  /** Takes from the house ahead of the last caller's order, nearest first. Returns what there was. */
  takeAhead(by: number): number {
    return this.#takeBefore(this.#callers.length - 1, by).reduce((sum, { left }) => sum + left, 0);
  }

  /** From the front on, house and callers. */
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

  /** The house's orders ahead of each caller's order, and behind the last one. */
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
