// The odds of games: exact in cases that can be calculated by hand, consistent with each other, and right on average.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import { createCatalog } from '../../../src/paper/catalog/catalog.ts';
import type { Game, Question } from '../../../src/paper/catalog/listings.ts';
import {
  attacksFor,
  GameModel,
  isTrue,
  meanOf,
  OutcomeOdds,
  pointsDistribution,
  scoreValues,
} from '../../../src/paper/flow/game-model.ts';

type Statement = Question['statement'];

const NOW = Date.UTC(2026, 10, 21, 20, 7) as UnixMillis;
const { games } = createCatalog({ seed: 1, now: NOW });
const gameOf = (league: string): Game => games.find(game => game.league === league && game.startsAt > NOW)!;
const homeWins: Statement = { kind: 'wins', team: 'home' };
const awayWins: Statement = { kind: 'wins', team: 'away' };
const draw: Statement = { kind: 'draw' };

describe('points to come', () => {
  it('of two attacks that score every second time', () => {
    expect([...pointsDistribution(2, 0.5, [[1, 1]])]).toEqual([0.25, 0.5, 0.25]);
    expect([
      ...pointsDistribution(1, 0.5, [
        [3, 0.4],
        [7, 0.6],
      ]),
    ]).toEqual([0.5, 0, 0, 0.2, 0, 0, 0, 0.3]);
  });

  it.each(['nba', 'nfl', 'nhl', 'mlb', 'epl', 'atp'])(
    'of %s come with the average and deviation of the listing',
    league => {
      const { strength } = gameOf(league);
      const values = scoreValues(league);
      const expected = (strength.home + strength.away) / 2;
      const attacks = attacksFor(expected, strength.deviation, values, 120);
      const points = pointsDistribution(attacks, expected / (attacks * meanOf(values)), values);
      const mean = points.reduce((sum, probability, index) => sum + probability * index, 0);
      const variance = points.reduce((sum, probability, index) => sum + probability * (index - mean) ** 2, 0);
      expect(mean).toBeCloseTo(expected, 6);
      const relative = Math.sqrt(2 * variance) / strength.deviation;
      expect(relative).toBeGreaterThan(0.8);
      expect(relative).toBeLessThan(1.25);
    },
  );
});

describe('odds', () => {
  const coin = Float64Array.of(0.5, 0.5);

  it('of one attack each from 2:2 where the score may stay even', () => {
    const odds = new OutcomeOdds({ home: 2, away: 2 }, coin, coin, false);
    expect([homeWins, draw, awayWins].map(it => odds.of(it))).toEqual([0.25, 0.5, 0.25]);
    expect(odds.of({ kind: 'total', points: 4.5 })).toBe(0.75);
    expect(odds.of({ kind: 'spread', team: 'away', points: 0.5 })).toBe(0.25);
    expect(odds.of({ kind: 'spread', team: 'home', points: 1.5 })).toBe(0);
  });

  it('of the same where it is played on: one more point decides', () => {
    const odds = new OutcomeOdds({ home: 2, away: 2 }, coin, coin, true);
    expect([homeWins, draw, awayWins].map(it => odds.of(it))).toEqual([0.5, 0, 0.5]);
    expect(odds.of({ kind: 'total', points: 4.5 })).toBe(1);
    expect(odds.of({ kind: 'total', points: 6.5 })).toBe(0.25);
  });

  it('of a finished game are its result', () => {
    const none = Float64Array.of(1);
    const score = { home: 110, away: 104 };
    const odds = new OutcomeOdds(score, none, none, true);
    const statements: Statement[] = [
      homeWins,
      awayWins,
      { kind: 'spread', team: 'home', points: 5.5 },
      { kind: 'spread', team: 'home', points: 6.5 },
      { kind: 'spread', team: 'away', points: 1.5 },
      { kind: 'total', points: 213.5 },
      { kind: 'total', points: 214.5 },
    ];
    expect(statements.map(it => odds.of(it))).toEqual(statements.map(it => (isTrue(it, score) ? 1 : 0)));
    expect(statements.map(it => isTrue(it, score))).toEqual([true, false, true, false, false, true, false]);
  });
});

describe('a game', () => {
  const play = (game: Game, seed: number, canDraw: boolean) =>
    new GameModel({ game, canDraw, random: new Random(seed), now: NOW });

  it('is the same for the same seed', () => {
    const tellAll = (seed: number) => {
      const model = play(gameOf('nba'), seed, false);
      const story: string[] = [];
      while (model.nextAt !== null)
        story.push(`${model.nextAt} ${model.advance()} ${model.score.home}:${model.score.away}`);
      return story;
    };
    expect(tellAll(3)).toEqual(tellAll(3));
    expect(tellAll(3)).not.toEqual(tellAll(4));
    expect(tellAll(3).at(-1)).toContain(' end ');
  });

  it('that began before now is followed up to now', () => {
    const live = games.find(({ league, startsAt }) => league === 'nba' && startsAt < NOW)!;
    const model = play(live, 1, false);
    expect(model.score.home + model.score.away).toBeGreaterThan(10);
    expect(model.nextAt).toBeGreaterThan(NOW);
    const past = { ...live, startsAt: (NOW - 10 * live.lengthMs) as UnixMillis };
    expect(play(past, 1, false).isOver).toBe(true);
  });

  it('never ends even where that is not allowed', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const model = play(gameOf('nhl'), seed, false);
      while (model.nextAt !== null) model.advance();
      expect(model.score.home).not.toBe(model.score.away);
      expect([homeWins, awayWins].map(it => model.result(it)).sort()).toEqual([false, true]);
    }
  });

  it('has probabilities that add up at every moment', () => {
    const model = play(gameOf('epl'), 5, true);
    while (model.nextAt !== null) {
      model.advance();
      const sum = [homeWins, draw, awayWins].reduce((total, it) => total + model.probability(it), 0);
      expect(sum).toBeCloseTo(1, 9);
    }
    expect([0, 1]).toContain(model.probability(draw));
  });

  it.each(['nba', 'epl', 'nfl'])(
    'of %s is fair: its outcomes are as frequent as the odds before its start say',
    league => {
      const game = { ...gameOf(league), startsAt: (NOW + 1) as UnixMillis };
      const statements: Statement[] = [
        homeWins,
        { kind: 'total', points: Math.floor(game.strength.home + game.strength.away) + 0.5 },
      ];
      const seeds = 300;
      const before = [0, 0];
      const after = [0, 0];
      for (let seed = 0; seed < seeds; seed += 1) {
        const model = play(game, seed, league === 'epl');
        for (const [index, it] of statements.entries()) before[index]! += model.probability(it);
        while (model.nextAt !== null) model.advance();
        for (const [index, it] of statements.entries()) after[index]! += model.result(it) === true ? 1 : 0;
      }
      // The bound is three and a half standard deviations of a fraction of 300.
      for (const index of [0, 1]) expect(Math.abs(after[index]! - before[index]!) / seeds).toBeLessThan(0.1);
    },
  );
});
