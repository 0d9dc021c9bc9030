// Pairs games of venue A with games of venue B: same competition, day and opponents, no contradicting start times, and no other candidate.
// The evidence is kept with each pair. Pure.

import { MINUTE_MS } from '../../domain/durations.ts';
import { Memo, memoized } from '../memo.ts';
import type { EventIds } from './event-ids.ts';
import { type Claim, type Game, type Side, sideOfFirst } from './game.ts';

/** Percent; nothing is merged below it. */
export const CONFIDENCE_MIN = 90;

export interface Pairing {
  readonly a: Game | null;
  readonly b: Game | null;
  /** The side of venue B's game that is the first side of venue A's. */
  readonly bSideOfFirst: Side;
  /** Claims of venue C (`venue-c-games.ts`), in terms of the sides of `a`, else of `b`. */
  readonly claimsOfC: readonly Claim[];
  readonly confidence: number;
  readonly evidence: readonly string[];
}

interface Candidate extends Pairing {
  readonly a: Game;
  readonly b: Game;
  /** Null: a venue has not stated the start. */
  readonly apartMs: number | null;
  /** Paired in an earlier catalog: the pair stays. */
  readonly wasOne: boolean;
}

/** Earlier decisions about two games; null: none. */
type Before = 'one' | 'two' | null;

/** Ids of games by their keys: `EventIds`. */
export type KnownIds = Pick<EventIds, 'known' | 'isOf'>;

export const SAME_START_MS = 90 * MINUTE_MS;
/** For opponents that play once on a day. Else the other game may not be listed yet, or no more; the start decides. */
const SAME_GAME_MS = 6 * 60 * MINUTE_MS;

/** Pairs games repeatedly; it looks only at groups that have changed. */
export class GamePairs {
  readonly #ids: KnownIds;
  readonly #bucketOf = memoized(bucketName);
  readonly #pairs = new Memo<readonly Pairing[]>();

  /** `ids`: a pair that was made stays, even after a postponement at one venue: both games have one id. */
  constructor(ids: KnownIds) {
    this.#ids = ids;
  }

  /** Every game once, with its twin if it has one. */
  of(gamesOfA: readonly Game[], gamesOfB: readonly Game[]): readonly Pairing[] {
    this.#pairs.begin();
    const as = Map.groupBy(gamesOfA, this.#bucketOf);
    const bs = Map.groupBy(gamesOfB, this.#bucketOf);
    const names = [...new Set([...as.keys(), ...bs.keys()])];
    return names.flatMap(name => this.#within(name, as.get(name) ?? [], bs.get(name) ?? []));
  }

  #within(name: string, as: readonly Game[], bs: readonly Game[]): readonly Pairing[] {
    const ids = new Map([...as, ...bs].map(game => [game, this.#ids.known(game.key)]));
    const before = (a: Game, b: Game): Before => this.#before(ids.get(a) ?? null, ids.get(b) ?? null);
    // The nulls separate the two lists; then the earlier decision about each two.
    const known = as.flatMap(a => bs.map(b => before(a, b)));
    return this.#pairs.of(name, [...as, null, ...bs, ...known], () => pairsWithin(as, bs, before));
  }

  /** A game whose twin is another game is not a candidate, even if that twin is not listed any more. */
  #before(idOfA: string | null, idOfB: string | null): Before {
    if (idOfA === null || idOfB === null) return null;
    if (idOfA === idOfB) return 'one';
    return this.#ids.isOf(idOfA, 'venue_b') || this.#ids.isOf(idOfB, 'venue_a') ? 'two' : null;
  }
}

/** Compares players only among names with the same ending: however many play on a day, few are compared. */
export function bucketName({ competition, date, opponents }: Game): string {
  const who = opponents.map(({ id }) => (competition.teams === null ? id.slice(id.lastIndexOf('-') + 1) : id)).sort();
  return `${competition.id} ${date} ${who.join(' ')}`;
}

function pairsWithin(
  as: readonly Game[],
  bs: readonly Game[],
  before: (a: Game, b: Game) => Before,
): readonly Pairing[] {
  const candidates = as.flatMap(a => bs.map(b => candidateOf(a, b, before(a, b))).filter(it => it !== null));
  const made = new Pairs();
  for (const candidate of candidates) if (candidate.wasOne && made.isFree(candidate)) made.add(candidate);
  const open = candidates.filter(candidate => made.isFree(candidate));
  for (const candidate of open) {
    if (isOnlyOne(candidate, open) && candidate.confidence >= CONFIDENCE_MIN) made.add(candidate);
  }
  return [
    ...made.all,
    ...as.filter(a => !made.has(a)).map(a => alone(a, null)),
    ...bs.filter(b => !made.has(b)).map(b => alone(null, b)),
  ];
}

class Pairs {
  readonly all: Candidate[] = [];
  readonly #games = new Set<Game>();

  add(pair: Candidate): void {
    this.all.push(pair);
    this.#games.add(pair.a).add(pair.b);
  }

  has(game: Game): boolean {
    return this.#games.has(game);
  }

  isFree({ a, b }: Candidate): boolean {
    return !this.has(a) && !this.has(b);
  }
}

/** Why two games of one bucket are not one, without regard to other games. Null: nothing speaks against it. */
export function objectionTo(a: Game, b: Game): string | null {
  const bSideOfFirst = sideOfFirst(a, b);
  if (bSideOfFirst === null) return 'the opponents are not the same in exactly one way';
  const apartMs = apartOf(a, b);
  if (isApart(a, apartMs)) {
    const limitMs = a.competition.hasDoubleheaders ? SAME_START_MS : SAME_GAME_MS;
    return apartMs === null
      ? 'a venue states no start, in a league whose teams may meet twice a day'
      : `start times are ${Math.round(apartMs / MINUTE_MS)} minutes apart, more than ${limitMs / MINUTE_MS}`;
  }
  const home = homeFact(a, b, bSideOfFirst);
  if (home === null) return 'the venues disagree on who is at home, in a league with split squads';
  const confidence = confidenceOf([...factsOf(a, b, bSideOfFirst, apartMs), home]);
  return confidence < CONFIDENCE_MIN ? `confidence ${confidence} is below ${CONFIDENCE_MIN}` : null;
}

/** Null: a venue has not stated the start. */
function apartOf(a: Game, b: Game): number | null {
  return a.startsAt === null || b.startsAt === null ? null : Math.abs(a.startsAt - b.startsAt);
}

function isApart({ competition }: Game, apartMs: number | null): boolean {
  return competition.hasDoubleheaders ? !isSameStart({ apartMs }) : apartMs !== null && apartMs > SAME_GAME_MS;
}

function confidenceOf(facts: readonly Fact[]): number {
  return 100 - facts.reduce((sum, fact) => sum + fact.doubt, 0);
}

function candidateOf(a: Game, b: Game, before: Before): Candidate | null {
  const bSideOfFirst = sideOfFirst(a, b);
  if (bSideOfFirst === null || before === 'two') return null;
  const apartMs = apartOf(a, b);
  const wasOne = before === 'one';
  if (isApart(a, apartMs) && !wasOne) return null;
  const home = homeFact(a, b, bSideOfFirst);
  if (home === null) return null;
  const facts = [...factsOf(a, b, bSideOfFirst, apartMs), home];
  const confidence = confidenceOf(facts);
  const isKept = wasOne && (isApart(a, apartMs) || confidence < CONFIDENCE_MIN);
  const evidence = [...facts.map(({ text }) => text), ...(isKept ? ['they were matched before that'] : [])];
  return { a, b, bSideOfFirst, claimsOfC: [], apartMs, wasOne, confidence, evidence };
}

interface Fact {
  readonly text: string;
  readonly doubt: number;
}

function factsOf(a: Game, b: Game, bSideOfFirst: Side, apartMs: number | null): readonly Fact[] {
  const pairs = a.opponents.map(
    (opponent, side) => [opponent, b.opponents[side === 0 ? bSideOfFirst : 1 - bSideOfFirst]!] as const,
  );
  return [
    { text: `both list it in ${a.competition.id} on ${a.date}`, doubt: 0 },
    ...pairs.map(([one, same]) => opponentFact(one.name, one.isFull && same.isFull)),
    startFact(apartMs),
  ];
}

/**
 * Null: two games. In some leagues two teams may play each other at both homes on one day, at the same time, each with half of its squad. A
 * venue whose stated home side contradicts its own order lists a game on neutral ground.
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

function opponentFact(name: string, isFull: boolean): Fact {
  return isFull
    ? { text: `both name ${name}`, doubt: 0 }
    : { text: `one names ${name} and the other the same surname`, doubt: 6 };
}

function startFact(apartMs: number | null): Fact {
  if (apartMs === null) return { text: 'one venue has not said when it starts', doubt: 2 };
  const minutes = Math.round(apartMs / MINUTE_MS);
  return { text: `start times are ${minutes} minutes apart`, doubt: apartMs <= SAME_START_MS ? 0 : 4 };
}

/** If several games are candidates, as on a day with two of them, only an equal start counts. */
function isOnlyOne(candidate: Candidate, candidates: readonly Candidate[]): boolean {
  const rivals = candidates.filter(it => it !== candidate && (it.a === candidate.a || it.b === candidate.b));
  if (rivals.length === 0) return true;
  return isSameStart(candidate) && rivals.every(it => it.apartMs !== null && !isSameStart(it));
}

function isSameStart({ apartMs }: Pick<Candidate, 'apartMs'>): boolean {
  return apartMs !== null && apartMs <= SAME_START_MS;
}

function alone(a: Game | null, b: Game | null): Pairing {
  return { a, b, bSideOfFirst: 0, claimsOfC: [], confidence: 100, evidence: [] };
}
