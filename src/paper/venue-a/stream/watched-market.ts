// A market that has listeners. It writes the messages of each of its events, in the order of venue-a.md §5.3. Every message is written once
// for all listeners. Thread of the paper exchanges.

import { ASK, BID, type Side } from '../../../core/domain/market.ts';
import {
  complementTicks,
  formatMicroShares,
  formatTicks,
  type MicroShares,
  parseTicks,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex, TradeRecord, VenueAEvent } from '../records.ts';
import { BookPage } from './book-page.ts';

/** Writes a token's `book`. Only the first one of a subscription has the tick size and the last trade. */
export function bookMessage(page: BookPage, token: TokenIndex, isInitial: boolean): string {
  const { conditionId, tokens } = page.market.listing;
  const { bids, asks } = page.sides(token);
  return (
    `{"market":"${conditionId}","asset_id":"${tokens[token]}","timestamp":"${page.timestamp}",` +
    `"hash":"${page.hash(token)}","bids":${bids},"asks":${asks},` +
    (isInitial
      ? `"tick_size":"${page.tickSize}","event_type":"book","last_trade_price":"${page.lastTradeText}"}`
      : '"event_type":"book"}')
  );
}

/**
 * Writes a change of one level, with the page's present state. The entry for the causing order's token comes first, then the entry for the
 * other token.
 */
export function priceChangeFrame(
  page: BookPage,
  side: Side,
  price: Ticks,
  size: MicroShares,
  isSecondFirst: boolean,
): string {
  const entry = (token: TokenIndex): string => {
    const [own, isBid] = token === 0 ? [price, side === BID] : [complementTicks(price), side === ASK];
    const { bid, ask } = quotesOf(page, token);
    return (
      `{"asset_id":"${page.market.listing.tokens[token]}","price":"${formatTicks(own)}",` +
      `"size":"${formatMicroShares(size)}","side":"${isBid ? 'BUY' : 'SELL'}","hash":"${page.hash(token)}",` +
      `"best_bid":"${formatTicks(bid)}","best_ask":"${formatTicks(ask)}"}`
    );
  };
  const entries = isSecondFirst ? `${entry(1)},${entry(0)}` : `${entry(0)},${entry(1)}`;
  return (
    `{"market":"${page.market.conditionId}","price_changes":[${entries}],` +
    `"timestamp":"${page.timestamp}","event_type":"price_change"}`
  );
}

export function bestBidAskFrame(page: BookPage, token: TokenIndex): string {
  const { bid, ask } = quotesOf(page, token);
  return JSON.stringify({
    market: page.market.conditionId,
    asset_id: page.market.listing.tokens[token],
    best_bid: formatTicks(bid),
    best_ask: formatTicks(ask),
    spread: formatTicks((ask - bid) as Ticks),
    timestamp: String(page.timestamp),
    event_type: 'best_bid_ask',
  });
}

export function lastTradeFrame(trade: TradeRecord, at: UnixMillis): string {
  return JSON.stringify({
    market: trade.market.conditionId,
    asset_id: trade.market.listing.tokens[trade.token],
    price: formatTicks(trade.price),
    size: formatMicroShares(trade.size),
    fee_rate_bps: '0',
    side: trade.isBuy ? 'BUY' : 'SELL',
    timestamp: String(at),
    event_type: 'last_trade_price',
    transaction_hash: trade.transactionHash,
  });
}

export function tickSizeFrame(market: VenueAMarket, token: TokenIndex, before: string, at: UnixMillis): string {
  return JSON.stringify({
    market: market.conditionId,
    asset_id: market.listing.tokens[token],
    old_tick_size: before,
    new_tick_size: market.tickSize,
    timestamp: String(at),
    event_type: 'tick_size_change',
  });
}

export function newMarketFrame({ listing, event, tickSize }: VenueAMarket, at: UnixMillis): string {
  return JSON.stringify({
    id: listing.id,
    question: listing.question,
    market: listing.conditionId,
    slug: listing.slug,
    description: event.title,
    assets_ids: listing.tokens,
    outcomes: listing.outcomes,
    event_message: eventMessage(event),
    timestamp: String(at),
    tags: event.tags.map(tag => tag.slug),
    condition_id: listing.conditionId,
    active: true,
    clob_token_ids: listing.tokens,
    sports_market_type: listing.sportsMarketType,
    line: listing.line === null ? '' : String(listing.line),
    game_start_time: new Date(event.game.startsAt).toISOString(),
    order_price_min_tick_size: tickSize,
    group_item_title: listing.groupItemTitle,
    fees_enabled: Number(listing.fees.rate) > 0,
    event_type: 'new_market',
  });
}

/** Writes the result of a market. If no token wins, each token is worth half a dollar, and the message names no winner. */
export function marketResolvedFrame({ listing, event, resolution }: VenueAMarket, at: UnixMillis): string {
  const winner = resolution?.winner ?? null;
  return JSON.stringify({
    id: listing.id,
    market: listing.conditionId,
    assets_ids: listing.tokens,
    winning_asset_id: winner === null ? '' : listing.tokens[winner],
    winning_outcome: winner === null ? '' : listing.outcomes[winner],
    event_message: eventMessage(event),
    timestamp: String(at),
    tags: event.tags.map(tag => tag.slug),
    event_type: 'market_resolved',
  });
}

/** Returns a token's best prices. An empty side has the end of the price range. */
function quotesOf(page: BookPage, token: TokenIndex): { readonly bid: Ticks; readonly ask: Ticks } {
  const bid = page.best(BID) ?? (0 as Ticks);
  const ask = page.best(ASK) ?? (TICKS_PER_DOLLAR as Ticks);
  return token === 0 ? { bid, ask } : { bid: complementTicks(ask), ask: complementTicks(bid) };
}

function eventMessage(event: VenueAMarket['event']): object {
  return { id: event.id, ticker: event.slug, slug: event.slug, title: event.title, description: event.title };
}

/** One client of the market channel. */
export interface MarketListener {
  /** Whether the client has set `custom_feature_enabled`. */
  readonly wantsCustom: boolean;
  /** Gets a frame for the client. `operation` is the event's type. */
  deliver(frame: string, operation: string): void;
}

type LevelChange = Extract<VenueAEvent, { readonly type: 'level' }>;

const TOKENS = [0, 1] as const;

export class WatchedMarket {
  readonly #page: BookPage;
  readonly #listeners: readonly [Set<MarketListener>, Set<MarketListener>] = [new Set(), new Set()];
  /** The changed levels that would cross the page's book until other levels of the same request have changed, by side and price. */
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

  /** Writes the first message for a subscribed token. */
  initialBook(token: TokenIndex): string {
    return bookMessage(this.#page, token, true);
  }

  /**
   * Sends a changed level. A level that would cross the other side waits until that side has changed. An order that takes and then rests
   * changes both sides, and its own level may come first.
   */
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

  /** Sends the whole book of the taker's token. This comes after the levels of the same request, and has the hash of the last change. */
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
    for (const listener of this.#all()) if (listener.wantsCustom) listener.deliver(frame, 'market_resolved');
  }

  #publish({ side, price, size, isSecond, at }: LevelChange): void {
    const page = this.#page;
    const [bid, ask] = [page.best(BID), page.best(ASK)];
    page.set(side, price, size, at);
    this.#adoptLastTrade(price);
    const frame = priceChangeFrame(page, side, price, size, isSecond);
    for (const listener of this.#all()) listener.deliver(frame, 'price_change');
    if (page.best(BID) !== bid || page.best(ASK) !== ask) this.#sendBest();
  }

  /**
   * Puts the trade's price into the hash of the level that the trade changed. If a taker took several levels, the price of the last one
   * counts, because clients know only that price.
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

  /** Sends a message to a token's listeners. Without listeners the message is not written at all. */
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
      listener.deliver(frame, operation);
    }
  }

  /** Yields the listeners of both tokens, each once. */
  *#all(): Generator<MarketListener> {
    const [first, second] = this.#listeners;
    yield* first;
    for (const listener of second) if (!first.has(listener)) yield listener;
  }
}
