// A market as Gamma shows it (venue-a.md §7), with the venue's habits. Arrays are JSON text in strings, and times have a space and a
// short zone. A number may be text in one place and a number in another. Thread of the paper exchanges.

import { ASK, BID } from '../../../core/domain/market.ts';
import {
  formatMicroShares,
  formatTicks,
  type MicroDollars,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { positionsOf, tokenOf } from '../../catalog/identity.ts';
import { noCost, yesCost } from '../../engine/money.ts';
import type { VenueAMarket } from '../market.ts';
import { dollarsText, isoText } from '../rest/decimal-text.ts';
import { currentPrice, legacyFeeBps } from '../rest/market-views.ts';

const REBATE_RATE = 0.25;

export function marketObject(market: VenueAMarket) {
  const { listing, event, resolution } = market;
  const isClosed = resolution !== null;
  const liquidityText = dollarsText(liquidityOf(market));
  const volumeText = formatMicroShares(market.volume);
  return {
    id: listing.id,
    question: listing.question,
    conditionId: conditionText(market),
    slug: listing.slug,
    resolutionSource: event.sport.resolution,
    endDate: isoText(listing.endAt),
    liquidity: liquidityText,
    startDate: isoText(listing.createdAt),
    image: '',
    icon: '',
    description: descriptionOf(market),
    outcomes: textOfList(listing.outcomes),
    outcomePrices: textOfList([0, 1].map(token => dollarsText(currentPrice(market, token === 0 ? 0 : 1)))),
    volume: volumeText,
    active: true,
    closed: isClosed,
    marketMakerAddress: '',
    createdAt: isoText(listing.createdAt),
    updatedAt: isoText(resolution?.at ?? market.bookAt),
    ...(resolution === null ? {} : { closedTime: spacedText(resolution.at), umaResolutionStatus: 'resolved' }),
    new: false,
    featured: false,
    archived: false,
    restricted: true,
    groupItemTitle: listing.groupItemTitle,
    groupItemThreshold: String(event.markets.indexOf(listing)),
    questionID: listing.questionId,
    enableOrderBook: true,
    orderPriceMinTickSize: Number(market.tickSize),
    orderMinSize: Number(listing.minOrderSize),
    volumeNum: Number(volumeText),
    liquidityNum: Number(liquidityText),
    endDateIso: dateText(listing.endAt),
    startDateIso: dateText(listing.createdAt),
    hasReviewedDates: true,
    gameStartTime: spacedText(event.game.startsAt),
    gameId: String(event.gameId),
    secondsDelay: listing.takerDelayS,
    ...idsOf(market),
    volumeClob: Number(volumeText),
    liquidityClob: Number(liquidityText),
    ...feesOf(market),
    acceptingOrders: market.isAcceptingOrders && !isClosed,
    acceptingOrdersTimestamp: isoText(listing.createdAt),
    negRisk: listing.isNegRisk,
    ...(event.negRiskMarketId === null ? {} : { negRiskMarketID: event.negRiskMarketId }),
    negRiskRequestID: listing.isNegRisk ? listing.questionId : '',
    negRiskOther: false,
    ...quotesOf(market),
    automaticallyActive: true,
    automaticallyResolved: isClosed,
    clearBookOnStart: listing.clearsBookOnStart,
    sportsMarketType: listing.sportsMarketType,
    ...(listing.line === null ? {} : { line: listing.line }),
    umaResolutionStatuses: isClosed ? '["proposed"]' : '[]',
    requiresTranslation: false,
    version: market.protocol === 'V2' ? 'v2' : 'v1',
  };
}

const V2_CONDITION_DIGITS = 62;

/** A condition of Protocol V2 has 31 bytes here, and 32 in the CLOB. */
function conditionText({ protocol, conditionId }: VenueAMarket): string {
  return protocol === 'V2' ? conditionId.slice(0, '0x'.length + V2_CONDITION_DIGITS) : conditionId;
}

/** A market of either protocol has the ids of both (venue-a.md §0.1). Only `version` says which ids trade; the others have no book. */
function idsOf({ protocol, listing: { tokens, slug } }: VenueAMarket): object {
  if (protocol === 'V1')
    return { clobTokenIds: textOfList(tokens), positionIds: positionsOf('venue-a twin', slug).tokens };
  const twins = [tokenOf('venue-a twin', slug, '0'), tokenOf('venue-a twin', slug, '1')];
  return { clobTokenIds: textOfList(twins), positionIds: tokens };
}

/** Liquidity behind the resting orders. */
export function liquidityOf(market: VenueAMarket): MicroDollars {
  let sum = 0;
  for (const { price, size } of market.levels(BID)) sum += yesCost(price, size);
  for (const { price, size } of market.levels(ASK)) sum += noCost(price, size);
  return sum as MicroDollars;
}

export function descriptionOf({ listing, event }: VenueAMarket): string {
  const [first, second] = listing.outcomes;
  return (
    `${listing.question}\n\nResolves to “${first}” or “${second}” by the official result of ${event.title}. ` +
    'A postponed game leaves the market open until it has been played; without a result it resolves 50-50.'
  );
}

/** A time such as `2026-10-08 02:00:00+00`. */
function spacedText(at: UnixMillis): string {
  return isoText(at).replace('T', ' ').replace('Z', '+00');
}

/** A date such as `2026-10-08`. */
export function dateText(at: UnixMillis): string {
  return isoText(at).slice(0, 'YYYY-MM-DD'.length);
}

/** `["Yes", "No"]`: with a space after each comma. */
function textOfList(texts: readonly string[]): string {
  return `[${texts.map(text => JSON.stringify(text)).join(', ')}]`;
}

function feesOf(market: VenueAMarket): object {
  const { listing } = market;
  const rate = Number(listing.fees.rate);
  const legacy = { makerBaseFee: legacyFeeBps(market), takerBaseFee: legacyFeeBps(market) };
  if (rate === 0) return { ...legacy, feesEnabled: false, feeType: null };
  return {
    ...legacy,
    feesEnabled: true,
    feeType: 'sports_fees_v2',
    feeSchedule: { exponent: listing.fees.exponent, rate, takerOnly: true, rebateRate: REBATE_RATE },
  };
}

/** An empty bid side has no `bestBid`; an empty ask side has the end of the price range. */
function quotesOf({ bestBid, bestAsk, lastYesPrice }: VenueAMarket): object {
  const [bid, ask] = [bestBid?.price ?? (0 as Ticks), bestAsk?.price ?? (TICKS_PER_DOLLAR as Ticks)];
  return {
    spread: Number(formatTicks((ask - bid) as Ticks)),
    ...(lastYesPrice === null ? {} : { lastTradePrice: Number(formatTicks(lastYesPrice)) }),
    ...(bestBid === null ? {} : { bestBid: Number(formatTicks(bid)) }),
    bestAsk: Number(formatTicks(ask)),
  };
}
