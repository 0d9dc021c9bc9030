// Prices that move by themselves: the same seed gives the same prices. They stay within bounds and on the venues' grid, and stand still while time
// stands still.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../src/core/domain/numbers.ts';
import { LivingBook, RequestRate, type Sides } from '../../../src/paper/side-markets/side-server.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const START = 5_000 as Ticks;

describe('a living book', () => {
  it('stands still while time does, and moves with it', () => {
    const timers = new VirtualTimers();
    const living = new LivingBook(1, timers, START, 'both');
    const before = living.book;
    timers.advance(499);
    expect(living.book).toEqual(before);
    timers.advance(60_000);
    expect(living.book).not.toEqual(before);
  });

  it('goes the same way for the same seed, however often somebody looks', () => {
    const timers = new VirtualTimers();
    const [often, once, other] = [1, 1, 2].map(seed => new LivingBook(seed, timers, START, 'both'));
    for (let look = 0; look < 50; look += 1) {
      timers.advance(700);
      expect(often!.book.bids.length).toBe(5);
    }
    expect(once!.book).toEqual(often!.book);
    expect(other!.book).not.toEqual(often!.book);
  });

  it('keeps bids below asks, on the grid, best first, with the sides that it has', () => {
    const sides = fc.constantFrom<Sides>('both', 'bids', 'asks', 'none');
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.integer({ min: 5, max: 995 }),
        sides,
        fc.nat(2_000_000),
        (seed, mils, which, ms) => {
          const timers = new VirtualTimers();
          const living = new LivingBook(seed, timers, (mils * 10) as Ticks, which);
          timers.advance(ms);
          const { bids, asks } = living.book;
          expect([bids.length > 0, asks.length > 0]).toEqual([/both|bids/.test(which), /both|asks/.test(which)]);
          const prices = [...bids.map(it => it.price).toReversed(), ...asks.map(it => it.price)];
          expect(prices).toEqual([...new Set(prices)].toSorted((one, two) => one - two));
          for (const price of prices) expect([price % 10, price > 0 && price < 10_000]).toEqual([0, true]);
        },
      ),
    );
  });
});

describe('the rate of requests', () => {
  it('lets a burst through, then one in each interval', () => {
    const timers = new VirtualTimers();
    const rate = new RequestRate({ intervalMs: 300, burstMax: 2 }, timers);
    const take = (): boolean => rate.take();
    expect([take(), take(), take()]).toEqual([true, true, false]);
    timers.advance(299);
    expect(take()).toBe(false);
    timers.advance(1);
    expect([take(), take()]).toEqual([true, false]);
    timers.advance(10_000);
    expect([take(), take(), take()]).toEqual([true, true, false]);
  });
});
