// Questions outside games: winners of tournaments, and a few questions beyond sports. Each rule knows the exact words of both venues. Other
// words are matched only if all of the question is the same at both venues (`sameQuestion`). Only contests that always have one winner are
// here. A question for the best or furthest of several may end in a tie, which one venue shares and the other breaks. Pure.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { normalized, slugOf, type TeamTable, teamTable } from '../leagues/team-table.ts';
import { isYesNo } from './game.ts';

/** A question about one subject: whether this team or person wins, for example. */
export interface Outright {
  /** The id that all questions of the same contest share: `fifa-world-cup-2026-winner`. */
  readonly id: string;
  readonly name: string;
  /** The competition's id. Null means that the question is not of sports. */
  readonly competition: string | null;
  readonly subject: Subject;
  /** A known difference in settlement, in place of the usual note about a cancelled contest. */
  readonly note?: string;
  /** True if the market keeps its id at a venue. Words and end of the question are the venue's and may change. */
  readonly keepsVenueId?: true;
}

interface Subject {
  readonly id: string;
  readonly name: string;
}

/** Returns null if the market asks something else, or asks in other words. */
type Rule = (event: VenueEvent, market: VenueMarket) => Outright | null;

/** Returns the year for the two digits in venue B's tickers. */
function fullYear(year: string): string {
  return year === '' ? '' : `20${year}`;
}

const NATIONS = teamTable('nations');

export function outrightOf(event: VenueEvent, market: VenueMarket): Outright | null {
  // Yes must be the first outcome. Other names, or another order, mean another question.
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
  /** The competition. Some series of venue B begin with the same letters: `KXNBA`. */
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
  (_, { title }) => {
    const words = /^Will (.+) be the (\d{4}) F1 (Drivers|Constructors)[’'] Champion\?$/;
    const [, who = '', year = '', kind = ''] = words.exec(title) ?? [];
    return championOf(kind, year, who);
  },
  ({ title: eventTitle }, { title, occursAt }) => {
    const [, who = '', stated = '', race = ''] = /^Will (.+) win the (?:(\d{4}) )?(.+) Grand Prix\?$/.exec(title) ?? [];
    const [, listed = ''] = /^(?:F1 )?(.+) Grand Prix: Driver Winner$/.exec(eventTitle) ?? [];
    const year = occursAt === null ? '' : monthOf(occursAt).slice(0, 4);
    // The sprint of a Grand Prix has another event title.
    return race === listed && (stated === '' || stated === year) ? raceWinner(race, occursAt, who) : null;
  },
  (_, { title }) => {
    const [, who = '', year = '', name = ''] = /^Will (.+) win the (\d{4}) (.+)\?$/.exec(title) ?? [];
    return tournamentWinner(name, year, who);
  },
  sameQuestion,
];

const RULES_OF_B: readonly Rule[] = [
  (_, { marketId }) => {
    const [, year = '', code = ''] = /^KXWCSTAGEOFELIM-(\d\d)([A-Z]+)-FW$/.exec(marketId) ?? [];
    return worldCup(fullYear(year), NATIONS.coded(code));
  },
  (_, { marketId, label }) => {
    const [, year = '', code = ''] = /^KXMENWORLDCUP-(\d\d)-([A-Z]+)$/.exec(marketId) ?? [];
    return worldCup(fullYear(year), teamByNameAndCode(NATIONS, label, code));
  },
  (_, { marketId, label }) => {
    const [, competition = '', year = '', code = ''] = /^KX(NBA|NHL|MLB)-(\d\d)-([A-Z]+)$/.exec(marketId) ?? [];
    const league = CHAMPIONS.find(it => it.competition === competition.toLowerCase());
    return league === undefined ? null : champion(league, fullYear(year), teamByNameAndCode(league.teams, label, code));
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
  (_, { marketId, label }) => {
    const [, constructors, year = ''] = /^KXF1(CONSTRUCTORS)?-(\d\d)-[A-Z0-9]+$/.exec(marketId) ?? [];
    return championOf(constructors === undefined ? 'Drivers' : 'Constructors', fullYear(year), label);
  },
  ({ title: eventTitle }, { marketId, label, occursAt }) => {
    const [, year = ''] = /^KXF1RACE-[A-Z]+(\d\d)-[A-Z0-9]+$/.exec(marketId) ?? [];
    const [, race = ''] = /^(?:\d{4} )?(.+) Grand Prix Winner\??$/.exec(eventTitle) ?? [];
    const isOfYear = occursAt !== null && monthOf(occursAt).startsWith(`${fullYear(year)}-`);
    return isOfYear ? raceWinner(race, occursAt, label) : null;
  },
  (_, { marketId, title, label }) => {
    const [, year = ''] = /^KXPGATOUR-[A-Z]+(\d\d)-[A-Z0-9]+$/.exec(marketId) ?? [];
    const [, who = '', name = ''] = /^Will (.+) win the (.+)\?$/i.exec(title) ?? [];
    return normalized(who) === normalized(label) ? tournamentWinner(name, fullYear(year), label) : null;
  },
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

/** Returns the team with this name. A known code must not contradict the name, and decides between two teams of one name. */
function teamByNameAndCode(teams: TeamTable, name: string, code: string): Subject | null {
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

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const OFF_GRID =
  'A change that is not a multiple of 25 basis points: venue_a rounds it up to the next 25; no market of venue_b is of that size.';

/** Returns the question for a change of exactly this many basis points: `more than` makes another question. */
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

const DRIVERS = teamTable('drivers');
/** The races, each by the first word or words of the name of its Grand Prix. */
const RACES: ReadonlySet<string> = new Set(
  [
    'Abu Dhabi, Australian, Austrian, Azerbaijan, Bahrain, Barcelona, Barcelona-Catalunya, Belgian, British, Canadian, Chinese, Dutch',
    'Emilia Romagna, Hungarian, Italian, Japanese, Las Vegas, Madrid, Mexico City, Miami, Monaco, Qatar, São Paulo, Saudi Arabian',
    'Singapore, Spanish, United States',
  ].flatMap(names => names.split(', ')),
);

function championOf(kind: string, year: string, who: string): Outright | null {
  const tables: Readonly<Record<string, TeamTable>> = { Drivers: DRIVERS, Constructors: teamTable('constructors') };
  const subject = tables[kind]?.named(who) ?? null;
  if (year === '' || subject === null) return null;
  const id = `f1-${year}-${kind.toLowerCase()}-champion`;
  return { id, name: `Formula 1 ${year}: ${kind.toLowerCase()}’ champion`, competition: 'f1', subject };
}

/**
 * Returns the question for the winner of a race. The month is a part of it: a country may have two races, and the venues may mean different
 * races by `Spanish`. A race on the last evening of a month may stay unmatched.
 */
function raceWinner(race: string, at: UnixMillis | null, who: string): Outright | null {
  const subject = DRIVERS.named(who);
  if (!RACES.has(race) || at === null || subject === null) return null;
  const month = monthOf(at);
  const id = `f1-${slugOf(race)}-grand-prix-${month}-winner`;
  return { id, name: `${race} Grand Prix of ${month}: winner`, competition: 'f1', subject };
}

/** The names of golf tournaments that no tournament of another sport has. */
const TOURNAMENTS = new Map(
  [
    ...['Masters', 'PGA Championship', 'Open Championship', 'Players Championship', 'BMW Championship'],
    ...['Tour Championship', 'FedEx St. Jude Championship', 'Travelers Championship', 'Truist Championship'],
    ...['RBC Heritage', 'Memorial Tournament', 'Arnold Palmer Invitational', 'Genesis Invitational'],
  ].map(name => [normalized(name), name]),
);

function tournamentWinner(name: string, year: string, who: string): Outright | null {
  const called = normalized(name).replace(/^the /, '');
  const tournament = TOURNAMENTS.get(called) ?? TOURNAMENTS.get(called.replace(/ tournament$/, ''));
  const subject = { id: slugOf(who), name: who };
  if (year === '' || tournament === undefined || subject.id === '') return null;
  const id = `${slugOf(tournament)}-${year}-winner`;
  return { id, name: `${tournament} ${year}: winner`, competition: 'pga-tour', subject };
}

/** Returns a month such as `2026-09`. */
function monthOf(at: UnixMillis): string {
  return new Date(at).toISOString().slice(0, 7);
}

// Politics, economics and prices. Two questions are one if words, threshold and end are the same, and the one stated source of settlement.

/** The facts that must be equal at both venues. */
export interface Question {
  /** The words as a slug: `will-cpi-rise-more-than-0.3-percent-in-nov-2026`. */
  readonly slug: string;
  readonly end: string;
  readonly source: string;
}

function sameQuestion(event: VenueEvent, market: VenueMarket): Outright | null {
  const read = readQuestion(event, market);
  if (!read.ok) return null;
  const { slug, end, source } = read.value;
  const subject = { id: `${end}:${source}`, name: `by ${source}, ends ${end}` };
  return { id: slug, name: market.title, competition: null, subject, keepsVenueId: true };
}

/** Reads a market's question. The error says why a market of the other venue could not ask the same question. */
export function readQuestion(event: VenueEvent, market: VenueMarket): Result<Question, string> {
  const { title, label, kind, line, source } = market;
  const isOfA = event.venue === 'venue_a';
  if (isOfA && !isYesNo(market)) return fail('its outcomes are not Yes and No');
  // A listing of venue B with a competition belongs to sports. At venue A, a kind or a line shows this.
  if (isOfA ? kind !== '' || line !== null : event.competition !== '') return fail('it is of sports');
  if (source === undefined) return fail('it states no source of settlement, or several');
  // Venue A trades until the resolution, so its end date is the one that its listing states.
  const endsAt = isOfA ? market.occursAt : market.closesAt;
  if (endsAt === null) return fail('it states no end');
  const words = wordsOf(title);
  if (words === null) return fail('its title has letters or signs that are not read');
  const slug = words.join('-');
  if (words[0] !== 'will' || slug.length > ID_CHARACTERS_MAX)
    return fail('its title does not begin with Will, or is long');
  const text = words.join(' ');
  if (SUPERLATIVE.test(text) && comparisonOf(text) === null)
    return fail('it could end in a tie, which venues settle differently');
  // A label with other words makes another question of the title.
  const isSaid = wordsOf(label)?.every(word => word === 'yes' || words.includes(word)) ?? false;
  if (!isSaid) return fail('its label says more than its title');
  if (!isOfA && !agreesWithStrike(market))
    return fail('its strike is not that of its title, or of a kind that is not read');
  return ok({ slug, end: new Date(endsAt).toISOString(), source });
}

const ID_CHARACTERS_MAX = 200;

/**
 * Words for the most or the best. Without a threshold several may tie: one venue shares the payout, the other breaks the tie. The rules are
 * not read.
 */
const SUPERLATIVE =
  /(?<!\bat )\b(?:most|least)\b|\b(?:best|worst|top|first|last|leading|greatest|fewest|highest|lowest|largest|biggest|smallest|furthest|farthest|longest|shortest|fastest)\b/;

/** Whether venue B's strike is the one in the words of the title. Strikes of unknown kinds are not read. */
function agreesWithStrike({ kind, line, title }: VenueMarket): boolean {
  if (kind === '' || kind === 'custom' || kind === 'structured') return line === null;
  const words = wordsOf(title) ?? [];
  return kind === comparisonOf(words.join(' ')) && line !== null && words.includes(plainNumber(line));
}

/** Returns the comparison in venue B's words. Null means that the text has no comparison, or one that is not read. */
function comparisonOf(text: string): 'greater' | 'greater_or_equal' | null {
  if (/\b(below|under|less|lower|fewer|at most|between|exactly|not)\b/.test(text)) return null;
  if (/\bat least\b|\bor (above|more|higher|greater|over)\b/.test(text)) return 'greater_or_equal';
  return /\b(above|over|more than|greater than|higher than|exceeds?)\b/.test(text) ? 'greater' : null;
}

const MONTH = /\b(january|february|march|april|june|july|august|september|october|november|december)\b/g;
/** Letters of other scripts, and signs that could change the sense. A text with any of them is not read. */
const UNREAD = /[^a-z0-9 .,?!'":;()/$%+-]/;

/**
 * Returns lower-case words without accents. Months have three letters; numbers have no separators and no trailing zeros; `$`, `%`, `+` and
 * a minus are words. Returns null if the text has letters or signs that are not read.
 */
function wordsOf(text: string): readonly string[] | null {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .toLowerCase();
  if (UNREAD.test(plain)) return null;
  return plain
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/(?<![a-z0-9])-(?=[$.]?\d)/g, ' minus ')
    .replace(/(?<=\d)-(?=[$.]?\d)/g, ' to ')
    .replace(/(?<!\d)\.(?=\d)/g, ' 0.')
    .replace(/\.(?!\d)|'/g, '')
    .replace(/\$/g, ' usd ')
    .replace(/%/g, ' percent ')
    .replace(/\+/g, ' plus ')
    .replace(MONTH, month => month.slice(0, 3))
    .split(/[^a-z0-9.]+/)
    .filter(word => word !== '')
    .map(plainNumber);
}

function plainNumber(word: string): string {
  return /^\d+\.\d+$/.test(word) ? word.replace(/\.?0+$/, '') : word;
}
