// The results of a bot's orders in one market, compared with the recording of its book: holdings, quotes and gaps. Pure.

import { ASK, BID, type BookState, type Side } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';
import type { RecordedEvent } from '../../market-data/recording/format.ts';

/** An order of the report, in terms of YES. */
export interface ReportedOrder {
  readonly market: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly filled: number;
  readonly createdAt: number;
  /** The time at which the order was closed. Infinite while the order is open. */
  readonly closedAt: number;
  /** The reason of its refusal. Null means that the order was not refused. */
  readonly refusal: string | null;
}

/** A change of a holding, in terms of YES. */
export interface ReportedFill {
  readonly market: string;
  readonly side: Side;
  /** The price. For a payout it may have a fraction of a tick. */
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly fee: number;
  readonly at: number;
  /** The order of the fill. Null means a payout, a redemption, a split or a merge, at the price that it pays. */
  readonly order: ReportedOrder | null;
  readonly isMaker: boolean;
  /** The cash of a payout or a redemption. 0 for any other change. */
  readonly paid: number;
}

export interface MarketResult {
  readonly market: string;
  orders: number;
  fills: number;
  /** The ordered size in micro-shares. */
  ordered: number;
  filled: number;
  bought: number;
  sold: number;
  /** The holding at the end. Negative means NO. */
  held: number;
  realized: number;
  unrealized: number;
  fees: number;
  /** The cash of payouts and redemptions. `realized` includes it. */
  paidOut: number;
  /**
   * The queue before filled resting orders. `sum` is the size displayed at the price when the order came, summed over the filled shares.
   * `shares` is the number of filled shares.
   */
  readonly queue: { sum: number; shares: number };
  /** The milliseconds for which orders rested. `bestMs` is the part of them at the displayed best price or at a better price. */
  restedMs: number;
  bestMs: number;
  /**
   * The result for each horizon. `sum` is how far the middle moved against the fills, summed over shares. `shares` is the number of shares
   * for which there is a middle at that time.
   */
  readonly against: { sum: number; shares: number }[];
}

export interface Gap {
  readonly at: number;
  readonly market: string;
  /**
   * The reason of the gap: a state, as in the recording. `END` means that nothing more was recorded. `TRADES_MISSED` is a gap without
   * length.
   */
  readonly why: string;
  ms: number;
  open: number;
}

export const HORIZONS_S = [1, 10, 60] as const;
/** The ticks in a dollar. A price times micro-shares, divided by this number, gives micro-dollars. */
const TICKS = 10_000;

/** A market while the report is made. */
export class ReportedMarket {
  readonly result: MarketResult;
  readonly gaps: Gap[] = [];
  readonly #sides = [new Map<number, number>(), new Map<number, number>()] as const;
  readonly #best: [number | null, number | null] = [null, null];
  /** The orders that are still to come. The latest by time of creation comes first. */
  #coming: ReportedOrder[] = [];
  #open: ReportedOrder[] = [];
  /** The size that was displayed at the order's price when the order came. */
  readonly #ahead = new WeakMap<ReportedOrder, number>();
  #cost = 0;
  #seenAt = Number.NEGATIVE_INFINITY;
  #isKnown = false;
  #gap: Gap | null = null;
  /** The last known middle. It values holdings during a gap, which does not make them worthless. */
  #middle: number | null = null;

  constructor(market: string) {
    const against = HORIZONS_S.map(() => ({ sum: 0, shares: 0 }));
    const counts = { orders: 0, fills: 0, ordered: 0, filled: 0, bought: 0, sold: 0, held: 0, restedMs: 0, bestMs: 0 };
    const money = { realized: 0, unrealized: 0, fees: 0, paidOut: 0 };
    this.result = { market, ...counts, ...money, queue: { sum: 0, shares: 0 }, against };
  }

  /** Takes in the orders that were not refused. */
  expect(orders: readonly ReportedOrder[]): void {
    this.#coming = orders.toSorted((one, other) => other.createdAt - one.createdAt);
  }

  /** Twice the middle, in ticks. Null while no book is known. */
  get middle(): number | null {
    const [bid, ask] = this.#best;
    return bid === null || ask === null ? null : bid + ask;
  }

  take(event: RecordedEvent): void {
    this.pass(event.at);
    switch (event.kind) {
      case 'book':
        this.#state(event);
        return;
      case 'changes':
        for (const { side, price, size } of event.changes) this.#set(side, price, size);
        break;
      case 'gap':
        this.#markUnknown();
        // A market begins with its first START, and an EPOCH has its book at once. Neither is a gap.
        if (event.why !== 'EPOCH' && (event.why !== 'START' || this.#isKnown)) this.#begin(event.at, event.why);
        return;
      case 'end':
        this.#markUnknown();
        this.#begin(event.at, 'END');
        return;
      case 'tradesMissed':
        this.gaps.push(this.#gapAt(event.at, 'TRADES_MISSED'));
        return;
      case 'state':
        if (event.state === 'RESYNCING') this.#markUnknown();
        this.#know(event.at, event.state);
        return;
      default:
        return;
    }
    this.#middle = this.middle ?? this.#middle;
  }

  /** Moves on to `at`. The book has not changed since the last call. */
  pass(at: number): void {
    for (let next = this.#coming.at(-1); next !== undefined && next.createdAt < at; next = this.#coming.at(-1)) {
      this.#coming.pop();
      this.#ahead.set(next, this.#sides[next.side].get(next.price) ?? 0);
      this.#open.push(next);
      if (this.#gap !== null) this.#gap.open += 1;
    }
    let hasEnded = false;
    for (const { side, price, createdAt, closedAt } of this.#open) {
      if (closedAt <= at) hasEnded = true;
      const ms = Math.min(at, closedAt) - Math.max(this.#seenAt, createdAt);
      if (!(ms > 0)) continue;
      this.result.restedMs += ms;
      const best = this.#best[side];
      if (best !== null && (side === BID ? price >= best : price <= best)) this.result.bestMs += ms;
    }
    if (hasEnded) this.#open = this.#open.filter(({ closedAt }) => closedAt > at);
    this.#seenAt = at;
  }

  fill({ side, price, size, fee, paid, order, isMaker, at }: ReportedFill): void {
    const { result } = this;
    const signed = side === BID ? size : -size;
    result.paidOut += paid;
    if (order !== null) {
      result.fills += 1;
      if (side === BID) result.bought += size;
      else result.sold += size;
      // This call lets the fill's order come first.
      this.pass(at);
      const ahead = this.#ahead.get(order);
      if (isMaker && ahead !== undefined) {
        result.queue.sum += ahead * size;
        result.queue.shares += size;
      }
    }
    result.fees += fee;
    const closing = Math.sign(result.held) === -Math.sign(signed) ? Math.min(Math.abs(result.held), size) : 0;
    if (closing > 0) {
      const cost = Math.round((this.#cost * closing) / Math.abs(result.held));
      this.#cost -= cost;
      result.realized += Math.sign(result.held) * Math.round((price * closing) / TICKS) - cost;
    }
    this.#cost += Math.sign(signed) * Math.round((price * (size - closing)) / TICKS);
    result.held += signed;
    this.value();
  }

  value(): void {
    const { result } = this;
    const worth = this.#middle === null ? this.#cost : Math.round((this.#middle * result.held) / 2 / TICKS);
    result.unrealized = result.held === 0 ? 0 : worth - this.#cost;
  }

  end(at: number): void {
    if (this.#gap !== null) this.#gap.ms = Math.max(0, at - this.#gap.at);
  }

  #state({ at, bids, asks, state }: Extract<RecordedEvent, { readonly kind: 'book' }>): void {
    this.#markUnknown();
    for (const { price, size } of bids) this.#set(BID, price, size);
    for (const { price, size } of asks) this.#set(ASK, price, size);
    this.#middle = this.middle ?? this.#middle;
    this.#know(at, state);
  }

  #markUnknown(): void {
    for (const side of this.#sides) side.clear();
    this.#best.fill(null);
  }

  #set(side: Side, price: Ticks, size: MicroShares): void {
    const [levels, best] = [this.#sides[side], this.#best[side]];
    if (size > 0) {
      levels.set(price, size);
      if (best === null || (side === BID ? price > best : price < best)) this.#best[side] = price;
      return;
    }
    levels.delete(price);
    if (price !== best) return;
    const prices = [...levels.keys()];
    this.#best[side] = prices.length === 0 ? null : side === BID ? Math.max(...prices) : Math.min(...prices);
  }

  /** Notes whether the book is known. A market that the venue has halted or closed counts as known. */
  #know(at: number, state: BookState): void {
    this.#isKnown = true;
    if (state === 'RESYNCING' || state === 'STALE') {
      this.#begin(at, state);
      return;
    }
    this.end(at);
    this.#gap = null;
  }

  #begin(at: number, why: string): void {
    if (this.#gap !== null) return;
    this.#gap = this.#gapAt(at, why);
    this.gaps.push(this.#gap);
  }

  #gapAt(at: number, why: string): Gap {
    return { at, market: this.result.market, why, ms: 0, open: this.#open.length };
  }
}
