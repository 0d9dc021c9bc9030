// A game as one venue lists it: opponents, day, and the questions of its markets. Uncertain listings are left out: a wrong match is worse
// than a missing one. Pure.

import { isoDayMillisOf, isoMillisOf } from '../../core/domain/iso-time.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { OutcomeRoute, VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { Memo, memoized } from '../catalog-rows.ts';
import type { Competition } from '../leagues/competitions.ts';
import { normalized, slugOf, transcribed } from '../leagues/team-table.ts';

/** The index of an opponent in its game. */
export type Side = 0 | 1;

export interface Opponent {
  /** The id of a team in its table, or the name of a player as a slug. */
  readonly id: string;
  readonly name: string;
  /** False if only the player's surname is known. */
  readonly isFull: boolean;
}

export type Opponents = readonly [Opponent, Opponent];

/** The claim of an outcome, in terms of the sides of its game. Handicaps and lines are in thousandths. */
export type Statement =
  | { readonly kind: 'winner'; readonly of: Side | 'draw' }
  | { readonly kind: 'advance'; readonly of: Side }
  | { readonly kind: 'spread'; readonly period: Period; readonly of: Side; readonly handicap: number }
  | { readonly kind: 'total'; readonly period: Period; readonly of: 'over' | 'under'; readonly line: number };

export type Period = 'game' | 'first-half';

/** The statements of a market's two outcomes. Null means that an outcome claims only that the other outcome's statement is false. */
export type Statements = readonly [Statement, Statement | null];

/** Reads the statements of a market's outcomes. Returns null if the statements are not certain, or if the market asks another question. */
export type ReadStatements = (game: Matchup, market: VenueMarket) => Statements | null;

/** A statement, and a way to trade it. */
export interface Claim {
  readonly statement: Statement;
  readonly route: OutcomeRoute;
  /** False if the route trades the statement by selling its opposite short, as NO of another ticker does. */
  readonly isDirect: boolean;
  readonly market: VenueMarket;
}

/** Who plays whom, and in which competition. */
export interface Matchup {
  readonly competition: Competition;
  /** The opponents in the venue's order. */
  readonly opponents: Opponents;
}

export interface Game extends Matchup {
  /** The venue's permanent name of the game, by which the game's id is remembered. */
  readonly key: string;
  /** The earlier name, if the game was listed before it had `key`; else null. */
  readonly formerKey: string | null;
  /** The date as the venue lists it, in the competition's zone: `2026-11-20`. */
  readonly date: string;
  /** The start. Null means that the venue does not state it. */
  readonly startsAt: UnixMillis | null;
  /** The home side. Null means that neither the venue states it nor the order of names implies it. */
  readonly home: Side | null;
  /** The home side that the order in slug or ticker implies. On neutral ground the venue may state the other side. */
  readonly homeByOrder: Side | null;
  /** Whether the venue's listings contradict each other on the home side. The home side then says nothing. */
  readonly isHomeContradicted: boolean;
  readonly events: readonly VenueEvent[];
  /** Reads the questions of the game's markets. Call this for each use, and do not keep the result: for 100 000 markets it takes 20 MiB. */
  readonly read: () => GameMarkets;
}

/** Listings that should be a game, and the reason why they could not be read. */
export interface UnreadGame {
  /** The day that the listing states: `2026-11-20`. */
  readonly date: string;
  readonly events: readonly VenueEvent[];
  readonly why: string;
}

export const UNKNOWN_COMPETITION = 'its competition is not known';

/** The markets of a game, by whether their questions are known. */
export interface GameMarkets {
  readonly claims: readonly Claim[];
  /** The markets with other questions. */
  readonly others: readonly VenueMarket[];
}

/** Reads the claims of all markets of a game. `claimsOf` reads one market of a part. */
export function gameMarkets<Part extends { readonly event: VenueEvent }>(
  parts: readonly Part[],
  claimsOf: (market: VenueMarket, part: Part) => readonly Claim[],
): GameMarkets {
  const claims: Claim[] = [];
  const others: VenueMarket[] = [];
  for (const part of parts) {
    for (const market of part.event.markets) {
      const own = claimsOf(market, part);
      if (own.length === 0) others.push(market);
      else claims.push(...own);
    }
  }
  return { claims, others };
}

/** Returns the claims of a market's outcomes. `isDirect` says whether an outcome is the venue's own way to trade its statement. */
export function claimsOf(
  market: VenueMarket,
  statements: Statements | null,
  isDirect: (statement: Statement, index: number) => boolean = () => true,
): readonly Claim[] {
  return market.outcomes.flatMap(({ route }, index) => {
    const statement = statements?.[index] ?? null;
    return statement === null ? [] : [{ statement, route, isDirect: isDirect(statement, index), market }];
  });
}

/** Returns the statements for one side and for the other side. */
export function eitherOf(kind: 'winner' | 'advance', of: Side): Statements {
  return [
    { kind, of },
    { kind, of: otherSide(of) },
  ];
}

/** Returns the statements for the side with its handicap, and for the other side with the opposite handicap. */
export function spreadOf(period: Period, of: Side, handicap: number): Statements {
  return [
    { kind: 'spread', period, of, handicap },
    { kind: 'spread', period, of: otherSide(of), handicap: -handicap },
  ];
}

export function overUnder(period: Period, line: number): Statements {
  return [
    { kind: 'total', period, of: 'over', line },
    { kind: 'total', period, of: 'under', line },
  ];
}

/** Returns a side of a competition without a complete list of teams. `isFull` is false if a player's listing may have the surname only. */
export function namedOpponent({ otherNames }: Competition, name: string, isFull: boolean): Opponent {
  if (otherNames === undefined) return { id: slugOf(name), name: name.trim(), isFull };
  const [known, ...more] = otherNames.allNamed(name);
  // A name that two lines of the table have is no id.
  const id = more.length > 0 ? '' : (known?.id ?? slugOf(name));
  return { id, name: known?.name ?? name.trim(), isFull: true };
}

/** Returns null unless both opponents have names and differ. */
export function opponentsOf(first: Opponent | undefined, second: Opponent | undefined): Opponents | null {
  if (first === undefined || second === undefined) return null;
  return first.id === '' || second.id === '' || first.id === second.id ? null : [first, second];
}

/** Whether two venues mean the same opponent. A surname matches a full name that ends with it. */
function isSameOpponent({ teams }: Competition, a: Opponent, b: Opponent): boolean {
  if (teams !== null) return a.id === b.id;
  if (a.isFull && b.isFull) return isSameName(a.id, b.id);
  const [long, short] = a.isFull ? [a, b] : [b, a];
  return isSameName(long.id, short.id) || (!short.isFull && transcribed(long.id).endsWith(`-${transcribed(short.id)}`));
}

/** Whether two ids that are made of names are the same, or transcriptions of one name. */
export function isSameName(one: string, another: string): boolean {
  return one === another || transcribed(one) === transcribed(another);
}

/** Returns the side of a game that a name means. Returns null if the name means neither side, or both. */
export function sideNamed({ competition, opponents }: Matchup, name: string): Side | null {
  if (competition.teams === null) {
    const wanted = namedOpponent(competition, name, true);
    return wanted.id === '' ? null : sideOf(competition, opponents, wanted);
  }
  // `Los Angeles` may mean two teams. In a game of only one of them the name means that team.
  const ids = competition.teams.allNamed(name).map(({ id }) => id);
  const [first, second] = opponents.map(({ id }) => ids.includes(id));
  if (first === second) return null;
  return first ? 0 : 1;
}

/** Returns the side of the opponent with this id. A player's listing may have the surname only, now or when the id was made. */
export function sideWithId({ competition, opponents }: Matchup, id: string): Side | null {
  const isFull = competition.teams !== null || competition.otherNames !== undefined;
  return sideOf(competition, opponents, { id, name: '', isFull });
}

function sideOf(competition: Competition, opponents: Opponents, wanted: Opponent): Side | null {
  const [first, second] = opponents.map(it => isSameOpponent(competition, it, wanted));
  if (first === second) return null;
  return first ? 0 : 1;
}

/** Returns the side of `another` that is the first side of `game`. Returns null unless both opponents match in exactly one way. */
export function sideOfFirst(game: Game, another: Game): Side | null {
  const [first, second] = game.opponents;
  const isAs = (side: Side): boolean =>
    isSameOpponent(game.competition, first, another.opponents[side]) &&
    isSameOpponent(game.competition, second, another.opponents[otherSide(side)]);
  const isStraight = isAs(0);
  if (isStraight === isAs(1)) return null;
  return isStraight ? 0 : 1;
}

/** Returns the claim for a game in which the sides are swapped. */
export function withSidesSwapped(claim: Claim): Claim {
  const { of } = claim.statement;
  if (of !== 0 && of !== 1) return claim;
  return { ...claim, statement: { ...claim.statement, of: otherSide(of) } as Statement };
}

export function otherSide(side: Side): Side {
  return side === 0 ? 1 : 0;
}

/**
 * Returns a decimal text in thousandths. Returns null unless the text is a half point, because the venues settle a push on a whole line
 * differently.
 */
export function halfLine(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^-?\d{1,4}\.50*$/.test(text)) return null;
  return Math.round(Number(text) * 1_000);
}

export function isYesNo({ outcomes }: VenueMarket): boolean {
  const [first, second] = outcomes.map(({ name }) => normalized(name));
  return first === 'yes' && second === 'no';
}

const FIRST_HALF = '1h|h1|(?:1st|first)[ -]half|half[ -](?:1|one)';
const IS_FIRST_HALF = new RegExp(`^(?:${FIRST_HALF})$`, 'i');
const HAS_FIRST_HALF = new RegExp(`\\b(?:${FIRST_HALF})\\b`, 'i');
/** Matches words for a part of a game, also for parts whose markets are not read. */
const HAS_PART =
  /\b(?:\d(?:st|nd|rd|th)?[hqp]|[hqp]\d|f\d|halves|half(?:time)?|quarters?|periods?|innings?|(?:set|map|round) \d|(?:1st|first) (?:set|map|round)|ot|overtime|extra time|regulation)\b/i;

/**
 * Returns the period if the words name a period or the game, and nothing else. Returns null for another part of the game, or other words.
 */
export function periodNamed(words: string): Period | null {
  if (/^(?:game|match)$/i.test(words)) return 'game';
  return IS_FIRST_HALF.test(words) ? 'first-half' : null;
}

/**
 * Returns the period that the text mentions, or the whole game if it mentions no part. Returns null for a part whose markets are not read.
 */
export function periodMentioned(text: string): Period | null {
  const rest = text.replace(HAS_FIRST_HALF, '');
  if (HAS_PART.test(rest)) return null;
  return rest === text ? 'game' : 'first-half';
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Returns a date such as `2026-11-20`. */
export function localDate(at: UnixMillis, zone: string): string {
  let format = FORMATS.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    FORMATS.set(zone, format);
  }
  return format.format(at);
}

/** Returns the instant of a wall-clock time in a zone. In the repeated hour of autumn it is the first of two instants. */
export function instantOf(date: string, hour: number, minute: number, zone: string): UnixMillis {
  const wall = isoDayMillisOf(date)! + (hour * 60 + minute) * 60_000;
  const guess = wall - (wallOf(wall, zone) - wall);
  // The zone's offset at the guess may differ from its offset at `wall`.
  return (guess + (wall - wallOf(guess, zone))) as UnixMillis;
}

/** Returns the wall-clock time in a zone, as if it were UTC. */
function wallOf(at: number, zone: string): number {
  return isoMillisOf(new Date(at).toLocaleString('sv-SE', { timeZone: zone }))!;
}

export interface GameReader {
  /** Returns the games that the events list. Events that are no game of a known competition are left out. */
  of(events: readonly VenueEvent[]): readonly Game[];
  /** Returns the events that should be games but could not be read. */
  unread(events: readonly VenueEvent[]): readonly UnreadGame[];
}

/** Reads games whose markets a venue spreads over several events. Each event is a part, and `key` names the part's game. */
export class GamesOfParts<Part extends { readonly key: string }> implements GameReader {
  readonly #partOf: (event: VenueEvent) => Part | UnreadGame | null;
  readonly #gameOf: (key: string, parts: readonly Part[]) => Game | UnreadGame;
  readonly #keysWithin: (parts: readonly Part[]) => (part: Part) => string;
  readonly #games = new Memo<Game | UnreadGame>();

  /** `keysWithin` returns the keys of parts whose game depends on the other listings. */
  constructor(
    partOf: (event: VenueEvent) => Part | UnreadGame | null,
    gameOf: (key: string, parts: readonly Part[]) => Game | UnreadGame,
    keysWithin: (parts: readonly Part[]) => (part: Part) => string = () => part => part.key,
  ) {
    this.#partOf = memoized(partOf);
    this.#gameOf = gameOf;
    this.#keysWithin = keysWithin;
  }

  of(events: readonly VenueEvent[]): readonly Game[] {
    return this.#gamesOf(this.#partsOf(events).filter(isRead)).filter(isRead);
  }

  unread(events: readonly VenueEvent[]): readonly UnreadGame[] {
    const parts = this.#partsOf(events);
    return [...parts.filter(isUnread), ...this.#gamesOf(parts.filter(isRead)).filter(isUnread)];
  }

  #partsOf(events: readonly VenueEvent[]): readonly (Part | UnreadGame)[] {
    return events.map(event => this.#partOf(event)).filter(part => part !== null);
  }

  #gamesOf(parts: readonly Part[]): readonly (Game | UnreadGame)[] {
    this.#games.begin();
    return [...Map.groupBy(parts, this.#keysWithin(parts))].map(([key, ofGame]) =>
      this.#games.of(key, ofGame, () => this.#gameOf(key, ofGame)),
    );
  }
}

function isRead<Read extends object>(read: Read | UnreadGame): read is Read {
  return !('why' in read);
}

function isUnread(read: object): read is UnreadGame {
  return 'why' in read;
}
