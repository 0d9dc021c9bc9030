// The buckets of a latency histogram against a twin that keeps every duration.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUCKETS, bucketEndUs, bucketOf, LONGEST_US, quantileUs } from '../../src/runtime/histogram.ts';

/** From 1 us to a minute, every decade as likely as the others, in steps of a nanosecond. */
const durationUs = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1_000, max: 10_000 }))
  .map(([decade, thousandths]) => Math.min(LONGEST_US, (thousandths * 10 ** decade) / 1_000));

const countsOf = (durations: readonly number[]): number[] => {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const duration of durations) counts[bucketOf(duration)]! += 1;
  return counts;
};

describe('a bucket', () => {
  it('holds what is up to its end and beyond the end of the one before', () => {
    fc.assert(
      fc.property(durationUs, duration => {
        const bucket = bucketOf(duration);
        expect(duration).toBeLessThanOrEqual(bucketEndUs(bucket));
        if (bucket > 0) expect(duration).toBeGreaterThan(bucketEndUs(bucket - 1));
      }),
    );
  });

  it('is found again by its own end, for all of them in order', () => {
    const finite = Array.from({ length: BUCKETS - 1 }, (_, bucket) => bucket);
    expect(finite.map(bucket => bucketOf(bucketEndUs(bucket)))).toEqual(finite);
    expect(bucketEndUs(BUCKETS - 2)).toBe(LONGEST_US);
  });

  it('takes what is shorter or longer than the range', () => {
    expect(bucketOf(0)).toBe(0);
    expect(bucketOf(LONGEST_US + 1)).toBe(BUCKETS - 1);
    expect(bucketOf(Number.POSITIVE_INFINITY)).toBe(BUCKETS - 1);
  });
});

describe('a quantile', () => {
  it('is within 12.5 % of the exact one', () => {
    fc.assert(
      fc.property(
        fc.array(durationUs, { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (durations, share) => {
          const exact = durations.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * durations.length) - 1)]!;
          expect(Math.abs(quantileUs(countsOf(durations), share) - exact)).toBeLessThanOrEqual(exact / 8);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('of nothing is not a number, and of what is too long the longest', () => {
    expect(quantileUs(countsOf([]), 0.5)).toBeNaN();
    expect(quantileUs(countsOf([LONGEST_US * 10]), 0.5)).toBe(LONGEST_US);
  });
});
