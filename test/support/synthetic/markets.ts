// The invented sports markets of the synthetic session: names in the venues' real shapes, and ids that no venue has. The markets do not
// depend on the seed, so that a note or a test may cite them. For tests.

import { createHash } from 'node:crypto';
import type { Ticks } from '../../../src/core/domain/numbers.ts';
import type { VenueAFacts } from '../../../src/paper/replay/venue-a-book.ts';
import type { VenueBListing } from '../replay/venue-b-server.ts';

/** One question whose probability all of its markets follow. */
interface Question {
  /** The log-odds of its first outcome before the game. The log-odds return to this value. */
  readonly logOdds: number;
  readonly venueA: VenueAFacts;
  readonly venueB: readonly SyntheticListing[];
}

/** A venue B market of a question. */
export interface SyntheticListing {
  readonly listing: VenueBListing;
  readonly marketId: string;
  /** Whether YES is the question's first outcome. Otherwise YES is the second outcome. */
  readonly isFirst: boolean;
}

const CENT = '0.0100';
const DECI_CENT = '0.0010';
/** All books are quoted on whole cents, but one market's grid is finer at its edges, as for many real markets. */
export const VENUE_B_STEP = 100 as Ticks;

export const QUESTIONS: readonly Question[] = [
  game('NBA', '26NOV21', ['BOS', 'Boston'], ['LAL', 'Los Angeles L'], 0.35, false),
  game('NBA', '26NOV21', ['NYK', 'New York'], ['MIA', 'Miami'], 0.1, false),
  game('NFL', '26NOV22', ['KC', 'Kansas City'], ['BUF', 'Buffalo'], -0.2, true),
  {
    logOdds: 0,
    venueA: facts('nba-bos-lal-2026-11-21-total-221pt5', ['Over', 'Under'], '0.001'),
    venueB: [],
  },
];

type Team = readonly [code: string, name: string];

function game(league: string, date: string, away: Team, home: Team, logOdds: number, isTapered: boolean): Question {
  const event = `KX${league}GAME-${date}${away[0]}${home[0]}`;
  return {
    logOdds,
    venueA: facts(event.toLowerCase(), [away[1], home[1]], '0.01'),
    venueB: [away, home].map(([code], index) => ({
      listing: { ticker: `${event}-${code}`, priceRanges: grid(isTapered) },
      marketId: uuidOf(`${event}-${code}`),
      isFirst: index === 0,
    })),
  };
}

function grid(isTapered: boolean): VenueBListing['priceRanges'] {
  if (!isTapered) return [{ start: '0.0000', end: '1.0000', step: CENT }];
  return [
    { start: '0.0000', end: '0.1000', step: DECI_CENT },
    { start: '0.1000', end: '0.9000', step: CENT },
    { start: '0.9000', end: '1.0000', step: DECI_CENT },
  ];
}

function facts(name: string, outcomes: readonly [string, string], tickSize: string): VenueAFacts {
  return {
    conditionId: `0x${digest(name)}`,
    tokens: [tokenOf(`${name} first`), tokenOf(`${name} second`)],
    outcomes,
    minOrderSize: '5',
    tickSize,
    negRisk: false,
  };
}

/** Makes a token id of 77 decimal digits, as most token ids have. */
function tokenOf(name: string): string {
  const lowest = 10n ** 76n;
  return (lowest + (BigInt(`0x${digest(name)}`) % (9n * lowest))).toString();
}

function uuidOf(name: string): string {
  return digest(name).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function digest(name: string): string {
  return createHash('sha256').update(`crossbook synthetic ${name}`).digest('hex');
}
