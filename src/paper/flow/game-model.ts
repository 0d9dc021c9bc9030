// A model of one game. Before the start opinions drift, and jump at news. Then attacks follow each other, and some of them score. At the
// end the score decides. Prices on both venues follow from the model. It is seeded; time comes with each call.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Random } from '../../core/runtime/random.ts';
import { limits } from '../../limits.ts';
import type { Game, Question } from '../catalog/listings.ts';

/** A kind of moment in a game. Everybody reprices at once after `score` and `news`. */
export type GameMoment = 'drift' | 'news' | 'start' | 'attack' | 'score' | 'end';

/** The mean time between two changes of opinion before the start. It is a minute near the game, and longer while there is little news. */
const DRIFT_MEAN_MS = 60_000;
const DRIFT_MEAN_MS_MAX = 3_600_000;
const DRIFTS_PER_TIME_LEFT = 60;
const NEWS_CHANCE = 0.01;
/**
 * The time before the start at which opinions begin to drift. It is fixed, so that a game does not depend on when a process begins to
 * follow it.
 */
const PRELUDE_MS = 8 * 24 * 3_600_000;
/** The deviation of a drift, in deviations of the margin. */
const DRIFT_DEVIATION = 0.006;
const NEWS_DEVIATION = 0.12;

export class GameModel {
  readonly game: Game;
  readonly #random: Random;
  readonly #values: ScoreValues;
  readonly #attacksOfEach: number;
  readonly #goesOnIfEven: boolean;
  #edge = 0;
  #attack = 0;
  #score = { home: 0, away: 0 };
  #isOver = false;
  #odds: OutcomeOdds | null = null;
  /** The time of the next moment. Null after the end. */
  nextAt: UnixMillis | null;

  /** `canDraw` means that the score may be even at the end. The game is advanced to `now`. */
  constructor({ game, canDraw, random, now }: { game: Game; canDraw: boolean; random: Random; now: UnixMillis }) {
    const { home, away, deviation } = game.strength;
    this.game = game;
    this.#random = random;
    this.#values = scoreValues(game.league);
    this.#attacksOfEach = attacksFor((home + away) / 2, deviation, this.#values, limits.paperAttacksMax);
    this.#goesOnIfEven = !canDraw;
    const from = Math.min(now, game.startsAt - PRELUDE_MS) as UnixMillis;
    this.nextAt = Math.min(from + this.#driftPause(from), game.startsAt) as UnixMillis;
    while (this.nextAt !== null && this.nextAt <= now) this.advance();
  }

  get score(): Score {
    return this.#score;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Performs the next moment. */
  advance(): GameMoment {
    const at = this.nextAt!;
    const { startsAt, lengthMs } = this.game;
    this.#odds = null;
    if (at < startsAt) return this.#drift(at);
    if (at >= startsAt + lengthMs) return this.#end();
    const moment = at === startsAt ? 'start' : this.#play();
    this.nextAt = this.#nextAttackAt();
    return moment;
  }

  /** Returns the probability, in the present state, that the statement comes true. */
  probability(statement: Question['statement']): number {
    if (this.#isOver) return this.result(statement) ? 1 : 0;
    this.#odds ??= new OutcomeOdds(this.#score, this.#goalsLeft('home'), this.#goalsLeft('away'), this.#goesOnIfEven);
    return this.#odds.of(statement);
  }

  /** Whether the statement has come true. Null before the end of the game. */
  result(statement: Question['statement']): boolean | null {
    return this.#isOver ? isTrue(statement, this.#score) : null;
  }

  #drift(at: UnixMillis): GameMoment {
    const isNews = this.#random.chance(NEWS_CHANCE);
    this.#edge += (isNews ? NEWS_DEVIATION : DRIFT_DEVIATION) * this.#random.normal();
    this.nextAt = Math.min(at + this.#driftPause(at), this.game.startsAt) as UnixMillis;
    return isNews ? 'news' : 'drift';
  }

  #driftPause(at: UnixMillis): number {
    return 1 + Math.floor(this.#random.exponential(this.#driftMeanMs(at)));
  }

  #driftMeanMs(at: UnixMillis): number {
    const share = (this.game.startsAt - at) / DRIFTS_PER_TIME_LEFT;
    return Math.min(DRIFT_MEAN_MS_MAX, Math.max(DRIFT_MEAN_MS, share));
  }

  /** The teams attack in turns. */
  #play(): GameMoment {
    const team = this.#attack % 2 === 0 ? 'home' : 'away';
    this.#attack += 1;
    if (!this.#random.chance(this.#chance(team))) return 'attack';
    this.#add(team, this.#points());
    return 'score';
  }

  /** Returns the time of the next attack. Each attack has an equal share of the game's time, and ends at a random time within its share. */
  #nextAttackAt(): UnixMillis {
    const { startsAt, lengthMs } = this.game;
    const attacks = 2 * this.#attacksOfEach;
    if (this.#attack >= attacks) return (startsAt + lengthMs) as UnixMillis;
    const passed = (this.#attack + 0.05 + 0.9 * this.#random.next()) / attacks;
    return (startsAt + 1 + Math.floor(passed * (lengthMs - 1))) as UnixMillis;
  }

  #end(): GameMoment {
    if (this.#goesOnIfEven && this.#score.home === this.#score.away) {
      this.#add(this.#random.chance(0.5) ? 'home' : 'away', 1);
    }
    this.#isOver = true;
    this.nextAt = null;
    return 'end';
  }

  #add(team: 'home' | 'away', points: number): void {
    this.#score = { ...this.#score, [team]: this.#score[team] + points };
  }

  #points(): number {
    let rest = this.#random.next();
    for (const [points, share] of this.#values) {
      rest -= share;
      if (rest < 0) return points;
    }
    return this.#values.at(-1)![0];
  }

  #goalsLeft(team: 'home' | 'away'): Float64Array {
    const done = team === 'home' ? Math.ceil(this.#attack / 2) : Math.floor(this.#attack / 2);
    return pointsDistribution(this.#attacksOfEach - done, this.#chance(team), this.#values);
  }

  /** Returns the probability that an attack scores. */
  #chance(team: 'home' | 'away'): number {
    const { strength } = this.game;
    const shift = (this.#edge * strength.deviation) / 2;
    const expected = team === 'home' ? strength.home + shift : strength.away - shift;
    return Math.min(0.95, Math.max(0.005, expected / (this.#attacksOfEach * meanOf(this.#values))));
  }
}

/** The points of each kind of score, with its share of all scores. */
type ScoreValues = readonly (readonly [points: number, share: number])[];

const ONE_POINT: ScoreValues = [[1, 1]];
const VALUES: Readonly<Record<string, ScoreValues>> = {
  nba: [
    [1, 0.13],
    [2, 0.62],
    [3, 0.25],
  ],
  nfl: [
    [3, 0.4],
    [7, 0.6],
  ],
};

/** Returns the kinds of scores in a league. */
export function scoreValues(league: string): ScoreValues {
  return VALUES[league] ?? ONE_POINT;
}

export function meanOf(values: ScoreValues): number {
  return values.reduce((sum, [points, share]) => sum + points * share, 0);
}

/**
 * Returns how many attacks a team has in a game. The team then scores `expected` points, and the margin of the two teams has the requested
 * deviation. If an attack can bring several points, more attacks with the same expected points make this deviation smaller.
 */
export function attacksFor(expected: number, marginDeviation: number, values: ScoreValues, attacksMax: number): number {
  const mean = meanOf(values);
  const square = values.reduce((sum, [points, share]) => sum + points * points * share, 0);
  const spare = (expected * square) / mean - marginDeviation ** 2 / 2;
  const least = Math.ceil((1.25 * expected) / mean);
  const wanted = spare > 0 ? Math.round(expected ** 2 / spare) : attacksMax;
  return Math.min(attacksMax, Math.max(least, wanted));
}

/** Returns the probability of each sum of points from `attacks` attacks, each of which scores with the probability `chance`. */
export function pointsDistribution(attacks: number, chance: number, values: ScoreValues): Float64Array {
  const points = values.map(([it]) => it);
  const chances = values.map(([, share]) => chance * share);
  const pointsMax = Math.max(...points);
  const sums = new Float64Array(1 + attacks * pointsMax);
  sums[0] = 1;
  for (let attack = 0; attack < attacks; attack += 1) {
    // The loop runs from the highest sum down, so that each sum still finds the lower ones of the attack before.
    for (let sum = (attack + 1) * pointsMax; sum >= 0; sum -= 1) {
      let probability = sums[sum]! * (1 - chance);
      for (let kind = 0; kind < points.length; kind += 1) {
        const before = sum - points[kind]!;
        if (before >= 0) probability += sums[before]! * chances[kind]!;
      }
      sums[sum] = probability;
    }
  }
  return sums;
}

export interface Score {
  readonly home: number;
  readonly away: number;
}

export class OutcomeOdds {
  /** The probabilities by margin (home − away) and by total, each from the lowest possible value on. */
  readonly #margins: Float64Array;
  readonly #totals: Float64Array;
  readonly #marginMin: number;
  readonly #totalMin: number;

  /** `goesOnIfEven` means that an even score is played on until one side scores. Both sides have the same probability of that score. */
  constructor(score: Score, home: Float64Array, away: Float64Array, goesOnIfEven: boolean) {
    // There is one more place at either end for the deciding score.
    const width = home.length + away.length + 1;
    this.#margins = new Float64Array(width);
    this.#totals = new Float64Array(width);
    this.#marginMin = score.home - score.away - away.length;
    this.#totalMin = score.home + score.away;
    for (let h = 0; h < home.length; h += 1) {
      for (let a = 0; a < away.length; a += 1) {
        const both = home[h]! * away[a]!;
        const margin = h - a + away.length;
        if (goesOnIfEven && margin + this.#marginMin === 0) {
          this.#margins[margin - 1]! += both / 2;
          this.#margins[margin + 1]! += both / 2;
          this.#totals[h + a + 1]! += both;
        } else {
          this.#margins[margin]! += both;
          this.#totals[h + a]! += both;
        }
      }
    }
  }

  /** Returns the probability that the statement comes true. */
  of(statement: Question['statement']): number {
    switch (statement.kind) {
      case 'wins':
        return this.#byMore(statement.team, 0.5);
      case 'draw':
        return this.#margins[-this.#marginMin] ?? 0;
      case 'spread':
        return this.#byMore(statement.team, statement.points);
      case 'total':
        return above(this.#totals, this.#totalMin, statement.points);
      default:
        return unreachable(statement);
    }
  }

  #byMore(team: 'home' | 'away', points: number): number {
    const homeAbove = (margin: number) => above(this.#margins, this.#marginMin, margin);
    return team === 'home' ? homeAbove(points) : 1 - homeAbove(-points);
  }
}

/** Returns the probability of more than `points`. Half points lie between whole points, so "not above" means "below". */
function above(probabilities: Float64Array, first: number, points: number): number {
  let sum = 0;
  for (let index = Math.max(0, Math.ceil(points - first)); index < probabilities.length; index += 1) {
    sum += probabilities[index]!;
  }
  return Math.min(1, sum);
}

/** Whether a statement is true for a final score. The score is even only if the league allows it. */
export function isTrue(statement: Question['statement'], { home, away }: Score): boolean {
  switch (statement.kind) {
    case 'wins':
      return statement.team === 'home' ? home > away : away > home;
    case 'draw':
      return home === away;
    case 'spread':
      return (statement.team === 'home' ? home - away : away - home) > statement.points;
    case 'total':
      return home + away > statement.points;
    default:
      return unreachable(statement);
  }
}
