// Found by review: the last trade in a hash of venue A has one more decimal than the tick (venue-a.md §5.4). At most ticks three decimals were
// the only guess. If the rule holds at 0.1 or 0.001, too, each trade there made the book STALE until it was read by REST. And a tier of the
// rate limits was known in lower case only, though the sheet writes it with a capital.

import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../src/domain/numbers.ts';
import { lastTradeTexts } from '../../src/venues/venue-a/token-books.ts';
import { createRateMemory, RateBudget } from '../../src/venues/venue-a/trading/budget.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

describe('the possible texts of a last trade', () => {
  it.each([
    ['0.1', 5_000, ['0.500', '0.50']],
    ['0.01', 5_200, ['0.520']],
    ['0.005', 5_250, ['0.525', '0.5250']],
    ['0.001', 5_200, ['0.520', '0.5200']],
    ['0.0025', 5_225, ['0.5225', '0.52250']],
    ['0.0001', 5_200, ['0.5200', '0.520', '0.52000']],
  ])('at a tick of %s have also one more decimal than the tick', (tickSize, price, texts) => {
    expect(lastTradeTexts(price as Ticks, tickSize)).toEqual(texts);
  });
});

it.each(['elite', 'Elite', 'ELITE'])('a tier is known as %s', async tier => {
  const timers = new VirtualTimers();
  const budget = new RateBudget('orders', createRateMemory(), () => timers.now());
  const headers = new Map([['poly-ratelimit-tier', tier]]);
  await budget.spent(Promise.resolve({ type: 'answer', status: 200, headers, body: {} }));
  expect(budget.now()).toMatchObject({ burst: 900, perSecond: 600 });
});
