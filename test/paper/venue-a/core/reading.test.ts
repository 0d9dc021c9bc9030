// Reads of venue A's exchange: lists with the newest first, reads that lag behind, positions, and the bounds of memory. Also the house's desk.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, Ticks } from '../../../../src/core/domain/numbers.ts';
import { Position } from '../../../../src/paper/venue-a/wallet.ts';
import { CoreRig, dollars, shares, walletOf } from './core-rig.ts';

describe('lists', () => {
  it('are newest first', () => {
    const rig = new CoreRig();
    const [first, second, third] = [41, 42, 43].map(price => rig.placed('ann', `buy yes 10 @ ${price}`).order.orderId);
    expect(rig.open('ann').map(it => it.orderId)).toEqual([third, second, first]);
    rig.exchange.cancels.cancel('key-ann', [second!]);
    expect(rig.open('ann').map(it => it.orderId)).toEqual([third, first]);
    rig.exchange.cancels.cancel('key-ann', [third!]);
    expect(rig.open('ann').map(it => it.orderId)).toEqual([first]);
    expect(rig.open('bob')).toEqual([]);
  });

  it('show an order to its owner only', () => {
    const rig = new CoreRig();
    const order = rig.placed('ann', 'buy yes 10 @ 40');
    expect(rig.order('ann', order)).toEqual(order.order);
    expect(rig.order('bob', order)).toBeNull();
    expect(rig.exchange.order('key-ann', '0x1234', 0)).toBeNull();
  });

  it('show a trade once to who was on both sides', () => {
    const rig = new CoreRig();
    rig.placed('ann', 'buy yes 10 @ 60');
    rig.placed('ann', 'buy no 10 @ 40');
    expect(rig.trades('ann')).toHaveLength(1);
    expect([...rig.exchange.tradesOfWallet(walletOf('ann').toUpperCase().replace('X', 'x'))]).toHaveLength(1);
    expect(rig.held('ann')).toEqual([10, 10]);
  });
});

describe('a read that lags', () => {
  /** An order that is placed at 0 s, half matched at 1 s, and matched in full at 2 s. */
  function story() {
    const rig = new CoreRig();
    const order = rig.placed('ann', 'buy yes 10 @ 60');
    rig.timers.advance(1_000);
    rig.placed('bob', 'buy no 5 @ 40');
    rig.timers.advance(1_000);
    rig.placed('bob', 'buy no 5 @ 40');
    rig.timers.advance(1_000);
    return { rig, order };
  }

  it.each([
    [0, 'MATCHED', 10, 0, ['MATCHED', 'MINED']],
    [1_000, 'MATCHED', 10, 0, ['MATCHED', 'MATCHED']],
    [1_001, 'LIVE', 5, 1, ['MATCHED']],
    [2_000, 'LIVE', 5, 1, ['MATCHED']],
    [2_001, 'LIVE', 0, 1, []],
    [3_000, 'LIVE', 0, 1, []],
  ])('by %d ms shows %s, %d matched, %d open', (staleMs, status, matched, open, trades) => {
    const { rig, order } = story();
    expect(rig.order('ann', order, staleMs)).toMatchObject({ status, matched: shares(matched) });
    expect(rig.open('ann', staleMs)).toHaveLength(open);
    expect(rig.trades('ann', staleMs).map(it => it.status)).toEqual(trades);
  });

  it('from before it shows nothing', () => {
    const { rig, order } = story();
    expect(rig.order('ann', order, 3_001)).toBeNull();
    expect(rig.open('ann', 3_001)).toEqual([]);
  });

  it('keeps the order of the list', () => {
    const rig = new CoreRig();
    const orders = [41, 42, 43].map(price => rig.placed('ann', `buy yes 10 @ ${price}`));
    rig.timers.advance(500);
    rig.cancel('ann', orders[1]!);
    rig.timers.advance(500);
    const newestFirst = orders.map(it => it.order.orderId).reverse();
    expect(rig.open('ann', 600).map(it => it.orderId)).toEqual(newestFirst);
    expect(rig.open('ann', 400)).toHaveLength(2);
  });

  it('sees no further back than is kept', () => {
    const rig = new CoreRig();
    const order = rig.placed('ann', 'buy yes 2000 @ 40');
    rig.timers.advance(60_000);
    for (let fills = 0; fills < 100; fills += 1) rig.placed('bob', 'buy no 2 @ 60');
    expect(rig.order('ann', order)).toMatchObject({ matched: shares(200) });
    expect(rig.order('ann', order, 1)!.matched).toBe(shares(2 * (100 - 63)));
    rig.timers.advance(20_000);
    rig.placed('bob', 'buy no 2 @ 60');
    expect(rig.order('ann', order, 10_000)).toMatchObject({ matched: shares(200) });
  });
});

describe('a position', () => {
  it('costs what it did on average; sales make the difference', () => {
    const rig = new CoreRig();
    rig.quote(ASK, 10, 40);
    rig.quote(ASK, 10, 50);
    rig.quote(BID, 100, 30);
    rig.placed('ann', 'buy yes 20 @ 50');
    expect(rig.position('ann')).toMatchObject({ size: shares(20), bought: shares(20), cost: dollars(9) });
    rig.placed('ann', 'sell yes 5 @ 30');
    expect(rig.position('ann')).toMatchObject({
      wallet: walletOf('ann'),
      size: shares(15),
      bought: shares(20),
      cost: dollars(6.75),
      realizedPnl: dollars(-0.75),
    });
  });

  it('comes and goes in pairs of a dollar', () => {
    const rig = new CoreRig();
    const [ann, { market }] = [walletOf('ann'), rig];
    expect(rig.exchange.split(ann, market, shares(10))).toBe(true);
    expect([rig.cash('ann'), rig.held('ann')]).toEqual([990, [10, 10]]);
    expect(rig.position('ann', 1)).toMatchObject({ cost: dollars(5) });
    expect(rig.exchange.merge(ann, market, shares(11))).toBe(false);
    expect(rig.exchange.merge(ann, market, shares(4))).toBe(true);
    expect([rig.cash('ann'), rig.held('ann'), rig.position('ann')!.realizedPnl]).toEqual([994, [6, 6], 0]);
    expect(rig.exchange.split(ann, market, shares(995))).toBe(false);
    expect(rig.exchange.split(walletOf('eve'), market, shares(1))).toBe(false);
    expect([...rig.exchange.positions(walletOf('eve'))]).toEqual([]);
  });

  it('has cost and made what was paid and got, after reversals, too', () => {
    const move = fc.record({
      buys: fc.boolean(),
      size: fc.integer({ min: 1, max: 9e9 }),
      price: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), moves => {
        const position = new Position();
        let [size, paid] = [0, 0];
        for (const { buys, size: some, price } of moves) {
          const amount = Math.floor((some * price) / 100);
          if (buys) position.buy(some as never, amount as MicroDollars);
          else if (some > size) continue;
          else position.sell(some as never, amount as MicroDollars);
          size += buys ? some : -some;
          paid += buys ? amount : -amount;
          // The cost of the shares minus the profit of the sales is the money that was paid.
          expect(position.cost - position.realizedPnl).toBe(paid);
          expect(position.size).toBe(size);
          expect(position.cost).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});

describe('a wallet', () => {
  it('is made by its first deposit, and gives back what is free', () => {
    const { exchange } = new CoreRig();
    const eve = walletOf('eve');
    expect(exchange.collateral(eve)).toBe(0);
    expect(exchange.deposit(eve, dollars(-1))).toBe(false);
    expect(exchange.deposit(eve, dollars(5))).toBe(true);
    expect(exchange.deposit(eve.toUpperCase(), dollars(-2))).toBe(true);
    expect(exchange.collateral(eve)).toBe(dollars(3));
    expect(exchange.deposit(eve, dollars(-3.01))).toBe(false);
    expect(exchange.deposit(eve, (2 ** 53) as MicroDollars)).toBe(false);
  });
});

describe('the desk of the house', () => {
  it('quotes, reads, cancels', () => {
    const { exchange, ...rig } = new CoreRig();
    const { desk } = exchange;
    const [market, other] = desk.markets;
    expect(desk.markets.map(it => it.address)).toEqual([...exchange.markets.keys()]);
    expect(market!.pricedBy).toEqual({ question: 'home wins', isComplement: false });
    expect([market!.isOnGrid(4_000 as Ticks), market!.isOnGrid(4_050 as Ticks)]).toEqual([true, false]);
    const bid = desk.place(market!, BID, 4_000 as Ticks, shares(10), 'rest')!;
    expect(desk.best(market!, BID)).toEqual({ price: 4_000, size: shares(10) });
    expect([desk.best(market!, ASK), desk.best(other!, BID)]).toEqual([null, null]);
    expect([...desk.levels(market!, BID)]).toHaveLength(1);
    expect(desk.resting(bid)).toBe(shares(10));
    desk.cancel(bid);
    desk.cancel(bid);
    expect(desk.resting(bid)).toBeNull();
    expect(desk.place(market!, BID, 4_050 as Ticks, shares(10), 'rest')).toBeNull();
    expect(rig.events.map(it => it.type)).toEqual(['level', 'level']);
  });

  it('may meet itself, and what it takes does not rest', () => {
    const rig = new CoreRig();
    const [market] = rig.exchange.desk.markets;
    const quote = rig.quote(ASK, 10, 60)!;
    expect(rig.exchange.desk.place(market!, BID, 6_100 as Ticks, shares(4), 'take')).toBeNull();
    expect(rig.quote(BID, 4, 60)).toBeNull();
    expect(rig.exchange.desk.place(market!, BID, 6_100 as Ticks, shares(9), 'take')).toBeNull();
    expect(rig.exchange.desk.resting(quote)).toBeNull();
    expect(rig.book()).toEqual([[], []]);
    const trades = [...rig.exchange.tradesOfMarket(rig.market)];
    expect(trades.map(it => [it.status, it.size])).toEqual([2, 4, 4].map(size => ['CONFIRMED', shares(size)]));
    const [{ makers }] = trades as [(typeof trades)[0]];
    expect(makers[0]!.orderId).toMatch(/^0x[0-9a-f]{64}$/);
    expect(makers[0]!.orderId).toBe(trades[2]!.makers[0]!.orderId);
  });

  it('is closed outside the venue’s normal mode', () => {
    const rig = new CoreRig();
    const [market] = rig.exchange.desk.markets;
    rig.exchange.setMode('restarting');
    expect([market!.isOpen(), rig.quote(BID, 10, 40)]).toEqual([false, null]);
    rig.exchange.setMode('normal');
    rig.exchange.setAcceptingOrders(rig.market, false);
    expect([market!.isOpen(), rig.quote(BID, 10, 40)]).toEqual([false, null]);
    rig.exchange.setAcceptingOrders(rig.market, true);
    expect(rig.quote(BID, 10, 40)).not.toBeNull();
  });

  it('does not run out of money by buying pairs', () => {
    const rig = new CoreRig();
    const [market] = rig.exchange.desk.markets;
    for (let round = 0; round < 3_000; round += 1) {
      rig.exchange.desk.place(market!, ASK, 6_000 as Ticks, shares(1_000_000), 'rest');
      rig.exchange.desk.place(market!, BID, 6_000 as Ticks, shares(1_000_000), 'take');
      rig.exchange.desk.place(market!, BID, 6_000 as Ticks, shares(1_000_000), 'rest');
      rig.exchange.desk.place(market!, ASK, 6_000 as Ticks, shares(1_000_000), 'take');
    }
    const { house, pots, deposited } = rig.exchange.audit();
    expect([house + pots, pots]).toEqual([deposited - dollars(3_000), 0]);
    expect(rig.market.volume).toBe(shares(6e9));
  });
});
