// Writes a market of venue A in its three forms (venue-a.md §4): long, simplified and short. Numbers are JSON numbers here, as at the
// venue. Also computes the prices of a token. Pure.

import { complementTicks, type MicroDollars, TICKS_PER_DOLLAR, type Ticks } from '../../../core/domain/numbers.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex } from '../records.ts';
import { isoText, middleText } from './route.ts';

const TOKENS: readonly TokenIndex[] = [0, 1];
/** A number of the older API. It is not the fee that is charged. */
const LEGACY_FEE_BPS = 1_000;
const NO_REWARDS = { rates: null, min_size: 0, max_spread: 0 };

export function longView(market: VenueAMarket): object {
  const { listing, event } = market;
  const isClosed = market.resolution !== null;
  const negRiskId = event.negRiskMarketId ?? '';
  return {
    enable_order_book: !isClosed,
    active: true,
    closed: isClosed,
    archived: false,
    accepting_orders: market.isAcceptingOrders,
    accepting_order_timestamp: isoText(listing.createdAt),
    minimum_order_size: Number(listing.minOrderSize),
    minimum_tick_size: Number(market.tickSize),
    condition_id: listing.conditionId,
    question_id: listing.questionId,
    question: listing.question,
    description: listing.question,
    market_slug: listing.slug,
    end_date_iso: isoText(listing.endAt),
    game_start_time: isoText(event.game.startsAt),
    seconds_delay: listing.takerDelayS,
    fpmm: '',
    maker_base_fee: legacyFeeBps(market),
    taker_base_fee: legacyFeeBps(market),
    notifications_enabled: true,
    neg_risk: listing.isNegRisk,
    neg_risk_market_id: negRiskId,
    neg_risk_request_id: listing.isNegRisk ? listing.questionId : '',
    icon: '',
    image: '',
    rewards: NO_REWARDS,
    is_50_50_outcome: market.resolution?.winner === null,
    tokens: tokenViews(market),
    tags: event.tags.map(tag => tag.label),
  };
}

export function simplifiedView(market: VenueAMarket): object {
  return {
    condition_id: market.conditionId,
    tokens: tokenViews(market),
    rewards: NO_REWARDS,
    active: true,
    closed: market.resolution !== null,
    archived: false,
    accepting_orders: market.isAcceptingOrders,
  };
}

/** Writes the short form, which leaves out false and empty values. */
export function shortView(market: VenueAMarket): object {
  const { listing, event } = market;
  const rate = Number(listing.fees.rate);
  return {
    c: listing.conditionId,
    t: TOKENS.map(token => ({ t: listing.tokens[token], o: listing.outcomes[token] })),
    mts: Number(market.tickSize),
    mos: Number(listing.minOrderSize),
    ...(listing.isNegRisk ? { nr: true } : {}),
    mbf: legacyFeeBps(market),
    tbf: legacyFeeBps(market),
    ...(rate === 0 ? {} : { fd: { r: rate, e: listing.fees.exponent, to: true } }),
    r: null,
    ...(market.isAcceptingOrders ? { ao: true } : {}),
    ...(listing.takerDelayS === 0 ? {} : { sd: listing.takerDelayS }),
    gst: isoText(event.game.startsAt),
    ...(listing.clearsBookOnStart ? { cbos: true } : {}),
    aot: isoText(listing.createdAt),
  };
}

export function legacyFeeBps({ listing }: VenueAMarket): number {
  return Number(listing.fees.rate) === 0 ? 0 : LEGACY_FEE_BPS;
}

function tokenViews(market: VenueAMarket): object[] {
  return TOKENS.map(token => ({
    token_id: market.listing.tokens[token],
    outcome: market.listing.outcomes[token],
    price: Number(priceText(market, token)),
    winner: market.resolution?.winner === token,
  }));
}

/** Returns the middle of the book, or the payout once the market is resolved. */
function priceText(market: VenueAMarket, token: TokenIndex): string {
  if (market.resolution === null) return middleText(bidPlusAsk(market, token));
  const { winner } = market.resolution;
  const paid = winner === null ? TICKS_PER_DOLLAR / 2 : winner === token ? TICKS_PER_DOLLAR : 0;
  return middleText((2 * paid) as Ticks);
}

const MICROS_PER_TICK = 100;
const HALF_DOLLAR = (TICKS_PER_DOLLAR / 2) as Ticks;

/**
 * Returns the present value of a token in millionths of a dollar, because the middle may lie between two ticks. A resolved market has its
 * payout. Otherwise it is the middle of the book, or the last trade if a side is empty.
 */
export function currentPrice(market: VenueAMarket, token: TokenIndex): MicroDollars {
  const { resolution, bestBid, bestAsk, lastYesPrice } = market;
  if (resolution !== null) {
    const { winner } = resolution;
    return atTicks(winner === null ? HALF_DOLLAR : ((winner === token ? TICKS_PER_DOLLAR : 0) as Ticks));
  }
  const yes =
    bestBid !== null && bestAsk !== null
      ? ((bestBid.price + bestAsk.price) * MICROS_PER_TICK) / 2
      : atTicks(lastYesPrice ?? HALF_DOLLAR);
  return (token === 0 ? yes : atTicks(TICKS_PER_DOLLAR as Ticks) - yes) as MicroDollars;
}

function atTicks(price: Ticks): MicroDollars {
  return (price * MICROS_PER_TICK) as MicroDollars;
}

/** Returns the best bid of a token. 0 means that there is no bid. */
export function bidOf(market: VenueAMarket, token: TokenIndex): Ticks {
  if (token === 0) return market.bestBid?.price ?? (0 as Ticks);
  return complementTicks(market.bestAsk?.price ?? (TICKS_PER_DOLLAR as Ticks));
}

/** Returns the best ask of a token. A dollar means that there is no ask. */
export function askOf(market: VenueAMarket, token: TokenIndex): Ticks {
  if (token === 0) return market.bestAsk?.price ?? (TICKS_PER_DOLLAR as Ticks);
  return complementTicks(market.bestBid?.price ?? (0 as Ticks));
}

/** Returns the sum of best bid and best ask: twice the middle, which may lie between ticks. */
export function bidPlusAsk(market: VenueAMarket, token: TokenIndex): Ticks {
  return (bidOf(market, token) + askOf(market, token)) as Ticks;
}
