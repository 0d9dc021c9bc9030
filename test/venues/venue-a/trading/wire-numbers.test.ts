// Prices and money of venue A as they may be written, to integers.

import { expect, it } from 'vitest';
import { averagePriceOf, collateralOf, nearestTicksOf } from '../../../../src/venues/venue-a/trading/wire-numbers.ts';

it.each([
  ['0.12345', 1_235],
  ['0.12344', 1_234],
  ['0.99999', 9_999],
  ['0.00001', 1],
  ['0.5', 5_000],
  ['0', null],
  ['1', null],
  ['half', null],
])('an average price of %s is, to the nearest tick that can be traded at, %s', (text, ticks) => {
  expect(averagePriceOf(text)).toBe(ticks);
});

it.each([
  ['1', 10_000],
  ['0', 0],
  ['0.99999', 9_999],
])('a price of %s is final or not: %i', (text, ticks) => {
  expect(nearestTicksOf(text)).toBe(ticks);
});

it.each([
  ['1000000000', 1_000_000_000],
  ['250.500000', 250_500_000],
  ['0', 0],
  ['1e9', null],
  ['-1', null],
])('a balance of %s has %s micro-dollars', (text, micros) => {
  expect(collateralOf(text)).toBe(micros);
});
