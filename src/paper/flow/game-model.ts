// Model of one game. Before the start opinions drift, and jump at news; then attacks follow each other and some score; at the end the score
// decides. Prices on both venues follow from it. Seeded; time comes with each call.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Random } from '../../core/runtime/random.ts';
import { limits } from '../../limits.ts';
import type { Game, Question } from '../catalog/listings.ts';

/** Kind of moment; everybody reprices at once after `score` and `news`. */
export type GameMoment = 'drift' | 'news' | 'start' | 'attack' | 'score' | 'end';

/** Time between two changes of opinion before the start. It is a minute near the game, and more when there is little news yet. */
const DRIFT_MEAN_MS = 60_000;
const DRIFT_MEAN_MS_MAX = 3_600_000;
const DRIFTS_PER_TIME_LEFT = 60;
const NEWS_CHANCE = 0.01;
/** Opinions begin to drift this long before the start, so that a game is the same whenever a process begins to follow it. */
const PRELUDE_MS = 8 * 24 * 3_600_000;
/** The drift in deviations of the margin. */
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
  /** Time of the next moment; null after the end. */
  nextAt: UnixMillis | null;

  /** `canDraw`: the score may end even. The game is advanced to `now`. */
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

  /** Probability that it comes true, at the present state. */
  probability(statement: Question['statement']): number {
    if (this.#isOver) return this.result(statement) ? 1 : 0;
    this.#odds ??= new OutcomeOdds(this.#score, this.#toCome('home'), this.#toCome('away'), this.#goesOnIfEven);
    return this.#odds.of(statement);
  }

  /** Whether it has come true; null before the end. */
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

  /** Each attack has an equal share of the time and ends somewhere within it. */
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

  #toCome(team: 'home' | 'away'): Float64Array {
    const done = team === 'home' ? Math.ceil(this.#attack / 2) : Math.floor(this.#attack / 2);
    return pointsDistribution(this.#attacksOfEach - done, this.#chance(team), this.#values);
  }

  /** Probability that an attack scores. */
  #chance(team: 'home' | 'away'): number {
    const { strength } = this.game;
    const shift = (this.#edge * strength.deviation) / 2;
    const expected = team === 'home' ? strength.home + shift : strength.away - shift;
    return Math.min(0.95, Math.max(0.005, expected / (this.#attacksOfEach * meanOf(this.#values))));
  }
}

/** Points of one kind of score, and its share of all scores. */
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

/** Kinds of scores of a league. */
export function scoreValues(league: string): ScoreValues {
  return VALUES[league] ?? ONE_POINT;
}

export function meanOf(values: ScoreValues): number {
  return values.reduce((sum, [points, share]) => sum + points * share, 0);
}

/**
 * How many attacks a team has in a game: it scores `expected` points, and the margin of the two teams has the requested deviation.
 * If an attack can bring several points, more attacks with the same expected points make that deviation smaller.
 */
export function attacksFor(expected: number, marginDeviation: number, values: ScoreValues, attacksMax: number): number {
  const mean = meanOf(values);
  const square = values.reduce((sum, [points, share]) => sum + points * points * share, 0);
  const spare = (expected * square) / mean - marginDeviation ** 2 / 2;
  const least = Math.ceil((1.25 * expected) / mean);
  const wanted = spare > 0 ? Math.round(expected ** 2 / spare) : attacksMax;
  return Math.min(attacksMax, Math.max(least, wanted));
}

/** Probability of each sum of points from `attacks` attacks that each score with `chance`. */
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
  /** Probabilities by margin (home − away) and by total, from the lowest possible one on. */
  readonly #margins: Float64Array;
  readonly #totals: Float64Array;
  readonly #marginMin: number;
  readonly #totalMin: number;

  /** `goesOnIfEven`: an even score is played on until one side scores, each with the same probability. */
  constructor(score: Score, home: Float64Array, away: Float64Array, goesOnIfEven: boolean) {
    // One extra place at either end, for the deciding score.
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

  /** Probability that it comes true. */
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

/** Half points lie between whole ones, so that "not above" means "below". */
function above(probabilities: Float64Array, first: number, points: number): number {
  let sum = 0;
  for (let index = Math.max(0, Math.ceil(points - first)); index < probabilities.length; index += 1) {
    sum += probabilities[index]!;
  }
  return Math.min(1, sum);
}

/** The decision of a final score, which is not even unless that is allowed. */
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
