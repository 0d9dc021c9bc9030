// Every competition, by venue A's slugs and venue B's series. To add one, add a row here or in soccer-leagues.ts, and a table of its teams.
// Facts of the leagues and of the venues' lists. Pure.

import { MINUTE_MS } from '../../domain/durations.ts';
import { type Competition, EASTERN, POSTPONED, SAME_START_MS, type Sport } from './competition.ts';
import { SOCCER_LEAGUES } from './soccer-leagues.ts';
import { SQUADS } from './squads.ts';
import { TeamTable } from './team-table.ts';
import { CFL, MLB, NBA, NFL, NHL, WNBA } from './teams-america.ts';
import { COLLEGES } from './teams-college.ts';
import { CPL, IPL, PSL, T20_CLUBS } from './teams-cricket.ts';

const BASKETBALL: Sport = { id: 'basketball', name: 'Basketball' };
const FOOTBALL: Sport = { id: 'american-football', name: 'American football' };
const HOCKEY: Sport = { id: 'ice-hockey', name: 'Ice hockey' };
const BASEBALL: Sport = { id: 'baseball', name: 'Baseball' };
const TENNIS: Sport = { id: 'tennis', name: 'Tennis' };
const CRICKET: Sport = { id: 'cricket', name: 'Cricket' };
const ESPORTS: Sport = { id: 'esports', name: 'Esports' };
const MMA: Sport = { id: 'mma', name: 'Mixed martial arts' };
const GOLF: Sport = { id: 'golf', name: 'Golf' };
const MOTORSPORT: Sport = { id: 'motorsport', name: 'Motorsport' };

const TIED = 'A tie: venue_a settles 50-50, venue_b at a fair price.';
const TIED_EVENLY = 'A tie is 50-50 at both venues.';
const RETIRED =
  'A match that has begun goes to the side that advances at both venues. One that never begins is 50-50 at venue_a and settles at a fair price at venue_b.';
const NO_RESULT = 'A match without a result is 50-50 at both venues.';
const SERIES_NOT_PLAYED =
  'A match that is drawn, or not played: venue_a settles 50-50 after its own last day, venue_b at a fair price if it has not begun within 48 hours.';
const NO_CONTEST = 'A draw or no contest is 50-50 at venue_a; at venue_b the rules of the series say.';

const SPLITS = { hasSplitSquads: true } as const;
/** No other name is in use at one venue only. */
const NO_OTHER_NAMES = new TeamTable('');

export const COMPETITIONS: readonly Competition[] = [
  american('nba', 'NBA', BASKETBALL, NBA, 'KXNBA', SPLITS),
  american('wnba', 'WNBA', BASKETBALL, WNBA, 'KXWNBA'),
  american('cbb', 'College basketball', BASKETBALL, COLLEGES, 'KXNCAAMB'),
  american('cwbb', 'Women’s college basketball', BASKETBALL, COLLEGES, 'KXNCAAWB'),
  american('nfl', 'NFL', FOOTBALL, NFL, 'KXNFL', { evenEnd: 'tie', notes: [TIED_EVENLY, POSTPONED] }),
  american('cfb', 'College football', FOOTBALL, COLLEGES, 'KXNCAAF', { slugs: ['cfb', 'cfp'] }),
  american('cfl', 'CFL', FOOTBALL, CFL, 'KXCFL', { evenEnd: 'tie', notes: [TIED, POSTPONED] }),
  american('nhl', 'NHL', HOCKEY, NHL, 'KXNHL', SPLITS),
  american('mlb', 'MLB', BASEBALL, MLB, 'KXMLB', { ...SPLITS, hasDoubleheaders: true }),
  ...SOCCER_LEAGUES,
  // Venue A has the matches of challenger tours under the slug of the tour.
  tennis('atp', 'ATP', ['KXATP', 'KXATPCHALLENGER']),
  tennis('wta', 'WTA', ['KXWTA', 'KXWTACHALLENGER']),
  tennis('itf', 'ITF', ['KXITF', 'KXITFW']),
  cricket('ipl', 'Indian Premier League', IPL, ['cricipl', 'ipl'], 'KXIPL'),
  cricket('psl', 'Pakistan Super League', PSL, ['cricpsl'], 'KXPSL'),
  cricket('cpl', 'Caribbean Premier League', CPL, ['criccpl'], 'KXCPL'),
  cricket('t20-clubs', 'T20 cricket, clubs', T20_CLUBS, ['crict20blast', 'cricmlc'], 'KXT20'),
  esports('lol', 'League of Legends', ['lol'], 'KXLOL'),
  esports('cs2', 'Counter-Strike 2', ['cs2'], 'KXCS2'),
  esports('dota-2', 'Dota 2', ['dota2'], 'KXDOTA2'),
  esports('valorant', 'Valorant', ['val', 'valorant'], 'KXVALORANT'),
  esports('rainbow-six', 'Rainbow Six Siege', ['r6siege'], 'KXR6'),
  esports('call-of-duty', 'Call of Duty', ['codmw'], 'KXCOD'),
  esports('overwatch', 'Overwatch', ['ow'], 'KXOW'),
  {
    ...byName('ufc', 'UFC', MMA, NO_OTHER_NAMES),
    evenEnd: 'tie',
    slugs: ['ufc'],
    series: ['KXUFC'],
    notes: [NO_CONTEST],
  },
  tournaments('pga-tour', 'PGA Tour', GOLF),
  tournaments('f1', 'Formula 1', MOTORSPORT),
];

function american(
  id: string,
  name: string,
  sport: Sport,
  teams: TeamTable,
  series: string,
  more: Partial<Competition> = {},
): Competition {
  const common = { zone: EASTERN, isHomeFirst: false, sameStartMs: SAME_START_MS, evenEnd: 'none' } as const;
  return { id, name, sport, teams, ...common, slugs: [id], series: [series], notes: [POSTPONED], ...more };
}

/** Players, known by their names. */
function tennis(id: string, name: string, series: readonly string[]): Competition {
  const common = { zone: 'UTC', isHomeFirst: true, sameStartMs: SAME_START_MS, evenEnd: 'none' } as const;
  const more = { daysMayDiffer: true, slugs: [id], series, notes: [RETIRED] } as const;
  return { id, name, sport: TENNIS, teams: null, ...common, ...more };
}

/** Nobody is at home, and nearly every game ends with a winner. */
function cricket(id: string, name: string, teams: TeamTable, slugs: readonly string[], series: string): Competition {
  const common = { zone: 'UTC', isHomeFirst: true, sameStartMs: SAME_START_MS, evenEnd: 'tie' } as const;
  return {
    id,
    name,
    sport: CRICKET,
    teams,
    ...common,
    daysMayDiffer: true,
    slugs,
    series: [series],
    notes: [NO_RESULT],
  };
}

/**
 * Squads come and go weekly: no list is complete. One organisation may have several squads, and two squads may meet twice on a day: only an
 * equal start tells.
 */
function esports(id: string, name: string, slugs: readonly string[], series: string): Competition {
  const rules = { hasDoubleheaders: true, sameStartMs: 15 * MINUTE_MS, evenEnd: 'tie' } as const;
  return { ...byName(id, name, ESPORTS, SQUADS), ...rules, slugs, series: [series], notes: [SERIES_NOT_PLAYED] };
}

function byName(id: string, name: string, sport: Sport, otherNames: TeamTable) {
  const common = {
    teams: null,
    zone: EASTERN,
    isHomeFirst: true,
    daysMayDiffer: true,
    sameStartMs: SAME_START_MS,
  } as const;
  return { id, name, sport, otherNames, ...common };
}

/** Only winners of tournaments are matched (outrights.ts): there are no games of two. */
function tournaments(id: string, name: string, sport: Sport): Competition {
  return { ...byName(id, name, sport, NO_OTHER_NAMES), evenEnd: 'none', slugs: [], series: [], notes: [] };
}

/** Each once. */
export const SPORTS: readonly Sport[] = [...new Set(COMPETITIONS.map(({ sport }) => sport))];

const BY_SLUG = new Map(COMPETITIONS.flatMap(it => it.slugs.map(slug => [slug, it])));
const BY_SERIES = new Map(COMPETITIONS.flatMap(it => it.series.map(series => [series, it])));

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

/** The part of a series after that of a known competition: `KXNBATEAM` → `TEAM`. Null: it begins with none. */
export function restOfSeries(series: string): string | null {
  for (let end = series.length - 1; end > 0; end--) if (BY_SERIES.has(series.slice(0, end))) return series.slice(end);
  return null;
}
