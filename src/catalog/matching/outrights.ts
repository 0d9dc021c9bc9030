// Questions outside games: winners of tournaments, and a few beyond sports. Each rule knows the exact words of both venues. Other words are
// not matched, unless all of a question is the same at both (same-question.ts). Only contests that always have one winner are here. A
// question for the best or furthest of several may end in a tie, which one venue shares and the other breaks. Pure.

import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { slugOf } from '../leagues/names.ts';
import type { TeamTable } from '../leagues/team-table.ts';
import { teamTable } from '../leagues/teams.ts';
import { isYesNo } from './game.ts';
import { fullYear, type Outright, type Rule, type Subject } from './outright.ts';
import { WINNERS_OF_A, WINNERS_OF_B } from './racing-and-golf.ts';
import { sameQuestion } from './same-question.ts';

const NATIONS = teamTable('nations');

export function outrightOf(event: VenueEvent, market: VenueMarket): Outright | null {
  // Yes must be the first outcome: other names, or another order, mean another question.
  if (event.venue === 'venue_a' && !isYesNo(market)) return null;
  for (const rule of event.venue === 'venue_a' ? RULES_OF_A : RULES_OF_B) {
    const outright = rule(event, market);
    if (outright !== null) return outright;
  }
  return null;
}

const SLAMS: Readonly<Record<string, { readonly slug: string; readonly name: string }>> = {
  WIM: { slug: 'wimbledon', name: 'Wimbledon' },
  USO: { slug: 'us-open', name: 'US Open' },
  FO: { slug: 'french-open', name: 'French Open' },
  AO: { slug: 'australian-open', name: 'Australian Open' },
};

interface Champion {
  /** Some series of venue B have such names too: `KXNBA`. */
  readonly competition: 'nba' | 'nhl' | 'mlb';
  readonly name: string;
  readonly teams: TeamTable;
}

const CHAMPIONS: readonly Champion[] = [
  { competition: 'nba', name: 'NBA Finals', teams: teamTable('nba') },
  { competition: 'nhl', name: 'NHL Stanley Cup', teams: teamTable('nhl') },
  { competition: 'mlb', name: 'World Series', teams: teamTable('mlb') },
];

const RULES_OF_A: readonly Rule[] = [
  (_, { title }) => {
    const [, who = '', year = ''] = /^Will (.+) win the (\d{4}) FIFA World Cup\?$/.exec(title) ?? [];
    return worldCup(year, teamOf(NATIONS, who));
  },
  (_, { title }) => {
    const words = /^Will the (.+) win the (\d{4}) (NBA Finals|NHL Stanley Cup|World Series)\?$/;
    const [, who = '', year = '', name = ''] = words.exec(title) ?? [];
    const league = CHAMPIONS.find(it => it.name === name);
    return league === undefined ? null : champion(league, year, teamOf(league.teams, who));
  },
  (_, { title }) => {
    const words =
      /^Will (.+) be the (\d{4}) (Men|Women)[’']s (Wimbledon|US Open|French Open|Australian Open) winner\?$/i;
    const [, who = '', year = '', sex = '', name = ''] = words.exec(title) ?? [];
    const slam = Object.values(SLAMS).find(it => it.name.toLowerCase() === name.toLowerCase());
    return slam === undefined ? null : slamWinner(slam, year, /^men$/i.test(sex) ? 'atp' : 'wta', who);
  },
  (_, { title }) => {
    const words = /^Will the Fed (decrease|increase) interest rates by (\d+) bps after the (\w+) (\d{4}) meeting\?$/;
    const [, way = '', points = '', month = '', year = ''] = words.exec(title) ?? [];
    return way === '' ? null : fedDecision(year, month, way === 'decrease' ? -Number(points) : Number(points));
  },
  (_, { title }) => {
    const words = /^Will there be no change in Fed interest rates after the (\w+) (\d{4}) meeting\?$/;
    const [, month = '', year = ''] = words.exec(title) ?? [];
    return year === '' ? null : fedDecision(year, month, 0);
  },
  ...WINNERS_OF_A,
  sameQuestion,
];

const RULES_OF_B: readonly Rule[] = [
  (_, { marketId }) => {
    const [, year = '', code = ''] = /^KXWCSTAGEOFELIM-(\d\d)([A-Z]+)-FW$/.exec(marketId) ?? [];
    return worldCup(fullYear(year), NATIONS.coded(code));
  },
  (_, { marketId, label }) => {
    const [, year = '', code = ''] = /^KXMENWORLDCUP-(\d\d)-([A-Z]+)$/.exec(marketId) ?? [];
    return worldCup(fullYear(year), calledAndCoded(NATIONS, label, code));
  },
  (_, { marketId, label }) => {
    const [, competition = '', year = '', code = ''] = /^KX(NBA|NHL|MLB)-(\d\d)-([A-Z]+)$/.exec(marketId) ?? [];
    const league = CHAMPIONS.find(it => it.competition === competition.toLowerCase());
    return league === undefined ? null : champion(league, fullYear(year), calledAndCoded(league.teams, label, code));
  },
  (_, { marketId, label }) => {
    const [, tour = '', year = '', code = ''] = /^KX(ATP|WTA)-(\d\d)(WIM|USO|FO|AO)-[A-Z]+$/.exec(marketId) ?? [];
    const slam = SLAMS[code];
    return slam === undefined ? null : slamWinner(slam, fullYear(year), tour === 'ATP' ? 'atp' : 'wta', label);
  },
  (_, { marketId }) => {
    const words = /^KXFEDDECISION-(\d\d)([A-Z]{3})-([CH])(0|25|50|75)$/;
    const [, year = '', month = '', way = '', points = ''] = words.exec(marketId) ?? [];
    return way === '' ? null : fedDecision(fullYear(year), month, way === 'C' ? -Number(points) : Number(points));
  },
  ...WINNERS_OF_B,
  sameQuestion,
];

function worldCup(year: string, subject: Subject | null): Outright | null {
  if (year === '' || subject === null) return null;
  const competition = 'fifa-world-cup';
  return { id: `${competition}-${year}-winner`, name: `FIFA World Cup ${year}: winner`, competition, subject };
}

function champion({ competition, name }: Champion, year: string, subject: Subject | null): Outright | null {
  if (year === '' || subject === null) return null;
  return { id: `${competition}-${year}-champion`, name: `${name} ${year}: champion`, competition, subject };
}

/** The team by its name; a known code must not contradict it, and decides between two teams of one name. */
function calledAndCoded(teams: TeamTable, name: string, code: string): Subject | null {
  const [called, coded] = [teams.allNamed(name), teams.allCoded(code)];
  const [team, ...more] = coded.length === 0 ? called : called.filter(it => coded.includes(it));
  return team === undefined || more.length > 0 ? null : team;
}

function slamWinner(
  slam: { slug: string; name: string },
  year: string,
  tour: 'atp' | 'wta',
  who: string,
): Outright | null {
  const id = slugOf(who);
  if (id === '') return null;
  const sex = tour === 'atp' ? 'men' : 'women';
  return {
    id: `${slam.slug}-${year}-${sex}-winner`,
    name: `${slam.name} ${year}, ${sex}’s singles: winner`,
    competition: tour,
    subject: { id, name: who },
  };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const OFF_GRID =
  'A change that is no multiple of 25 basis points: venue_a rounds it up to the next 25; no market of venue_b is of that size.';

/** Exactly this many basis points: `more than` is another question. */
function fedDecision(year: string, monthName: string, change: number): Outright | null {
  const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase()) + 1;
  if (month === 0) return null;
  const when = `${year}-${String(month).padStart(2, '0')}`;
  const size = Math.abs(change);
  const subject =
    change === 0
      ? { id: 'hold', name: 'no change' }
      : {
          id: `${change < 0 ? 'cut' : 'hike'}-${size}`,
          name: `${change < 0 ? 'cut' : 'hike'} of ${size} basis points`,
        };
  const name = `Federal Reserve decision of ${when}`;
  return { id: `fed-decision-${when}`, name, competition: null, subject, note: OFF_GRID };
}

function teamOf(teams: TeamTable, name: string): Subject | null {
  return name === '' ? null : teams.named(name);
}
