// Our mirror of venue A's rate limits of a signer, by the headers of its answers.

import { describe, expect, it } from 'vitest';
import { createRateMemory, RateBudget } from '../../../../src/venues/venue-a/trading/budget.ts';
import type { VenueOutcome } from '../../../../src/venues/venue-a/trading/venue-api.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

function rig(bucket: 'orders' | 'cancels' = 'orders') {
  const timers = new VirtualTimers();
  const memory = createRateMemory();
  return { timers, memory, budget: new RateBudget(bucket, memory, () => timers.now()) };
}

const answer = (headers: Readonly<Record<string, string>>, status = 200): VenueOutcome => ({
  type: 'answer',
  status,
  headers: new Map(Object.entries(headers)),
  body: {},
});
const said = (remaining: number, tier = 'standard') =>
  Promise.resolve(answer({ 'poly-ratelimit-remaining': String(remaining), 'poly-ratelimit-tier': tier }));

describe('the budget', () => {
  it('is that of the smallest tier until the venue says otherwise', async () => {
    expect(rig().budget.now()).toEqual({ left: 60, burst: 60, perSecond: 40 });
    const { budget } = rig('cancels');
    expect(budget.now()).toEqual({ left: 120, burst: 120, perSecond: 80 });
    await budget.spent(said(1_799, 'elite'));
    expect(budget.now()).toEqual({ left: 1_799, burst: 1_800, perSecond: 1_200 });
  });

  it('counts what is sent, and comes back with time', async () => {
    const { timers, budget } = rig();
    for (let sent = 0; sent < 10; sent += 1)
      await budget.spent(Promise.resolve({ type: 'lost', message: 'lost' } as VenueOutcome));
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
    const slow = budget.spent(promise);
    await budget.spent(said(20));
    expect(budget.now().left).toBe(19);
    resolve(await said(18));
    await slow;
    expect(budget.now().left).toBe(18);
  });

  it('of a tier that is not known is what the venue states, and its rate is unknown', async () => {
    const { timers, budget } = rig();
    await budget.spent(said(200, 'pro'));
    expect(budget.now()).toEqual({ left: 200, burst: 60, perSecond: 40 });
    timers.advance(1_000);
    expect(budget.now().left).toBe(200);
  });

  it('is nothing after a refusal, until the venue takes more', async () => {
    const { timers, budget } = rig();
    await budget.spent(Promise.resolve(answer({ 'retry-after': '3' }, 429)));
    expect([budget.now().left, budget.waitS]).toEqual([0, 3]);
    timers.advance(3_000);
    expect(budget.now().left).toBe(60);
  });

  it('is the same for all who share its memory, each bucket by itself', async () => {
    const { timers, memory, budget } = rig();
    const reader = (bucket: 'orders' | 'cancels') => new RateBudget(bucket, memory, () => timers.now());
    await budget.spent(said(700, 'elite'));
    timers.advance(100);
    expect(reader('orders').now()).toEqual({ left: 760, burst: 900, perSecond: 600 });
    expect(reader('cancels').now()).toEqual({ left: 120, burst: 120, perSecond: 80 });
    await budget.spent(Promise.resolve(answer({ 'retry-after': '3' }, 429)));
    expect([reader('orders').now().left, reader('orders').waitS]).toEqual([0, 3]);
  });

  it('ignores what is no number', async () => {
    const { budget } = rig();
    await budget.spent(Promise.resolve(answer({ 'poly-ratelimit-remaining': '-1e9' })));
    expect(budget.now().left).toBe(59);
  });
});
