// The machine's clock was an hour ahead for three seconds, then set back. What had been taken from venue B's budget meanwhile carried that
// time. The gateway noticed the absurd time but kept it, so it refused reads and orders for an hour that the venue would have taken.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { createBudgetMemory, VenueBBudget } from '../../src/venues/venue-b/trading/budget.ts';

const HOUR_MS = 3_600_000;
/** Of the clock going wrong, and of a bucket that fills up. */
const SECONDS_MAX = 10;

it('a bucket has room again as soon as it fills up', () => {
  let now = HOUR_MS * 400_000;
  const budget = new VenueBBudget(createBudgetMemory(), () => now as UnixMillis);
  now += HOUR_MS;
  expect(budget.takeRead('other', 0)).toBe(0);
  expect(budget.takeOrder(0)).toBe(0);
  now -= HOUR_MS;

  let [reads, orders] = [0, 0];
  for (let second = 0; second < SECONDS_MAX; second += 1) {
    now += 1_000;
    if (budget.takeRead('other', 0) === 0) reads += 1;
    if (budget.takeOrder(0) === 0) orders += 1;
  }
  expect(reads).toBeGreaterThan(0);
  expect(orders).toBeGreaterThan(0);
});
