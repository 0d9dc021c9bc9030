// The bucket in one number against one that counts tokens, under any schedule of arrivals.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TokenBucket } from '../../../src/core/runtime/token-bucket.ts';
import { NaiveBucket } from '../../support/naive-token-bucket.ts';

const limit = fc.record({ perS: fc.integer({ min: 1, max: 5_000 }), burstMax: fc.integer({ min: 1, max: 5_000 }) });
const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })), { maxLength: 200 });

it('lets through what a counting bucket lets through', () => {
  fc.assert(
    fc.property(limit, gaps, (rate, arrivals) => {
      const bucket = new TokenBucket(rate);
      const naive = new NaiveBucket(rate);
      let nowMs = 0;
      for (const gap of arrivals) {
        nowMs += gap;
        expect(bucket.remaining(nowMs)).toBe(naive.remaining(nowMs));
        expect(bucket.take(nowMs)).toBe(naive.take(nowMs));
      }
    }),
  );
});

it('forgets what was given back', () => {
  const arrivals = fc.array(fc.record({ gap: fc.nat(3_000), isGivenBack: fc.boolean() }), { maxLength: 100 });
  fc.assert(
    fc.property(limit, arrivals, fc.nat(50), (rate, schedule, heldMs) => {
      const bucket = new TokenBucket(rate);
      const naive = new NaiveBucket(rate);
      let nowMs = 0;
      for (const { gap, isGivenBack } of schedule) {
        nowMs += gap;
        expect(bucket.remaining(nowMs)).toBe(naive.remaining(nowMs));
        if (!isGivenBack) expect(bucket.take(nowMs)).toBe(naive.take(nowMs));
        else if (bucket.take(nowMs)) {
          nowMs += heldMs;
          bucket.giveBack();
        }
      }
    }),
  );
});

it('says truly when the next token comes', () => {
  fc.assert(
    fc.property(limit, rate => {
      const bucket = new TokenBucket(rate);
      for (let taken = 0; taken < rate.burstMax; taken++) expect(bucket.take(1)).toBe(true);
      const waitMs = bucket.waitMs(1);
      expect(waitMs).toBeGreaterThan(0);
      expect(bucket.take(1 + waitMs * 0.9)).toBe(false);
      expect(bucket.take(1 + waitMs)).toBe(true);
    }),
  );
});

it('never owes more than one burst', () => {
  const bucket = new TokenBucket({ perS: 10, burstMax: 5 });
  for (let charge = 0; charge < 1_000; charge++) bucket.charge(0);
  expect(bucket.remaining(0)).toBe(0);
  expect(bucket.remaining(500)).toBe(5);
});
