// A market with listeners: the messages of each of its events, in the order of venue-a.md §5.3. Every message is written once,
// for all listeners. Thread of the paper exchanges.

import { ASK, BID } from '../../../core/domain/market.ts';
import { complementTicks, parseTicks, type Ticks, type UnixMillis } from '../../../core/domain/numbers.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex, TradeRecord, VenueAEvent } from '../records.ts';
import { BookPage } from './book-page.ts';
import {
  bestBidAskFrame,
  bookMessage,
  lastTradeFrame,
  marketResolvedFrame,
  priceChangeFrame,
  tickSizeFrame,
} from './market-frames.ts';

/** One client of the market channel. */
export interface MarketListener {
  /** Whether it has set `custom_feature_enabled`. */
  readonly wantsCustom: boolean;
  /** `operation` is the event's type. */
  hear(frame: string, operation: string): void;
}

type LevelChange = Extract<VenueAEvent, { readonly type: 'level' }>;

const TOKENS = [0, 1] as const;

export class WatchedMarket {
  readonly #page: BookPage;
  readonly #listeners: readonly [Set<MarketListener>, Set<MarketListener>] = [new Set(), new Set()];
  /** Levels that would cross the page's book until other levels of their request have changed; by side and price. */
  readonly #waiting = new Map<string, LevelChange>();

  constructor(market: VenueAMarket) {
    this.#page = new BookPage(market);
  }

  get hasListeners(): boolean {
    return this.#listeners.some(listeners => listeners.size > 0);
  }

  add(listener: MarketListener, token: TokenIndex): void {
    this.#listeners[token].add(listener);
  }

  remove(listener: MarketListener, token: TokenIndex): void {
    this.#listeners[token].delete(listener);
  }

  /** The first message for a subscribed token. */
  initialBook(token: TokenIndex): string {
    return bookMessage(this.#page, token, true);
  }

  /** An order that takes and then rests changes both sides. In the wrong order its own level would cross the levels that it took from. */
  changeLevel(change: LevelChange): void {
    if (change.size > 0 && this.#page.wouldCross(change.side, change.price)) {
      this.#waiting.set(`${change.side} ${change.price}`, change);
      return;
    }
    this.#publish(change);
    for (const [key, waiting] of this.#waiting) {
      if (this.#page.wouldCross(waiting.side, waiting.price)) continue;
      this.#waiting.delete(key);
      this.#publish(waiting);
    }
  }

  /** The trade comes after the levels of the same request: the taker's token with its whole book and the hash of its last change. */
  trade(trade: TradeRecord): void {
    this.#page.setTerms(trade.market.tickSize, trade.market.lastTradeText);
    this.#sendToWatchers(trade.token, 'book', () => bookMessage(this.#page, trade.token, false));
  }

  announceTrade(trade: TradeRecord, at: UnixMillis): void {
    this.#sendToWatchers(trade.token, 'last_trade_price', () => lastTradeFrame(trade, at));
  }

  changeTickSize(before: string, at: UnixMillis): void {
    const { market, lastTradeText } = this.#page;
    this.#page.setTerms(market.tickSize, lastTradeText);
    for (const token of TOKENS) {
      this.#sendToWatchers(token, 'tick_size_change', () => tickSizeFrame(market, token, before, at));
    }
  }

  resolve(at: UnixMillis): void {
    const frame = marketResolvedFrame(this.#page.market, at);
    for (const listener of this.#all()) if (listener.wantsCustom) listener.hear(frame, 'market_resolved');
  }

  #publish({ side, price, size, isSecond, at }: LevelChange): void {
    const page = this.#page;
    const [bid, ask] = [page.best(BID), page.best(ASK)];
    page.set(side, price, size, at);
    this.#adoptLastTrade(price);
    const frame = priceChangeFrame(page, side, price, size, isSecond);
    for (const listener of this.#all()) listener.hear(frame, 'price_change');
    if (page.best(BID) !== bid || page.best(ASK) !== ask) this.#sendBest();
  }

  /**
   * A change that belongs to a trade is hashed with the trade's price already. If a taker took several levels, the last price counts,
   * because clients know it.
   */
  #adoptLastTrade(level: Ticks): void {
    const { market, lastTradeText, tickSize } = this.#page;
    if (market.lastTradeText === lastTradeText) return;
    const traded = parseTicks(market.lastTradeText);
    if (traded === level || traded === complementTicks(level)) this.#page.setTerms(tickSize, market.lastTradeText);
  }

  #sendBest(): void {
    for (const token of TOKENS) {
      this.#sendToWatchers(
        token,
        'best_bid_ask',
        () => bestBidAskFrame(this.#page, token),
        listener => listener.wantsCustom,
      );
    }
  }

  /** A message without listeners is not written. */
  #sendToWatchers(
    token: TokenIndex,
    operation: string,
    write: () => string,
    isFor: (listener: MarketListener) => boolean = () => true,
  ): void {
    let frame = '';
    for (const listener of this.#listeners[token]) {
      if (!isFor(listener)) continue;
      if (frame === '') frame = write();
      listener.hear(frame, operation);
    }
  }

  /** Listeners of either token, each once. */
  *#all(): Generator<MarketListener> {
    const [first, second] = this.#listeners;
    yield* first;
    for (const listener of second) if (!first.has(listener)) yield listener;
  }
}
