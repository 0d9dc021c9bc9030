// The questions of a game, each once: markets of both venues with the same question share its price. Also chooses the lines
// that are offered. Pure.

import { unreachable } from '../../core/domain/result.ts';
import type { League } from './leagues.ts';
import type { Game, PricedBy, Question } from './listings.ts';

type Statement = Question['statement'];
type Place = 'home' | 'away';

export interface SpreadLine {
  readonly team: Place;
  /** Wins by more than this. */
  readonly points: number;
}

export class QuestionList {
  readonly #byId = new Map<string, Question>();

  get all(): readonly Question[] {
    return [...this.#byId.values()];
  }

  /** Without draws one question serves both teams: does the home team win? */
  winner(league: League, game: Game, team: Place): PricedBy {
    if (league.hasDraw || team === 'home') return this.#ask(game, { kind: 'wins', team });
    return { ...this.#ask(game, { kind: 'wins', team: 'home' }), isComplement: true };
  }

  draw(game: Game): PricedBy {
    return this.#ask(game, { kind: 'draw' });
  }

  spread(game: Game, { team, points }: SpreadLine): PricedBy {
    return this.#ask(game, { kind: 'spread', team, points });
  }

  total(game: Game, points: number): PricedBy {
    return this.#ask(game, { kind: 'total', points });
  }

  #ask(game: Game, statement: Statement): PricedBy {
    const question = `${game.id}:${wordsOf(statement)}`;
    if (!this.#byId.has(question)) this.#byId.set(question, { id: question, game: game.id, statement });
    return { question, isComplement: false };
  }
}

/** Venue A offers three of venue B's lines. */
export function spreadLines({ lineSteps }: League, { strength }: Game): { all: SpreadLine[]; main: SpreadLine[] } {
  const margin = strength.home - strength.away;
  const [favourite, underdog]: [Place, Place] = margin >= 0 ? ['home', 'away'] : ['away', 'home'];
  const middle = Math.max(1.5, Math.floor(Math.abs(margin)) + 0.5);
  const main = [-1, 0, 1].map(step => middle + step * lineSteps.spread).filter(points => points >= 1.5);
  const lines = (team: Place, points: readonly number[]) => points.map(it => ({ team, points: it }));
  return {
    main: lines(favourite, main),
    all: [
      ...lines(favourite, [...main, middle + 2 * lineSteps.spread].reverse()),
      ...lines(underdog, [1.5, 1.5 + lineSteps.spread]),
    ],
  };
}

export function totalLines({ lineSteps }: League, { strength }: Game): { all: number[]; main: number[] } {
  const middle = Math.floor(strength.home + strength.away) + 0.5;
  const around = (steps: readonly number[]) =>
    steps.map(step => middle + step * lineSteps.total).filter(points => points > 0);
  return { main: around([-1, 0, 1]), all: around([-2, -1, 0, 1, 2]) };
}

function wordsOf(statement: Statement): string {
  switch (statement.kind) {
    case 'wins':
      return `${statement.team}-wins`;
    case 'draw':
      return 'draw';
    case 'spread':
      return `${statement.team}-by-${statement.points}`;
    case 'total':
      return `over-${statement.points}`;
    default:
      return unreachable(statement);
  }
}
