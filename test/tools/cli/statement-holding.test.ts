// A holding of a statement, against a naive twin that keeps each unit separately, and against examples that can be checked by hand.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Venue } from '../../../src/core/domain/market.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { type ClosedLot, Holding } from '../../../src/tools/cli/statement-holding.ts';

interface Step {
  readonly change: number;
  readonly price: number;
}

const moveOf = ({ change, price }: Step, index: number) => ({
  ...{ at: index as UnixMillis, change: BigInt(change), addressPrice: BigInt(price), cash: null },
});

/** Keeps every unit with its own cost. The unit that is bought first is sold first. */
function naive(venue: Venue, steps: readonly Step[]) {
  let units: { sign: number; cost: number; at: number }[] = [];
  let cash = 0;
  const closed: { at: number; cost: number; proceeds: number }[] = [];
  for (const [at, { change, price }] of steps.entries()) {
    for (let left = Math.abs(change); left > 0; left -= 1) {
      const sign = Math.sign(change);
      const worth = (of: number): number => (of > 0 ? price : venue === 'venue_b' ? 10_000 - price : -price);
      const [oldest] = units;
      if (oldest !== undefined && oldest.sign !== sign) {
        units = units.slice(1);
        closed.push({ at: oldest.at, cost: oldest.cost, proceeds: worth(oldest.sign) });
        cash += worth(oldest.sign);
      } else {
        units.push({ sign, cost: worth(sign), at });
        cash -= worth(sign);
      }
    }
  }
  return { cash, closed, size: units.reduce((sum, { sign }) => sum + sign, 0) };
}

const steps = fc.array(
  fc.record({
    change: fc.integer({ min: -9, max: 9 }).filter(it => it !== 0),
    price: fc.integer({ min: 1, max: 9_999 }),
  }),
  { maxLength: 12 },
);
const sum = (lots: readonly ClosedLot[], of: (lot: ClosedLot) => bigint): bigint =>
  lots.reduce((total, lot) => total + of(lot), 0n);

describe.each(['venue_a', 'venue_b'] as const)('%s', venue => {
  it('pays, and closes the oldest units first, as the naive twin does', () => {
    fc.assert(
      fc.property(steps, all => {
        const holding = new Holding(venue);
        const closed = all.flatMap((step, at) => holding.move(moveOf(step, at)).closed);
        const twin = naive(venue, all);
        expect([holding.size, holding.cash]).toEqual([BigInt(twin.size), BigInt(twin.cash)]);
        for (const openedAt of all.keys()) {
          const [lots, units] = [
            closed.filter(it => it.openedAt === openedAt),
            twin.closed.filter(it => it.at === openedAt),
          ];
          expect(sum(lots, it => it.cost)).toBe(BigInt(units.reduce((total, { cost }) => total + cost, 0)));
          expect(sum(lots, it => it.proceeds)).toBe(BigInt(units.reduce((total, { proceeds }) => total + proceeds, 0)));
        }
      }),
    );
  });

  it('loses nothing: all cash is proceeds of closed lots less what closed and held lots cost', () => {
    fc.assert(
      fc.property(steps, all => {
        const holding = new Holding(venue);
        const closed = all.flatMap((step, at) => holding.move(moveOf(step, at)).closed);
        const held = holding.held().reduce((total, { cost }) => total + cost, 0n);
        expect(holding.cash).toBe(sum(closed, it => it.proceeds) - sum(closed, it => it.cost) - held);
      }),
    );
  });
});

it('costs a sale by its oldest lot, and by the average', () => {
  const holding = new Holding('venue_b');
  holding.move(moveOf({ change: 10, price: 4_000 }, 1));
  holding.move(moveOf({ change: 10, price: 6_000 }, 2));
  const { cash, closed } = holding.move(moveOf({ change: -10, price: 7_000 }, 3));
  expect(cash).toBe(70_000n);
  expect(closed).toEqual([{ openedAt: 1, units: 10n, cost: 40_000n, averageCost: 50_000n, proceeds: 70_000n }]);
});

it('shares a payout of known cash among the lots that it closes', () => {
  const holding = new Holding('venue_a');
  holding.move(moveOf({ change: 2, price: 5_000 }, 1));
  holding.move(moveOf({ change: 1, price: 5_000 }, 2));
  const { cash, closed } = holding.move({ at: 3 as UnixMillis, change: -3n, addressPrice: 0n, cash: 30_000n });
  expect(cash).toBe(30_000n);
  expect(closed.map(({ proceeds }) => proceeds)).toEqual([20_000n, 10_000n]);
  expect([holding.size, holding.cash]).toEqual([0n, 15_000n]);
});
