// Writes an event as Gamma shows it (venue-a.md §7): one game, its teams, its state and its markets. Sums over markets are computed in
// whole millionths. Thread of the paper exchanges.

import { ASK, BID } from '../../../core/domain/market.ts';
import {
  formatMicroShares,
  formatTicks,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { numberOf, positionsOf, tokenOf } from '../../catalog/identity.ts';
import type { Game, Team, VenueAEventListing, VenueASport, VenueATag } from '../../catalog/listings.ts';
import { abbreviationOf } from '../../catalog/schedule.ts';
import { costOfNo, yesCost } from '../../engine/engine-types.ts';
import type { Score } from '../../flow/game-model.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import { currentPrice, legacyFeeBps } from '../rest/market-views.ts';
import { dollarsText, isoText } from '../rest/route.ts';

/** The venue's name for the end of a game. */
const FINAL_PERIOD = 'VFT';

/** Returns the score of a game that has begun. Null means that the score is not known. */
export type ScoreOf = (gameId: string) => Score | null;

export interface EventView {
  readonly listing: VenueAEventListing;
  readonly markets: readonly VenueAMarket[];
}

export function eventView(exchange: VenueAExchange, listing: VenueAEventListing): EventView {
  return { listing, markets: listing.markets.flatMap(({ conditionId }) => exchange.markets.get(conditionId) ?? []) };
}

/** Returns the time at which the last market of the event closed. Null means that a market is still open. */
export function closedAt({ markets }: EventView): UnixMillis | null {
  let latest = 0;
  for (const { resolution } of markets) {
    if (resolution === null) return null;
    latest = Math.max(latest, resolution.at);
  }
  return latest === 0 ? null : (latest as UnixMillis);
}

function createdAt({ listing }: EventView): UnixMillis {
  return Math.min(...listing.markets.map(market => market.createdAt)) as UnixMillis;
}

function endAt({ listing }: EventView): UnixMillis {
  return Math.max(...listing.markets.map(market => market.endAt)) as UnixMillis;
}

function liquidityOfEvent({ markets }: EventView): MicroDollars {
  return markets.reduce((sum, market) => sum + liquidityOf(market), 0) as MicroDollars;
}

function volumeOfEvent({ markets }: EventView): MicroShares {
  return markets.reduce((sum, market) => sum + market.volume, 0) as MicroShares;
}

function openInterestOf({ markets }: EventView): MicroShares {
  return markets.reduce((sum, market) => sum + market.openInterest, 0) as MicroShares;
}

/** Writes the event without its markets, which is how a market shows its event. The period of a game appears only after its end. */
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

/** Writes a score such as `3-1`, in the order of the teams. */
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

/** Writes the condition id. A condition of Protocol V2 has 31 bytes here, but 32 in the CLOB. */
function conditionText({ protocol, conditionId }: VenueAMarket): string {
  return protocol === 'V2' ? conditionId.slice(0, '0x'.length + V2_CONDITION_DIGITS) : conditionId;
}

/**
 * Writes the ids of both protocols, which a market of either protocol has (venue-a.md §0.1). `version` says which of them trade. The other
 * ids have no book.
 */
function idsOf({ protocol, listing: { tokens, slug } }: VenueAMarket): object {
  if (protocol === 'V1')
    return { clobTokenIds: textOfList(tokens), positionIds: positionsOf('venue-a twin', slug).tokens };
  const twins = [tokenOf('venue-a twin', slug, '0'), tokenOf('venue-a twin', slug, '1')];
  return { clobTokenIds: textOfList(twins), positionIds: tokens };
}

/** Returns the money behind the resting orders. */
function liquidityOf(market: VenueAMarket): MicroDollars {
  let sum = 0;
  for (const { price, size } of market.levels(BID)) sum += yesCost(price, size);
  for (const { price, size } of market.levels(ASK)) sum += costOfNo(price, size);
  return sum as MicroDollars;
}

function descriptionOf({ listing, event }: VenueAMarket): string {
  const [first, second] = listing.outcomes;
  return (
    `${listing.question}\n\nResolves to “${first}” or “${second}” by the official result of ${event.title}. ` +
    'A postponed game leaves the market open until it has been played; without a result it resolves 50-50.'
  );
}

/** Writes a time such as `2026-10-08 02:00:00+00`. */
function spacedText(at: UnixMillis): string {
  return isoText(at).replace('T', ' ').replace('Z', '+00');
}

/** Writes a date such as `2026-10-08`. */
function dateText(at: UnixMillis): string {
  return isoText(at).slice(0, 'YYYY-MM-DD'.length);
}

/** Writes a list such as `["Yes", "No"]`, with a space after each comma. */
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

/** Writes the best prices. An empty bid side has no `bestBid`. An empty ask side has the end of the price range as `bestAsk`. */
function quotesOf({ bestBid, bestAsk, lastYesPrice }: VenueAMarket): object {
  const [bid, ask] = [bestBid?.price ?? (0 as Ticks), bestAsk?.price ?? (TICKS_PER_DOLLAR as Ticks)];
  return {
    spread: Number(formatTicks((ask - bid) as Ticks)),
    ...(lastYesPrice === null ? {} : { lastTradePrice: Number(formatTicks(lastYesPrice)) }),
    ...(bestBid === null ? {} : { bestBid: Number(formatTicks(bid)) }),
    bestAsk: Number(formatTicks(ask)),
  };
}

/** The time stamp of entries that the paper venue has from the beginning. */
const LISTED_SINCE = '2025-01-01T00:00:00Z';

function sportObject(sport: VenueASport) {
  return {
    id: sport.id,
    sport: sport.sport,
    name: sport.name,
    image: '',
    resolution: sport.resolution,
    ordering: sport.ordering,
    tags: sport.tags.join(','),
    primaryTagId: Number(sport.primaryTagId),
    series: sport.series,
    createdAt: LISTED_SINCE,
  };
}

function seriesObject(sport: VenueASport) {
  return {
    id: sport.series,
    ticker: sport.sport,
    slug: sport.sport,
    title: sport.name,
    seriesType: 'single',
    recurrence: 'daily',
    image: '',
    icon: '',
    layout: 'default',
    active: true,
    closed: false,
    archived: false,
    new: false,
    featured: false,
    restricted: true,
    createdAt: LISTED_SINCE,
    updatedAt: LISTED_SINCE,
    commentsEnabled: false,
    competitive: '0',
    commentCount: 0,
    requiresTranslation: false,
  };
}

export function tagObject(tag: VenueATag) {
  return {
    id: tag.id,
    label: tag.label,
    slug: tag.slug,
    forceShow: false,
    createdAt: LISTED_SINCE,
    updatedAt: LISTED_SINCE,
    requiresTranslation: false,
  };
}

interface ListedTeam {
  readonly id: number;
  readonly team: Team;
  /** The league of this sport, as named in `VenueASport.sport`. */
  readonly league: string;
}

/** Returns the teams in the order in which the venue names them in this sport, each with its place in the game. */
function teamsOfGame(game: Game, sport: VenueASport) {
  return sidesOf(sport).map(ordering => ({ ...teamObject(listedTeam(game[ordering], sport.sport)), ordering }));
}

/** Returns the sides of a game, beginning with the side that the venue names first. */
function sidesOf({ ordering }: VenueASport): readonly ['home', 'away'] | readonly ['away', 'home'] {
  return ordering === 'home' ? ['home', 'away'] : ['away', 'home'];
}

function listedTeam(team: Team, league: string): ListedTeam {
  return { id: numberOf(6, 'venue-a team', league, team.code, team.name), team, league };
}

function teamObject({ id, team, league }: ListedTeam) {
  return {
    id,
    name: team.name,
    league,
    record: '0-0',
    logo: '',
    abbreviation: abbreviationOf(team),
    alias: team.nickname,
    createdAt: LISTED_SINCE,
    updatedAt: LISTED_SINCE,
    providerId: id,
    color: '#000000',
  };
}
