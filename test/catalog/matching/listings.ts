// Games as the two venues would list them, for cases without a recording.

import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { OutcomeRoute, VenueEvent, VenueMarket } from '../../../src/venues/discovery.ts';

export interface Listed {
  /** The league, as in venue B's series and in venue A's slugs. */
  readonly league: string;
  readonly date: string;
  /** The start of the game in UTC. */
  readonly startsAt: string;
}

/** Venue A's slugs that differ from venue B's series in small letters. */
const SLUGS: Readonly<Record<string, string>> = {
  ...{ WC: 'fifwc', NCAAMB: 'cbb', NCAAF: 'cfb', DOTA2: 'dota2', VALORANT: 'val', IPL: 'cricipl', T20: 'crict20blast' },
  ...{ DIMAYOR: 'col1', JLEAGUE: 'j1100', DFBPOKAL: 'dfb', LIGAPORTUGAL: 'por', CONMEBOLLIB: 'lib' },
  ...{ ATPCHALLENGER: 'atp', WTACHALLENGER: 'wta', ITFW: 'itf' },
};
/** Venue B's words for the winner market that differ from `GAME`. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ ATP: 'MATCH', WTA: 'MATCH', ITF: 'MATCH', ITFW: 'MATCH', ATPCHALLENGER: 'MATCH', WTACHALLENGER: 'MATCH' },
  ...{ T20: 'MATCH', CPL: 'MATCH', UFC: 'FIGHT' },
};
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The counter of ids. All ids have the same length, since a store sorts them as text, and all tests of a process share this counter. */
let made = 100_000;

/** Returns an event with titles as venue A has them. `outcomes` are the outcomes of the moneyline, in order. */
export function atVenueA(
  { league, date, startsAt }: Listed,
  codes: string,
  title: string,
  more: {
    readonly gameId?: string;
    readonly markets?: readonly VenueMarket[];
    readonly outcomes?: readonly string[];
    /** The team that the venue lists as the home team. */
    readonly home?: string;
  } = {},
): VenueEvent {
  made += 1;
  const outcomes = more.outcomes ?? title.replace(/^.*: /, '').split(/ vs\.? /);
  return {
    venue: 'venue_a',
    eventId: String(made),
    title,
    subTitle: `${SLUGS[league] ?? league.toLowerCase()}-${codes}-${date}`,
    seriesId: '',
    competition: league.toLowerCase(),
    scope: '',
    startsAt: Date.parse(startsAt) as UnixMillis,
    gameId: more.gameId ?? '',
    teams: more.home === undefined ? [] : [{ name: more.home, abbreviation: '', alias: '', role: 'HOME' }],
    markets: more.markets ?? [ofVenueA(title, 'moneyline', outcomes)],
  };
}

export function ofVenueA(
  title: string,
  kind: string,
  outcomes: readonly string[],
  line: string | null = null,
): VenueMarket {
  made += 1;
  const route = (index: number): OutcomeRoute => ({ venue: 'venue_a', tokenId: String(1_000_000 + made * 2 + index) });
  return {
    ...market(`0x${made.toString(16).padStart(64, '0')}`, title, kind, line),
    outcomes: outcomes.map((name, index) => ({ name, route: route(index) })),
  };
}

/** Returns an event of venue C. `winners` are strikes by the names of their sides; without `winners` there is no moneyline. */
export function atVenueC(
  { league, startsAt }: Pick<Listed, 'league' | 'startsAt'>,
  title: string,
  winners: Readonly<Record<string, string>>,
  more: Partial<VenueEvent> = {},
): VenueEvent {
  made += 1;
  const outcomes = Object.entries(winners).map(([name, strikeId]) => ({
    name,
    route: { venue: 'venue_c', strikeId } as const,
  }));
  return {
    venue: 'venue_c',
    eventId: String(made),
    title,
    subTitle: '',
    seriesId: '',
    competition: league,
    scope: '',
    startsAt: Date.parse(startsAt) as UnixMillis,
    gameId: '',
    teams: [],
    markets: [{ ...market(`${made}/251`, 'Moneyline', 'moneyline', null), outcomes }],
    ...more,
  };
}

/** Returns an event with titles as venue B has them. `winners` are given by the ends of their tickers. */
export function atVenueB(
  { league, date }: Listed,
  codes: string,
  title: string,
  winners: Readonly<Record<string, string>>,
  word = WORDS[league] ?? 'GAME',
): VenueEvent {
  const markets = Object.entries(winners).map(([code, name]) => ({ code, label: name, line: null }));
  return seriesOfB({ league, date }, codes, title, word, markets);
}

export function seriesOfB(
  { league, date }: Pick<Listed, 'league' | 'date'>,
  codes: string,
  title: string,
  word: string,
  parts: readonly { readonly code: string; readonly label: string; readonly line: string | null }[],
): VenueEvent {
  const seriesId = `KX${league}${word}`;
  const [year = '', month = '', day = ''] = date.split('-');
  const eventId = `${seriesId}-${year.slice(2)}${MONTHS[Number(month) - 1]}${day}${codes}`;
  return {
    venue: 'venue_b',
    eventId,
    title,
    subTitle: '',
    seriesId,
    competition: '',
    scope: '',
    startsAt: null,
    gameId: '',
    teams: [],
    markets: parts.map(({ code, label, line }) => ofVenueB(`${eventId}-${code}`, title, label, line)),
  };
}

function ofVenueB(ticker: string, title: string, label: string, line: string | null): VenueMarket {
  const side = (name: string, of: 'YES' | 'NO') => ({ name, route: { venue: 'venue_b', ticker, side: of } as const });
  return {
    ...market(ticker, title, 'structured', line),
    label,
    outcomes: [side(label, 'YES'), side(`Not ${label}`, 'NO')],
  };
}

function market(marketId: string, title: string, kind: string, line: string | null): Omit<VenueMarket, 'outcomes'> {
  const times = { opensAt: null, closesAt: null, occursAt: null };
  return { marketId, title, phase: 'OPEN', ...times, label: '', kind, line };
}
