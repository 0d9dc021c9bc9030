// Filters and order of markets in a Gamma request (venue-a.md §7). Thread of the paper exchanges.

import type { VenueAMarket } from '../market.ts';
import { amountRange, isAmong, timeRange } from './event-filter.ts';
import { liquidityOf } from './market-object.ts';
import type { Query } from './query.ts';

export function marketMatches(query: Query): (market: VenueAMarket) => boolean {
  const ids = query.list('id');
  const slugs = query.list('slug');
  const tokens = query.list('clob_token_ids');
  const conditions = query.list('condition_ids');
  const questions = query.list('question_ids');
  const tagIds = query.list('tag_id');
  const types = query.list('sports_market_types');
  const gameIds = query.list('game_id');
  const isClosed = query.flag('closed');
  const isActive = query.flag('active');
  const isArchived = query.flag('archived');
  const inStart = timeRange(query, 'start_date');
  const inEnd = timeRange(query, 'end_date');
  const inLiquidity = amountRange(query, 'liquidity_num');
  const inVolume = amountRange(query, 'volume_num');
  return market => {
    const { listing, event } = market;
    return (
      isAmong(ids, listing.id) &&
      isAmong(slugs, listing.slug) &&
      (tokens === null || listing.tokens.some(token => tokens.has(token))) &&
      isAmong(conditions, listing.conditionId) &&
      isAmong(questions, listing.questionId) &&
      (tagIds === null || event.tags.some(tag => tagIds.has(tag.id))) &&
      isAmong(types, listing.sportsMarketType) &&
      isAmong(gameIds, String(event.gameId)) &&
      (isClosed === null || isClosed === (market.resolution !== null)) &&
      // Every market here is active, and none is archived.
      isActive !== false &&
      isArchived !== true &&
      inStart(listing.createdAt) &&
      inEnd(listing.endAt) &&
      inLiquidity(() => liquidityOf(market)) &&
      inVolume(() => market.volume)
    );
  };
}

/** Sort keys of markets; null for an unknown field. */
export function marketOrder(field: string): ((market: VenueAMarket) => number | string) | null {
  switch (field) {
    case 'id':
      return ({ listing }) => Number(listing.id);
    case 'slug':
      return ({ listing }) => listing.slug;
    case 'question':
      return ({ listing }) => listing.question;
    case 'startDate':
    case 'start_date':
    case 'createdAt':
      return ({ listing }) => listing.createdAt;
    case 'endDate':
    case 'end_date':
      return ({ listing }) => listing.endAt;
    case 'liquidity':
    case 'liquidityNum':
    case 'liquidity_num':
      return liquidityOf;
    case 'volume':
    case 'volumeNum':
    case 'volume_num':
      return ({ volume }) => volume;
    default:
      return null;
  }
}
