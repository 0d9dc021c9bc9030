// A game as one venue lists it: who plays, on which day, and what its markets ask. What is not certain is left out: a wrong match is
// worse than a missing one. Pure.

import type { UnixMillis } from '../../domain/numbers.ts';
import type { OutcomeRoute, VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import type { Competition } from '../leagues/competitions.ts';
import { normalized, slugOf } from '../leagues/names.ts';

/** Index of an opponent in its game. */
export type Side = 0 | 1;

export interface Opponent {
  /** Of a team in its table; of a player the name as a slug. */
  readonly id: string;
  readonly name: string;
  /** False: only the surname of a player is known. */
  readonly isFull: boolean;
}

export type Opponents = readonly [Opponent, Opponent];

/** What an outcome says, in terms of the sides of its game. Lines are in thousandths. */
export type Statement =
  | { readonly kind: 'winner'; readonly of: Side | 'draw' }
  | { readonly kind: 'advance'; readonly of: Side }
  | { readonly kind: 'spread'; readonly period: Period; readonly of: Side; readonly handicap: number }
  | { readonly kind: 'total'; readonly period: Period; readonly of: 'over' | 'under'; readonly line: number };

export type Period = 'game' | 'first-half';

/** A way to trade what is stated. */
export interface Claim {
  readonly statement: Statement;
  readonly route: OutcomeRoute;
  /** False: by selling the opposite short, the NO of another ticker. */
  readonly isDirect: boolean;
  readonly market: VenueMarket;
}

export interface Game {
  /** The venue's own name of it, for ever: what ids are remembered by. */
  readonly key: string;
  /** What it was called before it had that name, if it was listed then. Null: it has no other. */
  readonly formerKey: string | null;
  readonly competition: Competition;
  /** As it was listed, in the competition's zone: `2026-11-20`. */
  readonly date: string;
  /** Null: the venue has not said it. */
  readonly startsAt: UnixMillis | null;
  /** In the order of the venue. */
  readonly opponents: Opponents;
  /** Which of them is at home; null where the venue does not say it and the order does not tell. */
  readonly home: Side | null;
  /** The same by the order in its slug or ticker alone: of a game on neutral ground the venue may state the other one. */
  readonly homeByOrder: Side | null;
  /** The venue's listings name both of them as the one at home, which says nothing then. */
  readonly isHomeContradicted: boolean;
  readonly events: readonly VenueEvent[];
  /** Read by whoever makes something of it, and kept by nobody: of 100 000 markets these are 20 MiB. */
  readonly read: () => GameMarkets;
}

/** What should be a game, and why it is none. */
export interface UnreadGame {
  /** That it was listed for: `2026-11-20`. */
  readonly date: string;
  readonly events: readonly VenueEvent[];
  readonly why: string;
}

export const UNKNOWN_COMPETITION = 'its competition is not known';

/** What the markets of a game ask. */
export interface GameMarkets {
  readonly claims: readonly Claim[];
  /** Markets that ask something else. */
  readonly others: readonly VenueMarket[];
}

/** Of a game's parts, by what one market of a part claims. */
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

export function player(name: string, isFull: boolean): Opponent {
  return { id: slugOf(name.replace(GENERATION, '')), name: name.trim(), isFull };
}

/** One venue says it and the other does not. */
const GENERATION = /,? (?:jr|sr|ii|iii)\.?$/i;

/** Null unless they are two that have names. */
export function opponentsOf(first: Opponent | undefined, second: Opponent | undefined): Opponents | null {
  if (first === undefined || second === undefined) return null;
  return first.id === '' || second.id === '' || first.id === second.id ? null : [first, second];
}

/** Whether two venues mean the same one. A surname is that of whoever ends with it. */
function isSameOpponent(a: Opponent, b: Opponent): boolean {
  if (a.isFull && b.isFull) return a.id === b.id;
  const [long, short] = a.isFull ? [a, b] : [b, a];
  return long.id === short.id || (!short.isFull && long.id.endsWith(`-${short.id}`));
}

/** The side of a game that a name is of; null of a name that is of none, or of both. */
export function sideNamed(
  { competition, opponents }: Pick<Game, 'competition' | 'opponents'>,
  name: string,
): Side | null {
  if (competition.teams === null) {
    const wanted = player(name, true);
    return wanted.id === '' ? null : sideOf(opponents, wanted);
  }
  // `Los Angeles` of two teams: within a game of one of them it is that one.
  const ids = competition.teams.allNamed(name).map(({ id }) => id);
  const [first, second] = opponents.map(({ id }) => ids.includes(id));
  if (first === second) return null;
  return first ? 0 : 1;
}

/** The side of the opponent with this id; a player may have had the surname only, or have no more now. */
export function sideWithId(
  { competition, opponents }: Pick<Game, 'competition' | 'opponents'>,
  id: string,
): Side | null {
  return sideOf(opponents, { id, name: '', isFull: competition.teams !== null });
}

function sideOf(opponents: Opponents, wanted: Opponent): Side | null {
  const [first, second] = opponents.map(it => isSameOpponent(it, wanted));
  if (first === second) return null;
  return first ? 0 : 1;
}

/** The side of another game that is the first of this one; null unless both opponents are the same, in one way only. */
export function sideOfFirst(game: Game, another: Game): Side | null {
  const [first, second] = game.opponents;
  const isAs = (side: Side): boolean =>
    isSameOpponent(first, another.opponents[side]) && isSameOpponent(second, another.opponents[other(side)]);
  const isStraight = isAs(0);
  if (isStraight === isAs(1)) return null;
  return isStraight ? 0 : 1;
}

/** In terms of a game whose sides are the other way round. */
export function turned(claim: Claim): Claim {
  const { of } = claim.statement;
  if (of !== 0 && of !== 1) return claim;
  return { ...claim, statement: { ...claim.statement, of: other(of) } as Statement };
}

export function other(side: Side): Side {
  return side === 0 ? 1 : 0;
}

/** Thousandths of a decimal text; null unless it is half a point and nothing else: what a whole line gives back differs by venue. */
export function halfLine(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^-?\d{1,4}\.50*$/.test(text)) return null;
  return Math.round(Number(text) * 1_000);
}

export function isYesNo({ outcomes }: VenueMarket): boolean {
  const [first, second] = outcomes.map(({ name }) => normalized(name));
  return first === 'yes' && second === 'no';
}
