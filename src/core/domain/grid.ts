// The prices at which a venue market may trade, in bands of equal steps (venue-b.md §3.2). Also finds the one step at which a dense ladder
// has a slot for every valid price.

import { TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';

/** Prices from `start` to `end` in multiples of `step` from `start`. Neighbouring bands share their border. */
export interface GridBand {
  readonly start: Ticks;
  readonly end: Ticks;
  readonly step: Ticks;
}

export type Grid = readonly GridBand[];

/** Returns a grid of one step over the whole dollar. */
export function uniformGrid(step: Ticks): Grid {
  return [{ start: 0 as Ticks, end: TICKS_PER_DOLLAR as Ticks, step }];
}

/** Returns the largest step that divides every price of the grid, or 0 if the grid has no usable band. */
export function ladderStep(grid: Grid): Ticks {
  let step = 0;
  for (const band of grid) {
    if (band.step <= 0 || band.end <= band.start) continue;
    step = greatestCommonDivisor(greatestCommonDivisor(step, band.step), band.start);
  }
  return (TICKS_PER_DOLLAR % Math.max(step, 1) === 0 ? step : greatestCommonDivisor(step, TICKS_PER_DOLLAR)) as Ticks;
}

/** Whether an order may carry this price: on the step of its band and strictly between 0 and 1. */
export function isOnGrid(grid: Grid, price: Ticks): boolean {
  if (price <= 0 || price >= TICKS_PER_DOLLAR) return false;
  return grid.some(band => price >= band.start && price <= band.end && (price - band.start) % band.step === 0);
}

/** Returns the nearest prices on the grid below and above a price off the grid. Null means that the grid has no price on that side. */
export function neighboursOf(grid: Grid, price: Ticks): { readonly below: Ticks | null; readonly above: Ticks | null } {
  return { below: nextOnGrid(grid, price, -1), above: nextOnGrid(grid, price, 1) };
}

function nextOnGrid(grid: Grid, price: Ticks, step: 1 | -1): Ticks | null {
  for (let it = price + step; it > 0 && it < TICKS_PER_DOLLAR; it += step)
    if (isOnGrid(grid, it as Ticks)) return it as Ticks;
  return null;
}

export function isSameGrid(one: Grid, other: Grid): boolean {
  return (
    one.length === other.length &&
    one.every(({ start, end, step }, index) => {
      const band = other[index]!;
      return start === band.start && end === band.end && step === band.step;
    })
  );
}

export function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
