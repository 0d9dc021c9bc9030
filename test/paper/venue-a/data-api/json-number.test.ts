// Numbers of the Data API: what is written is the decimal that was meant.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MicroDollars } from '../../../../src/core/domain/numbers.ts';
import { exactNumber, shownQuotient } from '../../../../src/paper/venue-a/data-api/position-rows.ts';

const dollars = (micros: number) => micros as MicroDollars;

describe('numbers of the Data API', () => {
  it.each([
    [0, '0'],
    [1, '0.000001'],
    [-150_000, '-0.15'],
    [300_000, '0.3'],
    [463_557_745_200, '463557.7452'],
    [123_456_789_012_345, '123456789.012345'],
  ])('%i millionths are %s', (micros, text) => {
    expect(JSON.stringify(exactNumber(dollars(micros)))).toBe(text);
  });

  it.each([
    [1, 3, 1, 0.3333],
    [2, 3, 1, 0.6667],
    [-2, 3, 1, -0.6667],
    [2, 3, 100, 66.6667],
    [5, 0, 1, 0],
    [9_007_199_254_740_991, 9_007_199_254_740_990, 100, 100],
  ] as const)('%i of %i in units of 1/%i is %d', (numerator, denominator, scale, shown) => {
    expect(shownQuotient(numerator, denominator, scale)).toBe(shown);
  });

  it('reads back as what it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e14, max: 1e14 }), micros => {
        const [whole = '', fraction = ''] = JSON.stringify(exactNumber(dollars(micros))).split('.');
        expect(BigInt(whole.replace('-', '') + fraction.padEnd(6, '0'))).toBe(BigInt(Math.abs(micros)));
      }),
    );
  });
});
