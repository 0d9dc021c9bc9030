// The public tape by REST (venue-b.md §4.4), newest first. Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { TradeRecord } from '../records.ts';
import { bookSide, countText, noPriceText, outcomeSide, priceText, seconds, timeText } from '../wire-text.ts';
import { QueryReader } from './market-query.ts';
import { pageOf } from './parameters.ts';
import type { VenueBRoute } from './route.ts';

const TRADES_PER_PAGE = 100;
const TRADES_PER_PAGE_MAX = 1_000;

export function tradeRoutes(exchange: VenueBExchange): VenueBRoute[] {
  return [
    { method: 'get', path: '/markets/trades', access: 'public', handle: ({ query }) => tradePage(exchange, query) },
  ];
}

function tradePage(exchange: VenueBExchange, parameters: URLSearchParams): Reply {
  const query = new QueryReader('GetTrades', parameters);
  const limit = query.limit(TRADES_PER_PAGE, TRADES_PER_PAGE_MAX);
  const [from, to] = [query.time('min_ts') ?? 0, query.time('max_ts') ?? Number.POSITIVE_INFINITY];
  const ticker = query.text('ticker');
  if (query.refusal !== null) return query.refusal;
  const market = ticker === null ? null : exchange.markets.get(ticker);
  // There are no block trades here.
  const isNone = market === undefined || query.flag('is_block_trade');
  const trades = isNone ? [] : between(exchange.trades(market), from, to);
  const { items, cursor } = pageOf(trades, { limit, cursor: query.text('cursor'), idOf: trade => trade.tradeId });
  return jsonReply(200, { cursor, trades: items.map(tradeObject) });
}

/** Trades between two times in seconds, newest first. */
function* between(trades: Iterable<TradeRecord>, from: number, to: number): Iterable<TradeRecord> {
  for (const trade of trades) {
    const at = seconds(trade.at);
    if (at < from) return;
    if (at <= to) yield trade;
  }
}

function tradeObject({ tradeId, market, price, size, takerSide, at }: TradeRecord): JsonObject {
  return {
    count_fp: countText(size),
    created_time: timeText(at),
    is_block_trade: false,
    no_price_dollars: noPriceText(price),
    taker_book_side: bookSide(takerSide),
    taker_outcome_side: outcomeSide(takerSide),
    taker_side: outcomeSide(takerSide),
    ticker: market.ticker,
    trade_id: tradeId,
    yes_price_dollars: priceText(price),
  };
}
