// The leagues: venue A's sport and tags, and venue B's series, competitions and fees. They also have the shape of a game: its length,
// points and lines. The facts are from the venues' own lists (venue-a.md §7, venue-b.md §8).

import { readFileSync } from 'node:fs';
import { MINUTE_MS } from '../../core/domain/durations.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Game, PricedBy, Question, Team, VenueASport, VenueATag, VenueBSeries } from './listings.ts';

export interface League {
  readonly code: LeagueCode;
  /** The word for a game in venue B's rules: `Game` or `match`. */
  readonly contest: string;
  /** The name in venue B's sports filters: `Pro Basketball (M)`. */
  readonly competition: string;
  /** The key of a team in `custom_strike`: `basketball_team`. */
  readonly strikeKey: string;
  /** Whether a game can end in a draw, which is then a market of its own. */
  readonly hasDraw: boolean;
  /** Whether the home team comes first in titles and tickers. */
  readonly isHomeFirst: boolean;
  /** Whether venue B's tickers have a clock, because some days have two games of the same teams. */
  readonly hasClockInTicker: boolean;
  /** The unit of the score: `points`. */
  readonly unit: string;
  readonly venueA: { readonly sport: VenueASport; readonly tags: readonly VenueATag[] };
  readonly venueB: {
    readonly winner: VenueBSeries;
    /** The series of the spreads. Null means that this league has winner markets only. */
    readonly spread: VenueBSeries | null;
    readonly total: VenueBSeries | null;
  };
  readonly lengthMs: number;
  /** The expected points of the home and away side, and the deviation of their difference. */
  readonly scoring: { readonly home: number; readonly away: number; readonly deviation: number };
  /** The distance between neighbouring lines. */
  readonly lineSteps: { readonly spread: number; readonly total: number };
}

const SPORTS: VenueATag = { id: '1', label: 'Sports', slug: 'sports' };
const GAMES: VenueATag = { id: '100639', label: 'Games', slug: 'games' };
const TENNIS = ['864', 'Tennis'] as const;

export const LEAGUES: Readonly<Record<LeagueCode, League>> = {
  nba: {
    ...teamLeague('nba', 'Basketball', 'Pro Basketball', 'Pro Basketball (M)'),
    venueA: venueA('nba', 34, '10345', 'away', 'https://www.nba.com/', '745', ['28', 'Basketball']),
    lengthMs: 150 * MINUTE_MS,
    lineSteps: { spread: 3, total: 3 },
    scoring: { home: 115, away: 112.5, deviation: 13.5 },
  },
  nfl: {
    ...teamLeague('nfl', 'Football', 'Pro Football', 'Pro Football'),
    venueA: venueA('nfl', 10, '10187', 'away', 'https://www.nfl.com/', '450', ['10', 'Football']),
    lengthMs: 190 * MINUTE_MS,
    lineSteps: { spread: 3, total: 3 },
    scoring: { home: 23.5, away: 21.5, deviation: 13.4 },
  },
  nhl: {
    ...teamLeague('nhl', 'Hockey', 'Pro Hockey', 'Pro Hockey'),
    unit: 'goals',
    venueA: venueA('nhl', 35, '10346', 'away', 'https://www.nhl.com/', '899', ['100088', 'Hockey']),
    lengthMs: 150 * MINUTE_MS,
    lineSteps: { spread: 1, total: 1 },
    scoring: { home: 3.2, away: 2.95, deviation: 2.4 },
  },
  mlb: {
    ...teamLeague('mlb', 'Baseball', 'Pro Baseball', 'Pro Baseball', '0.5'),
    unit: 'runs',
    hasClockInTicker: true,
    venueA: venueA('mlb', 8, '3', 'away', 'https://www.mlb.com/', '100381', ['678', 'baseball']),
    lengthMs: 165 * MINUTE_MS,
    lineSteps: { spread: 1, total: 1 },
    scoring: { home: 4.6, away: 4.35, deviation: 2.8 },
  },
  epl: {
    ...teamLeague('epl', 'Soccer', 'EPL', 'EPL'),
    contest: 'EPL soccer game',
    unit: 'goals',
    hasDraw: true,
    isHomeFirst: true,
    venueA: venueA('epl', 2, '10188', 'home', 'https://www.premierleague.com/', '306', ['100350', 'Soccer']),
    lengthMs: 112 * MINUTE_MS,
    lineSteps: { spread: 1, total: 1 },
    scoring: { home: 1.6, away: 1.25, deviation: 1.65 },
  },
  atp: {
    ...tennis('atp', 'ATP', 'ATP Finals'),
    venueA: venueA('atp', 45, '10365', 'home', 'https://www.atptour.com/en/scores/current', '101232', TENNIS),
  },
  wta: {
    ...tennis('wta', 'WTA', 'WTA Finals'),
    venueA: venueA('wta', 46, '10366', 'home', 'https://www.wtatennis.com/scores', '102123', TENNIS),
  },
};

/** Makes a league of team sport. Baseball has half the fees of the others. */
function teamLeague(code: LeagueCode, sport: string, title: string, competition: string, feeMultiplier = '1') {
  const series = (name: string, feeType: VenueBSeries['feeType']): VenueBSeries => ({
    ...sportSeries(sport),
    feeMultiplier,
    ticker: `KX${code}${name}`.toUpperCase(),
    title: `${title} ${name}`,
    feeType,
  });
  return {
    code,
    competition,
    hasDraw: false,
    isHomeFirst: false,
    hasClockInTicker: false,
    unit: 'points',
    contest: `professional ${sport.toLowerCase()} game`,
    strikeKey: `${sport.toLowerCase()}_team`,
    venueB: {
      winner: series('Game', 'quadratic_with_maker_fees'),
      spread: series('Spread', 'quadratic'),
      total: series('Total', 'quadratic'),
    },
  };
}

/** Makes a tennis league. Its points are games won. Here a match goes to the side that wins more games. */
function tennis(code: LeagueCode, tour: string, competition: string) {
  const named = { ticker: `KX${tour}MATCH`, title: `${tour} Tennis Match` };
  const winner: VenueBSeries = { ...named, ...sportSeries('Tennis'), feeType: 'quadratic' };
  return {
    code,
    competition,
    hasDraw: false,
    isHomeFirst: true,
    hasClockInTicker: false,
    unit: 'games',
    contest: 'professional tennis match',
    strikeKey: 'tennis_competitor',
    venueB: { winner, spread: null, total: null },
    lengthMs: 110 * MINUTE_MS,
    scoring: { home: 12, away: 12, deviation: 3.8 },
    lineSteps: { spread: 1, total: 1 },
  };
}

function sportSeries(sport: string) {
  return { category: 'Sports', tags: [sport], frequency: 'custom', feeMultiplier: '1' };
}

/** Makes venue A's sport. `tagId` is the tag of the league; `discipline` has the id and label of another tag. */
function venueA(
  sport: LeagueCode,
  id: number,
  series: string,
  ordering: VenueASport['ordering'],
  resolution: string,
  tagId: string,
  [disciplineId, discipline]: readonly [id: string, label: string],
): League['venueA'] {
  const name = sport.toUpperCase();
  const tags = [
    SPORTS,
    GAMES,
    { id: tagId, label: name, slug: sport },
    { id: disciplineId, label: discipline, slug: discipline.toLowerCase() },
  ];
  const ids = tags.map(tag => tag.id);
  return { sport: { id, sport, name, series, ordering, resolution, tags: ids, primaryTagId: tagId }, tags };
}

export type LeagueCode = 'nba' | 'nfl' | 'nhl' | 'mlb' | 'epl' | 'atp' | 'wta';

/**
 * A row of a team. The full name and venue A's abbreviation follow from the other fields if they are absent. Venue A uses full names for
 * clubs of baseball and soccer. The place of a player is the surname, because venue B's titles have no more. A player's code is the first
 * letters of the surname. So brothers share a code, and the younger brother has a key of his own. Tien's code is also the end of venue B's
 * tickers for draws.
 */
type Row = readonly [
  code: string,
  place: string,
  nickname: string,
  name?: string | null,
  abbreviation?: string,
  key?: string,
];

const ROWS: Readonly<Record<LeagueCode, readonly Row[]>> = JSON.parse(
  readFileSync(new URL('teams.json', import.meta.url), 'utf8'),
);

/** The teams by league and key. The key is the code as a rule. A player with another key plays at the opening only. */
export const TEAMS: Readonly<Record<LeagueCode, ReadonlyMap<string, Team>>> = {
  nba: tableOf('nba'),
  nfl: tableOf('nfl'),
  nhl: tableOf('nhl'),
  mlb: tableOf('mlb'),
  epl: tableOf('epl'),
  atp: tableOf('atp'),
  wta: tableOf('wta'),
};

function tableOf(league: LeagueCode): Map<string, Team> {
  return new Map(ROWS[league].map(row => [row[5] ?? row[0], teamOf(row)]));
}

function teamOf([code, place, nickname, name, abbreviation]: Row): Team {
  const team = { code, place, nickname, name: name ?? `${place} ${nickname}` };
  return abbreviation === undefined ? team : { ...team, abbreviation };
}

type Statement = Question['statement'];

type Place = 'home' | 'away';

export interface SpreadLine {
  readonly team: Place;
  /** The team wins by more than this. */
  readonly points: number;
}

export class QuestionList {
  readonly #byId = new Map<string, Question>();

  get all(): readonly Question[] {
    return [...this.#byId.values()];
  }

  /** Returns what prices a winner market. Without draws one question serves both teams: does the home team win? */
  winner(league: League, game: Game, team: Place): PricedBy {
    if (league.hasDraw || team === 'home') return this.#ask(game, { kind: 'wins', team });
    return { ...this.#ask(game, { kind: 'wins', team: 'home' }), isComplement: true };
  }

  drawPrices(game: Game): PricedBy {
    return this.#ask(game, { kind: 'draw' });
  }

  spread(game: Game, { team, points }: SpreadLine): PricedBy {
    return this.#ask(game, { kind: 'spread', team, points });
  }

  total(game: Game, points: number): PricedBy {
    return this.#ask(game, { kind: 'total', points });
  }

  #ask(game: Game, statement: Statement): PricedBy {
    const question = `${game.id}:${wordsOf(statement)}`;
    if (!this.#byId.has(question)) this.#byId.set(question, { id: question, game: game.id, statement });
    return { question, isComplement: false };
  }
}

/** Returns the lines of the spreads. Venue A offers three of venue B's lines. */
export function spreadLines({ lineSteps }: League, { strength }: Game): { all: SpreadLine[]; main: SpreadLine[] } {
  const margin = strength.home - strength.away;
  const [favourite, underdog]: [Place, Place] = margin >= 0 ? ['home', 'away'] : ['away', 'home'];
  const middle = Math.max(1.5, Math.floor(Math.abs(margin)) + 0.5);
  const main = [-1, 0, 1].map(step => middle + step * lineSteps.spread).filter(points => points >= 1.5);
  const lines = (team: Place, points: readonly number[]) => points.map(it => ({ team, points: it }));
  return {
    main: lines(favourite, main),
    all: [
      ...lines(favourite, [...main, middle + 2 * lineSteps.spread].reverse()),
      ...lines(underdog, [1.5, 1.5 + lineSteps.spread]),
    ],
  };
}

export function totalLines({ lineSteps }: League, { strength }: Game): { all: number[]; main: number[] } {
  const middle = Math.floor(strength.home + strength.away) + 0.5;
  const around = (steps: readonly number[]) =>
    steps.map(step => middle + step * lineSteps.total).filter(points => points > 0);
  return { main: around([-1, 0, 1]), all: around([-2, -1, 0, 1, 2]) };
}

function wordsOf(statement: Statement): string {
  switch (statement.kind) {
    case 'wins':
      return `${statement.team}-wins`;
    case 'draw':
      return 'draw';
    case 'spread':
      return `${statement.team}-by-${statement.points}`;
    case 'total':
      return `over-${statement.points}`;
    default:
      return unreachable(statement);
  }
}
