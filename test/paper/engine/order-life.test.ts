// How orders end and change: times in force, post-only, reduce-only, self-trades, cancelling, decreasing, amending, expiry.

import { describe, expect, it } from 'vitest';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { OrderId } from '../../../src/paper/engine/engine-types.ts';
import { cents, Desk, NOW, shares } from './desk.ts';

const IOC = { timeInForce: { type: 'IOC' } } as const;
const FOK = { timeInForce: { type: 'FOK' } } as const;
const later = (ms: number) => (NOW + ms) as UnixMillis;
const gtd = (ms: number) => ({ timeInForce: { type: 'GTD', expiresAt: later(ms) } }) as const;

describe('time in force', () => {
  it('IOC fills what it can and cancels the rest', () => {
    const desk = new Desk();
    desk.order(desk.bob, 'ask 4 @ 40');
    desk.said();
    expect(desk.placed(desk.ann, 'bid 10 @ 40', IOC)).toEqual({ order: 1, filled: 4e6, resting: 0 });
    expect(desk.said()).toEqual(['accepted 1', 'fill 1 with 0: 4 @ 40, minted 4', 'cancelled 1: 6 ioc', 'asks 40 x 0']);
    expect(desk.engine.order(1 as OrderId)).toMatchObject({ status: 'cancelled', size: 10e6, filled: 4e6, resting: 0 });
    expect(desk.money(desk.ann)).toEqual([998.4, 0]);
    expect(desk.placed(desk.ann, 'bid 10 @ 40', IOC)).toEqual({ order: 2, filled: 0, resting: 0 });
    expect(desk.said()).toEqual(['accepted 2', 'cancelled 2: 10 ioc']);
  });

  it('FOK fills whole or is refused', () => {
    const desk = new Desk();
    desk.order(desk.bob, 'ask 4 @ 40');
    desk.order(desk.bob, 'ask 6 @ 41');
    expect(desk.refusal(desk.ann, 'bid 10 @ 40', FOK)).toBe('fok-insufficient');
    expect(desk.refusal(desk.ann, 'bid 11 @ 41', FOK)).toBe('fok-insufficient');
    desk.said();
    expect(desk.placed(desk.ann, 'bid 10 @ 41', FOK).filled).toBe(10e6);
    desk.order(desk.bob, 'bid 5 @ 30');
    expect(desk.refusal(desk.ann, 'ask 6 @ 30', FOK)).toBe('fok-insufficient');
    expect(desk.placed(desk.ann, 'ask 5 @ 30', FOK).filled).toBe(5e6);
  });

  it.each([
    // ann's own 5 shares stand first; bob offers 10 behind them.
    ['taker', 'bid 5 @ 42', false],
    ['maker', 'bid 10 @ 42', true],
    ['maker', 'bid 11 @ 42', false],
    ['allow', 'bid 10 @ 42', true],
    ['allow', 'bid 11 @ 42', false],
  ] as const)('FOK with self-trade %s does not count its own: %s', (selfTrade, text, isFilled) => {
    const desk = new Desk();
    desk.order(desk.ann, 'ask 5 @ 41');
    desk.order(desk.bob, 'ask 10 @ 42');
    expect(desk.refusal(desk.ann, text, { ...FOK, selfTrade })).toBe(isFilled ? null : 'fok-insufficient');
  });

  it('GTD ends with the first request of any kind at its time', () => {
    const requests: ((desk: Desk, now: UnixMillis) => unknown)[] = [
      (desk, now) => desk.place(desk.bob, 'bid 1 @ 40.5', {}, now),
      (desk, now) => desk.engine.cancel(desk.bob, 99 as OrderId, now),
      (desk, now) => desk.engine.amend(desk.bob, 99 as OrderId, cents(1), shares(1), now),
      (desk, now) => desk.engine.decrease(desk.bob, 99 as OrderId, shares(1), now),
      (desk, now) => desk.engine.cancelAll(desk.bob, null, now),
      (desk, now) => desk.engine.expire(now),
      (desk, now) => desk.engine.setState(desk.market, 'PAUSED', now),
    ];
    for (const request of requests) {
      const desk = new Desk();
      desk.order(desk.ann, 'bid 1 @ 41', gtd(200));
      desk.order(desk.ann, 'bid 2 @ 40', gtd(100));
      desk.order(desk.ann, 'bid 3 @ 40', gtd(100));
      desk.order(desk.ann, 'bid 4 @ 40', gtd(300));
      desk.said();
      desk.engine.expire(later(99));
      expect(desk.said()).toEqual([]);
      request(desk, later(200));
      expect(desk.said().slice(0, 5)).toEqual([
        'cancelled 1: 2 expiry',
        'cancelled 2: 3 expiry',
        'cancelled 0: 1 expiry',
        'bids 40 x 4',
        'bids 41 x 0',
      ]);
      expect(desk.money(desk.ann)).toEqual([998.4, 1.6]);
    }
  });

  it('GTD in the past is refused', () => {
    const desk = new Desk();
    expect(desk.refusal(desk.ann, 'bid 1 @ 40', gtd(0))).toBe('expired');
    expect(desk.refusal(desk.ann, 'bid 1 @ 40', gtd(1))).toBeNull();
  });
});

describe('post-only', () => {
  it('rests or is refused, against orders of any owner', () => {
    const desk = new Desk();
    desk.order(desk.ann, 'ask 5 @ 41');
    expect(desk.refusal(desk.bob, 'bid 5 @ 41', { postOnly: true })).toBe('post-only-cross');
    expect(desk.refusal(desk.ann, 'bid 5 @ 42', { postOnly: true })).toBe('post-only-cross');
    expect(desk.placed(desk.bob, 'bid 5 @ 40', { postOnly: true }).resting).toBe(5e6);
    expect(desk.refusal(desk.cat, 'ask 5 @ 40', { postOnly: true })).toBe('post-only-cross');
  });

  it('holds for amending too', () => {
    const desk = new Desk();
    desk.order(desk.ann, 'ask 5 @ 41');
    const bid = desk.order(desk.bob, 'bid 5 @ 40', { postOnly: true });
    desk.said();
    expect(desk.engine.amend(desk.bob, bid, cents(41), shares(5), NOW)).toEqual({
      ok: false,
      error: 'post-only-cross',
    });
    expect(desk.said()).toEqual([]);
    expect(desk.engine.order(bid)).toMatchObject({ price: 4_000, resting: 5e6, reserved: 2e6 });
  });
});

describe('reduce-only', () => {
  const reduce = { ...IOC, reduceOnly: true };

  it('is never more than what it closes', () => {
    const desk = new Desk();
    desk.hold(desk.ann, 'yes', 4);
    desk.order(desk.bob, 'bid 10 @ 40');
    expect(desk.placed(desk.ann, 'ask 10 @ 40', reduce)).toMatchObject({ filled: 4e6, resting: 0 });
    expect(desk.shares(desk.ann)).toEqual([0, 0]);
    expect(desk.refusal(desk.ann, 'ask 10 @ 40', reduce)).toBe('nothing-to-reduce');
    expect(desk.refusal(desk.ann, 'bid 10 @ 40', reduce)).toBe('nothing-to-reduce');
  });

  it('takes less if less is held free, and whole steps only', () => {
    const desk = new Desk();
    desk.hold(desk.ann, 'yes', 4);
    desk.engine.mintPair(desk.ann, desk.market, 5_000 as MicroShares);
    desk.order(desk.ann, 'ask 3 @ 60');
    desk.order(desk.bob, 'bid 10 @ 40');
    expect(desk.placed(desk.ann, 'ask 10 @ 40', { ...FOK, reduceOnly: true })).toMatchObject({ filled: 1e6 });
    expect(desk.refusal(desk.ann, 'ask 10 @ 40', reduce)).toBe('nothing-to-reduce');
  });
});

describe('an order that meets its own account', () => {
  function cross(selfTrade: 'taker' | 'maker' | 'allow', bid = 'bid 9 @ 42') {
    const desk = new Desk();
    desk.order(desk.bob, 'ask 1 @ 40');
    desk.order(desk.ann, 'ask 2 @ 41');
    desk.order(desk.bob, 'ask 3 @ 42');
    desk.said();
    desk.order(desk.ann, bid, { selfTrade });
    expect(desk.total()).toBe(3_000e6);
    return desk;
  }

  it('taker: the rest of the newcomer is cancelled', () => {
    const desk = cross('taker');
    expect(desk.said()).toEqual([
      'accepted 3',
      'fill 3 with 0: 1 @ 40, minted 1',
      'cancelled 3: 8 self-trade',
      'asks 40 x 0',
    ]);
    expect(desk.book('asks')).toEqual(['41 x 2', '42 x 3']);
    expect(desk.book('bids')).toEqual([]);
  });

  it('maker: the resting one is cancelled, and matching goes on', () => {
    expect(cross('maker').said()).toEqual([
      'accepted 3',
      'fill 3 with 0: 1 @ 40, minted 1',
      'cancelled 1: 2 self-trade',
      'fill 3 with 2: 3 @ 42, minted 3',
      'bids 42 x 5',
      'asks 40 x 0',
      'asks 41 x 0',
      'asks 42 x 0',
    ]);
  });

  it('allow: it trades with itself, and owns nothing by it', () => {
    const desk = cross('allow', 'bid 3 @ 42');
    expect(desk.said().slice(1, 3)).toEqual(['fill 3 with 0: 1 @ 40, minted 1', 'fill 3 with 1: 2 @ 41, minted 0']);
    expect(desk.shares(desk.ann)).toEqual([1, 0]);
    expect(desk.money(desk.ann)).toEqual([999.6, 0]);
  });
});

describe('cancelling', () => {
  it('gives back the rest, once', () => {
    const desk = new Desk();
    const order = desk.order(desk.ann, 'bid 10 @ 40');
    desk.order(desk.bob, 'ask 4 @ 40');
    desk.said();
    expect(desk.engine.cancel(desk.bob, order, NOW)).toEqual({ ok: false, error: 'not-owner' });
    expect(desk.engine.cancel(desk.ann, order, NOW)).toEqual({ ok: true, value: 6e6 });
    expect(desk.said()).toEqual(['cancelled 0: 6 user', 'bids 40 x 0']);
    expect(desk.engine.cancel(desk.ann, order, NOW)).toEqual({ ok: false, error: 'order-done' });
    expect(desk.engine.cancel(desk.bob, order, NOW)).toEqual({ ok: false, error: 'not-owner' });
    expect(desk.engine.cancel(desk.bob, 1 as OrderId, NOW)).toEqual({ ok: false, error: 'order-done' });
    expect(desk.engine.cancel(desk.ann, 2 as OrderId, NOW)).toEqual({ ok: false, error: 'unknown-order' });
    expect(desk.engine.queueAhead(order)).toBe(0);
    expect(desk.said()).toEqual([]);
  });

  it('all: by id, in one market or everywhere, and no order of others', () => {
    const desk = new Desk();
    const other = desk.engine.addMarket({
      isOnGrid: () => true,
      sizeStep: 1 as MicroShares,
      fees: { maxCharge: () => 0, meter: () => ({ charge: () => 0 }) } as never,
    });
    desk.order(desk.ann, 'bid 1 @ 40');
    desk.order(desk.ann, 'ask 2 @ 60', { market: other });
    desk.order(desk.bob, 'bid 3 @ 40');
    desk.order(desk.ann, 'bid 4 @ 41');
    desk.engine.amend(desk.ann, 0 as OrderId, cents(39), shares(1), NOW);
    desk.said();
    expect(desk.engine.cancelAll(desk.ann, desk.market, NOW)).toBe(2);
    expect(desk.said()).toEqual(['cancelled 0: 1 user', 'cancelled 3: 4 user', 'bids 39 x 0', 'bids 41 x 0']);
    expect(desk.engine.cancelAll(desk.ann, null, NOW)).toBe(1);
    expect(desk.engine.cancelAll(desk.ann, null, NOW)).toBe(0);
    expect(desk.engine.cancelAll(desk.ann, 77 as never, NOW)).toBe(0);
    expect(desk.engine.cancelAll(77 as never, null, NOW)).toBe(0);
    expect(desk.book('bids')).toEqual(['40 x 3']);
    expect(desk.money(desk.ann)).toEqual([1_000, 0]);
  });
});

describe('decreasing', () => {
  it('keeps the place in the queue and gives back what is not needed', () => {
    const desk = new Desk();
    const order = desk.order(desk.ann, 'bid 10 @ 40');
    const behind = desk.order(desk.bob, 'bid 10 @ 40');
    desk.said();
    expect(desk.engine.decrease(desk.ann, order, shares(4), NOW)).toEqual({ ok: true, value: 6e6 });
    expect(desk.said()).toEqual(['amended 0: 4 @ 40', 'bids 40 x 14']);
    expect(desk.engine.queueAhead(behind)).toBe(4e6);
    expect(desk.money(desk.ann)).toEqual([998.4, 1.6]);
    expect(desk.engine.decrease(desk.ann, order, 0 as MicroShares, NOW)).toEqual({ ok: true, value: 4e6 });
    expect(desk.said()).toEqual(['cancelled 0: 4 decrease', 'bids 40 x 10']);
    expect(desk.engine.decrease(desk.ann, order, 0 as MicroShares, NOW)).toEqual({ ok: false, error: 'order-done' });
  });

  it.each([10, 11, -1, 0.001, Number.NaN])('to %d of 10 shares is refused', to => {
    const desk = new Desk();
    const order = desk.order(desk.ann, 'bid 10 @ 40');
    desk.said();
    expect(desk.engine.decrease(desk.ann, order, shares(to), NOW)).toEqual({ ok: false, error: 'invalid-size' });
    expect(desk.said()).toEqual([]);
    expect(desk.book('bids')).toEqual(['40 x 10']);
  });

  it('takes from the part that opens first', () => {
    const desk = new Desk();
    desk.hold(desk.ann, 'no', 4);
    const order = desk.order(desk.ann, 'bid 10 @ 40');
    desk.engine.decrease(desk.ann, order, shares(5), NOW);
    expect(desk.engine.order(order)).toMatchObject({ closing: 4e6, reserved: 400_000, size: 10e6 });
    desk.engine.decrease(desk.ann, order, shares(3), NOW);
    expect(desk.engine.order(order)).toMatchObject({ closing: 3e6, reserved: 0 });
    expect(desk.engine.holding(desk.ann, desk.market)).toMatchObject({ no: 4e6, noReserved: 3e6 });
  });
});

describe('amending', () => {
  function queue() {
    const desk = new Desk();
    const order = desk.order(desk.ann, 'bid 10 @ 40');
    const behind = desk.order(desk.bob, 'bid 10 @ 40');
    desk.order(desk.cat, 'ask 3 @ 42');
    desk.said();
    const amend = (price: number, size: number) => desk.engine.amend(desk.ann, order, cents(price), shares(size), NOW);
    return { desk, order, behind, amend };
  }

  it('a smaller size at the same price keeps its place', () => {
    const { desk, order, behind, amend } = queue();
    expect(amend(40, 6)).toEqual({ ok: true, value: { order, filled: 0, resting: 6e6 } });
    expect(desk.said()).toEqual(['amended 0: 6 @ 40', 'bids 40 x 16']);
    expect(desk.engine.queueAhead(behind)).toBe(6e6);
    expect(desk.money(desk.ann)).toEqual([997.6, 2.4]);
    expect(amend(40, 6).ok).toBe(true);
    expect(desk.said()).toEqual(['amended 0: 6 @ 40']);
  });

  it('a larger size goes to the end of the queue', () => {
    const { desk, order, amend } = queue();
    amend(40, 11);
    expect(desk.said()).toEqual(['amended 0: 11 @ 40', 'bids 40 x 21']);
    expect(desk.engine.queueAhead(order)).toBe(10e6);
  });

  it('another price goes to the end of its queue, and back', () => {
    const { desk, order, amend } = queue();
    amend(41, 10);
    expect(desk.said()).toEqual(['amended 0: 10 @ 41', 'bids 40 x 10', 'bids 41 x 10']);
    amend(40, 10);
    expect(desk.engine.queueAhead(order)).toBe(10e6);
    expect(desk.money(desk.ann)).toEqual([996, 4]);
  });

  it('a price that crosses matches first', () => {
    const { desk, order, amend } = queue();
    expect(amend(43, 5)).toEqual({ ok: true, value: { order, filled: 3e6, resting: 2e6 } });
    expect(desk.said()).toEqual([
      'amended 0: 5 @ 43',
      'fill 0 with 2: 3 @ 42, minted 3',
      'bids 40 x 10',
      'bids 43 x 2',
      'asks 42 x 0',
    ]);
    expect(desk.engine.order(order)).toMatchObject({
      price: 4_300,
      size: 10e6,
      filled: 3e6,
      filledAsTaker: 3e6,
      resting: 2e6,
    });
    expect(desk.engine.cancelAll(desk.ann, null, NOW)).toBe(1);
    expect(desk.total()).toBe(3_000e6);
  });

  it('may fill whole, and leaves nothing behind', () => {
    const { desk, order, amend } = queue();
    expect(amend(42, 3)).toEqual({ ok: true, value: { order, filled: 3e6, resting: 0 } });
    expect(desk.engine.order(order)?.status).toBe('filled');
    expect(desk.engine.cancelAll(desk.ann, null, NOW)).toBe(0);
  });

  it('may end in a self-trade, like a newcomer', () => {
    const desk = new Desk();
    const order = desk.order(desk.ann, 'bid 10 @ 40', gtd(5));
    desk.order(desk.ann, 'ask 1 @ 42');
    desk.said();
    expect(desk.engine.amend(desk.ann, order, cents(42), shares(10), NOW)).toMatchObject({
      value: { filled: 0, resting: 0 },
    });
    expect(desk.said()).toEqual(['amended 0: 10 @ 42', 'cancelled 0: 10 self-trade', 'bids 40 x 0']);
    desk.engine.expire(later(10));
    expect(desk.said()).toEqual([]);
  });

  it('decides anew what it closes', () => {
    const desk = new Desk();
    const order = desk.order(desk.ann, 'bid 10 @ 30');
    desk.hold(desk.ann, 'no', 4);
    expect(desk.engine.order(order)).toMatchObject({ closing: 0, reserved: 3_000_000 });
    desk.engine.amend(desk.ann, order, cents(35), shares(6), NOW);
    expect(desk.engine.order(order)).toMatchObject({ closing: 4e6, reserved: 700_000 });
  });

  it.each([
    [40.5, 10, 'off-grid'],
    [0, 10, 'off-grid'],
    [100, 10, 'off-grid'],
    [40, 0, 'invalid-size'],
    [40, 0.001, 'invalid-size'],
    [40, 2_501, 'insufficient-cash'],
  ])('to %d cents, %d shares: nothing happens, %s', (price, size, error) => {
    const { desk, order, amend } = queue();
    expect(amend(price, size)).toEqual({ ok: false, error });
    expect(desk.said()).toEqual([]);
    expect(desk.engine.order(order)).toMatchObject({ price: 4_000, resting: 10e6, reserved: 4e6 });
    expect(desk.money(desk.ann)).toEqual([996, 4]);
    expect(desk.book('bids')).toEqual(['40 x 20']);
  });

  it('can spend what it had reserved itself', () => {
    const { desk, amend } = queue();
    expect(amend(40, 2_500).ok).toBe(true);
    expect(desk.money(desk.ann)).toEqual([0, 1_000]);
  });

  it('a sale can grow up to what is held', () => {
    const desk = new Desk();
    desk.mint(desk.ann, 10);
    const order = desk.order(desk.ann, 'ask 6 @ 40', { effect: 'close' });
    const amend = (size: number) => desk.engine.amend(desk.ann, order, 4_000 as Ticks, shares(size), NOW);
    expect(amend(10).ok).toBe(true);
    expect(amend(11)).toEqual({ ok: false, error: 'insufficient-holding' });
    expect(desk.engine.amend(desk.bob, order, 4_000 as Ticks, shares(1), NOW)).toEqual({
      ok: false,
      error: 'not-owner',
    });
  });
});
