// Venue B's public market data (venue-b.md §4). Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { eventRoutes } from './event-routes.ts';
import { seriesRoutes } from './event-series.ts';
import { exchangeRoutes } from './exchange-routes.ts';
import { bookRoutes } from './market-book.ts';
import { candleRoutes } from './market-candle-routes.ts';
import { MarketCandles } from './market-candles.ts';
import { marketFilter } from './market-filter.ts';
import { historyRoutes } from './market-history.ts';
import { marketObject } from './market-object.ts';
import { QueryReader } from './market-query.ts';
import { tradeRoutes } from './market-trades.ts';
import { pageOf } from './parameters.ts';
import type { VenueBRoute } from './route.ts';
import { milestoneRoutes } from './search-milestones.ts';
import { searchRoutes } from './search-routes.ts';
import { targetRoutes } from './search-targets.ts';

const MARKETS_PER_PAGE = 100;
const MARKETS_PER_PAGE_MAX = 1_000;

/** Observes the exchange from now on, for candles and a market's state a day ago. */
export function publicRoutes(exchange: VenueBExchange): VenueBRoute[] {
  const candles = new MarketCandles();
  exchange.observe(candles.hear);
  const show = (market: VenueBMarket): JsonObject => marketObject(market, candles, exchange.now());
  return [
    ...exchangeRoutes(exchange),
    {
      method: 'get',
      path: '/markets',
      access: 'public',
      handle: ({ query }) => marketPage(exchange, show, query),
    },
    {
      method: 'get',
      path: '/markets/:ticker',
      access: 'public',
      handle: ({ parameters: [ticker = ''] }) => {
        const market = exchange.markets.get(ticker);
        return market === undefined ? errorReply(NOT_FOUND) : jsonReply(200, { market: show(market) });
      },
    },
    ...bookRoutes(exchange),
    ...tradeRoutes(exchange),
    ...candleRoutes(exchange, candles),
    ...eventRoutes(exchange, show),
    ...seriesRoutes(exchange),
    ...milestoneRoutes(exchange),
    ...targetRoutes(exchange),
    ...searchRoutes(exchange),
    ...historyRoutes(exchange),
  ];
}

function marketPage(
  exchange: VenueBExchange,
  show: (market: VenueBMarket) => JsonObject,
  parameters: URLSearchParams,
): Reply {
  const query = new QueryReader('GetMarkets', parameters);
  const limit = query.limit(MARKETS_PER_PAGE, MARKETS_PER_PAGE_MAX);
  const admits = marketFilter(query);
  if (query.refusal !== null) return query.refusal;
  const { items, cursor } = pageOf(exchange.markets.values(), {
    limit,
    cursor: query.text('cursor'),
    idOf: market => market.ticker,
    admits,
  });
  return jsonReply(200, { cursor, markets: items.map(show) });
}
