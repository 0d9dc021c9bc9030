// Candlesticks by REST (venue-b.md §4.5): of one market, of many, or of an event. Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBMarket } from '../market.ts';
import { countText, priceText } from '../wire-text.ts';
import { type Bar, Candle } from './candle-rows.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { type MarketCandles, merged } from './market-candles.ts';
import type { QueryReader } from './query.ts';
import { type Call, publicGet, type VenueBParts, type VenueBRoute } from './route.ts';

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

export const candleRoutes: readonly VenueBRoute[] = [
  publicGet('/series/:series/markets/:ticker/candlesticks', ofMarket, 'GetMarketCandlesticks'),
  publicGet('/series/:series/events/:event/candlesticks', ofEvent, 'GetEventCandlesticks'),
  publicGet('/markets/candlesticks', ofMarkets, 'BatchGetMarketCandlesticks'),
];

function ofMarket({ parameters: [series, ticker = ''], query }: Call, { exchange, candles }: VenueBParts): Reply {
  const shown = candlesticksIn(query, candles);
  const market = exchange.markets.get(ticker);
  if (market === undefined || market.event.series.ticker !== series) return errorReply(NOT_FOUND);
  return jsonReply(200, { candlesticks: shown(market), ticker });
}

function ofEvent({ parameters: [series, event], query }: Call, { exchange, candles }: VenueBParts): Reply {
  const shown = candlesticksIn(query, candles);
  const markets = [...exchange.markets.values()].filter(
    market => market.event.eventTicker === event && market.event.series.ticker === series,
  );
  if (markets.length === 0) return errorReply(NOT_FOUND);
  return jsonReply(200, {
    adjusted_end_ts: query.time('end_ts'),
    market_candlesticks: markets.map(shown),
    market_tickers: markets.map(({ ticker }) => ticker),
  });
}

function ofMarkets({ query }: Call, { exchange, candles }: VenueBParts): Reply {
  query.require('market_tickers');
  const tickers = [...(query.list('market_tickers') ?? [])];
  if (tickers.length > MARKETS_PER_REQUEST_MAX) query.reject(`at most ${MARKETS_PER_REQUEST_MAX} market tickers`);
  const shown = candlesticksIn(query, candles);
  if (query.refusal !== null) return query.refusal;
  const known = tickers.map(ticker => exchange.markets.get(ticker)).filter(market => market !== undefined);
  const markets = known.map(market => ({ candlesticks: shown(market), market_ticker: market.ticker }));
  const count = markets.reduce((sum, market) => sum + market.candlesticks.length, 0);
  if (count > CANDLES_PER_REQUEST_MAX) query.reject(`more than ${CANDLES_PER_REQUEST_MAX} candlesticks`);
  return jsonReply(200, { markets });
}

/** The candlesticks of a market that the query asks for; none after a refusal. */
function candlesticksIn(query: QueryReader, candles: MarketCandles): (market: VenueBMarket) => JsonObject[] {
  query.require('start_ts', 'end_ts', 'period_interval');
  const [startS, endS] = [query.time('start_ts') ?? 0, query.time('end_ts') ?? 0];
  const periodMinutes = Number(query.oneOf('period_interval', PERIODS_MIN));
  if (endS < startS) query.reject('end_ts must not be before start_ts');
  const span = { startS, endS, periodMinutes, includesLatestBefore: query.flag('include_latest_before_start') };
  return market => (query.refusal === null ? candlesticks(candles.of(market), span) : []);
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
