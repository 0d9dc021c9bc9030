// Venue A's fees against stated facts and against a naive twin in fractions of BigInt. The cases include exact fractions, and quotients on both sides
// of 2^53.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../src/core/domain/market.ts';
import { type MicroShares, parseMicroShares, type Ticks } from '../../../src/core/domain/numbers.ts';
import { ceilQuotient, fractionOf, multiply, parseFraction, VenueAFees } from '../../../src/paper/fees/fees.ts';
import { ticks } from '../../support/amounts.ts';

const shares = (text: string): MicroShares => parseMicroShares(text)!;

const HUNDREDTH = 10_000 as MicroShares;
const feesOf = (rate: string, exponent: 1 | 2 = 1, sizeStep = HUNDREDTH): VenueAFees =>
  new VenueAFees({ rate: fractionOf(rate), exponent, sizeStep });

describe('fees of venue A', () => {
  it('are 0.3105 for 28.09 at 0.6699 in a sports market, as far as the recorded figure has decimals', () => {
    const fee = feesOf('0.05').meter().charge('taker', ticks('0.6699'), shares('28.09'));
    expect(fee).toBe(310_580);
    expect(Math.floor(fee / 100)).toBe(3_105);
  });

  it.each([
    ['0.07', 1, '0.5', '100', 1_750_000],
    ['0.05', 1, '0.3', '100', 1_050_000],
    ['0.05', 1, '0.7', '100', 1_050_000],
    ['0.072', 1, '0.01', '1', 710],
    ['0.25', 2, '0.5', '100', 1_562_500],
    ['0', 1, '0.5', '100', 0],
    // A fee below the last decimal is 0. Other fees are rounded to the nearest decimal, halves up. The exact fees here are 0.000005, 0.0000125,
    // 0.000015, 0.00001 and a number just below 0.00001.
    ['0.05', 1, '0.01', '0.010102', 0],
    ['0.05', 1, '0.5', '0.001', 10],
    ['0.05', 1, '0.5', '0.0012', 20],
    ['0.05', 1, '0.5', '0.0008', 10],
    ['0.05', 1, '0.5', '0.00079', 0],
  ] as const)('at a rate of %s, exponent %i, price %s for %s shares: %i', (rate, exponent, price, size, fee) => {
    expect(feesOf(rate, exponent).meter().charge('taker', ticks(price), shares(size))).toBe(fee);
  });

  it('are paid by takers only', () => {
    expect(feesOf('0.07').meter().charge('maker', ticks('0.5'), shares('100'))).toBe(0);
  });
});

const anyPrice = fc.integer({ min: 1, max: 9_999 }).map(it => it as Ticks);
const anyTerms = fc.tuple(fc.constantFrom('0', '0.03', '0.05', '0.072', '0.25', '0.0625'), fc.constantFrom(1, 2));

describe('the most that an order can be charged', () => {
  it.each([1, 1_200])('is reached by fills that are each rounded up, with sizes in steps of %i', sizeStep => {
    const fees = feesOf('0.05', 1, sizeStep as MicroShares);
    const each = fees.meter().charge('taker', ticks('0.5'), shares('0.0012'));
    expect(fees.maxCharge(ticks('0.5'), shares('1.2'), BID)).toBe(1_000 * each);
  });

  it('is hardly above one fee where sizes are in hundredths', () => {
    expect(feesOf('0.05').takerFee(ticks('0.5'), shares('100'))).toBe(1_250_000);
    expect(feesOf('0.05').maxCharge(ticks('0.5'), shares('100'), BID)).toBe(1_300_000);
  });
});

describe('properties', () => {
  it('fees are those of the naive twin, also of sizes near 2^53', () => {
    const anySize = fc.oneof(fc.integer({ min: 1, max: 10 ** 9 }), fc.maxSafeNat());
    fc.assert(
      fc.property(anyTerms, anyPrice, anySize, ([rate, exponent], price, size) => {
        const fee = feesOf(rate, exponent as 1 | 2)
          .meter()
          .charge('taker', price, size as MicroShares);
        expect(BigInt(fee)).toBe(naiveFee(rate, exponent, price, size));
      }),
      { numRuns: 3_000 },
    );
  });

  it('no sequence of fills within the limit costs more than `maxCharge`', () => {
    const step = fc.constantFrom(1, 100, 10_000);
    const fills = fc.array(
      fc.tuple(anyPrice, fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 10 ** 7 }))),
      {
        minLength: 1,
        maxLength: 50,
      },
    );
    fc.assert(
      fc.property(anyTerms, fc.constantFrom(BID, ASK), step, fills, ([rate, exponent], side, sizeStep, sequence) => {
        const fees = feesOf(rate, exponent as 1 | 2, sizeStep as MicroShares);
        const prices = sequence.map(([price]) => price);
        const limit = (side === BID ? Math.max(...prices) : Math.min(...prices)) as Ticks;
        const size = sequence.reduce((sum, [, steps]) => sum + steps * sizeStep, 0) as MicroShares;
        const meter = fees.meter();
        const total = sequence.reduce(
          (sum, [price, steps]) => sum + meter.charge('taker', price, (steps * sizeStep) as MicroShares),
          0,
        );
        expect(total).toBeLessThanOrEqual(fees.maxCharge(limit, size, side));
        expect(fees.maxCharge(limit, size, side)).toBeLessThanOrEqual(fees.maxCharge(limit, size));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Returns the fee in micro-dollars: an exact fraction, to which the two rules about decimals are applied. */
function naiveFee(rate: string, exponent: number, price: number, size: number): bigint {
  const scaledRate = BigInt(Math.round(Number(rate) * 10_000));
  const curve = BigInt(price) * BigInt(10_000 - price);
  // rate 10^-4 × shares 10^-6 × curve 10^-8 each, in units of 10^-5 dollars.
  const dividend = scaledRate * BigInt(size) * curve ** BigInt(exponent);
  const unit = 10n ** BigInt(10 + 8 * exponent - 5);
  if (dividend < unit) return 0n;
  const [whole, rest] = [dividend / unit, dividend % unit];
  return 10n * (2n * rest >= unit ? whole + 1n : whole);
}

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
