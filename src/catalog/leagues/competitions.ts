// Competitions whose games can be matched between venues: names at the venues, teams, the meaning of dates, and differences in settlement.
// To add one, add a row here and a table of its teams. Facts of the leagues and of the venues' lists.

import type { TeamTable } from './team-table.ts';
import { MLB } from './teams-baseball.ts';
import { NBA, WNBA } from './teams-basketball.ts';
import { COLLEGES } from './teams-college.ts';
import { BUNDESLIGA, CHAMPIONSHIP, EPL, EUROPE, LA_LIGA, LIGUE_1, SERIE_A } from './teams-europe.ts';
import { CFL, NFL } from './teams-football.ts';
import { NHL } from './teams-hockey.ts';
import { BRASILEIRAO, LIGA_MX, MLS, NATIONS } from './teams-soccer.ts';

export interface Sport {
  readonly id: string;
  readonly name: string;
}

export interface Competition {
  readonly id: string;
  readonly name: string;
  readonly sport: Sport;
  /** Null: players, known by their names. */
  readonly teams: TeamTable | null;
  /** IANA zone of the calendar for the dates of games. */
  readonly zone: string;
  /** The order in titles, slugs and tickers. */
  readonly isHomeFirst: boolean;
  /** Before a season two teams may play each other at both homes on one day, each with half of its squad. */
  readonly hasSplitSquads?: true;
  /** The same opponents may play twice on a day; the clock tells the games apart. */
  readonly hasDoubleheaders?: true;
  /** `draw`: a third outcome; `tie`: rare, with a settlement of its own; `none`: one side always wins. */
  readonly evenEnd: 'draw' | 'tie' | 'none';
  /** First part of venue A's slugs. */
  readonly slug: string;
  /** First part of venue B's series; `GAME`, `SPREAD` or another word follows. */
  readonly series: string;
  /** Differences in settlement between the venues; shown with each market. */
  readonly notes: readonly string[];
}

const BASKETBALL: Sport = { id: 'basketball', name: 'Basketball' };
const FOOTBALL: Sport = { id: 'american-football', name: 'American football' };
const HOCKEY: Sport = { id: 'ice-hockey', name: 'Ice hockey' };
const BASEBALL: Sport = { id: 'baseball', name: 'Baseball' };
const SOCCER: Sport = { id: 'soccer', name: 'Soccer' };
const TENNIS: Sport = { id: 'tennis', name: 'Tennis' };

const EASTERN = 'America/New_York';

const POSTPONED =
  'A postponed game: venue_a leaves its market open until it is played; venue_b does so for two weeks at most. A game that is never played is 50-50 at venue_a and settles at a fair price at venue_b.';
const TIED = 'A tie: venue_a settles 50-50, venue_b at a fair price.';
const RETIRED =
  'A match that has begun goes to the side that advances at both venues. One that never begins is 50-50 at venue_a and settles at a fair price at venue_b.';
const REGULAR_TIME =
  'Winner, draw, spread and total are of 90 minutes and stoppage time; who advances includes extra time and penalties.';

const american = { zone: EASTERN, isHomeFirst: false, evenEnd: 'none', notes: [POSTPONED] } as const;
const splitting = { ...american, hasSplitSquads: true } as const;
const soccer = { sport: SOCCER, isHomeFirst: true, evenEnd: 'draw', notes: [REGULAR_TIME, POSTPONED] } as const;
const tennis = {
  sport: TENNIS,
  teams: null,
  zone: 'UTC',
  isHomeFirst: true,
  evenEnd: 'none',
  notes: [RETIRED],
} as const;

export const COMPETITIONS: readonly Competition[] = [
  { id: 'nba', name: 'NBA', sport: BASKETBALL, teams: NBA, slug: 'nba', series: 'KXNBA', ...splitting },
  { id: 'wnba', name: 'WNBA', sport: BASKETBALL, teams: WNBA, slug: 'wnba', series: 'KXWNBA', ...american },
  {
    id: 'cbb',
    name: 'College basketball',
    sport: BASKETBALL,
    teams: COLLEGES,
    slug: 'cbb',
    series: 'KXNCAAMB',
    ...american,
  },
  {
    id: 'cwbb',
    name: 'Women’s college basketball',
    sport: BASKETBALL,
    teams: COLLEGES,
    slug: 'cwbb',
    series: 'KXNCAAWB',
    ...american,
  },
  {
    id: 'nfl',
    name: 'NFL',
    sport: FOOTBALL,
    teams: NFL,
    slug: 'nfl',
    series: 'KXNFL',
    ...american,
    evenEnd: 'tie',
    notes: [TIED, POSTPONED],
  },
  {
    id: 'cfb',
    name: 'College football',
    sport: FOOTBALL,
    teams: COLLEGES,
    slug: 'cfb',
    series: 'KXNCAAF',
    ...american,
  },
  {
    id: 'cfl',
    name: 'CFL',
    sport: FOOTBALL,
    teams: CFL,
    slug: 'cfl',
    series: 'KXCFL',
    ...american,
    evenEnd: 'tie',
    notes: [TIED, POSTPONED],
  },
  { id: 'nhl', name: 'NHL', sport: HOCKEY, teams: NHL, slug: 'nhl', series: 'KXNHL', ...splitting },
  {
    id: 'mlb',
    name: 'MLB',
    sport: BASEBALL,
    teams: MLB,
    slug: 'mlb',
    series: 'KXMLB',
    ...splitting,
    hasDoubleheaders: true,
  },
  { id: 'epl', name: 'Premier League', teams: EPL, zone: 'Europe/London', slug: 'epl', series: 'KXEPL', ...soccer },
  { id: 'mls', name: 'MLS', teams: MLS, zone: EASTERN, slug: 'mls', series: 'KXMLS', ...soccer },
  {
    id: 'championship',
    name: 'EFL Championship',
    teams: CHAMPIONSHIP,
    zone: 'Europe/London',
    slug: 'elc',
    series: 'KXEFLCHAMPIONSHIP',
    ...soccer,
  },
  { id: 'la-liga', name: 'La Liga', teams: LA_LIGA, zone: 'Europe/Madrid', slug: 'lal', series: 'KXLALIGA', ...soccer },
  {
    id: 'bundesliga',
    name: 'Bundesliga',
    teams: BUNDESLIGA,
    zone: 'Europe/Berlin',
    slug: 'bun',
    series: 'KXBUNDESLIGA',
    ...soccer,
  },
  { id: 'serie-a', name: 'Serie A', teams: SERIE_A, zone: 'Europe/Rome', slug: 'sea', series: 'KXSERIEA', ...soccer },
  { id: 'ligue-1', name: 'Ligue 1', teams: LIGUE_1, zone: 'Europe/Paris', slug: 'fl1', series: 'KXLIGUE1', ...soccer },
  { id: 'ucl', name: 'Champions League', teams: EUROPE, zone: 'Europe/Paris', slug: 'ucl', series: 'KXUCL', ...soccer },
  { id: 'uel', name: 'Europa League', teams: EUROPE, zone: 'Europe/Paris', slug: 'uel', series: 'KXUEL', ...soccer },
  {
    id: 'liga-mx',
    name: 'Liga MX',
    teams: LIGA_MX,
    zone: 'America/Mexico_City',
    slug: 'mex',
    series: 'KXLIGAMX',
    ...soccer,
  },
  {
    id: 'brasileirao',
    name: 'Brasileirão',
    teams: BRASILEIRAO,
    zone: 'America/Sao_Paulo',
    slug: 'bra',
    series: 'KXBRASILEIRO',
    ...soccer,
  },
  {
    id: 'fifa-world-cup',
    name: 'FIFA World Cup',
    teams: NATIONS,
    zone: EASTERN,
    slug: 'fifwc',
    series: 'KXWC',
    ...soccer,
  },
  { id: 'atp', name: 'ATP', slug: 'atp', series: 'KXATP', ...tennis },
  { id: 'wta', name: 'WTA', slug: 'wta', series: 'KXWTA', ...tennis },
];

/** Each once. */
export const SPORTS: readonly Sport[] = [...new Set(COMPETITIONS.map(({ sport }) => sport))];

const BY_SLUG = new Map(COMPETITIONS.map(it => [it.slug, it]));
const BY_SERIES = new Map(COMPETITIONS.map(it => [it.series, it]));

export function competitionOfSlug(slug: string): Competition | null {
  return BY_SLUG.get(slug) ?? null;
}

/** The competition of a series, and the rest of its name: `KXNBASPREAD` → NBA, `SPREAD`. */
export function competitionOfSeries<Word extends string>(
  series: string,
  words: readonly Word[],
): { readonly competition: Competition; readonly word: Word } | null {
  for (const word of words) {
    const competition = series.endsWith(word) ? BY_SERIES.get(series.slice(0, -word.length)) : undefined;
    if (competition !== undefined) return { competition, word };
  }
  return null;
}
