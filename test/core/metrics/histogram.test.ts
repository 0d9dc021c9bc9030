// The buckets of a latency histogram keep their stated precision.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUCKETS, bucketEndUs, bucketOf, LONGEST_US } from '../../../src/core/metrics/metrics.ts';

/** From 1 us to a minute, every decade as likely as the others, in steps of a nanosecond. */
const durationUs = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1_000, max: 10_000 }))
  .map(([decade, thousandths]) => Math.min(LONGEST_US, (thousandths * 10 ** decade) / 1_000));

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

  it('has a middle within 12.5 % of what is in it', () => {
    fc.assert(
      fc.property(durationUs, duration => {
        const bucket = bucketOf(duration);
        const middle = bucket === 0 ? 1 : (bucketEndUs(bucket - 1) + bucketEndUs(bucket)) / 2;
        expect(Math.abs(middle - duration)).toBeLessThanOrEqual(duration / 8);
      }),
    );
  });

  it('takes what is shorter or longer than the range', () => {
    expect(bucketOf(0)).toBe(0);
    expect(bucketOf(LONGEST_US + 1)).toBe(BUCKETS - 1);
    expect(bucketOf(Number.POSITIVE_INFINITY)).toBe(BUCKETS - 1);
  });
});
