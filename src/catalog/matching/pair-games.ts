// Which game of venue A is which of venue B: the same competition, day and opponents, start times that do not contradict, and nobody
// else who could be meant. What speaks for a pair is kept with it. Pure.

import { type Game, isSameOpponent, type Side } from './game.ts';

/** Of a hundred; below it nothing is merged. */
export const CONFIDENCE_MIN = 90;

export interface Pairing {
  readonly a: Game | null;
  readonly b: Game | null;
  /** The side of the game at venue B that is the first of venue A. */
  readonly bSideOfFirst: Side;
  readonly confidence: number;
  readonly evidence: readonly string[];
}

interface Candidate extends Pairing {
  readonly a: Game;
  readonly b: Game;
  /** Null: one of the venues has not said when it starts. */
  readonly apartMs: number | null;
}

const MINUTE_MS = 60_000;
const SAME_START_MS = 90 * MINUTE_MS;
const SAME_GAME_MS = 6 * 60 * MINUTE_MS;

/**
 * Every game once, with its twin if there is one. `wasOne`: a pair that was made before stays one, whatever has been postponed at one
 * of the venues since.
 */
export function pairGames(
  gamesOfA: readonly Game[],
  gamesOfB: readonly Game[],
  wasOne: (a: Game, b: Game) => boolean,
): readonly Pairing[] {
  const buckets = new Map<string, { readonly as: Game[]; readonly bs: Game[] }>();
  const bucketOf = (game: Game) => {
    const name = bucketName(game);
    const known = buckets.get(name) ?? { as: [], bs: [] };
    buckets.set(name, known);
    return known;
  };
  for (const game of gamesOfA) bucketOf(game).as.push(game);
  for (const game of gamesOfB) bucketOf(game).bs.push(game);
  return [...buckets.values()].flatMap(({ as, bs }) => pairsWithin(as, bs, wasOne));
}

/** Players are compared name by name: surnames do not make a bucket. */
function bucketName({ competition, date, opponents }: Game): string {
  const who =
    competition.teams === null
      ? ''
      : opponents
          .map(({ id }) => id)
          .sort()
          .join(' ');
  return `${competition.id} ${date} ${who}`;
}

function pairsWithin(
  as: readonly Game[],
  bs: readonly Game[],
  wasOne: (a: Game, b: Game) => boolean,
): readonly Pairing[] {
  const candidates = as.flatMap(a => bs.map(b => candidateOf(a, b, wasOne)).filter(it => it !== null));
  const made = candidates.filter(it => isOnlyOne(it, candidates) && it.confidence >= CONFIDENCE_MIN);
  const [paired, twins] = [new Set(made.map(({ a }) => a)), new Set(made.map(({ b }) => b))];
  return [
    ...made,
    ...as.filter(a => !paired.has(a)).map(a => alone(a, null)),
    ...bs.filter(b => !twins.has(b)).map(b => alone(null, b)),
  ];
}

function candidateOf(a: Game, b: Game, wasOne: (a: Game, b: Game) => boolean): Candidate | null {
  const isStraight = isSameOpponent(a.opponents[0], b.opponents[0]) && isSameOpponent(a.opponents[1], b.opponents[1]);
  const isCrossed = isSameOpponent(a.opponents[0], b.opponents[1]) && isSameOpponent(a.opponents[1], b.opponents[0]);
  if (isStraight === isCrossed) return null;
  const bSideOfFirst: Side = isStraight ? 0 : 1;
  const apartMs = a.startsAt === null || b.startsAt === null ? null : Math.abs(a.startsAt - b.startsAt);
  const wasPaired = wasOne(a, b);
  if (apartMs !== null && apartMs > SAME_GAME_MS && !wasPaired) return null;
  const facts = [...factsOf(a, b, bSideOfFirst, apartMs), ...(wasPaired ? [{ text: 'matched before', doubt: 0 }] : [])];
  const doubt = wasPaired ? 0 : facts.reduce((sum, fact) => sum + fact.doubt, 0);
  return { a, b, bSideOfFirst, apartMs, confidence: 100 - doubt, evidence: facts.map(({ text }) => text) };
}

interface Fact {
  readonly text: string;
  readonly doubt: number;
}

function factsOf(a: Game, b: Game, bSideOfFirst: Side, apartMs: number | null): readonly Fact[] {
  const pairs = a.opponents.map(
    (opponent, side) => [opponent, b.opponents[side === 0 ? bSideOfFirst : 1 - bSideOfFirst]!] as const,
  );
  const homes = [a.home, b.home === null ? null : b.home === bSideOfFirst ? 0 : 1];
  return [
    { text: `both list it in ${a.competition.id} on ${a.date}`, doubt: 0 },
    ...pairs.map(([one, same]) => opponentFact(one.name, one.isFull && same.isFull)),
    startFact(apartMs),
    homes[0] === homes[1] || homes[0] === null || homes[1] === null
      ? { text: 'nothing speaks against who is at home', doubt: 0 }
      : { text: 'the venues disagree on who is at home', doubt: 3 },
  ];
}

function opponentFact(name: string, isFull: boolean): Fact {
  return isFull
    ? { text: `both name ${name}`, doubt: 0 }
    : { text: `one names ${name} and the other the same surname`, doubt: 3 };
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

function isSameStart({ apartMs }: Candidate): boolean {
  return apartMs !== null && apartMs <= SAME_START_MS;
}

function alone(a: Game | null, b: Game | null): Pairing {
  return { a, b, bSideOfFirst: 0, confidence: 100, evidence: [] };
}
