// Exact fractions, and quotients on both sides of 2^53.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ceilQuotient, fractionOf, multiply, parseFraction } from '../../../src/paper/fees/fees.ts';

describe('fractions', () => {
  it.each([
    ['0.07', 7, 100],
    ['0.0175', 7, 400],
    ['0.5', 1, 2],
    ['1', 1, 1],
    ['2.50', 5, 2],
    ['0', 0, 1],
    ['0.000', 0, 1],
    ['9999.999999', 9_999_999_999, 1_000_000],
  ])('%s is %i/%i', (text, numerator, denominator) => {
    expect(parseFraction(text)).toEqual({ numerator, denominator });
  });

  it.each(['', '.5', '1.', '-1', '+1', '1e-7', '0.0000001', '10000', ' 1', 'NaN'])('%j is no fraction', text => {
    expect(parseFraction(text)).toBeNull();
    expect(() => fractionOf(text)).toThrow('not a plain decimal');
  });

  it('multiply to lowest terms', () => {
    expect(multiply(fractionOf('0.07'), fractionOf('0.5'))).toEqual({ numerator: 7, denominator: 200 });
    expect(multiply(fractionOf('0.07'), fractionOf('0'))).toEqual({ numerator: 0, denominator: 1 });
  });
});

describe('quotients rounded up', () => {
  it('are exact for any product', () => {
    const factor = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.integer({ min: 94_906_260, max: 94_906_270 }));
    fc.assert(
      fc.property(factor, factor, fc.integer({ min: 1, max: 2 ** 40 }), (a, b, divisor) => {
        const product = BigInt(a) * BigInt(b);
        const quotient = product / BigInt(divisor) + (product % BigInt(divisor) === 0n ? 0n : 1n);
        fc.pre(quotient <= BigInt(Number.MAX_SAFE_INTEGER));
        expect(BigInt(ceilQuotient(a, b, divisor))).toBe(quotient);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    [1, Number.MAX_SAFE_INTEGER, 1],
    [2, 2 ** 52, 2],
    [3, 3_002_399_751_580_330, 1],
    [3, 3_002_399_751_580_331, 3],
  ])('%i × %i ÷ %i at the bound', (a, b, divisor) => {
    expect(BigInt(ceilQuotient(a, b, divisor))).toBe((BigInt(a) * BigInt(b)) / BigInt(divisor));
  });

  it('that pass 2^53 are a mistake', () => {
    expect(() => ceilQuotient(2 ** 40, 2 ** 40, 1)).toThrow('passes 2^53');
  });
});
