// Markets that are wished for, described by venue B: many in one request, and requests at a pace that leaves its smallest read budget to
// others too. Of those that a list leaves out one is asked for by itself: where the venue does not know it, it knows none of them. A venue
// that says that the budget is used up is asked again, as long as anybody waits for the answer. Venue B's feed thread.

import { fail, ok, type Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { FeedRefusal } from '../feed.ts';
import {
  type FactsRefusal,
  type MarketFacts,
  type MarketFactsReader,
  type MarketRows,
  unavailable,
  unknownMarket,
} from './market-facts.ts';

export interface MarketDescriptionsParts {
  readonly facts: Pick<MarketFactsReader, 'read' | 'readRows'>;
  readonly timers: Timers;
}

type Description = Result<MarketFacts, FeedRefusal>;

interface Wish {
  readonly ticker: string;
  /** The list with it was refused, or its row cannot be read, or it was left out: asked for by itself, after all others. */
  isAlone: boolean;
  /** Left out of the same list, and of its fate. */
  alike: readonly Wish[];
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
      const wish: Wish = { ticker, isAlone: false, alike: [], isSettled: false, settle };
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
    if (tickers.length > 1) this.#hearList(wishes, await this.#parts.facts.readRows(tickers));
    else {
      const answer = await this.#parts.facts.read(first.ticker);
      for (const wish of wishes) this.#hear(wish, answer);
    }
  }

  /** What is asked for next; those to be asked for alone one by one, when nobody else waits. */
  #take(): readonly Wish[] {
    this.#waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
    const listed = this.#waiting.filter(({ isAlone }) => !isAlone);
    const taken = new Set(listed.length === 0 ? this.#waiting.slice(0, 1) : firstOf(listed));
    this.#waiting = this.#waiting.filter(wish => !taken.has(wish));
    return [...taken];
  }

  #hearList(wishes: readonly Wish[], answer: Result<MarketRows, FactsRefusal>): void {
    if (!answer.ok) {
      if (answer.error.askAgain === 'alone') this.#askAlone(wishes);
      else for (const wish of wishes) this.#hear(wish, answer);
      return;
    }
    const { facts, tickers } = answer.value;
    const listed = new Map(facts.map(it => [it.ticker, it]));
    for (const wish of wishes) {
      const found = listed.get(wish.ticker);
      if (found !== undefined) wish.settle(ok(found));
    }
    this.#askAlone(wishes.filter(({ ticker }) => tickers.has(ticker) && !listed.has(ticker)));
    const [first, ...alike] = wishes.filter(({ ticker }) => !tickers.has(ticker));
    if (first === undefined) return;
    first.alike = alike;
    this.#askAlone([first]);
  }

  #hear(wish: Wish, answer: Result<MarketFacts, FactsRefusal>): void {
    if (!answer.ok && answer.error.askAgain === 'later') {
      this.#again(wish);
      return;
    }
    const { alike } = wish;
    wish.alike = [];
    if (answer.ok) wish.settle(answer);
    else wish.settle(fail({ code: answer.error.code, message: answer.error.message }));
    // The list is right about them, too, or it is not.
    if (answer.ok || answer.error.code !== 'UNKNOWN_MARKET') this.#askAlone(alike);
    else for (const it of alike) it.settle(unknownMarket(it.ticker));
  }

  #askAlone(wishes: readonly Wish[]): void {
    for (const wish of wishes) {
      wish.isAlone = true;
      this.#again(wish);
    }
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
