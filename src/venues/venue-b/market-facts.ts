// What venue B says of a market by REST (venue-b.md §4.2): price grid, status, closing time. Asked before a market is
// subscribed, and again when a book shows that the facts have changed. Venue B's feed thread.

import { type Grid, type GridBand, ladderStep } from '../../domain/grid.ts';
import { isObject, type JsonObject, parseJson } from '../../domain/json.ts';
import { parseTicks, type Ticks, type UnixMillis } from '../../domain/numbers.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { HttpAnswer, HttpGet } from '../../net/http.ts';
import type { FeedRefusal, Timers } from '../feed.ts';
import type { VenueBSign } from './auth.ts';

/** OPEN until the close time passes; PAUSED: the venue has stopped trading; RESOLVED: the outcome is determined or settled. */
export type MarketPhase = 'OPEN' | 'PAUSED' | 'CLOSED' | 'RESOLVED';

export interface MarketFacts {
  readonly ticker: string;
  readonly grid: Grid;
  /** Of a dense ladder over the grid. */
  readonly step: Ticks;
  readonly phase: MarketPhase;
  /** 0 if the venue states none. */
  readonly closeTime: UnixMillis;
}

export interface FactsParts {
  readonly restUrl: string;
  readonly sign: VenueBSign;
  readonly get: HttpGet;
  readonly timers: Timers;
}

/** Asks for markets, a bounded number of them at a time. */
export class MarketFactsReader {
  readonly #parts: FactsParts;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;

  constructor(parts: FactsParts) {
    this.#parts = parts;
  }

  /** Facts of one market, or why there are none within `limits.subscribeAnswerMs`. Never rejects. */
  read(ticker: string): Promise<Result<MarketFacts, FeedRefusal>> {
    return new Promise(resolve => {
      let isAnswered = false;
      const answer = (result: Result<MarketFacts, FeedRefusal>): void => {
        isAnswered = true;
        cancelDeadline();
        resolve(result);
      };
      const cancelDeadline = this.#parts.timers.after(limits.subscribeAnswerMs, () =>
        answer(unavailable(`no answer within ${limits.subscribeAnswerMs} ms`)),
      );
      this.#enter(() => {
        if (isAnswered) this.#leave();
        else {
          this.#ask(ticker).then(result => {
            this.#leave();
            answer(result);
          });
        }
      });
    });
  }

  async #ask(ticker: string): Promise<Result<MarketFacts, FeedRefusal>> {
    const { restUrl, sign, get, timers } = this.#parts;
    const url = `${restUrl}/markets/${ticker}`;
    let answer: HttpAnswer;
    try {
      answer = await get(url, sign('GET', url, timers.now()));
    } catch (error) {
      return unavailable(error instanceof Error ? error.message : 'request failed');
    }
    if (answer.status === 404) return fail({ code: 'UNKNOWN_MARKET', message: `venue B has no market ${ticker}` });
    if (answer.status !== 200) return unavailable(`HTTP ${answer.status}`);
    const facts = parseMarketFacts(answer.body);
    if (facts === null) return unavailable('it describes the market without ticker or price grid');
    if (facts.ticker !== ticker) return fail({ code: 'UNKNOWN_MARKET', message: `venue B calls it ${facts.ticker}` });
    return ok(facts);
  }

  #enter(task: () => void): void {
    if (this.#inFlight === limits.venueBFactsInFlightMax) {
      this.#waiting.push(task);
      return;
    }
    this.#inFlight += 1;
    task();
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inFlight -= 1;
    else next();
  }
}

/** Reads the body of `GET /markets/{ticker}`; null without a ticker or a usable grid, the rest may be missing. */
export function parseMarketFacts(body: string): MarketFacts | null {
  const answer = parseJson(body);
  const market = isObject(answer) ? answer.market : null;
  if (!isObject(market) || typeof market.ticker !== 'string') return null;
  const grid = parseGrid(market.price_ranges);
  if (grid === null) return null;
  const closeTime = typeof market.close_time === 'string' ? Date.parse(market.close_time) : Number.NaN;
  return {
    ticker: market.ticker,
    grid,
    step: ladderStep(grid),
    phase: phaseOf(market),
    closeTime: (Number.isFinite(closeTime) ? closeTime : 0) as UnixMillis,
  };
}

/** `[{start, end, step}]` in dollars; null unless every band is readable and together they have a ladder. */
export function parseGrid(ranges: unknown): Grid | null {
  if (!Array.isArray(ranges)) return null;
  const grid: GridBand[] = [];
  for (const range of ranges as unknown[]) {
    if (!isObject(range)) return null;
    const [start, end, step] = [ticksOf(range.start), ticksOf(range.end), ticksOf(range.step)];
    if (start === null || end === null || step === null) return null;
    grid.push({ start, end, step });
  }
  return ladderStep(grid) > 0 ? grid : null;
}

function ticksOf(value: unknown): Ticks | null {
  return typeof value === 'string' ? parseTicks(value) : null;
}

/** A status that is not known here is a new word for a market that trades: the venue refuses orders by itself. */
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
    default:
      return 'OPEN';
  }
}

function unavailable(words: string): Result<MarketFacts, FeedRefusal> {
  return fail({ code: 'VENUE_UNAVAILABLE', message: `venue B did not describe the market: ${words}` });
}
