// Markets by REST: lists, single markets, order books, and the public tape (venue-b.md §4.2–4.4). Thread of the paper exchanges.

import type { JsonObject } from '../../../core/domain/json.ts';
import { ASK, BID, type Side } from '../../../core/domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../../core/domain/numbers.ts';
import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import type { MarketResult, MarketStatus, VenueBMarket } from '../market.ts';
import type { TradeRecord } from '../records.ts';
import { bookSide, countText, noPriceText, outcomeSide, priceText, seconds, timeText } from '../wire-text.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import type { QueryReader } from './query.ts';
import { type Call, publicGet, type VenueBParts, type VenueBRoute } from './route.ts';

const ITEMS_PER_PAGE = 100;
const ITEMS_PER_PAGE_MAX = 1_000;
const DEPTH_MAX = 100;
const BOOKS_PER_REQUEST_MAX = 100;

export const marketRoutes: readonly VenueBRoute[] = [
  publicGet('/markets', marketPage, 'GetMarkets'),
  publicGet('/markets/:ticker', ({ parameters: [ticker = ''] }, venue) => {
    const market = venue.exchange.markets.get(ticker);
    return market === undefined ? errorReply(NOT_FOUND) : jsonReply(200, { market: marketObject(market, venue) });
  }),
  publicGet('/markets/:ticker/orderbook', oneBook, 'GetMarketOrderbook'),
  publicGet('/markets/orderbooks', manyBooks, 'GetMarketOrderbooks'),
  publicGet('/markets/trades', tradePage, 'GetTrades'),
];

function marketPage({ query }: Call, venue: VenueBParts): Reply {
  const limit = query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX);
  const list = { limit, idOf: (market: VenueBMarket) => market.ticker, admits: marketFilter(query) };
  return query.reply('markets', venue.exchange.markets.values(), list, market => marketObject(market, venue));
}

const STATUS_FILTERS = ['unopened', 'open', 'paused', 'closed', 'settled'] as const;
type StatusFilter = (typeof STATUS_FILTERS)[number];

const STATUSES: Readonly<Record<StatusFilter, readonly MarketStatus[]>> = {
  unopened: ['initialized'],
  open: ['active'],
  paused: ['inactive'],
  closed: ['closed', 'determined', 'disputed'],
  settled: ['finalized'],
};

export function hasStatus(market: VenueBMarket, filter: StatusFilter | null): boolean {
  return filter === null || STATUSES[filter].includes(market.status);
}

/**
 * The families of time filters. Each has the name in its parameters, the time that it compares, and the status filters that may go with it.
 */
const FAMILIES: readonly {
  readonly name: string;
  readonly timeOf: (market: VenueBMarket) => number | null;
  readonly goesWith: readonly StatusFilter[];
}[] = [
  { name: 'created', timeOf: ({ listing }) => seconds(listing.createdAt), goesWith: ['unopened', 'open'] },
  { name: 'close', timeOf: ({ closeAt }) => seconds(closeAt), goesWith: ['closed'] },
  {
    name: 'settled',
    timeOf: ({ outcome }) => (outcome === null || outcome.settledAt === null ? null : seconds(outcome.settledAt)),
    goesWith: ['settled'],
  },
  { name: 'updated', timeOf: ({ updatedAt }) => seconds(updatedAt), goesWith: [] },
];

function marketFilter(query: QueryReader): (market: VenueBMarket) => boolean {
  const tickers = query.list('tickers');
  const event = query.text('event_ticker');
  const series = query.text('series_ticker');
  const status = query.oneOf('status', STATUS_FILTERS);
  // There are no combos here.
  const isCombosOnly = query.oneOf('mve_filter', ['only', 'exclude']) === 'only';
  const isInTime = timeFilter(query, status);
  return market =>
    !isCombosOnly &&
    hasStatus(market, status) &&
    (tickers === null || tickers.has(market.ticker)) &&
    (event === null || event === market.event.eventTicker) &&
    (series === null || series === market.event.series.ticker) &&
    isInTime(market);
}

/** Reads the time filter. A query may have only one family, and only with the statuses that go with it. */
function timeFilter(query: QueryReader, status: StatusFilter | null): (market: VenueBMarket) => boolean {
  const asked = FAMILIES.flatMap(family => {
    const [min, max] = [query.time(`min_${family.name}_ts`), query.time(`max_${family.name}_ts`)];
    return min === null && max === null ? [] : [{ ...family, min: min ?? 0, max: max ?? Number.POSITIVE_INFINITY }];
  });
  const [only, second] = asked;
  if (only === undefined) return () => true;
  if (second !== undefined) query.reject(`${only.name} and ${second.name} timestamp filters are mutually exclusive`);
  if (status !== null && !only.goesWith.includes(status)) {
    query.reject(`${only.name} timestamp filters are not compatible with status '${status}'`);
  }
  return market => {
    const time = only.timeOf(market);
    return time !== null && time >= only.min && time <= only.max;
  };
}

/**
 * Answers with the bids of both outcomes, each in its own prices, best last. The answer has neither a sequence number nor a time, so a
 * client cannot join it with the stream.
 */
function oneBook({ parameters: [ticker = ''], query }: Call, { exchange }: VenueBParts): Reply {
  const depth = query.integer('depth', Number.MIN_SAFE_INTEGER, DEPTH_MAX) ?? 0;
  const market = exchange.markets.get(ticker);
  if (market === undefined) return errorReply(NOT_FOUND);
  return jsonReply(200, { orderbook_fp: bookObject(market, depth <= 0 ? Number.POSITIVE_INFINITY : depth) });
}

/** Answers with several books. Unknown tickers are left out. */
function manyBooks({ query }: Call, { exchange }: VenueBParts): Reply {
  query.require('tickers');
  const tickers = [...query.all('tickers')];
  if (tickers.length > BOOKS_PER_REQUEST_MAX) query.reject(`at most ${BOOKS_PER_REQUEST_MAX} tickers`);
  const orderbooks = tickers.slice(0, BOOKS_PER_REQUEST_MAX).flatMap(ticker => {
    const market = exchange.markets.get(ticker);
    return market === undefined ? [] : [{ orderbook_fp: bookObject(market, Number.POSITIVE_INFINITY), ticker }];
  });
  return jsonReply(200, { orderbooks });
}

function bookObject(market: VenueBMarket, depth: number): JsonObject {
  return { no_dollars: levelsOf(market, ASK, depth), yes_dollars: levelsOf(market, BID, depth) };
}

function levelsOf(market: VenueBMarket, side: Side, depth: number): [price: string, count: string][] {
  const levels: [price: string, count: string][] = [];
  for (const { price, size } of market.levels(side)) {
    if (levels.length === depth) break;
    levels.push([side === ASK ? noPriceText(price) : priceText(price), countText(size)]);
  }
  return levels.reverse();
}

/** Answers with a page of the public tape, newest first. */
function tradePage({ query }: Call, { exchange }: VenueBParts): Reply {
  const limit = query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX);
  const [from, to] = [query.time('min_ts') ?? 0, query.time('max_ts') ?? Number.POSITIVE_INFINITY];
  const ticker = query.text('ticker');
  const market = ticker === null ? null : exchange.markets.get(ticker);
  // There are no block trades here.
  const isNone = market === undefined || query.flag('is_block_trade');
  const trades = isNone ? [] : between(exchange.trades(market), from, to);
  return query.reply('trades', trades, { limit, idOf: trade => trade.tradeId }, tradeObject);
}

/** Yields the trades between two times in seconds, newest first. */
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

const NOTHING = 0 as MicroShares;
const ZERO = 0 as Ticks;
const DOLLAR = TICKS_PER_DOLLAR as Ticks;

type Shown = Pick<VenueBParts, 'days' | 'exchange'>;

export function marketObject(market: VenueBMarket, { days, exchange }: Shown): JsonObject {
  const { listing, bestBid, bestAsk } = market;
  const expectedAt = timeText(listing.expectedExpirationAt);
  // A market expires no later than its trading ends.
  const closesAt = timeText(market.closeAt);
  const [bid, ask] = [bestBid?.price ?? ZERO, bestAsk?.price ?? DOLLAR];
  const day = days.lastDay(market, exchange.now());
  return {
    can_close_early: true,
    close_time: closesAt,
    created_time: timeText(listing.createdAt),
    ...(listing.strike.custom === undefined ? {} : { custom_strike: listing.strike.custom }),
    early_close_condition: 'This market closes early, as soon as its result is known.',
    event_ticker: listing.eventTicker,
    exchange_index: market.shard,
    expected_expiration_time: expectedAt,
    expiration_time: closesAt,
    expiration_value: market.outcome?.result ?? '',
    ...(listing.strike.floor === undefined ? {} : { floor_strike: listing.strike.floor }),
    last_price_dollars: priceText(market.lastPrice ?? ZERO),
    latest_expiration_time: closesAt,
    market_type: 'binary',
    no_ask_dollars: noPriceText(bid),
    no_bid_dollars: noPriceText(ask),
    no_sub_title: listing.noSubTitle,
    notional_value_dollars: '1.0000',
    occurrence_datetime: expectedAt,
    open_interest_fp: countText(market.openInterest),
    open_time: timeText(listing.openAt),
    previous_price_dollars: priceText(day.before?.price ?? ZERO),
    previous_yes_ask_dollars: priceText(day.before?.yesAsk ?? ZERO),
    previous_yes_bid_dollars: priceText(day.before?.yesBid ?? ZERO),
    price_level_structure: market.grid.name,
    price_ranges: market.grid.ranges.map(({ start, end, step }) => ({ end, start, step })),
    result: market.outcome?.result ?? '',
    rules_primary: listing.rulesPrimary,
    rules_secondary: listing.rulesSecondary,
    settlement_bounds_type: 'default',
    settlement_timer_seconds: limits.paperSettlementTimerS,
    ...settlementOf(market.outcome),
    status: market.status,
    strike_type: listing.strike.type,
    ticker: listing.ticker,
    title: listing.title,
    updated_time: timeText(market.updatedAt),
    volume_24h_fp: countText(day.volume),
    volume_fp: countText(market.volume),
    yes_ask_dollars: priceText(ask),
    yes_ask_size_fp: countText(bestAsk?.size ?? NOTHING),
    yes_bid_dollars: priceText(bid),
    yes_bid_size_fp: countText(bestBid?.size ?? NOTHING),
    yes_sub_title: listing.yesSubTitle,
  };
}

function settlementOf(outcome: MarketResult | null): JsonObject {
  if (outcome === null) return {};
  return {
    ...(outcome.settledAt === null ? {} : { settlement_ts: timeText(outcome.settledAt) }),
    settlement_value_dollars: priceText(outcome.yesValue),
  };
}
