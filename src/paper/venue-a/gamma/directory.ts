// The small tables of Gamma (venue-a.md §7): sports, series, tags, teams. All of them are read out of the catalog's listings.
// Thread of the paper exchanges.

import type { Game, Team, VenueAEventListing, VenueASport, VenueATag } from '../../catalog/listings.ts';
import { abbreviationOf } from '../../catalog/schedule.ts';

/** Since when the paper venue lists what it always has. */
export const LISTED_SINCE = '2025-01-01T00:00:00Z';
/** Team ids count from here. */
const FIRST_TEAM_ID = 100_001;

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

/** Every tag that an event has, each once. */
export function tagsOf(events: readonly VenueAEventListing[]): VenueATag[] {
  return [...new Map(events.flatMap(event => event.tags).map(tag => [tag.id, tag])).values()];
}

export interface ListedTeam {
  readonly id: number;
  readonly team: Team;
  /** As in `VenueASport.sport`. */
  readonly league: string;
}

/** The teams of all games by league and code, numbered as they first appear. */
export class Teams {
  readonly #byKey = new Map<string, ListedTeam>();

  constructor(events: readonly VenueAEventListing[]) {
    for (const { game, sport } of events) {
      for (const team of [game.away, game.home]) this.#list(team, sport.sport);
    }
  }

  all(): ListedTeam[] {
    return [...this.#byKey.values()];
  }

  /** In the venue's order of the sport, each with its place in the game. */
  ofGame(game: Game, sport: VenueASport) {
    const sides = [
      { team: game.home, ordering: 'home' },
      { team: game.away, ordering: 'away' },
    ];
    if (sport.ordering === 'away') sides.reverse();
    return sides.map(({ team, ordering }) => ({ ...teamObject(this.#list(team, sport.sport)), ordering }));
  }

  #list(team: Team, league: string): ListedTeam {
    const key = `${league} ${team.code}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const listed = { id: FIRST_TEAM_ID + this.#byKey.size, team, league };
    this.#byKey.set(key, listed);
    return listed;
  }
}

export function teamObject({ id, team, league }: ListedTeam) {
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
