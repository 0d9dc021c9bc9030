// The search for the highest rate that holds.

import { expect, it } from 'vitest';
import { highestHeld } from '../../bench/load/held-rate.ts';

const SEARCH = { low: 100, high: 6_400, steps: 6 };

/** Finds the rate of a server that holds no more than `limit`, and the rates that were tried. */
async function found(limit: number) {
  const tried: number[] = [];
  const held = await highestHeld(SEARCH, async perSecond => {
    tried.push(perSecond);
    return perSecond <= limit;
  });
  return { held, tried };
}

it.each([100, 150, 999, 1_000, 2_345, 6_399])(
  'comes close to %d from below, in as many steps as it may',
  async limit => {
    const { held, tried } = await found(limit);
    expect(held).toBeLessThanOrEqual(limit);
    // A range of 64 halved six times, in ratios; and rates are whole.
    expect(held).toBeGreaterThan(limit / 64 ** (1 / 64) - 1);
    expect(tried).toHaveLength(2 + SEARCH.steps);
  },
);

it('tries no further once the highest holds', async () => {
  expect(await found(7_000)).toEqual({ held: 6_400, tried: [100, 6_400] });
});

it('finds nothing where the lowest does not hold', async () => {
  expect(await found(99)).toEqual({ held: 0, tried: [100] });
});
