// Candlesticks by REST (venue-b.md §4.5): of one market, of many, or of an event. Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import { countText, priceText } from '../wire-text.ts';
import { type Bar, Candle } from './candle-rows.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { type MarketCandles, merged } from './market-candles.ts';
import { QueryReader } from './market-query.ts';
import { publicGet, type VenueBRoute } from './route.ts';

const CANDLES_PER_REQUEST_MAX = 10_000;
const MARKETS_PER_REQUEST_MAX = 100;
const PERIODS_MIN = ['1', '60', '1440'] as const;
const MINUTE_S = 60;

interface Span {
  readonly startS: number;
  readonly endS: number;
  readonly periodMinutes: number;
  readonly includesLatestBefore: boolean;
}

export function candleRoutes(exchange: VenueBExchange, candles: MarketCandles): VenueBRoute[] {
  return [
    publicGet('/series/:series/markets/:ticker/candlesticks', ({ parameters: [series, ticker = ''], query }) => {
      const span = readSpan('GetMarketCandlesticks', query);
      if ('status' in span) return span;
      const market = exchange.markets.get(ticker);
      if (market === undefined || market.event.series.ticker !== series) return errorReply(NOT_FOUND);
      return jsonReply(200, { candlesticks: candlesticks(candles.of(market), span), ticker });
    }),
    publicGet('/series/:series/events/:event/candlesticks', ({ parameters: [series, event], query }) => {
      const span = readSpan('GetEventCandlesticks', query);
      if ('status' in span) return span;
      const markets = [...exchange.markets.values()].filter(
        market => market.event.eventTicker === event && market.event.series.ticker === series,
      );
      if (markets.length === 0) return errorReply(NOT_FOUND);
      return jsonReply(200, {
        adjusted_end_ts: span.endS,
        market_candlesticks: markets.map(market => candlesticks(candles.of(market), span)),
        market_tickers: markets.map(({ ticker }) => ticker),
      });
    }),
    publicGet('/markets/candlesticks', ({ query }) => batch(exchange, candles, query)),
  ];
}

function batch(exchange: VenueBExchange, candles: MarketCandles, parameters: URLSearchParams): Reply {
  const query = new QueryReader('BatchGetMarketCandlesticks', parameters);
  query.require('market_tickers');
  const tickers = [...(query.list('market_tickers') ?? [])];
  if (tickers.length > MARKETS_PER_REQUEST_MAX) query.reject(`at most ${MARKETS_PER_REQUEST_MAX} market tickers`);
  if (query.refusal !== null) return query.refusal;
  const span = readSpan('BatchGetMarketCandlesticks', parameters);
  if ('status' in span) return span;
  const known = tickers.map(ticker => exchange.markets.get(ticker)).filter(market => market !== undefined);
  const markets = known.map((market: VenueBMarket) => ({
    candlesticks: candlesticks(candles.of(market), span),
    market_ticker: market.ticker,
  }));
  const count = markets.reduce((sum, market) => sum + market.candlesticks.length, 0);
  if (count > CANDLES_PER_REQUEST_MAX) query.reject(`more than ${CANDLES_PER_REQUEST_MAX} candlesticks`);
  return query.refusal ?? jsonReply(200, { markets });
}

function readSpan(operation: string, parameters: URLSearchParams): Span | Reply {
  const query = new QueryReader(operation, parameters);
  query.require('start_ts', 'end_ts', 'period_interval');
  const [startS, endS] = [query.time('start_ts') ?? 0, query.time('end_ts') ?? 0];
  const periodMinutes = Number(query.oneOf('period_interval', PERIODS_MIN));
  if (endS < startS) query.reject('end_ts must not be before start_ts');
  const includesLatestBefore = query.flag('include_latest_before_start');
  return query.refusal ?? { startS, endS, periodMinutes, includesLatestBefore };
}

/** Candles that end within the span; periods without a change are left out. */
function candlesticks(minutes: readonly Candle[], span: Span): JsonObject[] {
  const { startS, endS, periodMinutes } = span;
  const shown: JsonObject[] = [];
  let before: Candle | null = null;
  let priced: Candle | null = null;
  for (const candle of merged(minutes, periodMinutes)) {
    const endPeriodS = candle.endMinute * MINUTE_S;
    if (endPeriodS > endS) break;
    if (endPeriodS >= startS) shown.push(candlestick(candle, endPeriodS, priced));
    else before = candle;
    if (candle.price !== null) priced = candle;
  }
  if (before !== null && span.includesLatestBefore) {
    const periodS = periodMinutes * MINUTE_S;
    shown.unshift(projected(before, (Math.floor(startS / periodS) + 1) * periodS));
  }
  return shown;
}

function candlestick(candle: Candle, endPeriodS: number, before: Candle | null): JsonObject {
  const previous = before?.price ?? null;
  return {
    end_period_ts: endPeriodS,
    open_interest_fp: countText(candle.openInterest),
    price: {
      close_dollars: textOf(candle.price?.close),
      high_dollars: textOf(candle.price?.high),
      low_dollars: textOf(candle.price?.low),
      mean_dollars: textOf(candle.price === null ? undefined : candle.mean),
      open_dollars: textOf(candle.price?.open),
      ...(previous === null ? {} : { previous_dollars: priceText(previous.close) }),
    },
    volume_fp: countText(candle.volume),
    yes_ask: barObject(candle.yesAsk),
    yes_bid: barObject(candle.yesBid),
  };
}

/** State before the span for its first period: the last quotes, and no trades. */
function projected(before: Candle, endPeriodS: number): JsonObject {
  const standing = new Candle(before.endMinute, before.yesBid.close, before.yesAsk.close);
  standing.openInterest = before.openInterest;
  return candlestick(standing, endPeriodS, before);
}

function textOf(price: Bar['close'] | undefined): string | null {
  return price === undefined ? null : priceText(price);
}

function barObject({ open, low, high, close }: Bar): JsonObject {
  return {
    close_dollars: priceText(close),
    high_dollars: priceText(high),
    low_dollars: priceText(low),
    open_dollars: priceText(open),
  };
}
