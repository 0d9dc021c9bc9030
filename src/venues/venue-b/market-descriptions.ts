// Descriptions of requested markets from venue B: many per request, at a pace that leaves room in its smallest read budget. If a list omits
// several markets, one of them is read by itself: if the venue does not know it, it knows none of them. While a caller waits, requests that
// the venue's budget refused are repeated. Venue B's feed thread.

import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { FeedRefusal } from '../feed.ts';
import type { FactsRefusal, MarketFacts, MarketFactsReader, MarketRows } from './market-facts.ts';
import { firstListed, unavailable, unknownMarket } from './market-facts.ts';

interface MarketDescriptionsParts {
  readonly facts: Pick<MarketFactsReader, 'read' | 'readRows'>;
  readonly timers: Timers;
}

type Description = Result<MarketFacts, FeedRefusal>;

interface DescriptionRequest {
  readonly ticker: string;
  /** True if the market's list was refused, its row is unreadable, or it was omitted: it is read by itself, after all others. */
  isAlone: boolean;
  /** Omitted from the same list: the answer for this one holds for them too. */
  alike: readonly DescriptionRequest[];
  isSettled: boolean;
  readonly settle: (description: Description) => void;
}

export class MarketDescriptions {
  readonly #parts: MarketDescriptionsParts;
  #waiting: DescriptionRequest[] = [];
  #isPaced = false;

  constructor(parts: MarketDescriptionsParts) {
    this.#parts = parts;
  }

  /** Facts of a market, or why there are none within `limits.subscribeAnswerMs`. Never rejects. */
  describe(ticker: string): Promise<Description> {
    const { timers } = this.#parts;
    return new Promise(resolve => {
      const settle = (description: Description): void => {
        cancelDeadline();
        request.isSettled = true;
        resolve(description);
      };
      const request: DescriptionRequest = { ticker, isAlone: false, alike: [], isSettled: false, settle };
      const cancelDeadline = timers.after(limits.subscribeAnswerMs, () =>
        settle(unavailable(`no answer within ${limits.subscribeAnswerMs} ms`)),
      );
      this.#waiting.push(request);
      // Requests of one turn share a list.
      if (!this.#isPaced) this.#askAfter(0);
    });
  }

  #askAfter(delayMs: number): void {
    this.#isPaced = true;
    this.#parts.timers.after(delayMs, () => {
      this.#isPaced = false;
      void this.#ask();
    });
  }

  async #ask(): Promise<void> {
    const requests = this.#take();
    const [first] = requests;
    if (first === undefined) return;
    this.#askAfter(limits.venueBFactsGapMs);
    const tickers = [...new Set(requests.map(({ ticker }) => ticker))];
    if (tickers.length > 1) this.#hearList(requests, await this.#parts.facts.readRows(tickers));
    else {
      const answer = await this.#parts.facts.read(first.ticker);
      for (const request of requests) this.#hear(request, answer);
    }
  }

  /** The next requests: lists first, single ones one by one when no other waits. */
  #take(): readonly DescriptionRequest[] {
    this.#waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
    const listed = this.#waiting.filter(({ isAlone }) => !isAlone);
    const taken = new Set(
      listed.length === 0 ? this.#waiting.slice(0, 1) : firstListed(listed, ({ ticker }) => ticker),
    );
    this.#waiting = this.#waiting.filter(request => !taken.has(request));
    return [...taken];
  }

  #hearList(requests: readonly DescriptionRequest[], answer: Result<MarketRows, FactsRefusal>): void {
    if (!answer.ok) {
      if (answer.error.askAgain === 'alone') this.#askAlone(requests);
      else for (const request of requests) this.#hear(request, answer);
      return;
    }
    const { facts, tickers } = answer.value;
    const listed = new Map(facts.map(it => [it.ticker, it]));
    for (const request of requests) {
      const found = listed.get(request.ticker);
      if (found !== undefined) request.settle(ok(found));
    }
    this.#askAlone(requests.filter(({ ticker }) => tickers.has(ticker) && !listed.has(ticker)));
    const [first, ...alike] = requests.filter(({ ticker }) => !tickers.has(ticker));
    if (first === undefined) return;
    first.alike = alike;
    this.#askAlone([first]);
  }

  #hear(request: DescriptionRequest, answer: Result<MarketFacts, FactsRefusal>): void {
    if (!answer.ok && answer.error.askAgain === 'later') {
      this.#again(request);
      return;
    }
    const { alike } = request;
    request.alike = [];
    if (answer.ok) request.settle(answer);
    else request.settle(fail({ code: answer.error.code, message: answer.error.message }));
    // Either the list is right about these markets, too, or each must be read.
    if (answer.ok || answer.error.code !== 'UNKNOWN_MARKET') this.#askAlone(alike);
    else for (const it of alike) it.settle(unknownMarket(it.ticker));
  }

  #askAlone(requests: readonly DescriptionRequest[]): void {
    for (const request of requests) {
      request.isAlone = true;
      this.#again(request);
    }
  }

  #again(request: DescriptionRequest): void {
    this.#waiting.push(request);
    if (!this.#isPaced) this.#askAfter(limits.venueBFactsGapMs);
  }
}
