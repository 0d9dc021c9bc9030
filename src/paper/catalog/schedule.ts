// Who plays whom and when, counted from the start of the service: some games are under way, the rest of the week follows. The
// pairings are the same whatever the seed, so that tickers can be foretold; the seed says how strong the teams are. Pure.

import type { UnixMillis } from '../../domain/numbers.ts';
import { Random } from '../../runtime/random.ts';
import { easternTime } from './eastern-time.ts';
import { LEAGUES, type League } from './leagues.ts';
import type { Game, Team } from './listings.ts';
import { type LeagueCode, TEAMS } from './teams.ts';

export interface Fixture {
  readonly league: League;
  readonly game: Game;
}

type Row = readonly [startsAfterMinutes: number, league: LeagueCode, home: string, away: string];

/**
 * Among them what matching between venues trips over: the same teams twice in a week and with the home side changed, two
 * clubs of one city, two players of one surname and code.
 */
const ROWS: readonly Row[] = [
  [-100, 'nfl', 'KC', 'BUF'],
  [-85, 'nba', 'DEN', 'MIN'],
  [-70, 'mlb', 'LAD', 'SD'],
  [-60, 'nhl', 'NYR', 'NYI'],
  [-50, 'nba', 'LAL', 'BOS'],
  [-40, 'atp', 'SIN', 'ALC'],
  [-35, 'epl', 'LFC', 'ARS'],
  [-30, 'nhl', 'EDM', 'CGY'],
  [-25, 'wta', 'SWI', 'SAB'],
  [-20, 'nba', 'GSW', 'PHX'],
  [-15, 'nfl', 'NYG', 'PHI'],

  [45, 'nba', 'NYK', 'MIA'],
  [60, 'epl', 'MUN', 'CFC'],
  [75, 'nhl', 'TOR', 'MTL'],
  [90, 'atp', 'ZVE', 'FRI'],
  [120, 'nba', 'MIL', 'CHI'],
  [150, 'nfl', 'DAL', 'DET'],
  [180, 'nhl', 'COL', 'VGK'],
  [240, 'epl', 'TOT', 'NEW'],
  [270, 'mlb', 'NYY', 'HOU'],
  [300, 'wta', 'GAU', 'RYB'],
  [420, 'nba', 'DAL', 'SAS'],
  [540, 'atp', 'CER', 'BUB'],
  [600, 'nhl', 'BOS', 'BUF'],
  [690, 'wta', 'KOS', 'OSA'],
  [780, 'mlb', 'SEA', 'AZ'],

  [900, 'nba', 'LAC', 'OKC'],
  [1_020, 'atp', 'CER2', 'RUB'],
  [1_110, 'epl', 'EVE', 'SUN'],
  [1_200, 'nfl', 'GB', 'SF'],
  [1_320, 'nba', 'TOR', 'ATL'],
  [1_440, 'nfl', 'BAL', 'CIN'],
  [1_530, 'mlb', 'CHC', 'CWS'],
  [1_790, 'mlb', 'NYY', 'HOU'],
  [1_800, 'nhl', 'LA', 'FLA'],

  [2_880, 'nba', 'BOS', 'LAL'],
  [3_000, 'nfl', 'NYJ', 'JAC'],
  [3_600, 'epl', 'AVL', 'FUL'],
  [4_320, 'nba', 'PHI', 'BKN'],
  [4_440, 'nfl', 'DEN', 'LA'],
  [5_760, 'nba', 'LAL', 'BOS'],
  [5_820, 'nhl', 'NYI', 'NYR'],
  [7_200, 'epl', 'ARS', 'MCI'],
  [8_640, 'mlb', 'NYM', 'ATL'],
  [10_080, 'nfl', 'BUF', 'KC'],
  [10_200, 'epl', 'BRE', 'LFC'],
];

const MINUTE_MS = 60_000;
/** Games begin on the quarter of an hour after which the service began. */
const ROUNDING_MS = 15 * MINUTE_MS;
/** Deviation of the stronger team's advantage, in deviations of the margin. */
const EDGE_DEVIATION = 0.45;
/** What a team scores at the very least, as a share of what is usual. */
const STRENGTH_MIN = 0.3;

export function fixturesAround(now: UnixMillis, seed: number): readonly Fixture[] {
  const base = Math.floor(now / ROUNDING_MS) * ROUNDING_MS;
  const random = new Random(seed);
  return ROWS.map(([startsAfterMinutes, code, homeCode, awayCode]) => {
    const league = LEAGUES[code];
    const [home, away] = [teamOf(code, homeCode), teamOf(code, awayCode)];
    const startsAt = (base + startsAfterMinutes * MINUTE_MS) as UnixMillis;
    const [first, second] = league.isHomeFirst ? [home, away] : [away, home];
    const id = `${code}-${abbreviationOf(first)}-${abbreviationOf(second)}-${easternTime(startsAt).date}`;
    const strength = strengthOf(league, random);
    return { league, game: { id, league: code, home, away, startsAt, lengthMs: league.lengthMs, strength } };
  });
}

/** As in venue A's slugs. */
export function abbreviationOf(team: Team): string {
  return team.abbreviation ?? team.code.toLowerCase();
}

function teamOf(league: LeagueCode, code: string): Team {
  return TEAMS[league].get(code)!;
}

function strengthOf({ scoring }: League, random: Random): Game['strength'] {
  const edge = (EDGE_DEVIATION * scoring.deviation * random.normal()) / 2;
  const pace = 1 + 0.03 * random.normal();
  const rounded = (points: number, usual: number) =>
    Math.round(100 * Math.max(STRENGTH_MIN * usual, points * pace)) / 100;
  return {
    home: rounded(scoring.home + edge, scoring.home),
    away: rounded(scoring.away - edge, scoring.away),
    deviation: scoring.deviation,
  };
}
