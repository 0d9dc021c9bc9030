// The results of a bot's orders, compared with a recording of the books that they met. It has the profit over time and by market, and
// the quality of the bot's quotes. Pure. Amounts are in micro-dollars. A NO share counts as a YES share sold.

import { BID } from '../../core/domain/market.ts';
import type { RecordedEvent } from '../../market-data/recording/format.ts';
import {
  type Gap,
  HORIZONS_S,
  type MarketResult,
  type ReportedFill,
  ReportedMarket,
  type ReportedOrder,
} from './reported-market.ts';

export interface Point {
  readonly at: number;
  readonly profit: number;
  readonly realized: number;
  readonly fees: number;
  /** The absolute holdings, summed over all markets, in micro-shares. */
  readonly held: number;
}

export interface TradeReport {
  readonly markets: readonly MarketResult[];
  readonly points: readonly Point[];
  readonly drawdown: number;
  readonly refusals: ReadonlyMap<string, number>;
  /** The times in which the book of a reported market is not known, and the number of orders that were open then. */
  readonly gaps: readonly Gap[];
}

const SECOND_MS = 1_000;
/** Beyond this number every other point is dropped, so that the page stays small. */
const POINTS_MAX = 1_200;

/** `events` are the events of the recording. Orders and fills of markets that were not recorded count, but their holdings have no value. */
export function tradeReport(
  events: Iterable<RecordedEvent>,
  orders: readonly ReportedOrder[],
  fills: readonly ReportedFill[],
): TradeReport {
  const report = new Reporting(orders, fills);
  for (const event of events) report.take(event);
  return report.end();
}

class Reporting {
  readonly #markets = new Map<string, ReportedMarket>();
  readonly #fills: readonly ReportedFill[];
  readonly #refusals = new Map<string, number>();
  #points: Point[] = [];
  #stepMs = SECOND_MS;
  #peak = 0;
  #drawdown = 0;
  #next = 0;
  /** The next fill to be judged, by horizon. */
  readonly #nextJudged = HORIZONS_S.map(() => 0);
  #pointAt: number;
  #at = 0;

  constructor(orders: readonly ReportedOrder[], fills: readonly ReportedFill[]) {
    for (const [name, all] of Map.groupBy(orders, ({ market }) => market)) this.#begin(this.#marketOf(name), all);
    this.#fills = fills.toSorted((one, other) => one.at - other.at);
    // Without orders and fills there are no points.
    this.#pointAt = [...orders.map(it => it.createdAt), ...fills.map(it => it.at)].reduce(
      (first, at) => Math.min(first, at),
      Number.POSITIVE_INFINITY,
    );
  }

  take(event: RecordedEvent): void {
    this.#at = event.at;
    this.#reach(event.at);
    this.#markets.get(nameOf(event.market.venue, event.market.address))?.take(event);
  }

  end(): TradeReport {
    const last = Math.max(this.#pointAt, this.#fills.at(-1)?.at ?? 0);
    if (last !== Number.POSITIVE_INFINITY) {
      this.#reach(last + 1);
      this.#point(last);
    }
    const all = [...this.#markets.values()];
    for (const market of all) market.end(this.#at);
    const gaps = all.flatMap(market => market.gaps).sort((one, other) => one.at - other.at);
    const markets = all.map(({ result }) => result);
    return { markets, points: this.#points, drawdown: this.#drawdown, refusals: this.#refusals, gaps };
  }

  #begin(market: ReportedMarket, orders: readonly ReportedOrder[]): void {
    market.result.orders = orders.length;
    for (const { refusal } of orders)
      if (refusal !== null) this.#refusals.set(refusal, (this.#refusals.get(refusal) ?? 0) + 1);
    const taken = orders.filter(({ refusal }) => refusal === null);
    for (const { size, filled } of taken) {
      market.result.ordered += size;
      market.result.filled += filled;
    }
    market.expect(taken);
  }

  #marketOf(name: string): ReportedMarket {
    const known = this.#markets.get(name);
    const market = known ?? new ReportedMarket(name);
    if (known === undefined) this.#markets.set(name, market);
    return market;
  }

  /** Handles everything before `at`, in order of time. */
  #reach(at: number): void {
    for (;;) {
      const fillAt = this.#fills[this.#next]?.at ?? at;
      const dues = HORIZONS_S.map((s, horizon) => this.#dueAt(horizon, s) ?? at);
      const next = Math.min(fillAt, ...dues, this.#pointAt);
      if (next >= at) return;
      const horizon = dues.indexOf(next);
      if (horizon >= 0) this.#judge(horizon);
      else if (next === fillAt) this.#fill();
      else {
        this.#point(next);
        this.#pointAt += this.#stepMs;
      }
    }
  }

  /** The time at which the next fill is to be judged by this horizon. Null means that no fill waits for it. */
  #dueAt(horizon: number, s: number): number | null {
    const index = this.#nextJudged[horizon]!;
    return index < this.#next ? this.#fills[index]!.at + s * SECOND_MS : null;
  }

  #fill(): void {
    const fill = this.#fills[this.#next]!;
    this.#next += 1;
    this.#marketOf(fill.market).fill(fill);
  }

  #judge(horizon: number): void {
    const { order, market, price, side, size } = this.#fills[this.#nextJudged[horizon]!]!;
    this.#nextJudged[horizon]! += 1;
    const { middle, result } = this.#marketOf(market);
    if (order === null || middle === null) return;
    const against = (price - middle / 2) * (side === BID ? 1 : -1);
    result.against[horizon]!.sum += against * size;
    result.against[horizon]!.shares += size;
  }

  #point(at: number): void {
    let [profit, realized, fees, held] = [0, 0, 0, 0];
    for (const market of this.#markets.values()) {
      market.value();
      const { result } = market;
      profit += result.realized + result.unrealized - result.fees;
      realized += result.realized;
      fees += result.fees;
      held += Math.abs(result.held);
    }
    if (this.#points.length === POINTS_MAX) {
      this.#points = this.#points.filter((_, index) => index % 2 === 0);
      this.#stepMs *= 2;
    }
    this.#points.push({ at, profit, realized, fees, held });
    this.#peak = Math.max(this.#peak, profit);
    this.#drawdown = Math.max(this.#drawdown, this.#peak - profit);
  }
}

export function nameOf(venue: string, address: string): string {
  return `${venue} ${address}`;
}
