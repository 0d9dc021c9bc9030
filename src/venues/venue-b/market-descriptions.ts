// Markets that are wished for, described by venue B: many in one request, and requests at a pace that leaves its smallest read budget to
// others too. A venue that says that the budget is used up is asked again, as long as whoever wishes waits. Venue B's feed thread.

import { fail, ok, type Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { FeedRefusal } from '../feed.ts';
import { type FactsRefusal, type MarketFacts, type MarketFactsReader, unavailable } from './market-facts.ts';

export interface MarketDescriptionsParts {
  readonly facts: Pick<MarketFactsReader, 'read' | 'readList'>;
  readonly timers: Timers;
}

type Description = Result<MarketFacts, FeedRefusal>;

interface Wish {
  readonly ticker: string;
  /** The venue has left it out of a list, or refused the list: asked for by itself, after all others, it says what is wrong. */
  isLeftOut: boolean;
  isSettled: boolean;
  readonly settle: (description: Description) => void;
}

export class MarketDescriptions {
  readonly #parts: MarketDescriptionsParts;
  #waiting: Wish[] = [];
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
        wish.isSettled = true;
        resolve(description);
      };
      const wish: Wish = { ticker, isLeftOut: false, isSettled: false, settle };
      const cancelDeadline = timers.after(limits.subscribeAnswerMs, () =>
        settle(unavailable(`no answer within ${limits.subscribeAnswerMs} ms`)),
      );
      this.#waiting.push(wish);
      // What is wished for in one turn is asked for together.
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
    const wishes = this.#take();
    const [first] = wishes;
    if (first === undefined) return;
    this.#askAfter(limits.venueBFactsGapMs);
    const tickers = [...new Set(wishes.map(({ ticker }) => ticker))];
    if (tickers.length > 1) this.#hearList(wishes, await this.#parts.facts.readList(tickers));
    else {
      const answer = await this.#parts.facts.read(first.ticker);
      for (const wish of wishes) this.#hear(wish, answer);
    }
  }

  /** What is asked for next; those that a list has left out one by one, when nobody else waits. */
  #take(): readonly Wish[] {
    this.#waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
    const listed = this.#waiting.filter(({ isLeftOut }) => !isLeftOut);
    const taken = new Set(listed.length === 0 ? this.#waiting.slice(0, 1) : firstOf(listed));
    this.#waiting = this.#waiting.filter(wish => !taken.has(wish));
    return [...taken];
  }

  #hearList(wishes: readonly Wish[], answer: Result<MarketFacts[], FactsRefusal>): void {
    const listed = new Map(answer.ok ? answer.value.map(facts => [facts.ticker, facts]) : []);
    for (const wish of wishes) {
      const facts = listed.get(wish.ticker);
      if (!answer.ok && answer.error.askAgain !== 'alone') this.#hear(wish, answer);
      else if (facts !== undefined) wish.settle(ok(facts));
      else {
        wish.isLeftOut = true;
        this.#again(wish);
      }
    }
  }

  #hear(wish: Wish, answer: Result<MarketFacts, FactsRefusal>): void {
    if (answer.ok) wish.settle(answer);
    else if (answer.error.askAgain === 'later') this.#again(wish);
    else wish.settle(fail({ code: answer.error.code, message: answer.error.message }));
  }

  #again(wish: Wish): void {
    this.#waiting.push(wish);
    if (!this.#isPaced) this.#askAfter(limits.venueBFactsGapMs);
  }
}

/** As many as one request may name. */
function firstOf(wishes: readonly Wish[]): readonly Wish[] {
  let bytes = 0;
  const end = wishes.findIndex(({ ticker }) => {
    bytes += ticker.length + 1;
    return bytes > limits.venueBTickerListBytes;
  });
  return end === -1 ? wishes : wishes.slice(0, end);
}
