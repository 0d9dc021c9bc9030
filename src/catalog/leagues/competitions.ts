// Competitions whose games can be matched between venues: names at the venues, teams, the meaning of dates, and differences in settlement.
// To add one, add a row here and a table of its teams. Facts of the leagues and of the venues' lists.

import type { TeamTable } from './team-table.ts';
import { CFL, MLB, NBA, NFL, NHL, WNBA } from './teams-america.ts';
import { COLLEGES } from './teams-college.ts';
import { BUNDESLIGA, CHAMPIONSHIP, EPL, EUROPE, LA_LIGA, LIGUE_1, SERIE_A } from './teams-europe.ts';
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

const [EASTERN, LONDON, PARIS] = ['America/New_York', 'Europe/London', 'Europe/Paris'] as const;

const POSTPONED =
  'A postponed game: venue_a leaves its market open until it is played; venue_b does so for two weeks at most. A game that is never played is 50-50 at venue_a and settles at a fair price at venue_b.';
const TIED = 'A tie: venue_a settles 50-50, venue_b at a fair price.';
const RETIRED =
  'A match that has begun goes to the side that advances at both venues. One that never begins is 50-50 at venue_a and settles at a fair price at venue_b.';
const REGULAR_TIME =
  'Winner, draw, spread and total are of 90 minutes and stoppage time; who advances includes extra time and penalties.';

const SPLITS = { hasSplitSquads: true } as const;
const TIES = { evenEnd: 'tie', notes: [TIED, POSTPONED] } as const;

/** Of leagues in America and of tours, the id is also the slug. */
export const COMPETITIONS: readonly Competition[] = [
  american('nba', 'NBA', BASKETBALL, NBA, 'KXNBA', SPLITS),
  american('wnba', 'WNBA', BASKETBALL, WNBA, 'KXWNBA'),
  american('cbb', 'College basketball', BASKETBALL, COLLEGES, 'KXNCAAMB'),
  american('cwbb', 'Women’s college basketball', BASKETBALL, COLLEGES, 'KXNCAAWB'),
  american('nfl', 'NFL', FOOTBALL, NFL, 'KXNFL', TIES),
  american('cfb', 'College football', FOOTBALL, COLLEGES, 'KXNCAAF'),
  american('cfl', 'CFL', FOOTBALL, CFL, 'KXCFL', TIES),
  american('nhl', 'NHL', HOCKEY, NHL, 'KXNHL', SPLITS),
  american('mlb', 'MLB', BASEBALL, MLB, 'KXMLB', { ...SPLITS, hasDoubleheaders: true }),
  soccer('epl', 'Premier League', EPL, LONDON, 'KXEPL'),
  soccer('mls', 'MLS', MLS, EASTERN, 'KXMLS'),
  soccer('championship', 'EFL Championship', CHAMPIONSHIP, LONDON, 'KXEFLCHAMPIONSHIP', 'elc'),
  soccer('la-liga', 'La Liga', LA_LIGA, 'Europe/Madrid', 'KXLALIGA', 'lal'),
  soccer('bundesliga', 'Bundesliga', BUNDESLIGA, 'Europe/Berlin', 'KXBUNDESLIGA', 'bun'),
  soccer('serie-a', 'Serie A', SERIE_A, 'Europe/Rome', 'KXSERIEA', 'sea'),
  soccer('ligue-1', 'Ligue 1', LIGUE_1, PARIS, 'KXLIGUE1', 'fl1'),
  soccer('ucl', 'Champions League', EUROPE, PARIS, 'KXUCL'),
  soccer('uel', 'Europa League', EUROPE, PARIS, 'KXUEL'),
  soccer('liga-mx', 'Liga MX', LIGA_MX, 'America/Mexico_City', 'KXLIGAMX', 'mex'),
  soccer('brasileirao', 'Brasileirão', BRASILEIRAO, 'America/Sao_Paulo', 'KXBRASILEIRO', 'bra'),
  soccer('fifa-world-cup', 'FIFA World Cup', NATIONS, EASTERN, 'KXWC', 'fifwc'),
  tennis('atp', 'ATP', 'KXATP'),
  tennis('wta', 'WTA', 'KXWTA'),
];

function american(
  slug: string,
  name: string,
  sport: Sport,
  teams: TeamTable,
  series: string,
  more: Partial<Competition> = {},
): Competition {
  const common = { zone: EASTERN, isHomeFirst: false, evenEnd: 'none', notes: [POSTPONED] } as const;
  return { id: slug, name, sport, teams, slug, series, ...common, ...more };
}

function soccer(id: string, name: string, teams: TeamTable, zone: string, series: string, slug = id): Competition {
  const notes = [REGULAR_TIME, POSTPONED];
  return { id, name, sport: SOCCER, teams, zone, isHomeFirst: true, evenEnd: 'draw', slug, series, notes };
}

function tennis(slug: string, name: string, series: string): Competition {
  const common = { sport: TENNIS, teams: null, zone: 'UTC', isHomeFirst: true, evenEnd: 'none' } as const;
  return { id: slug, name, ...common, slug, series, notes: [RETIRED] };
}

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
