// Venue A's public facts (venue-a.md §4): clock and version, markets in all their forms, trades of builders' orders. The lists about
// rewards are empty here. Thread of the paper exchanges.

import type { Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { conditionKey } from '../../../venues/venue-a/position-ids.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import { secondsOf } from './decimal-text.ts';
import { longView, shortView, simplifiedView } from './market-views.ts';
import { builderTrades, builderTradeView } from './order-views.ts';
import { wantedTrades } from './portfolio-routes.ts';
import { emptyPage, MARKET_NOT_FOUND, ok, pageReply } from './replies.ts';
import { publicGet, type VenueARoute } from './route.ts';

/** Chain of the exchange that orders are signed for. */
const VERSION = 2;
const marketsMax = limits.paperVenueAMarketsPerPageMax;
const rowsMax = limits.paperVenueARowsPerPageMax;

export function marketRoutes(exchange: VenueAExchange): VenueARoute[] {
  const list = (path: string, view: (market: VenueAMarket) => object, isListed: (market: VenueAMarket) => boolean) =>
    publicGet(path, ({ query }) => pageReply([...exchange.markets.values()].filter(isListed), query, marketsMax, view));
  const ofMarket = (path: string, reply: (market: VenueAMarket) => Reply) =>
    publicGet(path, ({ parameters }) => {
      const market = exchange.markets.get(conditionKey(parameters[0] ?? ''));
      return market === undefined ? MARKET_NOT_FOUND : reply(market);
    });
  return [
    publicGet('/', () => ok('OK')),
    publicGet('/ok', () => ok('OK')),
    publicGet('/time', () => ok(secondsOf(exchange.now()))),
    publicGet('/version', () => ok({ version: VERSION })),
    publicGet('/markets-by-token/:token', ({ parameters }) => {
      const listing = exchange.tokens.get(parameters[0] ?? '')?.market.listing;
      if (listing === undefined) return MARKET_NOT_FOUND;
      const [primary, secondary] = listing.tokens;
      return ok({ condition_id: listing.conditionId, primary_token_id: primary, secondary_token_id: secondary });
    }),
    ofMarket('/clob-markets/:condition', market => ok(shortView(market))),
    ofMarket('/markets/:condition', market => ok(longView(market))),
    list('/markets', longView, () => true),
    list('/simplified-markets', simplifiedView, () => true),
    list('/sampling-markets', longView, isSampled),
    list('/sampling-simplified-markets', simplifiedView, isSampled),
    publicGet('/fees/builder-fees/:code', () => ok({ builder_maker_fee_rate_bps: 0, builder_taker_fee_rate_bps: 0 })),
    publicGet('/builder/trades', ({ query }) => {
      const trades = wantedTrades(exchange.tradesOfWallet(null), query);
      const ofBuilder = builderTrades(trades, query.get('builder_code') ?? '');
      return pageReply(ofBuilder, query, limits.paperVenueABuilderRowsPerPageMax, builderTradeView);
    }),
    publicGet('/rewards/markets/current', () => emptyPage(rowsMax)),
    publicGet('/rewards/markets/:condition', () => emptyPage(rowsMax)),
  ];
}

function isSampled(market: VenueAMarket): boolean {
  return market.isAcceptingOrders && market.resolution === null;
}
