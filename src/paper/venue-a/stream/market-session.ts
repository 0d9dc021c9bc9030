// The public market channel as a path of venue A's server, and one client's session on it (venue-a.md §5.1). The client sends commands,
// which get no acknowledgements. The session sends an initial dump, then events. Thread of the paper exchanges.

import { isObject, type JsonObject, parseJson, stringsOf } from '../../../core/domain/json.ts';
import { unreachable } from '../../../core/domain/result.ts';
import type { SocketRoute } from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { Faults } from '../../faults/faults.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { TradeRecord, VenueAEvent } from '../records.ts';
import { type Session, type SessionOutlet, sessionRoute } from './session.ts';
import { type MarketListener, newMarketFrame, WatchedMarket } from './watched-market.ts';

class MarketSession implements Session, MarketListener {
  readonly #channel: MarketChannel;
  readonly #outlet: SessionOutlet;
  /** The subscribed tokens. Null until the first subscription. They are all listed, which bounds their number. */
  #tokens: Set<string> | null = null;
  wantsCustom = false;

  constructor(channel: MarketChannel, outlet: SessionOutlet) {
    this.#channel = channel;
    this.#outlet = outlet;
  }

  receive(text: string): void {
    if (this.#tokens === null) this.#open(parseJson(text));
    else if (text === 'PING') this.#outlet.pong();
    else this.#runCommand(this.#tokens, parseJson(text));
  }

  deliver(frame: string, operation: string): void {
    this.#outlet.send(frame, operation);
  }

  close(): void {
    for (const token of this.#tokens ?? []) this.#channel.unsubscribe(this, token);
    this.#channel.leave(this);
  }

  #open(command: unknown): void {
    if (!isObject(command) || !isSubscription(command)) {
      this.#outlet.refuseSubscription();
      return;
    }
    this.#tokens = new Set();
    this.#subscribe(this.#tokens, command);
  }

  /** Runs a command. Invalid commands are ignored without an answer. */
  #runCommand(held: Set<string>, command: unknown): void {
    if (!isObject(command)) return;
    if (command.operation === 'unsubscribe') {
      for (const token of stringsOf(command.assets_ids)) {
        if (held.delete(token)) this.#channel.unsubscribe(this, token);
      }
    } else if (command.operation === 'subscribe' || isSubscription(command)) this.#subscribe(held, command);
  }

  /**
   * Subscribes to tokens. Unknown tokens are ignored. A client with more than `paperVenueATokensWithBookMax` tokens gets no initial books.
   */
  #subscribe(held: Set<string>, command: JsonObject): void {
    if (command.custom_feature_enabled === true) {
      this.wantsCustom = true;
      this.#channel.discover(this);
    }
    const added = new Set(
      stringsOf(command.assets_ids).filter(token => !held.has(token) && this.#channel.knows(token)),
    );
    const subscriptions = [...added].map(token => this.#channel.subscribe(this, token));
    for (const token of added) held.add(token);
    const isDumped = command.initial_dump !== false && held.size <= limits.paperVenueATokensWithBookMax;
    if (!isDumped || subscriptions.length === 0) return;
    this.#outlet.send(`[${subscriptions.map(({ initialBook }) => initialBook()).join(',')}]`, 'book');
  }
}

/**
 * Whether the command is a subscription. `level` asks for a depth of the book. No recording shows that it has an effect, so it has none
 * here.
 */
function isSubscription({ type, assets_ids, initial_dump, level, custom_feature_enabled }: JsonObject): boolean {
  return (
    type === 'market' &&
    Array.isArray(assets_ids) &&
    assets_ids.every(token => typeof token === 'string') &&
    (initial_dump === undefined || typeof initial_dump === 'boolean') &&
    (custom_feature_enabled === undefined || typeof custom_feature_enabled === 'boolean') &&
    (level === undefined || level === 1 || level === 2 || level === 3)
  );
}

interface MarketStreamParts {
  readonly exchange: VenueAExchange;
  readonly faults: Faults;
  readonly timers: Timers;
}

/** Makes the route. Its channel observes the exchange from now on. */
export function marketStreamRoute({ exchange, faults, timers }: MarketStreamParts): SocketRoute<never> {
  const channel = new MarketChannel(exchange, timers);
  return sessionRoute('/ws/market', faults, outlet => new MarketSession(channel, outlet));
}

/** The delay of `last_trade_price` (venue-a.md §5.3). */
const LAST_TRADE_DELAY_MS = 70;

class MarketChannel {
  readonly #exchange: VenueAExchange;
  readonly #timers: Timers;
  readonly #watched = new Map<VenueAMarket, WatchedMarket>();
  /** The listeners that want messages about new markets. */
  readonly #discoverers = new Set<MarketListener>();
  /** The number of trades whose `last_trade_price` is still to be sent. */
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

  /** Subscribes a listener to a token that `knows` must have confirmed. Returns a function that writes the token's initial book. */
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
        for (const listener of this.#discoverers) listener.deliver(frame, 'new_market');
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

  /** Sends the messages of a trade. `last_trade_price` follows a little later, or at once if too many trades wait. */
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
