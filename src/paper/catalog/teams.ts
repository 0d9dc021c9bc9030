// Teams and players, with the codes and names of both venues. Facts of the leagues. The venues' codes differ sometimes; a
// matcher of their markets must handle that.

import type { Team } from './listings.ts';

/** Code, place, nickname; then full name and venue A's abbreviation, if they do not follow from the rest. */
type Row = readonly [code: string, place: string, nickname: string, name?: string | null, abbreviation?: string];

const NBA: readonly Row[] = [
  ['ATL', 'Atlanta', 'Hawks'],
  ['BKN', 'Brooklyn', 'Nets'],
  ['BOS', 'Boston', 'Celtics'],
  ['CHI', 'Chicago', 'Bulls'],
  ['DAL', 'Dallas', 'Mavericks'],
  ['DEN', 'Denver', 'Nuggets'],
  ['GSW', 'Golden State', 'Warriors'],
  ['LAC', 'Los Angeles C', 'Clippers', 'Los Angeles Clippers'],
  ['LAL', 'Los Angeles L', 'Lakers', 'Los Angeles Lakers'],
  ['MIA', 'Miami', 'Heat'],
  ['MIL', 'Milwaukee', 'Bucks'],
  ['MIN', 'Minnesota', 'Timberwolves'],
  ['NYK', 'New York', 'Knicks'],
  ['OKC', 'Oklahoma City', 'Thunder'],
  ['PHI', 'Philadelphia', '76ers'],
  ['PHX', 'Phoenix', 'Suns'],
  ['SAS', 'San Antonio', 'Spurs'],
  ['TOR', 'Toronto', 'Raptors'],
];

const NFL: readonly Row[] = [
  ['BAL', 'Baltimore', 'Ravens'],
  ['BUF', 'Buffalo', 'Bills'],
  ['CIN', 'Cincinnati', 'Bengals'],
  ['DAL', 'Dallas', 'Cowboys'],
  ['DEN', 'Denver', 'Broncos'],
  ['DET', 'Detroit', 'Lions'],
  ['GB', 'Green Bay', 'Packers'],
  ['JAC', 'Jacksonville', 'Jaguars', null, 'jax'],
  ['KC', 'Kansas City', 'Chiefs'],
  ['LA', 'Los Angeles R', 'Rams', 'Los Angeles Rams'],
  ['NYG', 'New York G', 'Giants', 'New York Giants'],
  ['NYJ', 'New York J', 'Jets', 'New York Jets'],
  ['PHI', 'Philadelphia', 'Eagles'],
  ['SF', 'San Francisco', '49ers'],
];

const NHL: readonly Row[] = [
  ['BOS', 'Boston', 'Bruins'],
  ['BUF', 'Buffalo', 'Sabres'],
  ['CGY', 'Calgary', 'Flames', null, 'cal'],
  ['COL', 'Colorado', 'Avalanche'],
  ['EDM', 'Edmonton', 'Oilers'],
  ['FLA', 'Florida', 'Panthers'],
  ['LA', 'Los Angeles', 'Kings', null, 'lak'],
  ['MTL', 'Montreal', 'Canadiens', null, 'mon'],
  ['NYI', 'New York I', 'Islanders', 'New York Islanders'],
  ['NYR', 'New York R', 'Rangers', 'New York Rangers'],
  ['TOR', 'Toronto', 'Maple Leafs'],
  ['VGK', 'Vegas', 'Golden Knights', null, 'las'],
];

/** Venue A uses full names for baseball clubs. */
const MLB: readonly Row[] = [
  ['ATL', 'Atlanta', 'Atlanta Braves', 'Atlanta Braves'],
  ['AZ', 'Arizona', 'Arizona Diamondbacks', 'Arizona Diamondbacks', 'ari'],
  ['CHC', 'Chicago C', 'Chicago Cubs', 'Chicago Cubs'],
  ['CWS', 'Chicago WS', 'Chicago White Sox', 'Chicago White Sox'],
  ['HOU', 'Houston', 'Houston Astros', 'Houston Astros'],
  ['LAD', 'Los Angeles D', 'Los Angeles Dodgers', 'Los Angeles Dodgers'],
  ['NYM', 'New York M', 'New York Mets', 'New York Mets'],
  ['NYY', 'New York Y', 'New York Yankees', 'New York Yankees'],
  ['SD', 'San Diego', 'San Diego Padres', 'San Diego Padres'],
  ['SEA', 'Seattle', 'Seattle Mariners', 'Seattle Mariners'],
];

const EPL: readonly Row[] = [
  ['ARS', 'Arsenal', 'Arsenal FC', 'Arsenal FC'],
  ['AVL', 'Aston Villa', 'Aston Villa FC', 'Aston Villa FC', 'ast'],
  ['BRE', 'Brentford', 'Brentford FC', 'Brentford FC'],
  ['CFC', 'Chelsea', 'Chelsea FC', 'Chelsea FC', 'che'],
  ['EVE', 'Everton', 'Everton FC', 'Everton FC'],
  ['FUL', 'Fulham', 'Fulham FC', 'Fulham FC'],
  ['LFC', 'Liverpool', 'Liverpool FC', 'Liverpool FC', 'liv'],
  ['MCI', 'Manchester City', 'Manchester City FC', 'Manchester City FC', 'mac'],
  ['MUN', 'Manchester Utd', 'Manchester United FC', 'Manchester United FC'],
  ['NEW', 'Newcastle', 'Newcastle United FC', 'Newcastle United FC'],
  ['SUN', 'Sunderland', 'Sunderland AFC', 'Sunderland AFC'],
  ['TOT', 'Tottenham', 'Tottenham Hotspur FC', 'Tottenham Hotspur FC'],
];

/**
 * The place is the surname: venue B's titles have no more. A code is the first letters of the surname, so that brothers
 * share one.
 */
const ATP: readonly Row[] = [
  ['ALC', 'Alcaraz', 'Carlos Alcaraz', 'Carlos Alcaraz', 'alcaraz'],
  ['BUB', 'Bublik', 'Alexander Bublik', 'Alexander Bublik', 'bublik'],
  ['CER', 'Cerundolo', 'Francisco Cerundolo', 'Francisco Cerundolo', 'cerundo'],
  ['DE', 'de Minaur', 'Alex de Minaur', 'Alex de Minaur', 'minaur'],
  ['FRI', 'Fritz', 'Taylor Fritz', 'Taylor Fritz', 'fritz'],
  ['RUB', 'Rublev', 'Andrey Rublev', 'Andrey Rublev', 'rublev'],
  ['SIN', 'Sinner', 'Jannik Sinner', 'Jannik Sinner', 'sinner'],
  ['ZVE', 'Zverev', 'Alexander Zverev', 'Alexander Zverev', 'zverev'],
];

/** The other brother: same code, different player. */
const YOUNGER_CERUNDOLO: Row = ['CER', 'Cerundolo', 'Juan Manuel Cerundolo', 'Juan Manuel Cerundolo', 'cerundo'];

/** His code is the end of venue B's tickers for draws. */
const TIEN: Row = ['TIE', 'Tien', 'Learner Tien', 'Learner Tien', 'tien'];

const WTA: readonly Row[] = [
  ['GAU', 'Gauff', 'Coco Gauff', 'Coco Gauff', 'gauff'],
  ['KOS', 'Kostyuk', 'Marta Kostyuk', 'Marta Kostyuk', 'kostyuk'],
  ['OSA', 'Osaka', 'Naomi Osaka', 'Naomi Osaka', 'osaka'],
  ['RYB', 'Rybakina', 'Elena Rybakina', 'Elena Rybakina', 'rybakin'],
  ['SAB', 'Sabalenka', 'Aryna Sabalenka', 'Aryna Sabalenka', 'sabalen'],
  ['SWI', 'Swiatek', 'Iga Swiatek', 'Iga Swiatek', 'swiatek'],
];

/** Teams by league and code; `CER2` is the younger brother's key. A player whose key differs from his code plays at the opening only. */
export const TEAMS = {
  nba: byCode(NBA),
  nfl: byCode(NFL),
  nhl: byCode(NHL),
  mlb: byCode(MLB),
  epl: byCode(EPL),
  atp: new Map([...byCode(ATP), ['CER2', teamOf(YOUNGER_CERUNDOLO)], ['TIEN', teamOf(TIEN)]]),
  wta: byCode(WTA),
} as const satisfies Record<string, ReadonlyMap<string, Team>>;

export type LeagueCode = keyof typeof TEAMS;

function byCode(rows: readonly Row[]): Map<string, Team> {
  return new Map(rows.map(row => [row[0], teamOf(row)]));
}

function teamOf([code, place, nickname, name, abbreviation]: Row): Team {
  const team = { code, place, nickname, name: name ?? `${place} ${nickname}` };
  return abbreviation === undefined ? team : { ...team, abbreviation };
}
