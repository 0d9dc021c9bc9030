// A market as venue B shows it (venue-b.md §4.2), its keys in alphabetical order. Thread of the paper exchanges.

import type { JsonObject } from '../../../core/domain/json.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../../core/domain/numbers.ts';
import { limits } from '../../../limits.ts';
import type { MarketResult, VenueBMarket } from '../market.ts';
import { countText, noPriceText, priceText, timeText } from '../wire-text.ts';
import type { VenueBParts } from './route.ts';

const NOTHING = 0 as MicroShares;
const ZERO = 0 as Ticks;
const DOLLAR = TICKS_PER_DOLLAR as Ticks;

type Shown = Pick<VenueBParts, 'days' | 'exchange'>;

export function marketObject(market: VenueBMarket, { days, exchange }: Shown): JsonObject {
  const { listing, bestBid, bestAsk } = market;
  const expectedAt = timeText(listing.expectedExpirationAt);
  // A market expires at the latest at the end of its trading.
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
    price_level_structure: listing.grid.name,
    price_ranges: listing.grid.ranges.map(({ start, end, step }) => ({ end, start, step })),
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
