// Fees of one share beside a naive computation in decimals, and rates as text.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FeeModel, formatRate, parseRate, takerFeeOf, takerFeeOfOne } from '../../../src/core/domain/fees.ts';
import { fraction } from '../../../src/core/domain/fraction.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';

const NOW = 1_790_000_000_000 as UnixMillis;

function model(rate: string, exponent = 1, waivedUntil: UnixMillis | null = null): FeeModel {
  const takerRate = parseRate(rate)!;
  return { takerRate, makerRate: fraction(0n), exponent, step: 100 as MicroDollars, rounding: 'UP', waivedUntil };
}

it.each([
  // venue-b.md §8: 1 contract at 0.52 costs 0.0175 in steps of $0.0001.
  ['0.07', 1, 5_200, 17_472],
  // venue-a.md §9.4: 28.09 shares at 0.6699 cost 0.3105.
  ['0.05', 1, 6_699, 11_057],
  ['0', 1, 5_000, 0],
  ['0.07', 2, 5_000, 4_375],
  ['0.07', 1, 1, 7],
])('at rate %s and exponent %i, a share at %i ticks costs %i micro-dollars', (rate, exponent, price, fee) => {
  expect(takerFeeOfOne(model(rate, exponent), price as Ticks, NOW)).toBe(fee);
});

it.each([
  // venue-b.md §8: 1 contract at 0.52, up to the next $0.0001.
  [model('0.07'), 5_200, 1, 17_500],
  // venue-a.md §9.4: 28.09 shares at 0.6699, halves up.
  [{ ...model('0.05'), step: 10 as MicroDollars, rounding: 'HALF_UP' as const }, 6_699, 28.09, 310_580],
  [model('0.07', 1, (NOW + 1) as UnixMillis), 5_200, 1, 0],
])('%o at %i ticks for %d shares costs %i micro-dollars', (terms, price, shares, fee) => {
  expect(takerFeeOf(terms, price as Ticks, Math.round(shares * 1e6) as MicroShares, NOW)).toBe(fee);
});

it('the fee is zero until a waiver ends', () => {
  expect(takerFeeOfOne(model('0.07', 1, (NOW + 1) as UnixMillis), 5_000 as Ticks, NOW)).toBe(0);
  expect(takerFeeOfOne(model('0.07', 1, NOW), 5_000 as Ticks, NOW)).toBe(17_500);
});

it('the fee is never less than the exact one, nor a micro-dollar more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 9_999 }), (hundredths, price) => {
      const rate = `0.${String(hundredths).padStart(2, '0')}`;
      const fee = takerFeeOfOne(model(rate), price as Ticks, NOW);
      // The exact fee is in hundredths of a micro-dollar, because rate × price × (1 − price) has ten decimals.
      const exact = hundredths * price * (10_000 - price);
      expect(fee * 10_000).toBeGreaterThanOrEqual(exact);
      expect((fee - 1) * 10_000).toBeLessThan(exact);
    }),
  );
});

it.each(['0', '0.07', '0.00875', '1', '2.5'])('reads and writes the rate %s', text => {
  expect(formatRate(parseRate(text)!)).toBe(text);
});

it.each(['', '.5', '-1', '1e3', '0.', '12345'])('reads no rate from %j', text => {
  expect(parseRate(text)).toBeNull();
});
