// Venue B lists a game as several events, one for each kind of question: `KXNBAGAME-26JAN09MILLAL`, `KXNBASPREAD-26JAN09MILLAL`
// (venue-b.md §4.2). What follows the series is the game. Pure.

import { assert, unreachable } from '../../domain/result.ts';
import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { type Competition, competitionOfSeries } from '../leagues/competitions.ts';
import {
  type Claim,
  type Game,
  gameMarkets,
  halfLine,
  type Opponents,
  opponentsOf,
  other,
  player,
  type Side,
  type Statement,
  sideNamed,
  teamOpponents,
  titledTeams,
} from './game.ts';
import { type GameReader, GamesOfParts } from './game-reader.ts';
import { instantOf } from './local-date.ts';

const WORDS = ['GAME', 'MATCH', 'ADVANCE', 'SPREAD', 'TOTAL', '1HSPREAD', '1HTOTAL'] as const;
type Word = (typeof WORDS)[number];

interface Part {
  readonly event: VenueEvent;
  /** Of its game. */
  readonly key: string;
  readonly word: Word;
  readonly competition: Competition;
}

/** What follows the series in an event's ticker. */
interface GameName {
  readonly date: string;
  /** Where a day may have two games of the same teams. */
  readonly clock: { readonly hour: number; readonly minute: number } | null;
  readonly codes: string;
}

export function venueBGames(): GameReader {
  return new GamesOfParts(partOf, gameOf);
}

function partOf(event: VenueEvent): Part | null {
  const known = competitionOfSeries(event.seriesId, WORDS);
  if (known === null || !event.eventId.startsWith(`${event.seriesId}-`)) return null;
  const text = nameText(event);
  if (gameName(text) === null) return null;
  return { event, key: `venue_b/${known.competition.id}/${text}`, word: known.word, competition: known.competition };
}

function nameText({ eventId, seriesId }: VenueEvent): string {
  return eventId.slice(seriesId.length + 1);
}

const GAME_NAME = /^(\d{2})([A-Z]{3})(\d{2})(\d{4})?([A-Z0-9]+)$/;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

function gameName(text: string): GameName | null {
  const [, year, monthName = '', day, clock, codes = ''] = GAME_NAME.exec(text) ?? [];
  const month = MONTHS.indexOf(monthName) + 1;
  if (month === 0) return null;
  const date = `20${year}-${String(month).padStart(2, '0')}-${day}`;
  if (Number.isNaN(Date.parse(date))) return null;
  const time = clock === undefined ? null : { hour: Number(clock.slice(0, 2)), minute: Number(clock.slice(2)) };
  if (time !== null && (time.hour > 23 || time.minute > 59)) return null;
  return { date, clock: time, codes };
}

function gameOf(key: string, parts: readonly Part[]): Game | null {
  const [{ competition, event }] = parts as [Part];
  const name = gameName(nameText(event));
  assert(name !== null, 'what has no such name is no part of a game');
  const opponents = competition.teams === null ? playersOf(parts) : teamsOf(competition, name, parts);
  if (opponents === null) return null;
  const home = competition.teams === null ? null : competition.isHomeFirst ? 0 : 1;
  const startsAt =
    parts.find(({ event }) => event.startsAt !== null)?.event.startsAt ??
    (name.clock === null ? null : instantOf(name.date, name.clock.hour, name.clock.minute, TICKER_ZONE));
  return {
    key,
    formerKey: null,
    competition,
    date: name.date,
    startsAt,
    opponents,
    home,
    homeByOrder: home,
    events: parts.map(({ event }) => event),
    read: () => gameMarkets(parts, (market, { word }) => claimsOf({ competition, opponents }, word, market)),
  };
}

/** Dates and clocks in tickers are of New York, wherever is played. */
const TICKER_ZONE = 'America/New_York';

/** By the titles, which must not contradict the ticker; by the ticker where no title names two. */
function teamsOf(competition: Competition, { codes }: GameName, parts: readonly Part[]): Opponents | null {
  const [first, second] = competition.teams?.pair(codes) ?? [];
  const coded = teamOpponents(first, second);
  const titles = parts.map(({ event }) => namesIn(event.title)).filter(it => it !== null);
  if (titles.length === 0) return coded;
  const titled = titledTeams(competition, titles);
  return coded === null || coded.every(({ id }, side) => titled?.[side]?.id === id) ? titled : null;
}

/** `Houston at Sacramento`, `Denver vs Kansas City: Spread`, `Will X win the de Minaur vs Cobolli: Round Of 16 match?` */
function namesIn(title: string): readonly [string, string] | null {
  const text = title.replace(/^Will .* win the /, '');
  const [, first, second] = /^(.+?) (?:at|vs\.?) (.+?)(?::.*| Winner\?| match\?)?$/.exec(text) ?? [];
  return first === undefined || second === undefined ? null : [first, second];
}

/** Titles may have surnames only: markets have whole names. */
function playersOf(parts: readonly Part[]): Opponents | null {
  const names = parts.map(({ event }) => namesIn(event.title)).find(it => it !== null);
  if (names === undefined) return null;
  const labels = parts.filter(({ word }) => word === 'MATCH').flatMap(({ event }) => event.markets.map(it => it.label));
  const [first, second] = names.map(name => {
    const short = player(name, false);
    const whole = labels
      .map(label => player(label, true))
      .filter(it => it.id === short.id || it.id.endsWith(`-${short.id}`));
    return whole[0] !== undefined && whole.every(it => it.id === whole[0]!.id) ? whole[0] : short;
  });
  return opponentsOf(first, second);
}

function claimsOf(game: Pick<Game, 'competition' | 'opponents'>, word: Word, market: VenueMarket): readonly Claim[] {
  const [yes, no] = market.outcomes;
  const statements = statementsOf(game, word, market);
  if (statements === null || yes === undefined || no === undefined) return [];
  const direct: Claim = { statement: statements.yes, route: yes.route, isDirect: true, market };
  if (statements.no === null) return [direct];
  return [direct, { statement: statements.no, route: no.route, isDirect: statements.isNoDirect, market }];
}

interface Statements {
  readonly yes: Statement;
  /** Null: that it does not come true is no outcome by itself. */
  readonly no: Statement | null;
  /** Whether nothing but NO of this ticker says it. */
  readonly isNoDirect: boolean;
}

function statementsOf(
  game: Pick<Game, 'competition' | 'opponents'>,
  word: Word,
  market: VenueMarket,
): Statements | null {
  switch (word) {
    case 'GAME':
    case 'MATCH':
      return winner(game, market);
    case 'ADVANCE': {
      const of = sideNamed(game, market.label.replace(/ advances?$/, ''));
      if (of === null) return null;
      return { yes: { kind: 'advance', of }, no: { kind: 'advance', of: other(of) }, isNoDirect: false };
    }
    case 'SPREAD':
      return spread(game, 'game', market);
    case '1HSPREAD':
      return spread(game, 'first-half', market);
    case 'TOTAL':
      return total('game', market);
    case '1HTOTAL':
      return total('first-half', market);
    default:
      return unreachable(word);
  }
}

function winner(game: Pick<Game, 'competition' | 'opponents'>, { label, marketId }: VenueMarket): Statements | null {
  const { evenEnd } = game.competition;
  if (marketId.endsWith('-TIE')) {
    return evenEnd === 'draw' ? { yes: { kind: 'winner', of: 'draw' }, no: null, isNoDirect: false } : null;
  }
  const of = sideNamed(game, label);
  if (of === null) return null;
  const no: Statement | null = evenEnd === 'none' ? { kind: 'winner', of: other(of) } : null;
  return { yes: { kind: 'winner', of }, no, isNoDirect: false };
}

function spread(
  game: Pick<Game, 'competition' | 'opponents'>,
  period: 'game' | 'first-half',
  { label, line }: VenueMarket,
): Statements | null {
  const [, name = '', what, by] =
    /^(.+?) wins (?:the (game|match|first half|1st half) )?by over (\d+(?:\.\d+)?) /.exec(`${label} `) ?? [];
  const [of, points, stated] = [sideNamed(game, name), halfLine(by), halfLine(line)];
  if (of === null || points === null || points !== stated) return null;
  if (what !== undefined && what.endsWith('half') !== (period === 'first-half')) return null;
  return {
    yes: { kind: 'spread', period, of, handicap: -points },
    no: { kind: 'spread', period, of: other(of) as Side, handicap: points },
    isNoDirect: true,
  };
}

function total(period: 'game' | 'first-half', { label, line }: VenueMarket): Statements | null {
  const [, over] = /^Over (\d+(?:\.\d+)?) /.exec(`${label} `) ?? [];
  const [points, stated] = [halfLine(over), halfLine(line)];
  if (points === null || points !== stated || (period === 'game' && /\bhalf\b/i.test(label))) return null;
  return {
    yes: { kind: 'total', period, of: 'over', line: points },
    no: { kind: 'total', period, of: 'under', line: points },
    isNoDirect: true,
  };
}
