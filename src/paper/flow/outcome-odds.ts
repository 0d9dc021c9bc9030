// Probabilities of statements about the final score, from the present score and the possible further points. Pure.

import { unreachable } from '../../core/domain/result.ts';
import type { Question } from '../catalog/listings.ts';

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
