// Pairs games of venue A with games of venue B: same competition, day and opponents, no contradicting start times, and no other candidate.
// Pure.

import { Memo, memoized } from '../memo.ts';
import type { EventIds } from './event-ids.ts';
import type { Game } from './game.ts';
import {
  type Before,
  bucketName,
  type Candidate,
  CONFIDENCE_MIN,
  candidateOf,
  isSameStart,
  type Pairing,
} from './pair-evidence.ts';
import { VariantPairs } from './pair-variants.ts';

/** Ids of games by their keys: `EventIds`. */
type KnownIds = Pick<EventIds, 'known' | 'isOf'>;

/** Pairs games repeatedly; it looks only at groups that have changed. */
export class GamePairs {
  readonly #ids: KnownIds;
  readonly #bucketOf = memoized(bucketName);
  readonly #pairs = new Memo<readonly Pairing[]>();
  readonly #variants = new VariantPairs((a, b) => this.#before(this.#ids.known(a.key), this.#ids.known(b.key)));

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
    return this.#variants.of(names.flatMap(name => this.#within(name, as.get(name) ?? [], bs.get(name) ?? [])));
  }

  #within(name: string, as: readonly Game[], bs: readonly Game[]): readonly Pairing[] {
    const ids = new Map([...as, ...bs].map(game => [game, this.#ids.known(game.key)]));
    const before = (a: Game, b: Game): Before => this.#before(ids.get(a) ?? null, ids.get(b) ?? null);
    // The nulls separate the two lists; then the earlier decision about each two.
    const known = as.flatMap(a => bs.map(b => before(a, b)));
    return this.#pairs.of(name, [...as, null, ...bs, ...known], () => pairsWithin(as, bs, before));
  }

  /** A game with another twin is not a candidate, even if that twin is no longer listed. */
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

/** If several games are candidates, as on a day with two of them, only an equal start counts. */
function isOnlyOne(candidate: Candidate, candidates: readonly Candidate[]): boolean {
  const rivals = candidates.filter(it => it !== candidate && (it.a === candidate.a || it.b === candidate.b));
  if (rivals.length === 0) return true;
  return isSameStart(candidate) && rivals.every(it => it.apartMs !== null && !isSameStart(it));
}

function alone(a: Game | null, b: Game | null): Pairing {
  return { a, b, bSideOfFirst: 0, claimsOfC: [], confidence: 100, evidence: [] };
}
