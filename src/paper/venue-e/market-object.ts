// Markets, groups and order books as venue E writes them (venues-c-d-e.md §3). Times are in seconds, prices and sizes decimal text. A
// market has no price, and a group's members have no type and no date. Pure.

import { complementTicks, formatMicroShares, formatTicks, type UnixMillis } from '../../core/domain/numbers.ts';
import { type SideLevel, tokenIdOf } from '../side-markets/living-book.ts';
import { STATUS_NAMES, type VenueEGroupListing, type VenueEListing } from './markets.ts';

const CHAIN_ID = '56';
const QUOTE_TOKEN = '0x55d398326f99059fF775485246999027B3197955';

export function marketObject(listing: VenueEListing): object {
  return { ...memberObject(listing), marketType: 0 };
}

function memberObject(listing: VenueEListing): object {
  const { marketId, title, status, cutoffAt, hasYesWon } = listing;
  const [yesTokenId, noTokenId] = [tokenOf(listing, true), tokenOf(listing, false)];
  return {
    chainId: CHAIN_ID,
    marketId,
    marketTitle: title,
    status,
    statusEnum: STATUS_NAMES[status],
    yesLabel: 'YES',
    noLabel: 'NO',
    yesTokenId,
    noTokenId,
    conditionId: '',
    questionId: questionIdOf(listing),
    quoteToken: QUOTE_TOKEN,
    cutoffAt: secondsOf(cutoffAt),
    resolvedAt: hasYesWon === null ? 0 : secondsOf(cutoffAt),
    resultTokenId: hasYesWon === null ? '' : tokenOf(listing, hasYesWon),
    rules: '',
    volume: '0',
  };
}

/** A group's labels and tokens are empty. */
export function groupObject({ marketId, title, cutoffAt, members }: VenueEGroupListing): object {
  return {
    chainId: CHAIN_ID,
    marketId,
    marketTitle: title,
    marketType: 1,
    status: 2,
    statusEnum: STATUS_NAMES[2],
    yesLabel: '',
    noLabel: '',
    yesTokenId: '',
    noTokenId: '',
    conditionId: '',
    questionId: '',
    resultTokenId: '',
    quoteToken: QUOTE_TOKEN,
    cutoffAt: secondsOf(cutoffAt),
    resolvedAt: 0,
    rules: '',
    volume: '0',
    childMarkets: members.map(memberObject),
  };
}

/** The NO token's book is the mirror. `market` is the id of the question, not of the condition. */
export function bookObject(listing: VenueEListing, isYes: boolean, now: UnixMillis): object {
  const { bids, asks } = listing.prices.book;
  const [ownBids, ownAsks] = isYes ? [bids, asks] : [asks.map(mirrored), bids.map(mirrored)];
  return {
    market: questionIdOf(listing),
    tokenId: tokenOf(listing, isYes),
    timestamp: now,
    bids: ownBids.map(levelObject),
    asks: ownAsks.map(levelObject),
  };
}

export function tokenOf({ marketId }: VenueEListing, isYes: boolean): string {
  return tokenIdOf(`venue E ${marketId} ${isYes ? 'yes' : 'no'}`);
}

function questionIdOf({ marketId }: VenueEListing): string {
  return BigInt(tokenIdOf(`venue E ${marketId} question`))
    .toString(16)
    .padStart(64, '0');
}

function mirrored({ price, size }: SideLevel): SideLevel {
  return { price: complementTicks(price), size };
}

function levelObject({ price, size }: SideLevel): object {
  return { price: formatTicks(price), size: formatMicroShares(size) };
}

function secondsOf(time: UnixMillis | 0): number {
  return Math.floor(time / 1_000);
}
