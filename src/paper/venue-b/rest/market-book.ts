// Order books by REST (venue-b.md §4.3): bids of both outcomes, each in its own prices, best last. Without a number or a time:
// a client cannot join it with the stream. Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import { ASK, BID } from '../../../domain/market.ts';
import type { Reply } from '../../../net/listen.ts';
import { jsonReply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import { countText, noPriceText, priceText } from '../wire-text.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { QueryReader } from './market-query.ts';
import type { VenueBRoute } from './route.ts';

const DEPTH_MAX = 100;
const BOOKS_PER_REQUEST_MAX = 100;

export function bookRoutes(exchange: VenueBExchange): VenueBRoute[] {
  return [
    {
      method: 'get',
      path: '/markets/:ticker/orderbook',
      access: 'public',
      handle: ({ parameters: [ticker = ''], query }) => oneBook(exchange.markets.get(ticker), query),
    },
    {
      method: 'get',
      path: '/markets/orderbooks',
      access: 'public',
      handle: ({ query }) => manyBooks(exchange, query),
    },
  ];
}

function oneBook(market: VenueBMarket | undefined, parameters: URLSearchParams): Reply {
  const query = new QueryReader('GetMarketOrderbook', parameters);
  const depth = query.whole('depth', Number.MIN_SAFE_INTEGER, DEPTH_MAX) ?? 0;
  if (query.refusal !== null) return query.refusal;
  if (market === undefined) return errorReply(NOT_FOUND);
  return jsonReply(200, { orderbook_fp: bookObject(market, depth <= 0 ? Number.POSITIVE_INFINITY : depth) });
}

/** Unknown tickers are left out. */
function manyBooks(exchange: VenueBExchange, parameters: URLSearchParams): Reply {
  const query = new QueryReader('GetMarketOrderbooks', parameters);
  query.require('tickers');
  const tickers = new Set(parameters.getAll('tickers'));
  if (tickers.size > BOOKS_PER_REQUEST_MAX) query.reject(`at most ${BOOKS_PER_REQUEST_MAX} tickers`);
  if (query.refusal !== null) return query.refusal;
  const orderbooks = [...tickers].flatMap(ticker => {
    const market = exchange.markets.get(ticker);
    return market === undefined ? [] : [{ orderbook_fp: bookObject(market, Number.POSITIVE_INFINITY), ticker }];
  });
  return jsonReply(200, { orderbooks });
}

function bookObject(market: VenueBMarket, depth: number): JsonObject {
  const no: [price: string, count: string][] = [];
  for (const { price, size } of market.levels(ASK)) {
    if (no.length === depth) break;
    no.push([noPriceText(price), countText(size)]);
  }
  const yes: [price: string, count: string][] = [];
  for (const { price, size } of market.levels(BID)) {
    if (yes.length === depth) break;
    yes.push([priceText(price), countText(size)]);
  }
  return { no_dollars: no.reverse(), yes_dollars: yes.reverse() };
}
