// An event as Gamma shows it (venue-a.md §7): one game, its teams, and its state. Sums over markets are computed in whole millionths.
// Thread of the paper exchanges.

import {
  formatMicroShares,
  type MicroDollars,
  type MicroShares,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import type { VenueAEventListing, VenueASport } from '../../catalog/listings.ts';
import type { Score } from '../../flow/outcome-odds.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import { dollarsText, isoText } from '../rest/decimal-text.ts';
import { seriesObject, sidesOf, sportObject, tagObject, teamsOfGame } from './directory.ts';
import { dateText, descriptionOf, liquidityOf, marketObject } from './market-object.ts';

/** The venue's name for the end of a game. */
const FINAL_PERIOD = 'VFT';

/** Score of a game that has begun; null if unknown. */
export type ScoreOf = (gameId: string) => Score | null;

export interface EventView {
  readonly listing: VenueAEventListing;
  readonly markets: readonly VenueAMarket[];
}

export function eventView(exchange: VenueAExchange, listing: VenueAEventListing): EventView {
  return { listing, markets: listing.markets.flatMap(({ conditionId }) => exchange.markets.get(conditionId) ?? []) };
}

/** Null while a market of the event is open. */
export function closedAt({ markets }: EventView): UnixMillis | null {
  let latest = 0;
  for (const { resolution } of markets) {
    if (resolution === null) return null;
    latest = Math.max(latest, resolution.at);
  }
  return latest === 0 ? null : (latest as UnixMillis);
}

export function createdAt({ listing }: EventView): UnixMillis {
  return Math.min(...listing.markets.map(market => market.createdAt)) as UnixMillis;
}

export function endAt({ listing }: EventView): UnixMillis {
  return Math.max(...listing.markets.map(market => market.endAt)) as UnixMillis;
}

export function liquidityOfEvent({ markets }: EventView): MicroDollars {
  return markets.reduce((sum, market) => sum + liquidityOf(market), 0) as MicroDollars;
}

export function volumeOfEvent({ markets }: EventView): MicroShares {
  return markets.reduce((sum, market) => sum + market.volume, 0) as MicroShares;
}

function openInterestOf({ markets }: EventView): MicroShares {
  return markets.reduce((sum, market) => sum + market.openInterest, 0) as MicroShares;
}

/** The event without its markets, as a market shows its event. The period of a game appears only after its end. */
export function bareEventObject(view: EventView, score: Score | null, now: UnixMillis) {
  const { listing, markets } = view;
  const { game, sport } = listing;
  const at = closedAt(view);
  const endsAt = (game.startsAt + game.lengthMs) as UnixMillis;
  const liquidity = Number(dollarsText(liquidityOfEvent(view)));
  const volume = Number(formatMicroShares(volumeOfEvent(view)));
  const changedAt = Math.max(createdAt(view), ...markets.map(market => market.bookAt), at ?? 0) as UnixMillis;
  return {
    id: listing.id,
    ticker: listing.slug,
    slug: listing.slug,
    title: listing.title,
    description: markets[0] === undefined ? listing.title : descriptionOf(markets[0]),
    resolutionSource: sport.resolution,
    startDate: isoText(createdAt(view)),
    creationDate: isoText(createdAt(view)),
    endDate: isoText(endAt(view)),
    image: '',
    icon: '',
    active: true,
    closed: at !== null,
    archived: false,
    new: false,
    featured: false,
    restricted: true,
    liquidity,
    volume,
    openInterest: Number(formatMicroShares(openInterestOf(view))),
    createdAt: isoText(createdAt(view)),
    updatedAt: isoText(changedAt),
    enableOrderBook: true,
    liquidityClob: liquidity,
    negRisk: listing.negRiskMarketId !== null,
    ...(listing.negRiskMarketId === null ? {} : { negRiskMarketID: listing.negRiskMarketId }),
    enableNegRisk: listing.negRiskMarketId !== null,
    negRiskAugmented: false,
    commentCount: 0,
    cyom: false,
    ...(at === null ? {} : { closedTime: isoText(at) }),
    showAllOutcomes: true,
    showMarketImages: false,
    automaticallyActive: true,
    ...(at === null ? {} : { automaticallyResolved: true }),
    eventDate: /\d{4}-\d\d-\d\d/.exec(listing.slug)?.[0] ?? dateText(game.startsAt),
    startTime: isoText(game.startsAt),
    seriesSlug: sport.sport,
    live: now >= game.startsAt && now < endsAt,
    ended: now >= endsAt,
    ...(score === null ? {} : { score: scoreText(score, sport) }),
    ...(now >= endsAt ? { period: FINAL_PERIOD, finishedTimestamp: isoText(endsAt) } : {}),
    pendingDeployment: false,
    deploying: false,
    gameId: listing.gameId,
    teams: teamsOfGame(game, sport),
    requiresTranslation: false,
    version: 'v1',
  };
}

/** `3-1`, in the order of teams. */
function scoreText(score: Score, sport: VenueASport): string {
  const [first, second] = sidesOf(sport);
  return `${score[first]}-${score[second]}`;
}

export function eventObject(view: EventView, score: Score | null, now: UnixMillis) {
  const { listing, markets } = view;
  return {
    ...bareEventObject(view, score, now),
    markets: markets.map(marketObject),
    series: [seriesObject(listing.sport)],
    tags: listing.tags.map(tagObject),
    sport: sportObject(listing.sport),
  };
}
