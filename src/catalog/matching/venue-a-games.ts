// Reads games from venue A's events. A game is one event or two, `nba-mil-lal-2026-01-09` and `…-more-markets`, with one game id
// (venue-a.md §7). An event may get its game id late. Pure.

import { isoDayMillisOf } from '../../core/domain/iso-time.ts';
import { assert } from '../../core/domain/result.ts';
import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { type Competition, competitionOfSlug } from '../leagues/competitions.ts';
import { normalized, pairsOf, type Team, type TeamTable } from '../leagues/team-table.ts';
import {
  type Claim,
  claimsOf,
  eitherOf,
  type Game,
  type GameReader,
  GamesOfParts,
  gameMarkets,
  halfLine,
  isYesNo,
  type Matchup,
  namedOpponent,
  opponentsOf,
  otherSide,
  overUnder,
  type Period,
  periodNamed,
  type ReadStatements,
  type Side,
  type Statements,
  sideNamed,
  spreadOf,
  UNKNOWN_COMPETITION,
  type UnreadGame,
} from './game.ts';
import { type NamedTeams, type Namings, namedTeams, titlesOf } from './named-teams.ts';

interface Part {
  readonly event: VenueEvent;
  /** The key of the game that the event is a part of. */
  readonly key: string;
  /** The key that the slug alone gives. A part without a game id has no other key. */
  readonly slugKey: string;
  readonly competition: Competition;
}

interface GameSlug {
  readonly competition: string;
  /** The codes, such as `mil-lal`. */
  readonly codes: string;
  readonly date: string;
  /** The part after the date, such as `more-markets`. */
  readonly end: string;
}

export function venueAGames(): GameReader {
  return new GamesOfParts(partOf, gameOf, keysWithin);
}

function partOf(event: VenueEvent): Part | UnreadGame | null {
  const slug = slugOf(event.subTitle);
  if (slug === null) return null;
  const competition = competitionOfSlug(slug.competition);
  if (competition === null) {
    const isGame = event.gameId !== '' || event.teams.length > 0;
    return isGame ? { date: slug.date, events: [event], why: UNKNOWN_COMPETITION } : null;
  }
  const slugKey = slugKeyOf(slug);
  return {
    event,
    key: event.gameId === '' ? slugKey : `venue_a/${slug.competition}/${event.gameId}`,
    slugKey,
    competition,
  };
}

const SLUG = /^([a-z0-9]+)-([a-z0-9-]+)-(\d{4}-\d{2}-\d{2})(?:-([a-z0-9-]+))?$/;

function slugOf(text: string): GameSlug | null {
  const [, competition = '', codes = '', date = '', end = ''] = SLUG.exec(text) ?? [];
  return competition === '' || isoDayMillisOf(date) === null ? null : { competition, codes, date, end };
}

/** The ends of slugs for more markets of the same game. Other ends mean another game of that day. */
const MORE = /^(?:[a-z0-9-]+-)?(?:markets|result|score|props|corners|cards)$/;

function slugKeyOf({ competition, codes, date, end }: GameSlug): string {
  return `venue_a/${competition}/${codes}-${date}${end === '' || MORE.test(end) ? '' : `-${end}`}`;
}

/** Returns the key of each part. A part without a game id belongs to the game with its slug, if exactly one game has this slug. */
function keysWithin(parts: readonly Part[]): (part: Part) => string {
  const games = new Map<string, Set<string>>();
  for (const { key, slugKey } of parts) if (key === slugKey) games.set(slugKey, new Set());
  for (const { key, slugKey } of parts) if (key !== slugKey) games.get(slugKey)?.add(key);
  return ({ key, slugKey }) => {
    const [game = key, ...more] = key === slugKey ? games.get(slugKey)! : [];
    return more.length === 0 ? game : key;
  };
}

function gameOf(key: string, parts: readonly Part[]): Game | UnreadGame {
  const [{ competition, slugKey }] = parts as [Part];
  const events = parts.map(({ event }) => event);
  // The slugs are read again instead of kept, because for forty thousand events the results take more memory than reading takes time.
  const [slug, ...more] = events.map(({ subTitle }) => slugOf(subTitle));
  assert(slug !== undefined && slug !== null, 'what has no slug is no part of a game');
  if (more.some(it => it?.date !== slug.date || it.codes !== slug.codes)) {
    return { date: slug.date, events, why: 'one game id has slugs of different games' };
  }
  const named =
    competition.teams === null ? namesOf(competition, parts) : teamsOf(competition, competition.teams, slug, parts);
  if (typeof named === 'string') return { date: slug.date, events, why: named };
  const { opponents, home: homeByOrder, isHomeContradicted } = named;
  const [firstMarket] = events.find(({ markets }) => markets.length > 0)?.markets ?? [];
  return {
    key,
    formerKey: key === slugKey ? null : slugKey,
    competition,
    date: slug.date,
    startsAt: events.find(({ startsAt }) => startsAt !== null)?.startsAt ?? firstMarket?.occursAt ?? null,
    opponents,
    home: competition.teams === null ? null : (statedHome({ competition, opponents }, parts) ?? homeByOrder),
    homeByOrder,
    isHomeContradicted,
    events,
    read: () =>
      gameMarkets(parts, market =>
        claimsOf(market, READERS.get(market.kind)?.({ competition, opponents }, market) ?? null).map(withNo),
      ),
  };
}

function teamsOf(competition: Competition, table: TeamTable, slug: GameSlug, parts: readonly Part[]) {
  return namedTeams(competition, table, {
    titles: titlesOf(parts),
    teams: parts.flatMap(({ event }) => teamNames(event)),
    labels: [],
    codes: slugPairs(table, slug),
  });
}

function slugPairs(table: TeamTable, { codes }: GameSlug): readonly (readonly [Team, Team])[] {
  const [first = [], second = [], ...more] = codes.split('-').map(code => table.allCoded(code));
  return more.length === 0 ? pairsOf(first, second) : [];
}

/** Returns the names of the event's two teams. */
function teamNames({ teams }: VenueEvent): Namings['teams'] {
  const [one, another, ...more] = teams.map(({ name, alias }) => [name, alias]);
  return one === undefined || another === undefined || more.length > 0 ? [] : [[one, another]];
}

/** Returns the sides by their full names, because this venue never shortens them. All listings of the game must name the same sides. */
function namesOf(competition: Competition, parts: readonly Part[]): NamedTeams | string {
  const moneylines = parts.flatMap(({ event }) => event.markets).filter(it => it.kind === 'moneyline' && !isYesNo(it));
  const pairs = moneylines.map(({ outcomes }) => outcomes.map(({ name }) => name));
  const titled = titlesOf(parts).map(([way]) => [way!.first, way!.second]);
  const [first, ...more] = (pairs.length > 0 ? pairs : titled).map(names =>
    names.map(name => namedOpponent(competition, name, true)),
  );
  const opponents = opponentsOf(first?.[0], first?.[1]);
  if (opponents === null) return 'no title and no market names two sides';
  const isOne = more.every(names => names.every(({ id }) => opponents.some(it => it.id === id)));
  return isOne ? { opponents, home: null, isHomeContradicted: false } : 'its markets name different sides';
}

function statedHome(game: Matchup, parts: readonly Part[]): Side | null {
  const teams = parts.flatMap(({ event }) => event.teams);
  const sides = new Set(
    teams.flatMap(({ name, role }) => {
      const side = role === null ? null : sideNamed(game, name);
      if (side === null) return [];
      return [role === 'HOME' ? side : otherSide(side)];
    }),
  );
  const [home] = sides;
  return sides.size === 1 ? (home ?? null) : null;
}

/** The readers by kind of market. Markets of other kinds ask other questions. */
const READERS: ReadonlyMap<string, ReadStatements> = new Map<string, ReadStatements>([
  ['moneyline', (game, it) => (isYesNo(it) ? oneOfThree(game, it) : oneOfTwo(game, it, 'winner'))],
  ['soccer_team_to_advance', (game, it) => (it.confirmed === 'advances' ? oneOfTwo(game, it, 'advance') : null)],
  ['spreads', (game, it) => spread(game, 'game', it)],
  ['first_half_spreads', (game, it) => spread(game, 'first-half', it)],
  ['totals', (_, it) => total('game', it)],
  ['first_half_totals', (_, it) => total('first-half', it)],
]);

/** Reads a market of Yes and No about one of three outcomes: `Arsenal FC`, or `Draw (Arsenal FC vs. Chelsea FC)`. */
function oneOfThree(game: Matchup, { label }: VenueMarket): Statements | null {
  if (game.competition.evenEnd !== 'draw') return null;
  const of = /^draw(?: \(.*\))?$/i.test(label) ? 'draw' : sideNamed(game, label);
  return of === null ? null : [{ kind: 'winner', of }, null];
}

/** Adds the token of No to a claim of a market of Yes and No. No of `Draw` is no outcome of the game, so it makes no claim. */
function withNo(claim: Claim): Claim {
  const { route, market } = claim;
  const no = isYesNo(market) ? market.outcomes[1]!.route : null;
  if (route.venue !== 'venue_a' || no?.venue !== 'venue_a') return claim;
  return { ...claim, route: { ...route, noTokenId: no.tokenId } };
}

function oneOfTwo(game: Matchup, { outcomes }: VenueMarket, kind: 'winner' | 'advance'): Statements | null {
  if (kind === 'winner' && game.competition.evenEnd === 'draw') return null;
  const [first, second] = outcomes.map(({ name }) => sideNamed(game, name));
  if (first === null || first === undefined || second !== otherSide(first)) return null;
  return eitherOf(kind, first);
}

/** Reads `Spread: Lakers (-3.5)`. The title has the sign; the line may lack it. */
function spread(game: Matchup, period: Period, { title, line, outcomes }: VenueMarket): Statements | null {
  const [, part, name = '', points] = /^(?:(.+) )?Spread: (.+) \(([+-]?\d+(?:\.\d+)?)\)$/.exec(title) ?? [];
  const handicap = halfLine(points?.replace('+', ''));
  const stated = halfLine(line);
  if (handicap === null || stated === null || Math.abs(handicap) !== Math.abs(stated)) return null;
  const [of, first, second] = [name, outcomes[0]?.name ?? '', outcomes[1]?.name ?? ''].map(it => sideNamed(game, it));
  const isRight = of !== null && of !== undefined && first === of && second === otherSide(of);
  if (!isRight || periodNamed(part ?? 'game') !== period) return null;
  return spreadOf(period, of, handicap);
}

/** Reads `Grizzlies vs. Lakers: O/U 245.5`. */
function total(period: Period, { title, line: stated, outcomes }: VenueMarket): Statements | null {
  const [, part, points] = /: (?:([^:]+) )?O\/U (\d+(?:\.\d+)?)$/.exec(title) ?? [];
  const line = halfLine(points);
  if (line === null || line !== halfLine(stated) || periodNamed(part ?? 'game') !== period) return null;
  const [first, second] = outcomes.map(({ name }) => normalized(name));
  return first === 'over' && second === 'under' ? overUnder(period, line) : null;
}
