// Venue B's facts of markets by REST (venue-b.md §4.2): price grid, status, closing time. Read before a market is subscribed,
// and again when they may have changed unnoticed. Venue B's feed thread.

import { type Grid, type GridBand, ladderStep } from '../../core/domain/grid.ts';
import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import type { Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { countUnknown } from '../../core/metrics/unknown-words.ts';
import type { HttpGet } from '../../core/net/http.ts';
import { HTTP_BAD_REQUEST, HTTP_NOT_FOUND, HTTP_SERVER_ERROR, HTTP_TOO_MANY } from '../../core/net/http-status.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { FeedRefusal } from '../feed.ts';
import { RequestPace } from '../request-pace.ts';
import { getJson, type JsonFailure, type JsonResult } from '../venue-json.ts';
import { isoTimeOf } from '../wire-values.ts';
import type { VenueBSign } from './auth.ts';
import { priceOf } from './trading/amounts.ts';

/**
 * OPEN lasts until the close time passes. PAUSED means that the venue has stopped trading, RESOLVED that the outcome is determined or
 * settled.
 */
export type MarketPhase = 'OPEN' | 'PAUSED' | 'CLOSED' | 'RESOLVED';

export interface MarketFacts {
  readonly ticker: string;
  readonly grid: Grid;
  /** The step of a ladder that has a slot for every price of the grid. */
  readonly step: Ticks;
  readonly phase: MarketPhase;
  /** The time of closing, 0 if the venue states none. */
  readonly closeTime: UnixMillis;
  /** The price of the last trade in terms of YES. Null before the first trade, or if the venue omits it. */
  readonly lastTrade: Ticks | null;
}

export interface MarketRows {
  readonly facts: readonly MarketFacts[];
  readonly tickers: ReadonlySet<string>;
}

interface FactsParts {
  readonly restUrl: string;
  readonly sign: VenueBSign;
  readonly get: HttpGet;
  readonly timers: Timers;
}

export interface FactsRefusal extends FeedRefusal {
  /**
   * Whether asking again can help. `later` means that the venue's read budget is used up, `alone` that the request was refused, perhaps
   * because of one ticker in the list.
   */
  readonly askAgain?: 'later' | 'alone';
}

const NO_TIME = 0 as UnixMillis;

/** Reads facts of markets, with a bounded number of requests at a time. */
export class MarketFactsReader {
  readonly #parts: FactsParts;
  readonly #pace: RequestPace;

  constructor(parts: FactsParts) {
    this.#parts = parts;
    this.#pace = new RequestPace({ concurrentMax: limits.venueBFactsInFlightMax, gapMs: 0 }, parts.timers);
  }

  /** Returns the facts of one market, or why they are not available within `limits.subscribeAnswerMs`. Never rejects. */
  read(ticker: string): Promise<Result<MarketFacts, FactsRefusal>> {
    return this.#inTurn(() => this.#readOne(ticker));
  }

  /**
   * Returns the facts of the markets that the venue lists, by one request. Also returns the tickers of all rows, including unreadable ones,
   * because the venue knows those markets. Deadline and refusals are as in `read`. The caller keeps the tickers within
   * `limits.venueBTickerListBytes`. The request has no `status`, because a filter would hide closed markets.
   */
  readRows(tickers: readonly string[]): Promise<Result<MarketRows, FactsRefusal>> {
    return this.#inTurn(async () => {
      const limit = Math.min(tickers.length, limits.venueBRowsPerPageMax);
      const answer = await this.#get(`/markets?tickers=${tickers.join(',')}&limit=${limit}`);
      if (!answer.ok) return refused(answer.error);
      const facts = marketListIn(answer.value);
      return facts === null ? unavailable('it lists no markets') : ok({ facts, tickers: tickersIn(answer.value) });
    });
  }

  async #readOne(ticker: string): Promise<Result<MarketFacts, FactsRefusal>> {
    const answer = await this.#get(`/markets/${ticker}`);
    if (!answer.ok) return answer.error.status === HTTP_NOT_FOUND ? unknownMarket(ticker) : refused(answer.error);
    const facts = marketFactsIn(answer.value);
    if (facts === null) return unavailable('it describes the market without ticker or price grid');
    if (facts.ticker !== ticker) return unknown(`venue B calls it ${facts.ticker}`);
    return ok(facts);
  }

  #get(path: string): Promise<JsonResult> {
    const { restUrl, sign, get, timers } = this.#parts;
    const url = restUrl + path;
    return getJson(get, url, sign('GET', url, timers.now()));
  }

  /** Asks as soon as a slot is free, and gives up when an answer would come too late. */
  async #inTurn<T>(ask: () => Promise<Result<T, FactsRefusal>>): Promise<Result<T, FactsRefusal>> {
    const { timers } = this.#parts;
    const deadlineMs = timers.elapsed() + limits.subscribeAnswerMs;
    const late = unavailable(`no answer within ${limits.subscribeAnswerMs} ms`);
    if (!(await this.#pace.enter(deadlineMs))) return late;
    const { promise, resolve } = Promise.withResolvers<Result<T, FactsRefusal>>();
    const cancelDeadline = timers.after(deadlineMs - timers.elapsed(), () => resolve(late));
    void ask().then(answer => {
      this.#pace.leave();
      cancelDeadline();
      resolve(answer);
    });
    return promise;
  }
}

/**
 * Returns the facts in the answer to `GET /markets/{ticker}`. Returns null if ticker or usable grid is missing; other fields may be
 * missing.
 */
export function marketFactsIn(body: unknown): MarketFacts | null {
  return isObject(body) ? factsOf(body.market) : null;
}

/**
 * Returns the facts in the answer to `GET /markets`, or null if the answer is not a list. Markets without a ticker or a usable grid are
 * left out.
 */
export function marketListIn(body: unknown): MarketFacts[] | null {
  if (!isObject(body) || !Array.isArray(body.markets)) return null;
  return (body.markets as unknown[]).map(factsOf).filter(facts => facts !== null);
}

function tickersIn(body: unknown): ReadonlySet<string> {
  return new Set(isObject(body) ? objectsOf(body.markets).map(({ ticker }) => textOf(ticker)) : []);
}

function factsOf(market: unknown): MarketFacts | null {
  if (!isObject(market) || typeof market.ticker !== 'string') return null;
  const grid = parseGrid(market.price_ranges);
  if (grid === null) return null;
  return {
    ticker: market.ticker,
    grid,
    step: ladderStep(grid),
    phase: phaseOf(market),
    closeTime: isoTimeOf(textOf(market.close_time)) ?? NO_TIME,
    // The venue states `0.0000` for a market without trades.
    lastTrade: priceOf(market.last_price_dollars) || null,
  };
}

/** Reads the grid `[{start, end, step}]`, in dollars. Returns null unless every band is readable and all bands fit one ladder. */
export function parseGrid(ranges: unknown): Grid | null {
  if (!Array.isArray(ranges)) return null;
  const grid: GridBand[] = [];
  for (const range of ranges as unknown[]) {
    if (!isObject(range)) return null;
    const [start, end, step] = [priceOf(range.start), priceOf(range.end), priceOf(range.step)];
    if (start === null || end === null || step === null) return null;
    grid.push({ start, end, step });
  }
  return ladderStep(grid) > 0 ? grid : null;
}

/** Returns the phase. An unknown status counts as OPEN: the venue itself refuses orders if the market is not. */
function phaseOf({ status }: JsonObject): MarketPhase {
  switch (status) {
    case 'inactive':
      return 'PAUSED';
    case 'closed':
      return 'CLOSED';
    case 'determined':
    case 'disputed':
    case 'amended':
    case 'finalized':
    case 'settled':
      return 'RESOLVED';
    case 'initialized':
    case 'active':
      return 'OPEN';
    default:
      countUnknown('venue_b', 'market_status', status);
      return 'OPEN';
  }
}

function unknown(message: string): Result<never, FeedRefusal> {
  return fail({ code: 'UNKNOWN_MARKET', message });
}

export function unknownMarket(ticker: string): Result<never, FeedRefusal> {
  return unknown(`venue B has no market ${ticker}`);
}

function refused({ status, message }: JsonFailure): Result<never, FactsRefusal> {
  const { error } = unavailable(message);
  if (status === HTTP_TOO_MANY) return fail({ ...error, askAgain: 'later' });
  return fail(
    status !== null && status >= HTTP_BAD_REQUEST && status < HTTP_SERVER_ERROR
      ? { ...error, askAgain: 'alone' }
      : error,
  );
}

export function unavailable(words: string): { readonly ok: false; readonly error: FeedRefusal } {
  return fail({ code: 'VENUE_UNAVAILABLE', message: `venue B did not describe the market: ${words}` });
}

/** Returns the first entries, as many as one request may name. */
export function firstListed<T>(entries: Iterable<T>, tickerOf: (entry: T) => string): T[] {
  const first: T[] = [];
  let bytes = 0;
  for (const entry of entries) {
    bytes += tickerOf(entry).length + 1;
    if (bytes > limits.venueBTickerListBytes) break;
    first.push(entry);
  }
  return first;
}
