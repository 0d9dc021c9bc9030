// Attaches venue C's listings to games of the catalog: same competition, day, opponents and start, and no other candidate. It adds routes
// for the winner of the game; it makes no event, market or id. Pure.

import { Reuse } from '../reuse.ts';
import { type Game, sideOfFirst, turned } from './game.ts';
import { bucketName, type Pairing, SAME_START_MS } from './pair-games.ts';

/** Attaches repeatedly; unchanged pairings keep their objects. */
export class VenueCListings {
  readonly #attached = new Reuse<Pairing>();

  /** Every pairing, with the claims of its game of venue C if it has one. */
  of(pairings: readonly Pairing[], gamesOfC: readonly Game[]): readonly Pairing[] {
    this.#attached.begin();
    if (gamesOfC.length === 0) return pairings;
    const buckets = Map.groupBy(gamesOfC, bucketName);
    return [...Map.groupBy(pairings, pairing => bucketName(gameOf(pairing)))].flatMap(([name, rivals]) =>
      this.#within(rivals, buckets.get(name) ?? []),
    );
  }

  #within(rivals: readonly Pairing[], games: readonly Game[]): readonly Pairing[] {
    return rivals.map(pairing => {
      const c = onlyGame(pairing, rivals, games);
      return c === null ? pairing : this.#attached.of(c.key, [pairing, c], () => attach(pairing, c));
    });
  }
}

/** The game of this pairing; null if there is none, or if it is not certain. */
function onlyGame(pairing: Pairing, rivals: readonly Pairing[], games: readonly Game[]): Game | null {
  const [game, ...more] = games.filter(it => couldBe(pairing, it));
  if (game === undefined || more.length > 0 || startsOf(pairing).length === 0) return null;
  return rivals.every(rival => rival === pairing || !couldBe(rival, game)) ? game : null;
}

/** Same competition, day and opponents, and no known start time that contradicts. */
function couldBe(pairing: Pairing, { startsAt }: Game): boolean {
  return startsOf(pairing).every(at => startsAt !== null && Math.abs(at - startsAt) <= SAME_START_MS);
}

function startsOf({ a, b }: Pairing): readonly number[] {
  return [a?.startsAt, b?.startsAt].filter(at => at !== null && at !== undefined);
}

function attach(pairing: Pairing, c: Game): Pairing {
  const game = gameOf(pairing);
  const isAsked = [game, pairing.b].some(it => it?.read().claims.some(({ statement }) => statement.kind === 'winner'));
  const side = sideOfFirst(game, c);
  const { claims } = c.read();
  if (!isAsked || side === null || claims.length === 0) return pairing;
  return {
    ...pairing,
    claimsOfC: side === 0 ? claims : claims.map(turned),
    evidence: [...pairing.evidence, `${c.key} has the same opponents, day and start: shown, never traded`],
  };
}

function gameOf({ a, b }: Pairing): Game {
  return a ?? b!;
}
