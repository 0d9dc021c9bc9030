// The leagues: venue A's sport and tags; venue B's series, competitions and fees; and the shape of a game: length, points, lines. Facts
// from the venues' own lists (venue-a.md §7, venue-b.md §8).

import { MINUTE_MS } from '../../domain/durations.ts';
import type { VenueASport, VenueATag, VenueBSeries } from './listings.ts';
import type { LeagueCode } from './teams.ts';

export interface League {
  readonly code: LeagueCode;
  /** `Pro Basketball`, as in venue B's titles. */
  readonly title: string;
  /** `Game` or `match`, in venue B's rules. */
  readonly contest: string;
  /** As in venue B's sports filters: `Pro Basketball (M)`. */
  readonly competition: string;
  /** Of `custom_strike`: `basketball_team`. */
  readonly strikeKey: string;
  /** Whether a game can end even; a draw is then a market of its own. */
  readonly hasDraw: boolean;
  /** Whether the home team comes first in titles and tickers. */
  readonly isHomeFirst: boolean;
  /** Whether venue B's tickers have a clock: some days have two games of the same teams. */
  readonly hasClockInTicker: boolean;
  /** Unit of the score: `points`. */
  readonly unit: string;
  readonly venueA: { readonly sport: VenueASport; readonly tags: readonly VenueATag[] };
  readonly venueB: {
    readonly winner: VenueBSeries;
    /** Null: this league has winner markets only. */
    readonly spread: VenueBSeries | null;
    readonly total: VenueBSeries | null;
  };
  readonly lengthMs: number;
  /** Expected points at home and away, and the deviation of their difference. */
  readonly scoring: { readonly home: number; readonly away: number; readonly deviation: number };
  /** Distance between neighbouring lines. */
  readonly lineSteps: { readonly spread: number; readonly total: number };
}

const SPORTS: VenueATag = { id: '1', label: 'Sports', slug: 'sports' };
const GAMES: VenueATag = { id: '100639', label: 'Games', slug: 'games' };

export const LEAGUES: Readonly<Record<LeagueCode, League>> = {
  nba: {
    ...teamLeague('nba', 'Basketball', 'Pro Basketball', 'Pro Basketball (M)'),
    venueA: venueA(
      { id: 34, sport: 'nba', name: 'NBA', series: '10345', ordering: 'away', resolution: 'https://www.nba.com/' },
      { id: '745', label: 'NBA', slug: 'nba' },
      { id: '28', label: 'Basketball', slug: 'basketball' },
    ),
    lengthMs: 150 * MINUTE_MS,
    scoring: { home: 115, away: 112.5, deviation: 13.5 },
    lineSteps: { spread: 3, total: 3 },
  },
  nfl: {
    ...teamLeague('nfl', 'Football', 'Pro Football', 'Pro Football'),
    venueA: venueA(
      { id: 10, sport: 'nfl', name: 'NFL', series: '10187', ordering: 'away', resolution: 'https://www.nfl.com/' },
      { id: '450', label: 'NFL', slug: 'nfl' },
      { id: '10', label: 'Football', slug: 'football' },
    ),
    lengthMs: 190 * MINUTE_MS,
    scoring: { home: 23.5, away: 21.5, deviation: 13.4 },
    lineSteps: { spread: 3, total: 3 },
  },
  nhl: {
    ...teamLeague('nhl', 'Hockey', 'Pro Hockey', 'Pro Hockey'),
    unit: 'goals',
    venueA: venueA(
      { id: 35, sport: 'nhl', name: 'NHL', series: '10346', ordering: 'away', resolution: 'https://www.nhl.com/' },
      { id: '899', label: 'NHL', slug: 'nhl' },
      { id: '100088', label: 'Hockey', slug: 'hockey' },
    ),
    lengthMs: 150 * MINUTE_MS,
    scoring: { home: 3.2, away: 2.95, deviation: 2.4 },
    lineSteps: { spread: 1, total: 1 },
  },
  mlb: {
    ...teamLeague('mlb', 'Baseball', 'Pro Baseball', 'Pro Baseball', '0.5'),
    unit: 'runs',
    hasClockInTicker: true,
    venueA: venueA(
      { id: 8, sport: 'mlb', name: 'MLB', series: '3', ordering: 'away', resolution: 'https://www.mlb.com/' },
      { id: '100381', label: 'MLB', slug: 'mlb' },
      { id: '678', label: 'baseball', slug: 'baseball' },
    ),
    lengthMs: 165 * MINUTE_MS,
    scoring: { home: 4.6, away: 4.35, deviation: 2.8 },
    lineSteps: { spread: 1, total: 1 },
  },
  epl: {
    ...teamLeague('epl', 'Soccer', 'EPL', 'EPL'),
    contest: 'EPL soccer game',
    unit: 'goals',
    hasDraw: true,
    isHomeFirst: true,
    venueA: venueA(
      {
        id: 2,
        sport: 'epl',
        name: 'EPL',
        series: '10188',
        ordering: 'home',
        resolution: 'https://www.premierleague.com/',
      },
      { id: '306', label: 'EPL', slug: 'epl' },
      { id: '100350', label: 'Soccer', slug: 'soccer' },
    ),
    lengthMs: 112 * MINUTE_MS,
    scoring: { home: 1.6, away: 1.25, deviation: 1.65 },
    lineSteps: { spread: 1, total: 1 },
  },
  atp: {
    ...tennis('atp', 'ATP', 'ATP Finals'),
    venueA: venueA(
      {
        id: 45,
        sport: 'atp',
        name: 'ATP',
        series: '10365',
        ordering: 'home',
        resolution: 'https://www.atptour.com/en/scores/current',
      },
      { id: '101232', label: 'ATP', slug: 'atp' },
      { id: '864', label: 'Tennis', slug: 'tennis' },
    ),
  },
  wta: {
    ...tennis('wta', 'WTA', 'WTA Finals'),
    venueA: venueA(
      {
        id: 46,
        sport: 'wta',
        name: 'WTA',
        series: '10366',
        ordering: 'home',
        resolution: 'https://www.wtatennis.com/scores',
      },
      { id: '102123', label: 'WTA', slug: 'wta' },
      { id: '864', label: 'Tennis', slug: 'tennis' },
    ),
  },
};

/** Shared by the team sports; baseball has half the fees. */
function teamLeague(code: LeagueCode, sport: string, title: string, competition: string, feeMultiplier = '1') {
  const prefix = `KX${code.toUpperCase()}`;
  const series = { category: 'Sports', tags: [sport], frequency: 'custom', feeMultiplier };
  return {
    code,
    title,
    competition,
    contest: `professional ${sport.toLowerCase()} game`,
    strikeKey: `${sport.toLowerCase()}_team`,
    hasDraw: false,
    isHomeFirst: false,
    hasClockInTicker: false,
    unit: 'points',
    venueB: {
      winner: {
        ...series,
        ticker: `${prefix}GAME`,
        title: `${title} Game`,
        feeType: 'quadratic_with_maker_fees' as const,
      },
      spread: { ...series, ticker: `${prefix}SPREAD`, title: `${title} Spread`, feeType: 'quadratic' as const },
      total: { ...series, ticker: `${prefix}TOTAL`, title: `${title} Total`, feeType: 'quadratic' as const },
    },
  };
}

/** Points are games won. Here the match goes to the side that wins more games. */
function tennis(code: LeagueCode, tour: string, competition: string) {
  const ticker = `KX${tour}MATCH`;
  return {
    code,
    title: `${tour} tennis`,
    competition,
    contest: 'professional tennis match',
    strikeKey: 'tennis_competitor',
    hasDraw: false,
    isHomeFirst: true,
    hasClockInTicker: false,
    unit: 'games',
    venueB: {
      winner: {
        ticker,
        title: `${tour} Tennis Match`,
        category: 'Sports',
        tags: ['Tennis'],
        frequency: 'custom',
        feeMultiplier: '1',
        feeType: 'quadratic' as const,
      },
      spread: null,
      total: null,
    },
    lengthMs: 110 * MINUTE_MS,
    scoring: { home: 12, away: 12, deviation: 3.8 },
    lineSteps: { spread: 1, total: 1 },
  };
}

function venueA(
  sport: Omit<VenueASport, 'tags' | 'primaryTagId'>,
  league: VenueATag,
  discipline: VenueATag,
): League['venueA'] {
  const tags = [SPORTS, GAMES, league, discipline];
  return { sport: { ...sport, tags: tags.map(({ id }) => id), primaryTagId: league.id }, tags };
}
