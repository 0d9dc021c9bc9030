// The season of the paper exchanges: games around the time of the start, then day by day, listed on both venues. The same time or day and
// the same seed give the same catalog. Pure.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { LEAGUES, QuestionList } from './leagues.ts';
import type { Catalog } from './listings.ts';
import { type Fixture, fixturesAround, fixturesOfDay } from './schedule.ts';
import { venueAEvents } from './venue-a-listings.ts';
import { venueBEvents } from './venue-b-listings.ts';

interface SeasonOptions {
  readonly seed: number;
  /** The seconds for which venue A holds marketable orders. The default is 1 s, as in late 2026. */
  readonly takerDelayS?: number;
}

interface CatalogOptions extends SeasonOptions {
  /** The time around which the games are scheduled. */
  readonly now: UnixMillis;
}

/** Makes the listings of the start: games in progress, those of the next day, and a few later ones. */
export function createCatalog({ seed, now, takerDelayS }: CatalogOptions): Catalog {
  return catalogOf(fixturesAround(now, seed), takerDelayS);
}

/** Makes the games of one day, counted in days since 1970. They depend neither on the start of the exchanges nor on other listings. */
export function catalogOfDay(day: number, { seed, takerDelayS }: SeasonOptions): Catalog {
  return catalogOf(fixturesOfDay(day, seed), takerDelayS);
}

/** Returns the catalog without the excluded games. */
export function onlyGames(
  { games, questions, venueA, venueB }: Catalog,
  isWanted: (gameId: string) => boolean,
): Catalog {
  return {
    games: games.filter(({ id }) => isWanted(id)),
    questions: questions.filter(({ game }) => isWanted(game)),
    venueA: { ...venueA, events: venueA.events.filter(({ game }) => isWanted(game.id)) },
    venueB: { ...venueB, events: venueB.events.filter(({ game }) => isWanted(game.id)) },
  };
}

function catalogOf(fixtures: readonly Fixture[], takerDelayS = 1): Catalog {
  const questions = new QuestionList();
  const eventsA = fixtures.flatMap(fixture => venueAEvents(fixture, questions, takerDelayS));
  const eventsB = fixtures.flatMap(fixture => venueBEvents(fixture, questions));
  const leagues = Object.values(LEAGUES);
  return {
    games: fixtures.map(({ game }) => game),
    questions: questions.all,
    venueA: { sports: leagues.map(({ venueA }) => venueA.sport), events: eventsA },
    venueB: {
      series: leagues.flatMap(({ venueB }) => [venueB.winner, venueB.spread, venueB.total].filter(it => it !== null)),
      events: eventsB,
    },
  };
}
