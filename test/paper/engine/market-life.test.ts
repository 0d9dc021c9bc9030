// Accounts and markets: every refusal of a new order, pausing and closing, pairs for cash and back, settlement to the last
// micro-dollar, deposits.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import type { AccountId, EngineRefusal, MarketId } from '../../../src/paper/engine/engine-types.ts';
import { centFees, Desk, NOW, shares, type Wish } from './desk.ts';

describe('a new order is refused', () => {
  const refusals: [text: string, wish: Wish, why: EngineRefusal][] = [
    ['bid 1 @ 40', { market: 9 as MarketId }, 'unknown-market'],
    ['bid 1 @ 40.5', {}, 'off-grid'],
    ['bid 1 @ 0', {}, 'off-grid'],
    ['bid 1 @ 100', {}, 'off-grid'],
    ['bid 1 @ -1', {}, 'off-grid'],
    ['bid 1 @ NaN', {}, 'off-grid'],
    ['bid 0 @ 40', {}, 'invalid-size'],
    ['bid -1 @ 40', {}, 'invalid-size'],
    ['bid 0.001 @ 40', {}, 'invalid-size'],
    ['bid NaN @ 40', {}, 'invalid-size'],
    ['bid 9007199255 @ 40', {}, 'invalid-size'],
    ['bid 2501 @ 40', {}, 'insufficient-cash'],
    ['ask 2501 @ 60', {}, 'insufficient-cash'],
    ['bid 2501 @ 40', { effect: 'open' }, 'insufficient-cash'],
    ['ask 1 @ 60', { effect: 'close' }, 'insufficient-holding'],
    ['bid 1 @ 60', { effect: 'close' }, 'insufficient-holding'],
  ];

  it.each(refusals)('%s %o: %s', (text, wish, why) => {
    const desk = new Desk();
    expect(desk.refusal(desk.ann, text, wish)).toBe(why);
    expect(desk.said()).toEqual([]);
    expect(desk.money(desk.ann)).toEqual([1_000, 0]);
    expect(desk.order(desk.ann, 'bid 2500 @ 40')).toBe(0);
  });

  it('from an unknown account, or if the fees are not there', () => {
    const desk = new Desk({ fees: centFees, cash: 4_200_000 });
    expect(desk.refusal(9 as AccountId, 'bid 1 @ 40')).toBe('unknown-account');
    expect(desk.refusal(desk.ann, 'bid 10.01 @ 40')).toBe('insufficient-cash');
    expect(desk.refusal(desk.ann, 'bid 10 @ 40')).toBeNull();
  });

  it('if the shares are promised already', () => {
    const desk = new Desk();
    desk.mint(desk.ann, 10);
    expect(desk.refusal(desk.ann, 'ask 6 @ 40', { effect: 'close' })).toBeNull();
    expect(desk.refusal(desk.ann, 'ask 5 @ 40', { effect: 'close' })).toBe('insufficient-holding');
    expect(desk.refusal(desk.ann, 'ask 4 @ 40', { effect: 'close' })).toBeNull();
  });

  it('if its level could not be added up exactly any more', () => {
    const desk = new Desk({ cash: 2e12, step: 1 });
    const half = 4_503_599_627.37;
    const order = desk.order(desk.ann, `bid ${half} @ 0.01`);
    expect(desk.refusal(desk.bob, `bid ${half + 0.01} @ 0.01`)).toBe('invalid-size');
    expect(desk.refusal(desk.bob, `bid ${half} @ 0.01`)).toBeNull();
    const amend = (size: number) => desk.engine.amend(desk.ann, order, 1 as Ticks, shares(size), NOW);
    expect(amend(half + 0.01)).toEqual({ ok: false, error: 'invalid-size' });
    expect(amend(half).ok).toBe(true);
    expect(desk.engine.best(desk.market, 0)?.size).toBe(9_007_199_254_740_000);
  });

  it('if it costs one micro-dollar more than there is', () => {
    const desk = new Desk({ cash: 3_999_999 });
    expect(desk.refusal(desk.ann, 'bid 10 @ 40')).toBe('insufficient-cash');
    desk.engine.deposit(desk.ann, 1 as MicroDollars);
    expect(desk.refusal(desk.ann, 'bid 10 @ 40')).toBeNull();
  });
});

describe('a market', () => {
  it('paused takes cancels and decreases only, and opens again with its book', () => {
    const desk = new Desk();
    const order = desk.order(desk.ann, 'bid 10 @ 40');
    desk.order(desk.ann, 'bid 5 @ 39');
    desk.said();
    desk.engine.setState(desk.market, 'PAUSED', NOW);
    desk.engine.setState(desk.market, 'PAUSED', NOW);
    expect(desk.said()).toEqual(['market PAUSED']);
    expect(desk.refusal(desk.bob, 'ask 1 @ 40')).toBe('market-paused');
    expect(desk.engine.amend(desk.ann, order, 4_100 as Ticks, shares(1), NOW)).toEqual({
      ok: false,
      error: 'market-paused',
    });
    expect(desk.engine.decrease(desk.ann, order, shares(4), NOW).ok).toBe(true);
    expect(desk.engine.cancel(desk.ann, order, NOW).ok).toBe(true);
    desk.engine.setState(desk.market, 'OPEN', NOW);
    expect(desk.engine.state(desk.market)).toBe('OPEN');
    expect(desk.placed(desk.bob, 'ask 1 @ 39').filled).toBe(1e6);
  });

  it('closed has cancelled everything, by id', () => {
    const desk = new Desk();
    desk.order(desk.ann, 'bid 1 @ 39');
    desk.order(desk.bob, 'ask 2 @ 60');
    desk.order(desk.cat, 'bid 3 @ 40');
    desk.said();
    desk.engine.setState(desk.market, 'CLOSED', NOW);
    expect(desk.said()).toEqual([
      'market CLOSED',
      'cancelled 0: 1 close',
      'cancelled 1: 2 close',
      'cancelled 2: 3 close',
      'bids 39 x 0',
      'bids 40 x 0',
      'asks 60 x 0',
    ]);
    expect(desk.refusal(desk.bob, 'ask 1 @ 40')).toBe('market-closed');
    expect([desk.ann, desk.bob, desk.cat].map(account => desk.money(account))).toEqual(Array(3).fill([1_000, 0]));
  });

  it('that is unknown is a mistake of the caller', () => {
    const desk = new Desk();
    expect(() => desk.engine.setState(9 as MarketId, 'OPEN', NOW)).toThrow('market 9 is unknown');
    expect(() => desk.engine.account(9 as AccountId)).toThrow('account 9 is unknown');
  });
});

describe('settlement', () => {
  function holders(sizeStep = 10_000) {
    const desk = new Desk({ sizeStep });
    desk.hold(desk.ann, 'yes', 10);
    desk.order(desk.ann, 'bid 5 @ 30');
    desk.order(desk.ann, 'ask 5 @ 90');
    desk.said();
    return desk;
  }

  it.each([
    [10_000, 1_005, 995],
    [0, 995, 1_005],
    [5_000, 1_000, 1_000],
    [3_300, 998.3, 1_001.7],
  ])('at %i ticks pays every share', (yesValue, ann, cat) => {
    const desk = holders();
    expect(desk.engine.settle(desk.market, yesValue as Ticks)).toEqual({ ok: true, value: undefined });
    expect(desk.said()).toEqual([
      'market SETTLED',
      'cancelled 2: 5 close',
      'cancelled 3: 5 close',
      `settled ${yesValue / 100}`,
      'bids 30 x 0',
      'asks 90 x 0',
    ]);
    expect(desk.money(desk.ann)).toEqual([ann, 0]);
    expect(desk.money(desk.cat)).toEqual([cat, 0]);
    expect(desk.shares(desk.ann)).toEqual([0, 0]);
    expect(desk.engine.pot(desk.market)).toBe(0);
    expect(desk.engine.feesTaken).toBe(0);
    expect(desk.total()).toBe(3_000e6);
  });

  it('happens once', () => {
    const desk = holders();
    expect(desk.engine.settle(9 as MarketId, 0 as Ticks)).toEqual({ ok: false, error: 'unknown-market' });
    for (const value of [-1, 10_001, 0.5]) {
      expect(desk.engine.settle(desk.market, value as Ticks)).toEqual({ ok: false, error: 'off-grid' });
    }
    expect(desk.said()).toEqual([]);
    desk.engine.settle(desk.market, 0 as Ticks);
    desk.said();
    expect(desk.engine.settle(desk.market, 0 as Ticks)).toEqual({ ok: false, error: 'market-closed' });
    desk.engine.setState(desk.market, 'OPEN', NOW);
    expect(desk.engine.state(desk.market)).toBe('SETTLED');
    expect(desk.refusal(desk.ann, 'bid 1 @ 40')).toBe('market-closed');
    expect(desk.engine.mintPair(desk.ann, desk.market, shares(1))).toEqual({ ok: false, error: 'market-closed' });
    expect(desk.said()).toEqual([]);
  });

  it('rounds down what is no whole micro-dollar, and keeps that as fees', () => {
    const desk = new Desk({ sizeStep: 1 });
    const odd = 1 as MicroShares;
    for (const account of [desk.ann, desk.bob, desk.cat]) desk.engine.mintPair(account, desk.market, odd);
    desk.engine.settle(desk.market, 3_333 as Ticks);
    expect([desk.ann, desk.bob, desk.cat].map(account => desk.engine.account(account).cash)).toEqual(
      Array(3).fill(999_999_999),
    );
    expect(desk.engine.feesTaken).toBe(3);
    expect(desk.total()).toBe(3_000e6);
  });
});

describe('pairs', () => {
  it('are a dollar, and a dollar is a pair', () => {
    const desk = new Desk();
    const { engine, ann, market } = desk;
    expect(engine.mintPair(ann, market, shares(10))).toEqual({ ok: true, value: undefined });
    expect([desk.money(ann), desk.shares(ann), engine.pot(market)]).toEqual([[990, 0], [10, 10], 10e6]);
    desk.order(ann, 'ask 4 @ 40', { effect: 'close' });
    expect(engine.redeemPair(ann, market, shares(7))).toEqual({ ok: false, error: 'insufficient-holding' });
    expect(engine.redeemPair(ann, market, shares(6))).toEqual({ ok: true, value: undefined });
    expect([desk.money(ann), desk.shares(ann), engine.pot(market)]).toEqual([[996, 0], [4, 4], 4e6]);
  });

  it.each([0, -1, 0.5, Number.NaN, 2 ** 53])('are refused in a number of %d', size => {
    const { engine, ann, market } = new Desk();
    expect(engine.mintPair(ann, market, size as MicroShares)).toEqual({ ok: false, error: 'invalid-size' });
    expect(engine.redeemPair(ann, market, size as MicroShares)).toEqual({ ok: false, error: 'invalid-size' });
  });

  it('need cash, an account and a market', () => {
    const { engine, ann, market } = new Desk();
    expect(engine.mintPair(ann, market, shares(1_001))).toEqual({ ok: false, error: 'insufficient-cash' });
    expect(engine.mintPair(9 as AccountId, market, shares(1))).toEqual({ ok: false, error: 'unknown-account' });
    expect(engine.redeemPair(ann, 9 as MarketId, shares(1))).toEqual({ ok: false, error: 'unknown-market' });
  });
});

describe('shares', () => {
  it('are handed on as far as nothing is promised of them', () => {
    const { engine, ann, bob, market, order } = deskWithPairs();
    order();
    expect(engine.giveShares(ann, bob, market, BID, shares(7))).toEqual({ ok: false, error: 'insufficient-holding' });
    expect(engine.giveShares(ann, bob, market, BID, shares(6))).toEqual({ ok: true, value: undefined });
    expect(engine.giveShares(ann, bob, market, ASK, shares(10))).toEqual({ ok: true, value: undefined });
    expect(engine.holding(ann, market)).toMatchObject({ yes: shares(4), no: 0 });
    expect(engine.holding(bob, market)).toMatchObject({ yes: shares(6), no: shares(10) });
    expect(engine.pot(market)).toBe(shares(10));
  });

  it('need an owner, and a market that has not paid', () => {
    const { engine, ann, bob, market } = deskWithPairs();
    const nobody = 9 as AccountId;
    expect(engine.giveShares(ann, nobody, market, BID, shares(1))).toEqual({ ok: false, error: 'unknown-account' });
    engine.settle(market, 10_000 as Ticks);
    expect(engine.giveShares(ann, bob, market, BID, shares(1))).toEqual({ ok: false, error: 'market-closed' });
  });

  /** Ann has ten pairs; `order` promises four of her YES. */
  function deskWithPairs() {
    const desk = new Desk();
    desk.engine.mintPair(desk.ann, desk.market, shares(10));
    const { engine, ann, bob, market } = desk;
    return { engine, ann, bob, market, order: () => desk.order(ann, 'ask 4 @ 60', { effect: 'close' }) };
  }
});

describe('a deposit', () => {
  it('can be taken back as far as it is free', () => {
    const desk = new Desk();
    desk.order(desk.ann, 'bid 10 @ 40');
    expect(desk.engine.deposit(desk.ann, -996_000_001 as MicroDollars)).toBe(false);
    expect(desk.engine.deposit(desk.ann, -996_000_000 as MicroDollars)).toBe(true);
    expect(desk.money(desk.ann)).toEqual([0, 4]);
    expect(desk.engine.deposit(desk.ann, 5 as MicroDollars)).toBe(true);
    expect(desk.engine.account(desk.ann).cash).toBe(5);
  });

  it.each([0.5, Number.NaN, 2 ** 53, Number.MAX_SAFE_INTEGER])('is not %d micro-dollars', amount => {
    const desk = new Desk();
    expect(desk.engine.deposit(desk.ann, amount as MicroDollars)).toBe(false);
    expect(desk.engine.deposit(9 as AccountId, 1 as MicroDollars)).toBe(false);
    expect(desk.total()).toBe(3_000e6);
  });
});
