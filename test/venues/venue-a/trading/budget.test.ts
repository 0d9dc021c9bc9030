// Our mirror of venue A's rate limits for a signer, from the headers of the venue's answers.

import { describe, expect, it } from 'vitest';
import type { Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { lastTradeTexts } from '../../../../src/venues/venue-a/token-books.ts';
import { createRateMemory, RateBudget } from '../../../../src/venues/venue-a/trading/budget.ts';
import type { VenueOutcome } from '../../../../src/venues/venue-a/trading/venue-api.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { idOf, orderAt, tradingOn } from './scripted-line.ts';

function rig(bucket: 'orders' | 'cancels' = 'orders') {
  const timers = new VirtualTimers();
  const memory = createRateMemory();
  return { timers, memory, budget: new RateBudget(bucket, memory, () => timers.now()) };
}

const answer = (headers: Readonly<Record<string, string>>, status = 200): VenueOutcome => {
  return { type: 'answer', status, headers: new Map(Object.entries(headers)), body: {} };
};
const said = (remaining: number, tier = 'standard') =>
  Promise.resolve(answer({ 'poly-ratelimit-remaining': String(remaining), 'poly-ratelimit-tier': tier }));

describe('the budget', () => {
  it('is that of the smallest tier until the venue says otherwise', async () => {
    expect(rig().budget.now()).toEqual({ left: 60, burst: 60, perSecond: 40 });
    const { budget } = rig('cancels');
    expect(budget.now()).toEqual({ left: 120, burst: 120, perSecond: 80 });
    await budget.spent(said(1_799, 'elite'), 1);
    expect(budget.now()).toEqual({ left: 1_799, burst: 1_800, perSecond: 1_200 });
  });

  it('counts what is sent, and comes back with time', async () => {
    const { timers, budget } = rig();
    for (let sent = 0; sent < 10; sent += 1)
      await budget.spent(Promise.resolve({ type: 'lost', message: 'lost' } as VenueOutcome), 1);
    expect(budget.now().left).toBe(50);
    timers.advance(100);
    expect(budget.now().left).toBe(54);
    timers.advance(60_000);
    expect(budget.now().left).toBe(60);
    await budget.spent(Promise.resolve({ type: 'lost', message: 'lost' } as VenueOutcome), 15);
    expect(budget.now().left).toBe(45);
  });

  it('is what the venue states, less what is in flight', async () => {
    const { budget } = rig();
    const { promise, resolve } = Promise.withResolvers<VenueOutcome>();
    const slow = budget.spent(promise, 1);
    await budget.spent(said(20), 1);
    expect(budget.now().left).toBe(19);
    resolve(await said(18));
    await slow;
    expect(budget.now().left).toBe(18);
  });

  it('of a tier that is not known is what the venue states, and its rate is unknown', async () => {
    const { timers, budget } = rig();
    await budget.spent(said(200, 'pro'), 1);
    expect(budget.now()).toEqual({ left: 200, burst: 60, perSecond: 40 });
    timers.advance(1_000);
    expect(budget.now().left).toBe(200);
  });

  it('is nothing after a refusal, until the venue takes more', async () => {
    const { timers, budget } = rig();
    await budget.spent(Promise.resolve(answer({ 'retry-after': '3' }, 429)), 1);
    expect([budget.now().left, budget.waitS]).toEqual([0, 3]);
    timers.advance(3_000);
    expect(budget.now().left).toBe(60);
  });

  it('is the same for all who share its memory, each bucket by itself', async () => {
    const { timers, memory, budget } = rig();
    const reader = (bucket: 'orders' | 'cancels') => new RateBudget(bucket, memory, () => timers.now());
    await budget.spent(said(700, 'elite'), 1);
    timers.advance(100);
    expect(reader('orders').now()).toEqual({ left: 760, burst: 900, perSecond: 600 });
    expect(reader('cancels').now()).toEqual({ left: 120, burst: 120, perSecond: 80 });
    await budget.spent(Promise.resolve(answer({ 'retry-after': '3' }, 429)), 1);
    expect([reader('orders').now().left, reader('orders').waitS]).toEqual([0, 3]);
  });

  it('ignores what is no number', async () => {
    const { budget } = rig();
    await budget.spent(Promise.resolve(answer({ 'poly-ratelimit-remaining': '-1e9' })), 1);
    expect(budget.now().left).toBe(59);
  });
});

// As in 0008, but at venue A. The venue answered 429 while the machine's clock was an hour ahead. After the clock was set back, nothing was
// sent to the venue for that hour.
it('0009: a pause lasts no longer than the venue said, also after the clock was set back', async () => {
  let now = 1_440_000_000_000;
  const budget = new RateBudget('orders', createRateMemory(), () => now as UnixMillis);
  const refused = answer({ 'retry-after': '7' }, 429);
  await budget.spent(Promise.resolve(refused), 1);
  expect(budget.waitS).toBe(7);
  now += 6_001;
  expect(budget.waitS).toBe(1);
  now += 999;
  expect(budget.waitS).toBe(0);
  await budget.spent(Promise.resolve(refused), 1);
  now -= 3_600_000;
  expect(budget.waitS).toBeLessThanOrEqual(7);
});

// At most ticks the gateway guessed only three decimals for a last trade. The venue's rule may also hold at ticks of 0.1 and 0.001. Then
// each trade there made the book STALE until REST was read. And a tier of the rate limits was known in lower case only, though the sheet
// writes it with a capital.
describe('3182: a last trade with other decimals', () => {
  it.each([
    ['0.1', 5_000, ['0.500', '0.50']],
    ['0.01', 5_200, ['0.520']],
    ['0.005', 5_250, ['0.525', '0.5250']],
    ['0.001', 5_200, ['0.520', '0.5200']],
    ['0.0025', 5_225, ['0.5225', '0.52250']],
    ['0.0001', 5_200, ['0.5200', '0.520', '0.52000']],
  ])('texts of a last trade at a tick of %s have also one more decimal than the tick', (tickSize, price, texts) => {
    expect(lastTradeTexts(price as Ticks, tickSize)).toEqual(texts);
  });

  it.each(['elite', 'Elite', 'ELITE'])('a tier is known as %s', async tier => {
    const { budget } = rig();
    await budget.spent(Promise.resolve(answer({ 'poly-ratelimit-tier': tier })), 1);
    expect(budget.now()).toMatchObject({ burst: 900, perSecond: 600 });
  });
});

// A 429 on one cancel held all other cancels back until the pause was over. It left them to retries, which looked each order up first. A
// cancel of 500 orders took seven seconds, and a dead man's switch took eleven. The venue's bucket of cancels allows 500 in five seconds.
describe('0182: a cancel that is one too many', () => {
  const ID = idOf('1');
  /** The pause if the venue does not state when a request may be sent again. */
  const SECOND_MS = 1_000 * limits.venueARetryAfterS;

  /** Returns a rig whose venue refuses the first `refused` cancels with 429. */
  function cancels(refused: number) {
    let left = refused;
    const { trading, line, timers } = tradingOn({
      '/order': () => {
        left -= 1;
        return left >= 0 ? { status: 429, body: {} } : { body: { canceled: [ID], not_canceled: {} } };
      },
    });
    const order = { ...orderAt(timers), venueOrderId: ID };
    const begin = (timeoutMs: number) => trading.cancel(order, (timers.now() + timeoutMs) as UnixMillis);
    return { begin, line, timers };
  }

  it('the cancel is made when the venue takes it again, and so are those that come meanwhile', async () => {
    const { begin, line, timers } = cancels(1);
    const first = begin(limits.venueAnswerTimeoutMs);
    await timers.settle();
    const second = begin(limits.venueAnswerTimeoutMs);
    await timers.settle(SECOND_MS - 1);
    expect(line.requests).toHaveLength(1);
    await timers.settle(1);
    expect(await Promise.all([first, second])).toEqual([{ type: 'cancelled' }, { type: 'cancelled' }]);
  });

  it('the cancel is given up if it would be too late, or after three more attempts', async () => {
    const hasty = cancels(1);
    expect(await hasty.begin(SECOND_MS)).toMatchObject({ type: 'not-sent', retryAfterS: 1 });
    const { begin, line, timers } = cancels(Number.POSITIVE_INFINITY);
    const outcome = begin(limits.venueAnswerTimeoutMs);
    await timers.settle();
    for (let times = 0; times < 3; times += 1) await timers.settle(SECOND_MS);
    expect(await outcome).toMatchObject({ type: 'not-sent', retryAfterS: 1 });
    expect(line.requests).toHaveLength(4);
  });
});
