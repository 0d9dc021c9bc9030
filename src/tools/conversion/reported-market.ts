// The results of a bot's orders in one market, beside the recording of its book: holdings, quotes and gaps. Pure.

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
  /** Infinite while it is open. */
  readonly closedAt: number;
  /** The reason of its refusal; null if it was not refused. */
  readonly refusal: string | null;
}

/** A change of a holding, in terms of YES. */
export interface ReportedFill {
  readonly market: string;
  readonly side: Side;
  /** The price of a payout may have a fraction of a tick. */
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly fee: number;
  readonly at: number;
  /** Null: a payout, a redemption, a split or a merge, at the price that it pays. */
  readonly order: ReportedOrder | null;
  readonly isMaker: boolean;
  /** The cash of a payout or a redemption; else 0. */
  readonly paid: number;
}

export interface MarketResult {
  readonly market: string;
  orders: number;
  fills: number;
  /** Micro-shares. */
  ordered: number;
  filled: number;
  bought: number;
  sold: number;
  /** Held at the end, negative for NO. */
  held: number;
  realized: number;
  unrealized: number;
  fees: number;
  /** The cash of payouts and redemptions, which is in `realized` as well. */
  paidOut: number;
  /** For fills of resting orders: the shares displayed at the price when the order came, summed over the filled shares, and these shares. */
  readonly queue: { sum: number; shares: number };
  /** Milliseconds for which its orders rested, and for which they were at the displayed best price or before it. */
  restedMs: number;
  bestMs: number;
  /** For each horizon: how far the middle moved against the fills, as a sum over shares, and the shares that have a middle then. */
  readonly against: { sum: number; shares: number }[];
}

export interface Gap {
  readonly at: number;
  readonly market: string;
  /** A state, as in the recording; `END`: no longer recorded; `TRADES_MISSED`: a gap without length. */
  readonly why: string;
  ms: number;
  open: number;
}

export const HORIZONS_S = [1, 10, 60] as const;
/** Ticks of a dollar: a price times micro-shares through it is micro-dollars. */
const TICKS = 10_000;

/** A market while the report is made. */
export class ReportedMarket {
  readonly result: MarketResult;
  readonly gaps: Gap[] = [];
  readonly #sides = [new Map<number, number>(), new Map<number, number>()] as const;
  readonly #best: [number | null, number | null] = [null, null];
  /** By the time of creation, latest first. */
  #coming: ReportedOrder[] = [];
  #open: ReportedOrder[] = [];
  /** The size displayed at the price of an order when it came. */
  readonly #ahead = new WeakMap<ReportedOrder, number>();
  #cost = 0;
  #seenAt = Number.NEGATIVE_INFINITY;
  #isKnown = false;
  #gap: Gap | null = null;
  /** The last middle that was known: a gap does not make holdings worthless. */
  #middle: number | null = null;

  constructor(market: string) {
    const against = HORIZONS_S.map(() => ({ sum: 0, shares: 0 }));
    const counts = { orders: 0, fills: 0, ordered: 0, filled: 0, bought: 0, sold: 0, held: 0, restedMs: 0, bestMs: 0 };
    const money = { realized: 0, unrealized: 0, fees: 0, paidOut: 0 };
    this.result = { market, ...counts, ...money, queue: { sum: 0, shares: 0 }, against };
  }

  /** All that are not refused. */
  expect(orders: readonly ReportedOrder[]): void {
    this.#coming = orders.toSorted((one, other) => other.createdAt - one.createdAt);
  }

  /** Twice the middle, in ticks; null while no book is known. */
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
        this.#lose();
        // A market begins with its first START, and an EPOCH has its book at once.
        if (event.why !== 'EPOCH' && (event.why !== 'START' || this.#isKnown)) this.#begin(event.at, event.why);
        return;
      case 'end':
        this.#lose();
        this.#begin(event.at, 'END');
        return;
      case 'tradesMissed':
        this.gaps.push(this.#gapAt(event.at, 'TRADES_MISSED'));
        return;
      case 'state':
        if (event.state === 'RESYNCING') this.#lose();
        this.#know(event.at, event.state);
        return;
      default:
        return;
    }
    this.#middle = this.middle ?? this.#middle;
  }

  /** The book was as it is since the last call. */
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
      // So that its order has come.
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
    this.#lose();
    for (const { price, size } of bids) this.#set(BID, price, size);
    for (const { price, size } of asks) this.#set(ASK, price, size);
    this.#middle = this.middle ?? this.#middle;
    this.#know(at, state);
  }

  #lose(): void {
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

  /** A market that the venue has halted or closed is known. */
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
