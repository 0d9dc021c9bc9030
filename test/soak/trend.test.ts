// The slope test of the memory soak: against lines that are known, and noise from seeds.

import { describe, expect, it } from 'vitest';
import { Random } from '../../src/core/runtime/random.ts';
import { floorsOf, growthOf, type Point, trendOf } from './trend.ts';

const line = (count: number, y: (x: number) => number): Point[] =>
  Array.from({ length: count }, (_, x) => ({ x, y: y(x) }));

describe('a trend', () => {
  it('is the slope of a line', () => {
    expect(trendOf(line(10, x => 3 * x + 7))).toEqual({ slope: 3, from: 3, to: 3 });
    expect(trendOf(line(10, () => 5))).toEqual({ slope: 0, from: 0, to: 0 });
  });

  it('is not moved by a few that are far off', () => {
    expect(trendOf(line(20, x => (x % 9 === 4 ? 1_000_000 : 2 * x))).slope).toBe(2);
  });

  it('is the middle of all slopes, and all of them where there are few', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
      { x: 3, y: 9 },
    ];
    // 1, 3 and 4.
    expect(trendOf(points)).toEqual({ slope: 3, from: 1, to: 4 });
  });

  it('names the bounds of the true slope, and is right about as often as it claims', () => {
    const random = new Random(1);
    const noise = (): number => random.below(1_001) + random.below(1_001) - 1_000;
    const trials = Array.from({ length: 400 }, () => trendOf(line(30, x => 10 * x + noise())));
    const right = trials.filter(({ from, to }) => from <= 10 && to >= 10).length / trials.length;
    expect(right).toBeGreaterThan(0.92);
    expect(right).toBeLessThan(0.99);
    // And that what grows fast does not.
    expect(trials.every(({ to }) => to < 100)).toBe(true);
  });

  it('refuses what has none', () => {
    expect(() => trendOf([{ x: 1, y: 1 }])).toThrow('different times');
    expect(() => trendOf(line(3, x => x).map(({ y }) => ({ x: 5, y })))).toThrow('different times');
  });
});

it.each([
  [-0.2, 0.2, 'flat'],
  [0.09, 0.2, 'flat'],
  [0.1, 0.2, 'grows'],
  [2, 3, 'grows'],
  [-9, 1, 'not shown to be flat'],
  [0.05, 1, 'not shown to be flat'],
])('between %d and %d it is %s', (from, to, growth) => {
  expect(growthOf({ slope: 0, from, to }, { known: 0.1, most: 1 })).toBe(growth);
});

it('the floor of a saw is where its teeth begin', () => {
  const saw = line(100, x => 50 + x + (x % 10) * 1_000);
  expect(floorsOf(saw, 20)).toEqual([10, 30, 50, 70, 90].map(x => ({ x, y: 40 + x })));
});
