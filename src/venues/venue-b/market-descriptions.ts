// Reads descriptions of requested markets from venue B: many per request, at a pace that leaves room in the smallest read budget. If a list
// omits several markets, only one of them is read by itself. If the venue does not know this market, it knows none of the omitted ones.
// While a caller waits, requests that the venue refused for want of budget are repeated. Venue B's feed thread.

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
  /**
   * Whether the market is read by itself, after all others. This is so if its list was refused, its row is unreadable, or the list omitted
   * it.
   */
  isAlone: boolean;
  /** Other requests whose markets the same list omitted. The answer to this request holds for them too. */
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

  /** Returns the facts of a market, or why they are not available within `limits.subscribeAnswerMs`. Never rejects. */
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
      // The timer of 0 ms lets all requests of this turn share a list.
      if (!this.#isPaced) this.#requestAfter(0);
    });
  }

  #requestAfter(delayMs: number): void {
    this.#isPaced = true;
    this.#parts.timers.after(delayMs, () => {
      this.#isPaced = false;
      void this.#requestNext();
    });
  }

  async #requestNext(): Promise<void> {
    const requests = this.#take();
    const [first] = requests;
    if (first === undefined) return;
    this.#requestAfter(limits.venueBFactsGapMs);
    const tickers = [...new Set(requests.map(({ ticker }) => ticker))];
    if (tickers.length > 1) this.#handleList(requests, await this.#parts.facts.readRows(tickers));
    else {
      const answer = await this.#parts.facts.read(first.ticker);
      for (const request of requests) this.#handleAnswer(request, answer);
    }
  }

  /** Takes the next requests: those for a list first. A request for a single market is taken only when no other waits. */
  #take(): readonly DescriptionRequest[] {
    this.#waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
    const listed = this.#waiting.filter(({ isAlone }) => !isAlone);
    const taken = new Set(
      listed.length === 0 ? this.#waiting.slice(0, 1) : firstListed(listed, ({ ticker }) => ticker),
    );
    this.#waiting = this.#waiting.filter(request => !taken.has(request));
    return [...taken];
  }

  #handleList(requests: readonly DescriptionRequest[], answer: Result<MarketRows, FactsRefusal>): void {
    if (!answer.ok) {
      if (answer.error.askAgain === 'alone') this.#requestAlone(requests);
      else for (const request of requests) this.#handleAnswer(request, answer);
      return;
    }
    const { facts, tickers } = answer.value;
    const listed = new Map(facts.map(it => [it.ticker, it]));
    for (const request of requests) {
      const found = listed.get(request.ticker);
      if (found !== undefined) request.settle(ok(found));
    }
    this.#requestAlone(requests.filter(({ ticker }) => tickers.has(ticker) && !listed.has(ticker)));
    const [first, ...alike] = requests.filter(({ ticker }) => !tickers.has(ticker));
    if (first === undefined) return;
    first.alike = alike;
    this.#requestAlone([first]);
  }

  #handleAnswer(request: DescriptionRequest, answer: Result<MarketFacts, FactsRefusal>): void {
    if (!answer.ok && answer.error.askAgain === 'later') {
      this.#requeue(request);
      return;
    }
    const { alike } = request;
    request.alike = [];
    if (answer.ok) request.settle(answer);
    else request.settle(fail({ code: answer.error.code, message: answer.error.message }));
    // If the venue does not know the first market, the list was right to omit the others, too. Otherwise each of them must be read.
    if (answer.ok || answer.error.code !== 'UNKNOWN_MARKET') this.#requestAlone(alike);
    else for (const it of alike) it.settle(unknownMarket(it.ticker));
  }

  #requestAlone(requests: readonly DescriptionRequest[]): void {
    for (const request of requests) {
      request.isAlone = true;
      this.#requeue(request);
    }
  }

  #requeue(request: DescriptionRequest): void {
    this.#waiting.push(request);
    if (!this.#isPaced) this.#requestAfter(limits.venueBFactsGapMs);
  }
}
