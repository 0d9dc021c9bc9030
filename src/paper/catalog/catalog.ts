// The season that the paper exchanges trade: games around the moment at which they open, and then day by day, listed on both
// venues. The same moment or day and the same seed give the same catalog. Pure.

import type { UnixMillis } from '../../domain/numbers.ts';
import { LEAGUES } from './leagues.ts';
import type { Catalog } from './listings.ts';
import { QuestionList } from './questions.ts';
import { type Fixture, fixturesAround, fixturesOfDay } from './schedule.ts';
import { venueAEvents } from './venue-a-listings.ts';
import { venueBEvents } from './venue-b-listings.ts';

interface SeasonOptions {
  readonly seed: number;
  /** How long venue A holds marketable orders; 1 s, as it did late in 2026, by default. */
  readonly takerDelayS?: number;
}

interface CatalogOptions extends SeasonOptions {
  /** Games are scheduled around it. */
  readonly now: UnixMillis;
}

/** What there is to trade when the exchanges open: games under way, those of the next day, and a few later ones. */
export function createCatalog({ seed, now, takerDelayS }: CatalogOptions): Catalog {
  return catalogOf(fixturesAround(now, seed), takerDelayS);
}

/** The games of one day, given as days since 1970. It matters to them neither when the exchanges have opened nor what else is listed. */
export function catalogOfDay(day: number, { seed, takerDelayS }: SeasonOptions): Catalog {
  return catalogOf(fixturesOfDay(day, seed), takerDelayS);
}

/** Without the games that are not wanted. */
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
