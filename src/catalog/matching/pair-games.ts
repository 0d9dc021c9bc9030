// Pairs games of venue A with games of venue B. A pair has the same competition, day and opponents, start times that do not contradict, and
// no other candidate. Pure.

import { Memo, memoized } from '../catalog-rows.ts';
import type { Competition } from '../leagues/competitions.ts';
import { transcribed } from '../leagues/team-table.ts';
import type { EventIds } from './event-ids.ts';
import { type Game, isSameName, type Opponent, type Side } from './game.ts';
import {
  type Before,
  bucketName,
  type Candidate,
  CONFIDENCE_MIN,
  candidateOf,
  isSameStart,
  type Pairing,
} from './pair-evidence.ts';

/** The ids of games by their keys, as `EventIds` has them. */
type KnownIds = Pick<EventIds, 'known' | 'isOf'>;

/** Pairs games repeatedly. Only groups of games that have changed are paired again. */
export class GamePairs {
  readonly #ids: KnownIds;
  readonly #bucketOf = memoized(bucketName);
  readonly #pairs = new Memo<readonly Pairing[]>();
  readonly #variants = new VariantPairs((a, b) => this.#before(this.#ids.known(a.key), this.#ids.known(b.key)));

  /** Both games of a pair have one id in `ids`. By this id a pair stays, even if one venue postpones the game. */
  constructor(ids: KnownIds) {
    this.#ids = ids;
  }

  /** Returns every game once, with its twin if it has one. */
  of(gamesOfA: readonly Game[], gamesOfB: readonly Game[]): readonly Pairing[] {
    this.#pairs.begin();
    const as = Map.groupBy(gamesOfA, this.#bucketOf);
    const bs = Map.groupBy(gamesOfB, this.#bucketOf);
    const names = [...new Set([...as.keys(), ...bs.keys()])];
    return this.#variants.of(names.flatMap(name => this.#within(name, as.get(name) ?? [], bs.get(name) ?? [])));
  }

  #within(name: string, as: readonly Game[], bs: readonly Game[]): readonly Pairing[] {
    const ids = new Map([...as, ...bs].map(game => [game, this.#ids.known(game.key)]));
    const before = (a: Game, b: Game): Before => this.#before(ids.get(a) ?? null, ids.get(b) ?? null);
    // The null separates the games of the two venues. The earlier decisions about each pair of games follow them.
    const known = as.flatMap(a => bs.map(b => before(a, b)));
    return this.#pairs.of(name, [...as, null, ...bs, ...known], () => pairsWithin(as, bs, before));
  }

  /** Returns the earlier decision about two games. A game that has another twin is no candidate, even if that twin is no longer listed. */
  #before(idOfA: string | null, idOfB: string | null): Before {
    if (idOfA === null || idOfB === null) return null;
    if (idOfA === idOfB) return 'one';
    return this.#ids.isOf(idOfA, 'venue_b') || this.#ids.isOf(idOfB, 'venue_a') ? 'two' : null;
  }
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
    ...as.filter(a => !made.has(a)).map(a => withoutTwin(a, null)),
    ...bs.filter(b => !made.has(b)).map(b => withoutTwin(null, b)),
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

/**
 * Whether a candidate has no rival, that is, no other candidate with one of its games. Among rivals, as on a day with two games, the only
 * one with equal starts counts.
 */
function isOnlyOne(candidate: Candidate, candidates: readonly Candidate[]): boolean {
  const rivals = candidates.filter(it => it !== candidate && (it.a === candidate.a || it.b === candidate.b));
  if (rivals.length === 0) return true;
  return isSameStart(candidate) && rivals.every(it => it.apartMs !== null && !isSameStart(it));
}

function withoutTwin(a: Game | null, b: Game | null): Pairing {
  return { a, b, bSideOfFirst: 0, claimsOfC: [], confidence: 100, evidence: [] };
}

// Pairs in competitions without a complete list of sides. A venue may write one side otherwise: `Daniel Merida` for `Daniel Merida
// Aguilar`. A side plays one game at a time. So two listings are one game if they share a start, a whole name on one side, and forms of one
// name on the other. They are not one game if another listing could be meant, or if one venue has both forms, which then mean two sides.

/** The names of one venue's sides, each with its competition. */
type Names = ReadonlySet<string>;

class VariantPairs {
  readonly #before: (a: Game, b: Game) => Before;
  readonly #candidates = new Memo<Candidate | null>();

  /** `before` returns the earlier decision about two games. */
  constructor(before: (a: Game, b: Game) => Before) {
    this.#before = before;
  }

  /** Returns the same games, with more of them in pairs. */
  of(pairings: readonly Pairing[]): readonly Pairing[] {
    this.#candidates.begin();
    const open = pairings.filter(({ a, b }) => (a ?? b!).competition.teams === null);
    const [as, bs] = [
      open.flatMap(({ a, b }) => (b === null ? [a!] : [])),
      open.flatMap(({ a, b }) => (a === null ? [b!] : [])),
    ];
    if (as.length === 0 || bs.length === 0) return pairings;
    const venues = [namesIn(open.map(({ a }) => a)), namesIn(open.map(({ b }) => b))];
    const candidates = this.#candidatesOf(as, bs, venues);
    const kept = candidates.filter(({ wasOne }) => wasOne);
    const free = candidates.filter(it => it.wasOne || !kept.some(pair => isRival(it, pair)));
    const made = free.filter(candidate => !free.some(it => it !== candidate && isRival(it, candidate)));
    const paired = new Set(made.flatMap(({ a, b }) => [a, b]));
    return [...pairings.filter(({ a, b }) => !paired.has((a ?? b)!)), ...made];
  }

  #candidatesOf(as: readonly Game[], bs: readonly Game[], venues: readonly Names[]): readonly Candidate[] {
    const byOpponent = Map.groupBy(
      bs.flatMap(b => b.opponents.map(opponent => ({ b, name: nameOf(b, opponent) }))),
      ({ name }) => name,
    );
    return as.flatMap(a =>
      a.opponents
        .flatMap(opponent => byOpponent.get(nameOf(a, opponent)) ?? [])
        .map(({ b }) => this.#candidate(a, b, venues))
        .filter(it => it !== null),
    );
  }

  #candidate(a: Game, b: Game, venues: readonly Names[]): Candidate | null {
    const before = this.#before(a, b);
    const isOfTwo = venues.some(names => hasBoth(names, a, b));
    return this.#candidates.of(`${a.key} ${b.key}`, [a, b, before, isOfTwo], () => {
      const side = isOfTwo ? null : sideByVariant(a, b);
      const candidate = side === null ? null : candidateOf(a, b, before, side);
      if (candidate === null || candidate.wasOne) return candidate;
      return isSameStart(candidate) && candidate.confidence >= CONFIDENCE_MIN ? candidate : null;
    });
  }
}

function nameOf({ competition }: Game, { id }: Opponent): string {
  return `${competition.id} ${transcribed(id)}`;
}

function namesIn(games: readonly (Game | null)[]): Names {
  return new Set(games.flatMap(game => (game === null ? [] : game.opponents.map(it => nameOf(game, it)))));
}

/** Whether one venue has all names in which the games differ. These names then mean different sides. */
function hasBoth(names: Names, a: Game, b: Game): boolean {
  const [inA, inB] = [a, b].map(game => game.opponents.map(it => nameOf(game, it)));
  const differing = [...inA!.filter(it => !inB!.includes(it)), ...inB!.filter(it => !inA!.includes(it))];
  return differing.every(it => names.has(it));
}

/** Whether the two pairs share a listing. */
function isRival(one: Candidate, another: Candidate): boolean {
  return one.a === another.a || one.b === another.b;
}

/**
 * Returns the side of `b` that is the first side of `a`. Returns null unless one side is the same and the other side has forms of one name.
 */
function sideByVariant(a: Game, b: Game): Side | null {
  const [first, second] = a.opponents;
  const isSame = (one: Opponent, another: Opponent): boolean =>
    isSameName(one.id, another.id) && isWholeName(a.competition, one) && isWholeName(a.competition, another);
  const isAs = (one: Opponent, another: Opponent): boolean =>
    (isSame(first, one) && isVariant(second, another)) || (isSame(second, another) && isVariant(first, one));
  const [isStraight, isTurned] = [isAs(b.opponents[0], b.opponents[1]), isAs(b.opponents[1], b.opponents[0])];
  if (isStraight === isTurned) return null;
  return isStraight ? 0 : 1;
}

// Two forms of one name differ by fewer words, another order, or initials. They alone prove nothing.

/** Words that mark another squad of the same organisation, or women. A name with such a mark is never a form of the name without it. */
const MARKS = new Set(
  'academy youth junior juniors u19 u20 u21 u23 female fe gc women womens w ii iii 2 b challengers blue black white'.split(
    ' ',
  ),
);
/** Words that do not tell sides apart. */
const COMMON = new Set('team esports esport gaming club the'.split(' '));

/** Whether nothing of the name is left out: a player's name needs at least two words, and no initial. */
function isWholeName({ otherNames }: Competition, { id, isFull }: Opponent): boolean {
  const words = id.split('-');
  return isFull && (otherNames !== undefined || (words.length > 1 && words.every(word => word.length > 1)));
}

/** Whether one name is the other with fewer words, in any order, or with initials in place of words. */
function isVariant(one: Opponent, another: Opponent): boolean {
  if (!one.isFull || !another.isFull || isSameName(one.id, another.id)) return false;
  const words = [one, another].map(({ id }) => transcribed(id).split('-'));
  const [short, long] = words.sort((some, more) => some.length - more.length);
  const rest = [...long!];
  let isShared = false;
  for (const word of short!) {
    const at = rest.findIndex(it => it === word || isInitial(word, it) || isInitial(it, word));
    if (at < 0) return false;
    isShared ||= rest[at] === word && word.length > 2 && !COMMON.has(word);
    rest.splice(at, 1);
  }
  return isShared && rest.every(word => !MARKS.has(word));
}

function isInitial(letter: string, word: string): boolean {
  return letter.length === 1 && word.startsWith(letter);
}
