// Listeners by token, and the exchange's events for them. A market without listeners costs nothing: it has no page and no
// hash. Thread of the paper exchanges.

import { unreachable } from '../../../core/domain/result.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { TradeRecord, VenueAEvent } from '../records.ts';
import { newMarketFrame } from './market-frames.ts';
import { type MarketListener, WatchedMarket } from './watched-market.ts';

/** The delay of venue-a.md §5.3. */
const LAST_TRADE_DELAY_MS = 70;

export class MarketChannel {
  readonly #exchange: VenueAExchange;
  readonly #timers: Timers;
  readonly #watched = new Map<VenueAMarket, WatchedMarket>();
  /** Listeners for new markets. */
  readonly #discoverers = new Set<MarketListener>();
  /** Trades whose `last_trade_price` is still to be sent. */
  #unannounced = 0;

  constructor(exchange: VenueAExchange, timers: Timers) {
    this.#exchange = exchange;
    this.#timers = timers;
    exchange.observe(event => this.#on(event));
  }

  knows(tokenId: string): boolean {
    return this.#exchange.tokens.has(tokenId);
  }

  discover(listener: MarketListener): void {
    this.#discoverers.add(listener);
  }

  /** The token's book at the start of a subscription; only for tokens that `knows`. */
  subscribe(listener: MarketListener, tokenId: string): { readonly initialBook: () => string } {
    const { market, index } = this.#exchange.tokens.get(tokenId)!;
    let watched = this.#watched.get(market);
    if (watched === undefined) {
      watched = new WatchedMarket(market);
      this.#watched.set(market, watched);
    }
    watched.add(listener, index);
    return { initialBook: () => watched.initialBook(index) };
  }

  unsubscribe(listener: MarketListener, tokenId: string): void {
    const token = this.#exchange.tokens.get(tokenId);
    const watched = token === undefined ? undefined : this.#watched.get(token.market);
    if (token === undefined || watched === undefined) return;
    watched.remove(listener, token.index);
    if (!watched.hasListeners) this.#watched.delete(token.market);
  }

  leave(listener: MarketListener): void {
    this.#discoverers.delete(listener);
  }

  #on(event: VenueAEvent): void {
    switch (event.type) {
      case 'level':
        this.#watched.get(event.market)?.changeLevel(event);
        return;
      case 'trade':
        this.#trade(event.trade);
        return;
      case 'tick-size':
        this.#watched.get(event.market)?.changeTickSize(event.before, event.at);
        return;
      case 'created': {
        const frame = newMarketFrame(event.market, event.at);
        for (const listener of this.#discoverers) listener.hear(frame, 'new_market');
        return;
      }
      case 'resolved':
        this.#watched.get(event.market)?.resolve(event.at);
        return;
      case 'forgotten':
        this.#watched.delete(event.market);
        return;
      case 'trade-status':
      case 'order':
        return;
      default:
        unreachable(event);
    }
  }

  /** `last_trade_price` follows a little later; at once when too many wait. */
  #trade(trade: TradeRecord): void {
    const watched = this.#watched.get(trade.market);
    if (watched === undefined) return;
    watched.trade(trade);
    if (this.#unannounced >= limits.paperVenueATradesUnannouncedMax) {
      watched.announceTrade(trade, this.#timers.now());
      return;
    }
    this.#unannounced += 1;
    this.#timers.after(LAST_TRADE_DELAY_MS, () => {
      this.#unannounced -= 1;
      this.#watched.get(trade.market)?.announceTrade(trade, this.#timers.now());
    });
  }
}
