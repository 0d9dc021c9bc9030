// Exact fractions of big integers in lowest terms, so that repeated averaging does not drift. Pure.

import { assert } from './result.ts';

export interface Fraction {
  readonly numerator: bigint;
  /** The denominator is above 0. */
  readonly denominator: bigint;
}

export const ZERO: Fraction = { numerator: 0n, denominator: 1n };

export function fraction(numerator: bigint, denominator = 1n): Fraction {
  assert(denominator > 0n, 'a denominator is above 0');
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function negative({ numerator, denominator }: Fraction): Fraction {
  return { numerator: -numerator, denominator };
}

/** Returns the nearest integer. A half is rounded to the even neighbour. */
export function roundHalfEven({ numerator, denominator }: Fraction): bigint {
  const floor = numerator >= 0n ? numerator / denominator : -((-numerator + denominator - 1n) / denominator);
  const twiceRest = 2n * (numerator - floor * denominator);
  const isUp = twiceRest > denominator || (twiceRest === denominator && floor % 2n !== 0n);
  return isUp ? floor + 1n : floor;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
