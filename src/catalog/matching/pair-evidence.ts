// The evidence for and against one game behind a listing of venue A and a listing of venue B. It is kept with each pair. Pure.

import { MINUTE_MS } from '../../core/domain/durations.ts';
import { isoDayMillisOf } from '../../core/domain/iso-time.ts';
import { SAME_START_MS } from '../leagues/competitions.ts';
import { transcribed } from '../leagues/team-table.ts';
import { type Claim, type Game, isSameName, type Opponent, type Side, sideOfFirst } from './game.ts';

/** The confidence in percent below which games are not paired. */
export const CONFIDENCE_MIN = 90;

export interface Pairing {
  readonly a: Game | null;
  readonly b: Game | null;
  /** The side of venue B's game that is the first side of venue A's game. */
  readonly bSideOfFirst: Side;
  /** The claims of venue C (`venue-c-games.ts`), in terms of the sides of `a`, or of `b` if `a` is null. */
  readonly claimsOfC: readonly Claim[];
  readonly confidence: number;
  readonly evidence: readonly string[];
}

export interface Candidate extends Pairing {
  readonly a: Game;
  readonly b: Game;
  /** The time between the two starts. Null means that a venue has not stated the start. */
  readonly apartMs: number | null;
  /** Whether the games were paired in an earlier catalog. Then the pair stays. */
  readonly wasOne: boolean;
}

/** The earlier decision about two games: one game, or two. Null means that there was no decision. */
export type Before = 'one' | 'two' | null;

/**
 * The most time between two starts of one game, for opponents that play once on a day. For others the start decides, because another game
 * may not be listed yet, or no longer.
 */
const SAME_GAME_MS = 6 * 60 * MINUTE_MS;

/**
 * Names the group in which games are compared. Players are grouped by the last parts of their names: so few are compared, even if many play
 * on a day.
 */
export function bucketName({ competition, date, opponents }: Game): string {
  const who = opponents
    .map(({ id }) => (competition.teams === null ? transcribed(id.slice(id.lastIndexOf('-') + 1)) : id))
    .sort();
  return `${competition.id} ${competition.daysMayDiffer ? '' : date} ${who.join(' ')}`;
}

/** Returns why two games of one group are not one game, without regard to other games. Returns null if nothing speaks against it. */
export function objectionTo(a: Game, b: Game): string | null {
  const bSideOfFirst = sideOfFirst(a, b);
  if (bSideOfFirst === null) return 'the opponents are not the same in exactly one way';
  const objection = startObjection(a, b);
  if (objection !== null) return objection;
  const home = homeFact(a, b, bSideOfFirst);
  if (home === null) return 'the venues disagree on who is at home, in a league with split squads';
  const confidence = confidenceOf([...factsOf(a, b, bSideOfFirst), home]);
  return confidence < CONFIDENCE_MIN ? `confidence ${confidence} is below ${CONFIDENCE_MIN}` : null;
}

/** Returns the pair, or null if they are two games. `bSideOfFirst` is the side of `b` that is the first side of `a`. */
export function candidateOf(
  a: Game,
  b: Game,
  before: Before,
  bSideOfFirst: Side | null = sideOfFirst(a, b),
): Candidate | null {
  if (bSideOfFirst === null || before === 'two') return null;
  const wasOne = before === 'one';
  const isApart = startObjection(a, b) !== null;
  if (isApart && !wasOne) return null;
  const home = homeFact(a, b, bSideOfFirst);
  if (home === null) return null;
  const facts = [...factsOf(a, b, bSideOfFirst), home];
  const confidence = confidenceOf(facts);
  const isKept = wasOne && (isApart || confidence < CONFIDENCE_MIN);
  const evidence = [...facts.map(({ text }) => text), ...(isKept ? ['they were matched before that'] : [])];
  return { a, b, bSideOfFirst, claimsOfC: [], apartMs: startDistanceMs(a, b), wasOne, confidence, evidence };
}

export function isSameStart({ a, apartMs }: Pick<Candidate, 'a' | 'apartMs'>): boolean {
  return apartMs !== null && apartMs <= a.competition.sameStartMs;
}

/** Returns null if a venue has not stated the start. */
function startDistanceMs(a: Game, b: Game): number | null {
  return a.startsAt === null || b.startsAt === null ? null : Math.abs(a.startsAt - b.startsAt);
}

/** Returns what speaks against one game in the days and starts. Returns null if nothing does. */
function startObjection(a: Game, b: Game): string | null {
  const apartMs = startDistanceMs(a, b);
  const { hasDoubleheaders, sameStartMs } = a.competition;
  if (daysApart(a, b) > 1) return `it is listed for ${a.date} and for ${b.date}`;
  const isByStart = hasDoubleheaders === true || a.date !== b.date;
  const limitMs = isByStart ? sameStartMs : SAME_GAME_MS;
  if (apartMs !== null) {
    return apartMs <= limitMs
      ? null
      : `start times are ${minutesOf(apartMs)} minutes apart, more than ${minutesOf(limitMs)}`;
  }
  if (hasDoubleheaders === true) return 'a venue states no start, in a league whose teams may meet twice a day';
  return isByStart ? `it is listed for ${a.date} and for ${b.date}, and a venue states no start` : null;
}

export function daysApart({ date }: Game, other: Game): number {
  return Math.abs(isoDayMillisOf(date)! - isoDayMillisOf(other.date)!) / DAY_MS;
}

const DAY_MS = 24 * 60 * MINUTE_MS;

interface Fact {
  readonly text: string;
  readonly doubt: number;
}

function confidenceOf(facts: readonly Fact[]): number {
  return 100 - facts.reduce((sum, fact) => sum + fact.doubt, 0);
}

function factsOf(a: Game, b: Game, bSideOfFirst: Side): readonly Fact[] {
  const days = a.date === b.date ? a.date : `${a.date}, or ${b.date} by the other clock`;
  const pairs = a.opponents.map(
    (opponent, side) => [opponent, b.opponents[side === 0 ? bSideOfFirst : 1 - bSideOfFirst]!] as const,
  );
  return [
    { text: `both list it in ${a.competition.id} on ${days}`, doubt: 0 },
    ...pairs.map(([one, same]) => opponentFact(one, same)),
    startFact(startDistanceMs(a, b)),
  ];
}

/**
 * Returns the evidence of the home sides, or null if they show two games. In some leagues two teams play each other twice at the same time,
 * at both homes, each with half of its squad. The ground is neutral if venue A states one home side and its slug's order implies the other.
 */
function homeFact(a: Game, b: Game, bSideOfFirst: Side): Fact | null {
  const homeOfB = b.home === null ? null : b.home === bSideOfFirst ? 0 : 1;
  if (a.isHomeContradicted || b.isHomeContradicted) {
    return { text: 'one venue contradicts itself on who is at home', doubt: 3 };
  }
  if (a.home === homeOfB || a.home === null || homeOfB === null) {
    return { text: 'nothing speaks against who is at home', doubt: 0 };
  }
  const isNeutral = a.homeByOrder === homeOfB;
  if (isNeutral) return { text: 'the venues disagree on who is at home, on neutral ground', doubt: 3 };
  return a.competition.hasSplitSquads ? null : { text: 'the venues disagree on who is at home', doubt: 3 };
}

function opponentFact(one: Opponent, same: Opponent): Fact {
  if (!one.isFull || !same.isFull) return { text: `one names ${one.name} and the other the same surname`, doubt: 6 };
  return isSameName(one.id, same.id)
    ? { text: `both name ${one.name}`, doubt: 0 }
    : { text: `one names ${one.name} and the other ${same.name}, against the same opponent at that time`, doubt: 6 };
}

function startFact(apartMs: number | null): Fact {
  if (apartMs === null) return { text: 'one venue has not said when it starts', doubt: 2 };
  return { text: `start times are ${minutesOf(apartMs)} minutes apart`, doubt: apartMs <= SAME_START_MS ? 0 : 4 };
}

function minutesOf(ms: number): number {
  return Math.round(ms / MINUTE_MS);
}
