// What shares cost, against BigInt, up to the largest size there is; and that the worst case of an order is never passed.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';

import { noCost, worstCost, yesCost } from '../../../src/paper/engine/money.ts';

const price = fc.integer({ min: 0, max: 10_000 }).map(it => it as Ticks);
const size = fc
  .oneof(
    fc.maxSafeNat(),
    fc.nat(30_000),
    fc.nat(30_000).map(it => Number.MAX_SAFE_INTEGER - it),
    // Just below, at and above multiples of the divisor, where a rounded quotient would be off by one.
    fc
      .tuple(fc.integer({ min: 1, max: 900_719_925_473 }), fc.integer({ min: -1, max: 1 }))
      .map(([k, d]) => k * 10_000 + d),
  )
  .map(it => it as MicroShares);

describe('what shares cost', () => {
  it('is exact for every size', () => {
    fc.assert(
      fc.property(price, size, (p, s) => {
        expect(BigInt(yesCost(p, s))).toBe((BigInt(p) * BigInt(s)) / 10_000n);
        expect(BigInt(yesCost(p, s)) + BigInt(noCost(p, s))).toBe(BigInt(s));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    [3_333, 1, 0, 1],
    [3_333, 30_003, 9_999, 20_004],
    [5_000, 3, 1, 2],
    [9_999, 9_007_199_254_740_991, 9_006_298_534_815_516, 900_719_925_475],
  ])('%i ticks for %i: YES %i, NO %i', (p, s, yes, no) => {
    expect([yesCost(p as Ticks, s as MicroShares), noCost(p as Ticks, s as MicroShares)]).toEqual([yes, no]);
  });
});

describe('the worst case', () => {
  const step = fc.constantFrom(1, 7, 100, 10_000, 30_000);
  const parts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 });

  it('covers an order filled in any parts, and its first part may be odd', () => {
    fc.assert(
      fc.property(step, parts, price, fc.nat(29_999), (one, counts, p, odd) => {
        const fills = [odd % one, ...counts.map(count => count * one)] as MicroShares[];
        const whole = fills.reduce((sum, fill) => sum + fill, 0) as MicroShares;
        const paid = (cost: typeof yesCost) => fills.reduce((sum, fill) => sum + cost(p, fill), 0);
        expect(paid(yesCost)).toBeLessThanOrEqual(worstCost(BID, p, whole, one as MicroShares));
        expect(paid(noCost)).toBeLessThanOrEqual(worstCost(ASK, p, whole, one as MicroShares));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is no more than the price where nothing is ever rounded', () => {
    expect(worstCost(ASK, 3_333 as Ticks, 30_000 as MicroShares, 10_000 as MicroShares)).toBe(20_001);
    expect(worstCost(BID, 3_333 as Ticks, 30_000 as MicroShares, 10_000 as MicroShares)).toBe(9_999);
  });
});
