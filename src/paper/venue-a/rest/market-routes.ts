// Venue A's public routes (venue-a.md §4, §9.1): clock and version, markets in all their forms, prices and books, and trades of builders'
// orders. The lists about rewards are empty here. Thread of the paper exchanges.

import { isObject, type JsonObject, objectsOf, textOf } from '../../../core/domain/json.ts';
import { isTokenId } from '../../../core/domain/market.ts';
import { complementTicks, formatTicks, type Ticks } from '../../../core/domain/numbers.ts';
import { jsonText, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { conditionKey } from '../../../venues/venue-a/position-ids.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex, TradeRecord } from '../records.ts';
import { BookPage } from '../stream/book-page.ts';
import { askOf, bidOf, bidPlusAsk, legacyFeeBps, longView, shortView, simplifiedView } from './market-views.ts';
import { builderTrades, builderTradeView, sideText } from './order-routes.ts';
import { wantedTrades } from './owner-routes.ts';
import {
  emptyPage,
  errorReply,
  INVALID_PAYLOAD,
  INVALID_TOKEN_ID,
  MARKET_NOT_FOUND,
  middleText,
  NO_ORDER_BOOK,
  ok,
  pageReply,
  publicGet,
  publicPost,
  secondsOf,
  type VenueARoute,
} from './route.ts';

/** The version of the exchange for which orders are signed. */
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

interface Token {
  readonly market: VenueAMarket;
  readonly index: TokenIndex;
}

type TokenHandle = (token: Token, query: URLSearchParams) => Reply;
type TokenRow = (token: Token, tokenId: string, entry: JsonObject) => unknown;
type Collect = (rows: readonly [string, unknown][]) => Reply;

const INVALID_SIDE = errorReply(400, 'Invalid side');
const HOUR_S = 3_600;
const INTERVALS_S: ReadonlyMap<string, number> = new Map([
  ['1h', HOUR_S],
  ['6h', 6 * HOUR_S],
  ['1d', 24 * HOUR_S],
  ['1w', 7 * 24 * HOUR_S],
  ['max', Number.MAX_SAFE_INTEGER],
]);
export function priceRoutes(exchange: VenueAExchange): VenueARoute[] {
  const ofToken = (tokenId: string | null, unknown: Reply, query: URLSearchParams, handle: TokenHandle): Reply => {
    if (tokenId === null || !isTokenId(tokenId)) return INVALID_TOKEN_ID;
    const token = exchange.tokens.get(tokenId);
    return token === undefined ? unknown : handle(token, query);
  };
  const book = (path: string, handle: TokenHandle) =>
    publicGet(path, ({ query }) =>
      ofToken(query.get('token_id'), NO_ORDER_BOOK, query, (token, rest) =>
        hasBook(token) ? handle(token, rest) : NO_ORDER_BOOK,
      ),
    );
  const fact = (path: string, handle: TokenHandle) => [
    publicGet(path, ({ query }) => ofToken(query.get('token_id'), MARKET_NOT_FOUND, query, handle)),
    publicGet(`${path}/:token`, ({ query, parameters }) =>
      ofToken(parameters[0] ?? '', MARKET_NOT_FOUND, query, handle),
    ),
  ];
  const many = (path: string, row: TokenRow, collect: Collect): VenueARoute =>
    publicPost(path, ({ body }) => manyReply(exchange, body, row, collect));
  const lastTrade = ({ market, index }: Token) => {
    const [trade] = exchange.tradesOfMarket(market);
    return trade === undefined
      ? { price: '0.5', side: '' }
      : { price: formatTicks(priceOf(trade, index)), side: sideText(trade.isBuy === (trade.token === index)) };
  };
  return [
    book('/book', ({ market, index }) => jsonText(200, new BookPage(market).text(index))),
    many(
      '/books',
      ({ market, index }) => new BookPage(market).text(index),
      rows => jsonText(200, `[${rows.map(([, text]) => text).join(',')}]`),
    ),
    book('/price', (token, query) => {
      const price = priceText(token, query.get('side'));
      return price === null ? INVALID_SIDE : ok({ price });
    }),
    many('/prices', (token, _, { side }) => [side, priceText(token, side)], bySide),
    book('/midpoint', token => ok({ mid: midText(token) })),
    many('/midpoints', midText, byToken),
    book('/spread', token => ok({ spread: spreadText(token) })),
    many('/spreads', spreadText, byToken),
    book('/last-trade-price', token => ok(lastTrade(token))),
    many(
      '/last-trades-prices',
      (token, token_id) => ({ token_id, ...lastTrade(token) }),
      rows => ok(rows.map(([, row]) => row)),
    ),
    ...fact('/tick-size', ({ market }) => ok({ minimum_tick_size: Number(market.tickSize) })),
    ...fact('/neg-risk', ({ market }) => ok({ neg_risk: market.listing.isNegRisk })),
    ...fact('/fee-rate', ({ market }) => ok({ base_fee: legacyFeeBps(market) })),
    publicGet('/prices-history', ({ query }) =>
      ofToken(query.get('market'), ok({ history: [] }), query, token => historyReply(exchange, token, query)),
    ),
  ];
}

/** Whether the token has a book. The book disappears when the market is resolved (venue-a.md §4). */
function hasBook({ market }: Token): boolean {
  return market.resolution === null;
}

/** Answers for several tokens. Tokens without a book are left out. */
function manyReply(exchange: VenueAExchange, body: unknown, row: TokenRow, collect: Collect): Reply {
  if (!Array.isArray(body) || !body.every(isObject)) return INVALID_PAYLOAD;
  const max = limits.paperVenueABooksPerRequestMax;
  if (body.length > max) return errorReply(400, `Payload exceeds the limit of ${max}`);
  const rows: [string, unknown][] = [];
  for (const entry of objectsOf(body)) {
    const tokenId = textOf(entry.token_id);
    const token = exchange.tokens.get(tokenId);
    if (token !== undefined && hasBook(token)) rows.push([tokenId, row(token, tokenId, entry)]);
  }
  return collect(rows);
}

function byToken(rows: readonly [string, unknown][]): Reply {
  return ok(Object.fromEntries(rows));
}

/** Collects rows by token and side: a request may name both sides of a token, one after the other. */
function bySide(rows: readonly [string, unknown][]): Reply {
  const prices: Record<string, Record<string, string>> = {};
  for (const [tokenId, row] of rows) {
    const [side, price] = row as [string, string | null];
    if (price !== null) prices[tokenId] = { ...prices[tokenId], [side]: price };
  }
  return ok(prices);
}

function priceText({ market, index }: Token, side: unknown): string | null {
  if (side === 'BUY') return formatTicks(bidOf(market, index));
  return side === 'SELL' ? formatTicks(askOf(market, index)) : null;
}

function midText({ market, index }: Token): string {
  return middleText(bidPlusAsk(market, index));
}

function spreadText({ market, index }: Token): string {
  return formatTicks((askOf(market, index) - bidOf(market, index)) as Ticks);
}

/** Returns the prices of trades, oldest first: the last price in each span of `fidelity` minutes. */
function historyReply(exchange: VenueAExchange, { market, index }: Token, query: URLSearchParams): Reply {
  const nowS = secondsOf(exchange.now());
  const lengthS = INTERVALS_S.get(query.get('interval') ?? '');
  const [startTs, endTs] = [query.get('startTs'), query.get('endTs')].map(wholeNumber);
  if (lengthS === undefined && (startTs === null || endTs === null)) return errorReply(400, 'Invalid interval');
  const [fromS, toS] = lengthS === undefined ? [startTs!, endTs!] : [nowS - lengthS, nowS];
  const stepS = 60 * Math.max(1, wholeNumber(query.get('fidelity')) ?? 1);
  const points = new Map<number, object>();
  for (const trade of exchange.tradesOfMarket(market)) {
    const t = secondsOf(trade.matchedAt);
    const step = Math.floor(t / stepS);
    if (t >= fromS && t <= toS && !points.has(step))
      points.set(step, { t, p: Number(formatTicks(priceOf(trade, index))) });
  }
  return ok({ history: [...points.values()].reverse() });
}

function wholeNumber(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

function priceOf(trade: TradeRecord, token: TokenIndex): Ticks {
  return trade.token === token ? trade.price : complementTicks(trade.price);
}
