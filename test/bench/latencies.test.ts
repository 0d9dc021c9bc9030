// The histogram of latencies beside its naive twin, a sorted list.

import { describe, expect, it } from 'vitest';
import { percentile, randomNumbers } from '../../bench/harness.ts';
import { Latencies } from '../../bench/load/latencies.ts';

const FRACTIONS = [0, 0.01, 0.5, 0.9, 0.99, 0.999, 1];
/** A bucket is no wider than that of its values. */
const PRECISION = 1 / 1_024;

function filled(values: readonly number[]): Latencies {
  const latencies = new Latencies();
  for (const us of values) latencies.add(us);
  return latencies;
}

describe('a histogram of latencies', () => {
  it('tells percentiles as a sorted list does, to a thousandth', () => {
    const random = randomNumbers(7);
    // From microseconds to a minute, as many of each size.
    const values = Array.from({ length: 20_000 }, () => Math.round(Math.exp(random() * Math.log(6e7))));
    const latencies = filled(values);
    for (const fraction of FRACTIONS) {
      const exact = percentile(values, fraction);
      const reported = latencies.percentileUs(fraction);
      expect(reported).toBeGreaterThanOrEqual(exact);
      expect(reported).toBeLessThanOrEqual(exact * (1 + PRECISION));
    }
    expect(latencies.maxUs).toBe(Math.max(...values));
  });

  it.each([0, 1, 2_047, 2_048, 2_049, 4_095, 4_096, 4_099, 2 ** 27 - 1])('finds the bucket of %d', us => {
    const reported = filled([us]).percentileUs(1);
    expect(reported).toBeGreaterThanOrEqual(us);
    expect(reported - us).toBeLessThanOrEqual(us * PRECISION);
  });

  it('counts what is too late as that late, and what is early as prompt', () => {
    expect(filled([1e12]).percentileUs(1)).toBe(2 ** 27 - 1);
    expect(filled([1e12]).maxUs).toBe(1e12);
    expect(filled([-5]).percentileUs(1)).toBe(0);
  });

  it('takes over another one', () => {
    const [both, one] = [filled([1, 5_000]), filled([9_000])];
    both.merge(one.toCounts());
    expect([both.count, both.percentileUs(0.5), both.maxUs]).toEqual([3, filled([5_000]).percentileUs(1), 9_000]);
  });

  it('knows nothing of none', () => {
    expect(new Latencies().percentileUs(0.5)).toBeNaN();
  });
});
