// Which game of venue A is which of venue B: the same competition, day and opponents, start times that do not contradict, and nobody
// else who could be meant. What speaks for a pair is kept with it. Pure.

import { MINUTE_MS } from '../../domain/durations.ts';
import { ofEach, Reuse } from '../reuse.ts';
import type { EventIds } from './event-ids.ts';
import { type Claim, type Game, type Side, sideOfFirst } from './game.ts';

/** Of a hundred; below it nothing is merged. */
export const CONFIDENCE_MIN = 90;

export interface Pairing {
  readonly a: Game | null;
  readonly b: Game | null;
  /** The side of the game at venue B that is the first of venue A. */
  readonly bSideOfFirst: Side;
  /** What venue C lists of it (`attach-venue-c.ts`), in terms of the sides of `a`, else of `b`. */
  readonly claimsOfC: readonly Claim[];
  readonly confidence: number;
  readonly evidence: readonly string[];
}

interface Candidate extends Pairing {
  readonly a: Game;
  readonly b: Game;
  /** Null: one of the venues has not said when it starts. */
  readonly apartMs: number | null;
  /** In an earlier catalog: then it stays so. */
  readonly wasOne: boolean;
}

/** What earlier catalogs say of two games; null: nothing. */
type Before = 'one' | 'two' | null;

/** The ids that games have had, by their keys: `EventIds`. */
export type KnownIds = Pick<EventIds, 'known' | 'isOf'>;

export const SAME_START_MS = 90 * MINUTE_MS;
/** Where the same two play once on a day. Else the other game may be listed nowhere else yet, or no more: the start tells. */
const SAME_GAME_MS = 6 * 60 * MINUTE_MS;

/** Pairs games again and again; games among which nothing has changed are not looked at twice. */
export class GamePairs {
  readonly #ids: KnownIds;
  readonly #bucketOf = ofEach(bucketName);
  readonly #pairs = new Reuse<readonly Pairing[]>();

  /** A pair that was made stays one, whatever has been postponed at one of the venues since: the two have one id. */
  constructor(ids: KnownIds) {
    this.#ids = ids;
  }

  /** Every game once, with its twin if there is one. */
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
    // Where the ones end and the others begin, and what was known of each two.
    const known = as.flatMap(a => bs.map(b => before(a, b)));
    return this.#pairs.of(name, [...as, null, ...bs, ...known], () => pairsWithin(as, bs, before));
  }

  /** Whose twin is another one is not this one's, though that is listed no more. */
  #before(idOfA: string | null, idOfB: string | null): Before {
    if (idOfA === null || idOfB === null) return null;
    if (idOfA === idOfB) return 'one';
    return this.#ids.isOf(idOfA, 'venue_b') || this.#ids.isOf(idOfB, 'venue_a') ? 'two' : null;
  }
}

/** Players are compared name by name among those whose names end alike: however many play on a day, few are looked at together. */
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

function candidateOf(a: Game, b: Game, before: Before): Candidate | null {
  const bSideOfFirst = sideOfFirst(a, b);
  if (bSideOfFirst === null || before === 'two') return null;
  const apartMs = a.startsAt === null || b.startsAt === null ? null : Math.abs(a.startsAt - b.startsAt);
  const isApart = a.competition.hasDoubleheaders
    ? !isSameStart({ apartMs })
    : apartMs !== null && apartMs > SAME_GAME_MS;
  const wasOne = before === 'one';
  if (isApart && !wasOne) return null;
  const home = homeFact(a, b, bSideOfFirst);
  if (home === null) return null;
  const facts = [...factsOf(a, b, bSideOfFirst, apartMs), home];
  const confidence = 100 - facts.reduce((sum, fact) => sum + fact.doubt, 0);
  const isKept = wasOne && (isApart || confidence < CONFIDENCE_MIN);
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
 * Null: two games. In some leagues two teams may play each other at both homes on one day, each with half of its squad, at the same time.
 * A venue that calls the other team at home than its own order does has a game on neutral ground.
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

/** Of several games that could be meant, as on a day with two of them, only one that starts at the very time is taken. */
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
