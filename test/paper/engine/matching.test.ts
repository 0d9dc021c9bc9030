// Which orders are matched, at which price, and the effects on money and shares: priority, and every pair of effects.

import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/paper/engine/engine-types.ts';
import { centFees, Desk } from './desk.ts';

describe('priority', () => {
  it('is price, then time; each fill happens at the resting price', () => {
    const desk = new Desk();
    desk.order(desk.bob, 'ask 10 @ 42');
    desk.order(desk.bob, 'ask 10 @ 41');
    desk.order(desk.cat, 'ask 10 @ 41');
    desk.order(desk.bob, 'ask 10 @ 44');
    desk.said();
    expect(desk.placed(desk.ann, 'bid 35 @ 43')).toEqual({ order: 4, filled: 30e6, resting: 5e6 });
    expect(desk.said()).toEqual([
      'accepted 4',
      'fill 4 with 1: 10 @ 41, minted 10',
      'fill 4 with 2: 10 @ 41, minted 10',
      'fill 4 with 0: 10 @ 42, minted 10',
      'bids 43 x 5',
      'asks 41 x 0',
      'asks 42 x 0',
    ]);
    expect(desk.book('asks')).toEqual(['44 x 10']);
    expect(desk.money(desk.ann)).toEqual([985.45, 2.15]);
  });

  it('an order that is filled in part keeps its place', () => {
    const desk = new Desk();
    const first = desk.order(desk.bob, 'bid 10 @ 40');
    const second = desk.order(desk.cat, 'bid 10 @ 40');
    desk.order(desk.ann, 'ask 4 @ 40');
    expect(desk.engine.queueAhead(first)).toBe(0);
    expect(desk.engine.queueAhead(second)).toBe(6e6);
    expect(desk.book('bids')).toEqual(['40 x 16']);
    desk.said();
    desk.order(desk.ann, 'ask 8 @ 40');
    expect(desk.said().slice(1, 3)).toEqual(['fill 3 with 0: 6 @ 40, minted 6', 'fill 3 with 1: 2 @ 40, minted 2']);
  });

  it('an order at a price that does not cross rests, and is the best only if its price is', () => {
    const desk = new Desk();
    desk.order(desk.ann, 'bid 10 @ 40');
    desk.order(desk.ann, 'bid 10 @ 39');
    desk.order(desk.bob, 'ask 10 @ 41');
    desk.order(desk.bob, 'ask 10 @ 60');
    expect(desk.book('bids')).toEqual(['40 x 10', '39 x 10']);
    expect(desk.book('asks')).toEqual(['41 x 10', '60 x 10']);
    expect(desk.engine.best(desk.market, 0)).toEqual({ price: 4_000, size: 10e6 });
    expect(desk.engine.best(desk.market, 1)).toEqual({ price: 4_100, size: 10e6 });
    expect([...desk.engine.levels(desk.market, 0)]).toHaveLength(2);
  });
});

/** In each row ann bids and bob asks for 10 shares at 40 cents. Both have 10 shares to close, which have cost them $5. */
type Row = [name: string, bid: Effect, ask: Effect, minted: number, ann: number[], bob: number[]];
const pairs: Row[] = [
  ['bid opens, ask closes: YES is handed on', 'open', 'close', 0, [991, 10, 10], [999, 0, 0]],
  ['bid opens, ask opens: a pair is minted', 'open', 'open', 10, [991, 10, 10], [989, 10, 10]],
  ['bid closes, ask closes: a pair is merged', 'close', 'close', -10, [1_001, 0, 0], [999, 0, 0]],
  ['bid closes, ask opens: NO is handed on', 'close', 'open', 0, [1_001, 0, 0], [989, 10, 10]],
  ['net and net close what there is', 'net', 'net', -10, [1_001, 0, 0], [999, 0, 0]],
];

describe('effects', () => {
  it.each(pairs)('%s', (_name, bid, ask, minted, ann, bob) => {
    for (const takerIsBid of [true, false]) {
      const desk = new Desk();
      desk.hold(desk.ann, 'no', 10);
      desk.hold(desk.bob, 'yes', 10);
      const potBefore = desk.engine.pot(desk.market);
      const orders = [
        () => desk.placed(desk.ann, 'bid 10 @ 40', { effect: bid }),
        () => desk.placed(desk.bob, 'ask 10 @ 40', { effect: ask }),
      ];
      if (takerIsBid) orders.reverse();
      for (const order of orders) order();
      const fill = desk.events.find(event => event.type === 'fill');
      expect(fill).toMatchObject({ takerSide: takerIsBid ? 0 : 1, price: 4_000, size: 10e6, minted: minted * 1e6 });
      expect(desk.engine.pot(desk.market) - potBefore).toBe(minted * 1e6);
      // These are the money, the shares that the fill opens on the own side, and the shares that are left to close.
      const [yes, no] = [desk.shares(desk.ann), desk.shares(desk.bob)];
      expect([desk.money(desk.ann)[0], yes[0], yes[1]]).toEqual(bid === 'open' ? [ann[0], 10, 10] : ann);
      expect([desk.money(desk.bob)[0], no[1], no[0]]).toEqual(ask === 'open' ? [bob[0], 10, 10] : bob);
      expect(desk.total()).toBe(3_000e6);
    }
  });

  it('net closes first and opens with the rest, in one fill', () => {
    const desk = new Desk();
    desk.hold(desk.ann, 'no', 4);
    desk.order(desk.bob, 'ask 10 @ 40');
    desk.said();
    desk.order(desk.ann, 'bid 10 @ 40');
    expect(desk.said()[1]).toBe('fill 3 with 2: 10 @ 40, minted 6');
    expect(desk.shares(desk.ann)).toEqual([6, 0]);
    // ann has sold 4 NO at 60 cents and bought 6 YES at 40 cents.
    expect(desk.money(desk.ann)).toEqual([998 + 2.4 - 2.4, 0]);
    expect(desk.total()).toBe(3_000e6);
  });

  it('net redeems pairs that come about because two orders could close the same shares', () => {
    const desk = new Desk();
    desk.hold(desk.ann, 'no', 10);
    const closing = desk.order(desk.ann, 'bid 10 @ 40');
    const opening = desk.order(desk.ann, 'bid 10 @ 45');
    expect(desk.engine.order(closing)).toMatchObject({ closing: 10e6, reserved: 0 });
    expect(desk.engine.order(opening)).toMatchObject({ closing: 0, reserved: 4.5e6 });
    desk.order(desk.bob, 'ask 10 @ 45', { effect: 'open' });
    // The first order has reserved the NO for its whole life, so the YES stay beside the NO until that order ends.
    expect(desk.shares(desk.ann)).toEqual([10, 10]);
    expect(desk.money(desk.ann)).toEqual([990.5, 0]);
    desk.engine.cancel(desk.ann, closing, 0 as never);
    expect(desk.shares(desk.ann)).toEqual([0, 0]);
    expect(desk.money(desk.ann)).toEqual([1_000.5, 0]);
    expect(desk.total()).toBe(3_000e6);
  });

  it('pairs that a fill brings about are redeemed with it', () => {
    const desk = new Desk();
    desk.order(desk.ann, 'bid 10 @ 45');
    desk.hold(desk.ann, 'no', 4);
    desk.order(desk.bob, 'ask 10 @ 45');
    expect(desk.said()[1]).toBe('fill 3 with 0: 10 @ 45, minted 6');
    expect(desk.shares(desk.ann)).toEqual([6, 0]);
    expect(desk.money(desk.ann)).toEqual([997.5, 0]);
    expect(desk.engine.pot(desk.market)).toBe(10e6);
  });
});

describe('reservations', () => {
  it.each([
    ['bid 10 @ 40', [995.8, 4.2]],
    ['ask 10 @ 40', [993.8, 6.2]],
    ['bid 10 @ 1', [999.7, 0.3]],
    ['ask 10 @ 99', [999.7, 0.3]],
  ])('%s holds back its worst price and 20 cents of fees, and gives them back', (text, money) => {
    const desk = new Desk({ fees: centFees });
    const order = desk.order(desk.ann, text);
    expect(desk.money(desk.ann)).toEqual(money);
    desk.engine.cancel(desk.ann, order, 0 as never);
    expect(desk.money(desk.ann)).toEqual([1_000, 0]);
  });

  it('give back at each fill what is not needed any more', () => {
    const desk = new Desk({ fees: centFees });
    desk.order(desk.bob, 'bid 10 @ 40');
    desk.order(desk.ann, 'ask 4 @ 30');
    // The maker pays 1 cent a share, the taker 2; the taker gets the better price.
    expect(desk.money(desk.bob)).toEqual([995.84, 2.52]);
    expect(desk.money(desk.ann)).toEqual([997.52, 0]);
    expect(desk.engine.feesTaken).toBe(120_000);
    expect(desk.total()).toBe(3_000e6);
  });

  it('a closing order holds back shares and no cash, and its fee comes out of what it brings', () => {
    const desk = new Desk({ fees: centFees, cash: 10e6 });
    desk.mint(desk.ann, 10);
    const order = desk.order(desk.ann, 'ask 10 @ 40', { effect: 'close' });
    expect(desk.money(desk.ann)).toEqual([0, 0]);
    expect(desk.engine.holding(desk.ann, desk.market)).toEqual({
      yes: 10e6,
      no: 10e6,
      yesReserved: 10e6,
      noReserved: 0,
    });
    desk.order(desk.bob, 'bid 10 @ 40');
    expect(desk.engine.order(order)).toMatchObject({ status: 'filled', fees: 100_000, cost: 4e6 });
    expect(desk.money(desk.ann)).toEqual([3.9, 0]);
  });

  it('a fee is never more than there is', () => {
    const dear = { maxCharge: () => 0, meter: () => ({ charge: () => 7e6 }) } as never;
    const desk = new Desk({ fees: dear, cash: 10e6 });
    desk.mint(desk.ann, 10);
    desk.order(desk.ann, 'ask 10 @ 40', { effect: 'close' });
    desk.order(desk.bob, 'bid 10 @ 40');
    expect(desk.events.find(it => it.type === 'fill')).toMatchObject({ makerFee: 4e6, takerFee: 6e6 });
    expect(desk.money(desk.ann)).toEqual([0, 0]);
    expect(desk.total()).toBe(30e6);
  });

  it('the worst way to fill an ask of odd sizes can always be paid', () => {
    const desk = new Desk({ sizeStep: 1, cash: 3 });
    desk.order(desk.ann, 'ask 0.000003 @ 50');
    expect(desk.engine.account(desk.ann)).toEqual({ cash: 0, reserved: 3 });
    for (let fill = 0; fill < 3; fill++) desk.order(desk.bob, 'bid 0.000001 @ 50');
    expect(desk.engine.account(desk.ann)).toEqual({ cash: 0, reserved: 0 });
    expect(desk.engine.account(desk.bob)).toEqual({ cash: 3, reserved: 0 });
    expect(desk.total()).toBe(9);
  });
});
