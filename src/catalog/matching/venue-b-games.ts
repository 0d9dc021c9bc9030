// Reads games from venue B's events. A game has one event for each kind of question: `KXNBAGAME-26JAN09MILLAL`, `KXNBASPREAD-26JAN09MILLAL`
// (venue-b.md §4.2). The part after the series names the game. Pure.

import { isoDayMillisOf } from '../../core/domain/iso-time.ts';
import { assert } from '../../core/domain/result.ts';
import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { type Competition, competitionOfSeries, restOfSeries } from '../leagues/competitions.ts';
import { normalized, pairsOf, type Team, type TeamTable } from '../leagues/team-table.ts';
import {
  claimsOf,
  eitherOf,
  type Game,
  type GameReader,
  GamesOfParts,
  gameMarkets,
  halfLine,
  instantOf,
  type Matchup,
  namedOpponent,
  type Opponent,
  opponentsOf,
  overUnder,
  type Period,
  periodMentioned,
  periodNamed,
  type ReadStatements,
  type Statement,
  type Statements,
  sideNamed,
  spreadOf,
  UNKNOWN_COMPETITION,
  type UnreadGame,
} from './game.ts';
import { type NamedTeams, namedTeams, pairsIn, type TitledPair, titlesOf } from './named-teams.ts';

/** The readers by the word that ends a series' name. */
const READERS = {
  GAME: winner,
  MATCH: winner,
  FIGHT: winner,
  ADVANCE: advance,
  SPREAD: (game, it) => spread(game, 'game', it),
  TOTAL: (game, it) => total(game, 'game', it),
  '1HSPREAD': (game, it) => spread(game, 'first-half', it),
  '1HTOTAL': (game, it) => total(game, 'first-half', it),
} as const satisfies Readonly<Record<string, ReadStatements>>;
type Word = keyof typeof READERS;
const WORDS = Object.keys(READERS) as readonly Word[];
/** The words of series that ask for the winner. */
const WINNERS: ReadonlySet<Word> = new Set<Word>(['GAME', 'MATCH', 'FIGHT']);

interface Part {
  readonly event: VenueEvent;
  /** The key of the event's game, with the mark of a doubleheader. */
  readonly key: string;
  /** The key without the mark. */
  readonly plainKey: string;
  readonly word: Word;
  readonly competition: Competition;
}

/** The parts of an event's ticker after the series, which name the game. */
interface GameName {
  readonly date: string;
  /** The clock, which tickers have where one day may have two games of the same teams. Null means that the ticker has none. */
  readonly clock: { readonly hour: number; readonly minute: number } | null;
  /** The codes without the mark. */
  readonly codes: string;
  /** The mark of a doubleheader, such as `G1` for the first game of a day. Only some of a game's listings have it; else it is empty. */
  readonly mark: string;
}

export function venueBGames(): GameReader {
  return new GamesOfParts(partOf, gameOf, keysWithin);
}

/**
 * Returns the key of each part. Listings with the same clock are one game, whether they have the mark of a doubleheader or not. Only if two
 * different marks occur are they two games.
 */
function keysWithin(parts: readonly Part[]): (part: Part) => string {
  const marked = Map.groupBy(
    parts.filter(({ key, plainKey }) => key !== plainKey),
    ({ plainKey }) => plainKey,
  );
  return ({ key, plainKey }) => (new Set(marked.get(plainKey)?.map(it => it.key)).size > 1 ? key : plainKey);
}

function partOf(event: VenueEvent): Part | UnreadGame | null {
  const { seriesId, eventId } = event;
  if (!eventId.startsWith(`${seriesId}-`) || !WORDS.some(word => seriesId.endsWith(word))) return null;
  const known = competitionOfSeries(seriesId, WORDS);
  const name = gameName(event, known?.competition ?? null);
  if (name === null) return null;
  if (known === null) return { date: name.date, events: [event], why: unreadKind(seriesId) ?? UNKNOWN_COMPETITION };
  const { competition, word } = known;
  const series = seriesId.slice(0, -word.length);
  // Two series of a competition may use one name for two different games.
  const key = `venue_b/${series === competition.series[0] ? competition.id : series}/${nameText(event)}`;
  return { event, key, plainKey: key.slice(0, key.length - name.mark.length), word, competition };
}

/** Parts of a series' name, after a known competition, for questions that are not read. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/TEAM/, 'one team'],
  [/F\d/, 'the first innings'],
  [/2H/, 'the second half'],
  [/1H/, 'the first half'],
  [/\dQ/, 'a quarter'],
  [/\dP/, 'a period'],
  [/CORNERS?/, 'corners'],
  [/CARDS?/, 'cards'],
  [/(?:SET|MAP|GAME|ROUND)S?/, 'sets, maps or rounds'],
];
const KINDS_ONLY = new RegExp(`^(?:${KINDS.map(([kind]) => kind.source).join('|')})+$`);

/** Returns the reason why a series is not read. Returns null if the series is not of a known competition and kind. */
function unreadKind(seriesId: string): string | null {
  for (const word of WORDS.filter(it => seriesId.endsWith(it))) {
    const kind = restOfSeries(seriesId.slice(0, -word.length));
    if (kind === null || !KINDS_ONLY.test(kind)) continue;
    const [, words = ''] = KINDS.find(([it]) => it.test(kind)) ?? [];
    return `questions of its kind are not read: ${word === 'TOTAL' || word === 'SPREAD' ? word.toLowerCase() : 'winner'} of ${words}`;
  }
  return null;
}

function nameText({ eventId, seriesId }: VenueEvent): string {
  return eventId.slice(seriesId.length + 1);
}

const GAME_NAME = /^(\d{2})([A-Z]{3})(\d{2})(\d{4})?([A-Z0-9]+)$/;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Reads the ticker. Null as `competition` means that the competition is not known. */
function gameName(event: VenueEvent, competition: Competition | null): GameName | null {
  const [, year, monthName = '', day, clock, codes = ''] = GAME_NAME.exec(nameText(event)) ?? [];
  const month = MONTHS.indexOf(monthName) + 1;
  if (month === 0) return null;
  const date = `20${year}-${String(month).padStart(2, '0')}-${day}`;
  if (isoDayMillisOf(date) === null) return null;
  const time = clock === undefined ? null : { hour: Number(clock.slice(0, 2)), minute: Number(clock.slice(2)) };
  if (time !== null && (time.hour > 23 || time.minute > 59)) return null;
  const [mark = ''] = time !== null && competition !== null && isMarked(competition, codes) ? MARK.exec(codes)! : [];
  return { date, clock: time, codes: codes.slice(0, codes.length - mark.length), mark };
}

const MARK = /G[1-9]$/;

/** Whether the codes end with a mark. Only teams that may meet twice a day have marks. Codes that already make two teams have no mark. */
function isMarked({ hasDoubleheaders, teams }: Competition, codes: string): boolean {
  if (hasDoubleheaders !== true || teams === null || !MARK.test(codes)) return false;
  return teams.pairs(codes).length === 0;
}

function gameOf(key: string, parts: readonly Part[]): Game | UnreadGame {
  const [{ competition, event }] = parts as [Part];
  const events = parts.map(it => it.event);
  const name = gameName(event, competition);
  assert(name !== null, 'what has no such name is no part of a game');
  const named = sidesOf(competition, name, parts);
  if (typeof named === 'string') return { date: name.date, events, why: named };
  const { opponents, home, isHomeContradicted } = named;
  const startsAt =
    events.find(it => it.startsAt !== null)?.startsAt ??
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
    isHomeContradicted,
    events,
    read: () =>
      gameMarkets(parts, (market, part) =>
        isOfTwoDespiteDraws(part)
          ? []
          : claimsOf(market, READERS[part.word]({ competition, opponents }, market), isDirect),
      ),
  };
}

/** The time zone of dates and clocks in tickers, for games at any place. */
const TICKER_ZONE = 'America/New_York';

function sidesOf(competition: Competition, { codes }: GameName, parts: readonly Part[]): NamedTeams | string {
  if (competition.teams !== null) return teamsOf(competition, competition.teams, codes, parts);
  const titles = titlesOf(parts).flat();
  if (competition.otherNames !== undefined) return sidesByWholeNames(competition, titles, winnersOf(parts));
  const labels = winnerEvents(parts).flatMap(({ markets }) => markets.map(({ label }) => label));
  return playersNamed(competition, titles, labels);
}

function teamsOf(competition: Competition, table: TeamTable, codes: string, parts: readonly Part[]) {
  return namedTeams(competition, table, {
    titles: titlesOf(parts),
    teams: [],
    labels: winnersOf(parts),
    codes: codePairs(table, codes, parts),
  });
}

/** Returns, for each part that asks for the winner, the names of its two markets without the draw's. */
function winnersOf(parts: readonly Part[]): readonly (readonly [string, string])[] {
  return winnerEvents(parts).flatMap(({ markets }): readonly [string, string][] => {
    const [one, another, ...more] = markets.filter(it => !isDraw(it)).map(winnerName);
    return one === undefined || another === undefined || more.length > 0 ? [] : [[one, another]];
  });
}

function winnerEvents(parts: readonly Part[]): readonly VenueEvent[] {
  return parts.filter(({ word }) => WINNERS.has(word)).map(({ event }) => event);
}

/**
 * Returns the teams that the codes may mean. The codes are split as in the sub-title, `MSU vs ND (Sep 19)`, or by the ends of the winner's
 * tickers. Else they are split in every way that gives two codes.
 */
function codePairs(table: TeamTable, codes: string, parts: readonly Part[]): readonly (readonly [Team, Team])[] {
  const winners = winnerEvents(parts).flatMap(({ markets }) => markets);
  const ends = winners.map(({ marketId }) => marketId.slice(marketId.lastIndexOf('-') + 1));
  const titled = parts.flatMap(({ event }) => pairsIn(event.subTitle)).map(({ first, second }) => [first, second]);
  const ended = ends.flatMap(first => ends.map(second => [first, second]));
  const split = [...titled, ...ended].find(([first = '', second = '']) => first + second === codes);
  if (split === undefined) return table.pairs(codes);
  const [first, second] = split.map(code => table.allCoded(code));
  return pairsOf(first ?? [], second ?? []);
}

/**
 * Whether an outcome is the direct way to trade its statement. YES always is. NO is direct only in spreads and totals, where no other
 * ticker states the same.
 */
function isDirect({ kind }: Statement, index: number): boolean {
  return index === 0 || kind === 'spread' || kind === 'total';
}

/**
 * Whether a part asks for the winner but has no market of the draw, although games may end in a draw. Its winner is not that of 90 minutes:
 * the markets ask who lifts the cup, or goes on.
 */
function isOfTwoDespiteDraws({ competition, word, event: { markets } }: Part): boolean {
  return competition.evenEnd === 'draw' && WINNERS.has(word) && !markets.some(isDraw);
}

function advance(game: Matchup, { label, confirmed }: VenueMarket): Statements | null {
  if (confirmed !== 'advances') return null;
  const of = sideNamed(game, label.replace(/ advances?$/, ''));
  return of === null ? null : eitherOf('advance', of);
}

function winner(game: Matchup, market: VenueMarket): Statements | null {
  const { evenEnd } = game.competition;
  const of = sideNamed(game, winnerName(market));
  if (of === null) return evenEnd === 'draw' && isDraw(market) ? [{ kind: 'winner', of: 'draw' }, null] : null;
  return evenEnd === 'none' ? eitherOf('winner', of) : [{ kind: 'winner', of }, null];
}

/**
 * Whether the market is about the draw. The label decides. The end of the ticker counts only without a label, because `-TIE` is a player
 * too.
 */
function isDraw(market: VenueMarket): boolean {
  const name = winnerName(market);
  return /^(?:tie|draw)\b/i.test(name) || (name === '' && /-(?:TIE|DRAW)$/.test(market.marketId));
}

/** Returns the name in the label. Cups write `Reg Time: Dortmund`, but winners of soccer are of 90 minutes everywhere. */
function winnerName({ label }: VenueMarket): string {
  return label.replace(/^reg time: /i, '');
}

function spread(game: Matchup, period: Period, { label, line }: VenueMarket): Statements | null {
  const words = /^(.+?) wins (?:(?:the )?([^.]+?) )?by (?:over|more than) (\d+(?:\.\d+)?)(?: (.*))?$/;
  const [, name = '', what, by, rest = ''] = words.exec(label) ?? [];
  const [of, points, stated] = [sideNamed(game, name), halfLine(by), halfLine(line)];
  if (of === null || points === null || points !== stated) return null;
  const isRight = (what === undefined || periodNamed(what) === period) && agrees(game, period, rest);
  return isRight ? spreadOf(period, of, -points) : null;
}

function total(game: Matchup, period: Period, { label, line }: VenueMarket): Statements | null {
  const [, over, rest = ''] = /^Over (\d+(?:\.\d+)?)(?: (.*))?$/.exec(label) ?? [];
  const [points, stated] = [halfLine(over), halfLine(line)];
  return points !== null && points === stated && agrees(game, period, rest) ? overUnder(period, points) : null;
}

/**
 * Whether the label agrees with the series on the period. The series states it; the label may leave it out. Where games may end in a draw,
 * regulation time is the whole game.
 */
function agrees({ competition }: Matchup, period: Period, label: string): boolean {
  const mentioned = periodMentioned(competition.evenEnd === 'draw' ? label.replace(/\bregulation\b/i, '') : label);
  return mentioned === period || mentioned === 'game';
}

// Finds the two sides that a game's listings name, in a competition without a complete list of teams. Titles may give a player's surname
// only. Squads and fighters are known by their whole names.

/** Returns the players, or a text with the reason why they are unknown. `labels` are the whole names of possible winners. */
function playersNamed(
  competition: Competition,
  titles: readonly TitledPair[],
  labels: readonly string[],
): NamedTeams | string {
  const known = labels.map(label => namedOpponent(competition, label, true));
  const hasName = ({ id }: Opponent, name: string): boolean => {
    const short = namedOpponent(competition, name, false).id;
    return id === short || id.endsWith(`-${short}`);
  };
  const isCalled = (name: string): boolean => known.some(it => hasName(it, name));
  /** Returns the player with the full name, if it is known. */
  const wholeName = (name: string): Opponent => {
    const [first, ...more] = known.filter(it => hasName(it, name));
    const isOne = first !== undefined && more.every(({ id }) => id === first.id);
    return isOne ? first : namedOpponent(competition, name, false);
  };
  // A part of a title that is no name is not the name of any market.
  const names = titles.find(({ first, second }) => isCalled(first) && isCalled(second)) ?? titles[0];
  if (names === undefined) return 'no title names two players';
  return sidesBetween(wholeName(names.first), wholeName(names.second));
}

/**
 * Returns the sides by the names in `winners`, the two who may win. A title must name the same two, each by the whole name or by a part of
 * it.
 */
function sidesByWholeNames(
  competition: Competition,
  titles: readonly TitledPair[],
  winners: readonly (readonly [string, string])[],
): NamedTeams | string {
  const [names, ...more] = winners;
  if (names === undefined || more.length > 0) return 'no two markets name the two sides';
  const [one, another] = names;
  const isOf = (title: string, name: string): boolean =>
    namedOpponent(competition, title, true).id === namedOpponent(competition, name, true).id ||
    wordsOf(title).every(word => wordsOf(name).includes(word));
  const isTitled = titles.some(
    ({ first, second }) => (isOf(first, one) && isOf(second, another)) || (isOf(first, another) && isOf(second, one)),
  );
  if (!isTitled) return `no title names ${one} and ${another}`;
  return sidesBetween(namedOpponent(competition, one, true), namedOpponent(competition, another, true));
}

function wordsOf(name: string): readonly string[] {
  return normalized(name).split(' ');
}

function sidesBetween(first: Opponent, second: Opponent): NamedTeams | string {
  const opponents = opponentsOf(first, second);
  return opponents === null
    ? `${first.name} and ${second.name} cannot be compared`
    : { opponents, home: null, isHomeContradicted: false };
}
