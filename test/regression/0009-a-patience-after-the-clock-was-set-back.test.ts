// As 0008, at venue A: it answered 429 while the clock was an hour ahead. After the clock was set back nothing was sent there for that
// hour.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { createRateMemory, RateBudget } from '../../src/venues/venue-a/trading/budget.ts';

const HOUR_MS = 3_600_000;

it('a pause lasts no longer than the venue said', async () => {
  let now = HOUR_MS * 400_000;
  const budget = new RateBudget('orders', createRateMemory(), () => now as UnixMillis);
  const headers = new Map([['retry-after', '7']]);
  const refused = { type: 'answer', status: 429, headers, body: {} } as const;
  await budget.spent(Promise.resolve(refused));
  expect(budget.waitS).toBe(7);
  now += 6_001;
  expect(budget.waitS).toBe(1);
  now += 999;
  expect(budget.waitS).toBe(0);

  await budget.spent(Promise.resolve(refused));
  now -= HOUR_MS;
  expect(budget.waitS).toBeLessThanOrEqual(7);
});
