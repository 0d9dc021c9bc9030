// The season that the paper exchanges trade: games around a moment, listed on both venues. The same moment and seed give the
// same catalog. Made once at the start; pure.

import type { UnixMillis } from '../../domain/numbers.ts';
import { LEAGUES } from './leagues.ts';
import type { Catalog } from './listings.ts';
import { QuestionList } from './questions.ts';
import { fixturesAround } from './schedule.ts';
import { venueAEvents } from './venue-a-listings.ts';
import { venueBEvents } from './venue-b-listings.ts';

export interface CatalogOptions {
  readonly seed: number;
  /** Games are scheduled around it. */
  readonly now: UnixMillis;
  /** How long venue A holds marketable orders; 1 s, as it did late in 2026, by default. */
  readonly takerDelayS?: number;
}

export function createCatalog({ seed, now, takerDelayS = 1 }: CatalogOptions): Catalog {
  const fixtures = fixturesAround(now, seed);
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
