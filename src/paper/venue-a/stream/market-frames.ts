// Messages of venue A's market channel as text (venue-a.md §5.2), keys in the order of the recordings. Prices are those of the
// token that a message names. Thread of the paper exchanges.

import { ASK, BID, type Side } from '../../../core/domain/market.ts';
import {
  complementTicks,
  formatMicroShares,
  formatTicks,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex, TradeRecord } from '../records.ts';
import type { BookPage } from './book-page.ts';

/** A token's `book`. Only the first one of a subscription has tick and last trade. */
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

/** One level of the page at present: the order's own token first, then the other. */
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

/** Without a winner each token is worth a half, and no winner is named. */
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

/** An empty side has the end of the price range. */
function quotesOf(page: BookPage, token: TokenIndex): { readonly bid: Ticks; readonly ask: Ticks } {
  const bid = page.best(BID) ?? (0 as Ticks);
  const ask = page.best(ASK) ?? (TICKS_PER_DOLLAR as Ticks);
  return token === 0 ? { bid, ask } : { bid: complementTicks(ask), ask: complementTicks(bid) };
}

function eventMessage(event: VenueAMarket['event']): object {
  return { id: event.id, ticker: event.slug, slug: event.slug, title: event.title, description: event.title };
}
