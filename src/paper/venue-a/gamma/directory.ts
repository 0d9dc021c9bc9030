// Gamma's small tables (venue-a.md §7): sports, series, tags, teams. All derive from the catalog's listings. Thread of the
// paper exchanges.

import { numberOf } from '../../catalog/identity.ts';
import type { Game, Team, VenueASport, VenueATag } from '../../catalog/listings.ts';
import { abbreviationOf } from '../../catalog/schedule.ts';

/** Time stamp of permanent entries of the paper venue. */
const LISTED_SINCE = '2025-01-01T00:00:00Z';

export function sportObject(sport: VenueASport) {
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

export function seriesObject(sport: VenueASport) {
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

export interface ListedTeam {
  readonly id: number;
  readonly team: Team;
  /** The league of `VenueASport.sport`. */
  readonly league: string;
}

/** Teams in the venue's order of the sport, each with its place in the game. */
export function teamsOfGame(game: Game, sport: VenueASport) {
  return sidesOf(sport).map(ordering => ({ ...teamObject(listedTeam(game[ordering], sport.sport)), ordering }));
}

/** The side that the venue names first. */
export function sidesOf({ ordering }: VenueASport): readonly ['home', 'away'] | readonly ['away', 'home'] {
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
