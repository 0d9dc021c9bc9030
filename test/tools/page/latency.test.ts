// Quantiles from counted buckets, against the sorted durations themselves.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bucket, countedSince, quantileUs } from '../../../src/tools/page/latency.ts';

/** Durations whose buckets end at themselves. */
const durations = fc.array(fc.constantFrom(1, 10, 25, 100, 600, 1_000), { maxLength: 30 });

function bucketsOf(values: readonly number[]): Bucket[] {
  const ends = [...new Set(values)].toSorted((a, b) => a - b);
  return ends.map(endUs => ({ endUs, count: values.filter(it => it === endUs).length }));
}

it('a quantile is the duration below which that share is', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.9, 0.99, 1), (values, share) => {
      const sorted = values.toSorted((a, b) => a - b);
      const at = Math.max(0, Math.ceil(share * sorted.length) - 1);
      expect(quantileUs(bucketsOf(values), share)).toBe(sorted[at] ?? null);
    }),
  );
});

describe('what was counted between two readings', () => {
  it('is what the later one has more', () => {
    fc.assert(
      fc.property(durations, durations, (before, more) => {
        expect(countedSince(bucketsOf(before), bucketsOf([...before, ...more]))).toEqual(bucketsOf(more));
      }),
    );
  });

  it('is all of the later one after a restart', () => {
    expect(countedSince(bucketsOf([1, 1, 10]), bucketsOf([1, 25]))).toEqual(bucketsOf([1, 25]));
    expect(countedSince(bucketsOf([1, 10]), bucketsOf([1, 1]))).toEqual(bucketsOf([1, 1]));
  });
});
