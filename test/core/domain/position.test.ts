// Positions against a naive ledger of lots, and examples that can be checked by hand.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Fraction,
  fraction,
  negative,
  plus,
  roundHalfEven,
  times,
  ZERO,
} from '../../../src/core/domain/fraction.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { changed, noPosition, type Position, settledAt } from '../../../src/core/domain/position.ts';

const AT = 1_790_000_000_000 as UnixMillis;
const SHARE = 1_000_000;
const start = noPosition('venue_b', 'KX', AT);

function trade(position: Position, contracts: number, price: number): Position {
  return changed(position, {
    change: (contracts * SHARE) as MicroShares,
    addressPrice: price as Ticks,
    fee: 10 as MicroDollars,
    at: AT,
  });
}

describe('a position', () => {
  it('averages what it bought', () => {
    const position = trade(trade(start, 10, 5_000), 30, 6_000);
    expect(position).toMatchObject({ size: 40 * SHARE, average: fraction(5_750n), realized: ZERO, fees: 20 });
  });

  it('takes profit on what it closes, and keeps its average', () => {
    const position = trade(trade(start, 10, 5_000), -4, 6_000);
    expect(position).toMatchObject({ size: 6 * SHARE, average: fraction(5_000n) });
    expect(position.realized).toEqual(fraction(4_000_000_000n));
  });

  it('turns around: closes, and opens NO at its own price', () => {
    const position = trade(trade(start, 10, 5_000), -15, 6_000);
    expect(position).toMatchObject({ size: -5 * SHARE, average: fraction(4_000n) });
    expect(position.realized).toEqual(fraction(10_000_000_000n));
  });

  it('is settled at what it is worth', () => {
    const no = trade(start, -10, 6_000);
    expect(settledAt(no, 0 as Ticks, AT)).toMatchObject({
      size: 0,
      average: ZERO,
      realized: fraction(60_000_000_000n),
    });
    expect(settledAt(no, 10_000 as Ticks, AT).realized).toEqual(fraction(-40_000_000_000n));
  });

  it('thirds do not drift', () => {
    let position = trade(trade(start, 1, 1), 2, 2);
    for (let round = 0; round < 100; round++) position = trade(trade(position, -1, 7), 1, 7);
    const { numerator, denominator } = position.average;
    // Each round closes a third at the average and buys it back at 7.
    expect(numerator <= 7n * denominator).toBe(true);
    expect(settledAt(position, 7 as Ticks, AT).realized).toEqual(fraction(BigInt(7 * 3 - 5) * 1_000_000n));
  });

  it('has what cannot be halved once: in what is held, and not in the profit', () => {
    // A third of a holding is sold. The cost of the holding is odd in its last digit.
    const sizes = [
      [1, 2],
      [2, 4],
      [-1, 5],
      [-1, 5],
    ] as const;
    const fee = 0 as MicroDollars;
    const position = sizes.reduce(
      (it, [size, price]) => changed(it, { change: size as MicroShares, addressPrice: price as Ticks, fee, at: AT }),
      start,
    );
    expect(position.average).toEqual(fraction(3_333_334n, 1_000_000n));
    expect(position.realized).toEqual(fraction(3_333_334n, 1_000_000n));
    expect(settledAt(position, 5 as Ticks, AT).realized).toEqual(fraction(5n));
  });

  it('takes no more room after many trades than after a few, and its average stays what it is exactly', () => {
    const trades = fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: 20_000_000 }),
        isBuy: fc.boolean(),
        price: fc.integer({ min: 1, max: 9_999 }),
      }),
      { minLength: 200, maxLength: 300 },
    );
    fc.assert(
      fc.property(trades, list => {
        let position = start;
        let exact = { size: 0, average: ZERO };
        for (const { size, isBuy, price } of list) {
          // The position is never flat for long, because each sale is a part of the holding.
          const change = (isBuy ? size : -Math.min(size, Math.floor(position.size / 2))) as MicroShares;
          if (change === 0) continue;
          position = changed(position, { change, addressPrice: price as Ticks, fee: 0 as MicroDollars, at: AT });
          exact = exactly(exact, change, price);
          expect(position.size).toBe(exact.size);
          expect(position.average.denominator <= BigInt(position.size) * 1_000_000n).toBe(true);
          expect(position.realized.denominator <= 1_000_000n).toBe(true);
        }
        const { numerator, denominator } = plus(position.average, negative(exact.average));
        // Each closing adds at most half of a 1e-6 of a unit to the error of the holding's whole cost.
        const error = (numerator < 0n ? -numerator : numerator) * BigInt(Math.max(1, position.size));
        expect(error * 2_000_000n <= denominator * BigInt(list.length)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('is worth the money that went in and out, after any trades', () => {
    const trades = fc.array(
      fc.record({
        size: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).filter(it => it !== 0),
        price: fc.integer({ min: 1, max: 9_999 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(trades, fc.integer({ min: 0, max: 10_000 }), (list, value) => {
        let [position, cash, size] = [start, 0n, 0n];
        for (const { size: change, price } of list) {
          const fee = 0 as MicroDollars;
          position = changed(position, { change: change as MicroShares, addressPrice: price as Ticks, fee, at: AT });
          // Cash is in YES terms. A sale of YES is a purchase of NO at 1 − p, with a dollar behind each pair, which cancels out.
          cash -= BigInt(change) * BigInt(price);
          size += BigInt(change);
        }
        expect(BigInt(position.size)).toBe(size);
        const settled = settledAt(position, value as Ticks, AT);
        expect(settled.realized).toEqual(fraction(cash + size * BigInt(value)));
        expect(settled.size).toBe(0);
      }),
    );
  });
});

/** Computes the exact average of a holding that is bought and sold in parts, in fractions that grow. */
function exactly({ size, average }: { size: number; average: Fraction }, change: number, price: number) {
  if (change < 0) return { size: size + change, average };
  const cost = plus(times(average, fraction(BigInt(size))), fraction(BigInt(change) * BigInt(price)));
  return { size: size + change, average: times(cost, fraction(1n, BigInt(size + change))) };
}

describe('rounding', () => {
  it.each([
    [1n, 2n, 0n],
    [3n, 2n, 2n],
    [5n, 2n, 2n],
    [-1n, 2n, 0n],
    [-3n, 2n, -2n],
    [7n, 3n, 2n],
    [8n, 3n, 3n],
    [-8n, 3n, -3n],
    [4n, 1n, 4n],
  ])('%d/%d is about %d', (numerator, denominator, expected) => {
    expect(roundHalfEven(fraction(numerator, denominator))).toBe(expected);
  });
});
