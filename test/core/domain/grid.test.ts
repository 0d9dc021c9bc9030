// The named price grids of venue B (venue-b.md §3.2) and the ladder step that each needs.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Grid,
  type GridBand,
  isOnGrid,
  ladderStep,
  neighboursOf,
  uniformGrid,
} from '../../../src/core/domain/grid.ts';
import { TICKS_PER_DOLLAR, type Ticks } from '../../../src/core/domain/numbers.ts';

const bands = (...list: [start: number, end: number, step: number][]): Grid =>
  list.map(([start, end, step]) => ({ start, end, step }) as GridBand);

/** The grid `center_X_edge_Y_cent`. The edges lie below 0.10 and above 0.90. */
const centerEdge = (center: number, edge: number): Grid =>
  bands([0, 1_000, edge], [1_000, 9_000, center], [9_000, 10_000, edge]);

const named: Record<string, { grid: Grid; step: number }> = {
  linear_cent: { grid: uniformGrid(100 as Ticks), step: 100 },
  deci_cent: { grid: uniformGrid(10 as Ticks), step: 10 },
  tapered_deci_cent: { grid: centerEdge(100, 10), step: 10 },
  center_half_edge_deci_cent: { grid: centerEdge(50, 10), step: 10 },
  center_quint_edge_deci_cent: { grid: centerEdge(20, 10), step: 10 },
  center_whole_edge_half_cent: { grid: centerEdge(100, 50), step: 50 },
  center_half_edge_quint_cent: { grid: centerEdge(50, 20), step: 10 },
  center_whole_edge_centi_cent: { grid: centerEdge(100, 1), step: 1 },
  center_deci_edge_centi_cent: { grid: bands([0, 100, 1], [100, 9_900, 10], [9_900, 10_000, 1]), step: 1 },
  center_centi_edge_centi_cent: { grid: uniformGrid(1 as Ticks), step: 1 },
};

describe.each(Object.entries(named))('%s', (_name, { grid, step }) => {
  it('has the ladder step that its bands need', () => {
    expect(ladderStep(grid)).toBe(step);
  });

  it('gives every tradable price a slot, and no coarser ladder would', () => {
    const tradable = pricesOf(grid);
    expect(tradable.every(price => price % step === 0)).toBe(true);
    const coarser = [2, 5].map(factor => step * factor).filter(wider => TICKS_PER_DOLLAR % wider === 0);
    expect(coarser.some(wider => tradable.every(price => price % wider === 0))).toBe(false);
  });

  it('is symmetric: a NO price is valid where its YES price is', () => {
    const tradable = new Set(pricesOf(grid));
    expect([...tradable].every(price => tradable.has((TICKS_PER_DOLLAR - price) as Ticks))).toBe(true);
  });
});

describe('tapered_deci_cent', () => {
  const { grid } = named.tapered_deci_cent!;
  it.each([
    [0, false],
    [1, false],
    [10, true],
    [990, true],
    [1_000, true],
    [1_010, false],
    [1_100, true],
    [8_990, false],
    [9_000, true],
    [9_010, true],
    [9_990, true],
    [10_000, false],
    [15_000, false],
    [-10, false],
  ])('price %i is valid: %j', (price, isValid) => {
    expect(isOnGrid(grid, price as Ticks)).toBe(isValid);
  });
});

it('a band may begin off its steps, and end before the dollar does', () => {
  const grid = bands([50, 9_950, 100]);
  expect([50, 100, 9_950].map(price => isOnGrid(grid, price as Ticks))).toEqual([true, false, true]);
  expect(ladderStep(grid)).toBe(50);
  // The step of a ladder divides a dollar into whole parts.
  expect(ladderStep(bands([0, 9_000, 30]))).toBe(10);
});

describe('grids from a venue we have not seen', () => {
  const step = fc.constantFrom(1, 2, 5, 10, 20, 50, 100, 250, 500);
  const grids = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 200 }), step), { minLength: 1, maxLength: 6 })
    .map(widths => {
      let start = 0;
      const list: [number, number, number][] = [];
      for (const [count, width] of widths) {
        const end = Math.min(TICKS_PER_DOLLAR, start + count * width);
        if (end > start) list.push([start, end, width]);
        start = end;
      }
      return bands(...list);
    });

  it('get a step that divides the dollar and every tradable price', () => {
    fc.assert(
      fc.property(grids, grid => {
        const ladder = ladderStep(grid);
        expect(ladder).toBeGreaterThan(0);
        expect(TICKS_PER_DOLLAR % ladder).toBe(0);
        expect(pricesOf(grid).every(price => price % ladder === 0)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('have the prices, and the nearest ones, that a walk through their bands has', () => {
    fc.assert(
      fc.property(grids, fc.integer({ min: 0, max: TICKS_PER_DOLLAR }), (grid, price) => {
        const valid = naivePrices(grid);
        expect(isOnGrid(grid, price as Ticks)).toBe(valid.includes(price));
        expect(neighboursOf(grid, price as Ticks)).toEqual({
          below: valid.findLast(it => it < price) ?? null,
          above: valid.find(it => it > price) ?? null,
        });
      }),
      { numRuns: 100 },
    );
  });

  it('without a usable band have step 0', () => {
    expect(ladderStep([])).toBe(0);
    expect(ladderStep(bands([0, 10_000, 0], [500, 500, 10], [900, 100, 10]))).toBe(0);
  });
});

/** From the text of each band, step by step, in ascending order: strictly between 0 and 1. */
function naivePrices(grid: Grid): number[] {
  const valid = new Set<number>();
  for (const { start, end, step } of grid)
    for (let it = BigInt(start); it <= BigInt(end); it += BigInt(step)) valid.add(Number(it));
  return [...valid].filter(it => it > 0 && it < TICKS_PER_DOLLAR).sort((one, other) => one - other);
}

function pricesOf(grid: Grid): Ticks[] {
  const prices: Ticks[] = [];
  for (let price = 1 as Ticks; price < TICKS_PER_DOLLAR; price++) if (isOnGrid(grid, price)) prices.push(price);
  return prices;
}
