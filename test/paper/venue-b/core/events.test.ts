// Messages to observers: all of a request once it is done, in order, each level once, and nothing private of the house.

import { describe, expect, it } from 'vitest';
import { Rig } from './rig.ts';

describe('observers', () => {
  it('hear a sweep: trades and fills, then orders, positions and levels, each once', () => {
    const rig = new Rig();
    rig.order(rig.ann, 'ask 2 @ 40');
    rig.order(rig.bob, 'ask 3 @ 40');
    rig.order(rig.bob, 'ask 5 @ 41');
    rig.news();
    rig.order(rig.cat, 'bid 12 @ 41');
    expect(rig.news()).toEqual([
      'trade bid 2 @ 40',
      'fill cat c4 takes 2 now 2',
      'fill ann c1 makes 2 now -2',
      'trade bid 3 @ 40',
      'fill cat c4 takes 3 now 5',
      'fill bob c2 makes 3 now -3',
      'trade bid 5 @ 41',
      'fill cat c4 takes 5 now 10',
      'fill bob c3 makes 5 now -8',
      'order c4 resting 10/12 Trade',
      'order c1 executed 2/2 Trade',
      'order c2 executed 3/3 Trade',
      'order c3 executed 5/5 Trade',
      'position cat 10',
      'position ann -2',
      'position bob -8',
      'level ask 40 -5=0 c4',
      'level ask 41 -5=0 c4',
      'level bid 41 +2=2 c4',
    ]);
  });

  it('hear of the house its levels and trades only', () => {
    const rig = new Rig();
    rig.quote('ask 5 @ 40');
    rig.quote('bid 3 @ 40', 'M', 'take');
    expect(rig.news()).toEqual(['level ask 40 +5=5', 'trade bid 3 @ 40', 'level ask 40 -3=2']);
  });

  it('hear nothing of a request that was refused', () => {
    const rig = new Rig();
    rig.place(rig.ann, 'bid 1 @ 40.5');
    rig.exchange.orders.cancel(rig.ann, 'nobody');
    expect(rig.news()).toEqual([]);
  });

  it('hear events after the exchange has changed, until they leave', () => {
    const rig = new Rig();
    const seen: string[] = [];
    const leave = rig.exchange.observe(event => {
      if (event.type === 'level') seen.push(rig.book());
    });
    rig.order(rig.ann, 'bid 1 @ 40');
    leave();
    rig.order(rig.ann, 'bid 1 @ 41');
    expect(seen).toEqual(['1@40 | ']);
  });

  it('must not call back', () => {
    const rig = new Rig();
    rig.exchange.observe(() => void rig.exchange.orders.cancelAll(rig.ann));
    expect(() => rig.order(rig.ann, 'bid 1 @ 40')).toThrow('must not call');
  });
});

describe('the house desk', () => {
  it('knows the markets, their grids, and whether they are open', () => {
    const rig = new Rig();
    expect(rig.exchange.desk.markets.map(({ address }) => address)).toEqual(['M', 'TAPERED', 'LATER']);
    expect([rig.house(), rig.house('LATER')].map(market => market.isOpen())).toEqual([true, false]);
    expect(rig.quote('bid 1 @ 40', 'LATER')).toBeNull();
    rig.exchange.state.setTradingActive(false);
    expect([rig.house().isOpen(), rig.quote('bid 1 @ 40')]).toEqual([false, null]);
    expect(rig.house('TAPERED').pricedBy).toEqual({ question: 'q', isComplement: false });
  });

  it('rests, knows what rests, and cancels once', () => {
    const rig = new Rig();
    const { desk } = rig.exchange;
    const order = rig.quote('bid 5 @ 40');
    rig.quote('ask 2 @ 40', 'M', 'take');
    expect(order !== null && desk.resting(order)).toBe(3_000_000);
    expect(desk.best(rig.house(), 0)).toEqual({ price: 4_000, size: 3_000_000 });
    if (order !== null) for (const _ of [1, 2]) desk.cancel(order);
    expect(order !== null && desk.resting(order)).toBeNull();
    expect([...desk.levels(rig.house(), 0)]).toEqual([]);
  });

  it('returns nothing of what does not rest, and of what the engine refuses', () => {
    const rig = new Rig();
    expect(rig.quote('bid 5 @ 40', 'M', 'take')).toBeNull();
    expect(rig.quote('bid 5 @ 40.5')).toBeNull();
    rig.quote('bid 5 @ 40');
    expect(rig.quote('ask 5 @ 40')).toBeNull();
  });

  it('has orders that meet each other, from any account', () => {
    const rig = new Rig();
    for (let round = 0; round < 20; round++) {
      rig.quote('bid 3 @ 40');
      rig.quote('ask 3 @ 40', 'M', 'take');
    }
    expect([rig.book(), [...rig.exchange.trades(null)].length]).toEqual([' | ', 20]);
    // This holds for any number of accounts that take turns.
    for (let others = 0; others < 20; others++) {
      rig.quote('bid 3 @ 40');
      for (let turn = 0; turn < others; turn++) rig.quote('bid 0.01 @ 1');
      rig.quote('ask 3 @ 40', 'M', 'take');
    }
    expect([...rig.exchange.trades(null)].length).toBe(40);
  });
});
