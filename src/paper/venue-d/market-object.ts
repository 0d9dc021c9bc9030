// Markets, groups and order books as venue D writes them (venues-c-d-e.md §2). Prices are JSON numbers, an empty side is 0.999 or 0.001,
// a pool's prices are in percent. Pure.

import {
  complementTicks,
  formatMicroShares,
  formatTicks,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { type SideLevel, tokenIdOf } from '../side-markets/living-book.ts';
import type { VenueDGroup, VenueDListing } from './markets.ts';

const NO_ASK = 9_990 as Ticks;
const NO_BID = 10 as Ticks;
const COLLATERAL = { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6, symbol: 'USDC' };
/** The least size in the unit of the venue's sizes, micro-shares. */
const MIN_SIZE = '100000000';
const MAX_SPREAD = '0.035';

export function marketObject(
  listing: VenueDListing,
  now: UnixMillis,
  marketType: 'single' | 'group' = 'single',
): object {
  const { slug, title, status, tradeType, outcomeNames, winner } = listing;
  return {
    slug,
    title,
    proxyTitle: null,
    status,
    hidden: false,
    ...deadline(listing, now),
    collateralToken: COLLATERAL,
    tokens: { yes: yesTokenOf(listing), no: tokenIdOf(`${slug} no`) },
    ...(outcomeNames === undefined ? {} : { outcomeTokens: outcomeNames }),
    ...(tradeType === 'amm' ? poolPrices(listing) : bookPrices(listing)),
    tradeType,
    marketType,
    winningOutcomeIndex: winner,
    volume: '0',
    volumeFormatted: '0.000000',
  };
}

/** A group has members, but no tokens or prices of its own. */
export function groupObject(group: VenueDGroup, now: UnixMillis): object {
  const { slug, title, members } = group;
  const markets = members.map(member => marketObject(member, now, 'group'));
  const common = { collateralToken: COLLATERAL, tradeType: 'clob', marketType: 'group', status: 'FUNDED' };
  return { slug, title, outcomeTokens: ['Yes', 'No'], ...deadline(group, now), ...common, markets };
}

/** The book of the YES token. */
export function bookObject(listing: VenueDListing): object {
  const { bids, asks } = listing.prices.book;
  const [bid, ask] = [bids[0]?.price ?? null, asks[0]?.price ?? null];
  const midpoint = bid === null || ask === null ? 0.5 : middleOf(bid, ask);
  return {
    bids: bids.map(level => levelObject(level, 'BUY')),
    asks: asks.map(level => levelObject(level, 'SELL')),
    tokenId: yesTokenOf(listing),
    adjustedMidpoint: midpoint,
    midpoint,
    maxSpread: MAX_SPREAD,
    minSize: MIN_SIZE,
    lastTradePrice: numberOf(listing.prices.centre),
  };
}

function levelObject({ price, size }: SideLevel, side: 'BUY' | 'SELL'): object {
  return { price: numberOf(price), size, side };
}

function yesTokenOf({ slug }: VenueDListing): string {
  return tokenIdOf(`${slug} yes`);
}

function deadline({ expiresAt }: { readonly expiresAt: UnixMillis }, now: UnixMillis): object {
  const shown = new Date(expiresAt).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  } as const);
  return { expirationDate: shown, expirationTimestamp: expiresAt, expired: now >= expiresAt };
}

function poolPrices({ prices }: VenueDListing): object {
  const inPercent = (price: Ticks): number => Number(formatMicroShares((price * 10_000) as never));
  return { prices: [inPercent(prices.centre), inPercent(complementTicks(prices.centre))] };
}

function bookPrices({ prices }: VenueDListing): object {
  const { bids, asks } = prices.book;
  const [bid, ask] = [bids[0]?.price ?? NO_BID, asks[0]?.price ?? NO_ASK];
  const both = (ofYes: Ticks, ofNo: Ticks): number[] => [numberOf(ofYes), numberOf(ofNo)];
  const buy = both(ask, complementTicks(bid));
  const sell = both(bid, complementTicks(ask));
  return {
    prices: [middleOf(bid, ask), middleOf(complementTicks(ask), complementTicks(bid))],
    tradePrices: { buy: { market: buy, limit: sell }, sell: { market: sell, limit: buy } },
  };
}

function middleOf(bid: Ticks, ask: Ticks): number {
  return Number(formatMicroShares(((bid + ask) * 50) as never));
}

function numberOf(price: Ticks): number {
  return Number(formatTicks(price));
}
