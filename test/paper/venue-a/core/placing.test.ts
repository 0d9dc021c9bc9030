// Orders at venue A's exchange: every refusal, the effect of each order type, the size that dollars buy, and fees. Also the result for each party in
// each way of matching.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { VenueMode } from '../../../../src/paper/venue-a/records.ts';
import { CoreRig, dollars, HOUR_MS, START, shares, walletOf } from './core-rig.ts';

const startS = START / 1_000;

describe('an order is refused', () => {
  const refusals: [text: string, wish: Parameters<CoreRig['place']>[2], why: string][] = [
    ['buy yes 10 @ 40.5', {}, 'breaks-tick'],
    ['buy yes 10 @ 0', {}, 'breaks-tick'],
    ['buy yes 10 @ 100', {}, 'breaks-tick'],
    ['buy yes 10 @ 1', {}, 'taken'],
    ['buy no 10 @ 99', {}, 'taken'],
    ['buy yes 10.001 @ 40', {}, 'invalid-amounts'],
    ['buy yes 4.99 @ 40', {}, 'below-min-size'],
    ['buy yes 5 @ 40', {}, 'taken'],
    ['buy yes 2 @ 60', {}, 'taken'],
    ['buy yes 1.66 @ 60', {}, 'marketable-buy-below-one-dollar'],
    ['buy yes 1.67 @ 60', {}, 'taken'],
    ['buy yes 1 @ 40', { type: 'FOK', spends: dollars(0.99) }, 'marketable-buy-below-one-dollar'],
    ['buy yes 2501 @ 40', {}, 'not-enough-balance'],
    ['buy yes 2500 @ 40', {}, 'taken'],
    ['sell yes 10 @ 70', {}, 'not-enough-balance'],
    ['buy yes 10 @ 60', { postOnly: true }, 'post-only-crosses'],
    ['buy yes 10 @ 59', { postOnly: true }, 'taken'],
    ['buy yes 10 @ 40', { type: 'GTD', expirationS: startS + 179 }, 'invalid-expiration'],
    ['buy yes 10 @ 40', { type: 'GTD', expirationS: startS + 180 }, 'taken'],
    ['buy yes 10 @ 40', { type: 'GTD' }, 'invalid-expiration'],
    ['buy yes 10 @ 40', { type: 'GTC', expirationS: startS + 600 }, 'invalid-expiration'],
    ['buy yes 51 @ 60', { type: 'FOK' }, 'fok-not-filled'],
    ['buy yes 50 @ 60', { type: 'FOK' }, 'taken'],
    ['buy yes 10 @ 59', { type: 'FAK' }, 'fak-no-match'],
    ['buy yes 60 @ 60', { type: 'FAK' }, 'taken'],
  ];

  it.each(refusals)('%s %o: %s', (text, wish, why) => {
    const rig = new CoreRig();
    rig.quote(ASK, 50, 60);
    expect(rig.refusal('ann', text, wish)).toBe(why);
  });

  it('if its id was ever posted, but not if it was refused', () => {
    const rig = new CoreRig();
    const orderId = '0xfeed';
    expect(rig.refusal('ann', 'buy yes 9999 @ 40', { orderId })).toBe('not-enough-balance');
    expect(rig.exchange.isKnown(orderId)).toBe(false);
    const order = rig.placed('ann', 'buy yes 10 @ 40', { orderId });
    expect(rig.refusal('ann', 'buy yes 10 @ 40', { orderId })).toBe('duplicate');
    rig.cancel('ann', order);
    expect(rig.refusal('bob', 'buy yes 10 @ 40', { orderId })).toBe('duplicate');
  });

  it('if its id was posted with a FOK that was killed, since that was an order', () => {
    const rig = new CoreRig();
    expect(rig.refusal('ann', 'buy yes 10 @ 40', { type: 'FOK', orderId: '0xfeed' })).toBe('fok-not-filled');
    expect(rig.refusal('ann', 'buy yes 10 @ 40', { orderId: '0xfeed' })).toBe('duplicate');
  });

  it('by an unknown wallet', () => {
    expect(new CoreRig().refusal('eve', 'buy yes 10 @ 40')).toBe('not-enough-balance');
  });

  const modes: [mode: VenueMode, plain: string, postOnly: string][] = [
    ['normal', 'taken', 'taken'],
    ['post-only', 'post-only-mode', 'taken'],
    ['cancel-only', 'cancel-only', 'cancel-only'],
    ['restarting', 'engine-restarting', 'engine-restarting'],
    ['disabled', 'trading-disabled', 'trading-disabled'],
  ];

  it.each(modes)('while the venue is %s: %s, post-only %s', (mode, plain, postOnly) => {
    const rig = new CoreRig();
    rig.exchange.setMode(mode);
    expect(rig.exchange.mode).toBe(mode);
    expect(rig.refusal('ann', 'buy yes 10 @ 40')).toBe(plain);
    expect(rig.refusal('ann', 'buy yes 10 @ 40', { postOnly: true })).toBe(postOnly);
  });

  it('while its market takes none', () => {
    const rig = new CoreRig();
    rig.exchange.setAcceptingOrders(rig.market, false);
    expect(rig.refusal('ann', 'buy yes 10 @ 40')).toBe('market-not-ready');
    rig.exchange.setAcceptingOrders(rig.market, true);
    expect(rig.refusal('ann', 'buy yes 10 @ 40')).toBe('taken');
  });

  it('of more than its wallet has beside its open orders', () => {
    const rig = new CoreRig();
    const first = rig.placed('ann', 'buy yes 1500 @ 40');
    expect(rig.refusal('ann', 'buy no 1001 @ 40')).toBe('not-enough-balance');
    expect(rig.refusal('ann', 'buy no 1000 @ 40')).toBe('taken');
    rig.cancel('ann', first);
    expect(rig.refusal('ann', 'buy no 1001 @ 40')).toBe('taken');
    rig.exchange.split(walletOf('bob'), rig.market, shares(20));
    rig.placed('bob', 'sell yes 15 @ 90');
    expect(rig.refusal('bob', 'sell yes 6 @ 90')).toBe('not-enough-balance');
    expect(rig.refusal('bob', 'sell no 20 @ 90')).toBe('taken');
  });
});

describe('a match', () => {
  const ways: [name: string, resting: string, taking: string, ann: [number, number], bob: [number, number]][] = [
    ['hands shares on', 'sell yes 10 @ 60', 'buy yes 10 @ 65', [90, 100], [110, 100]],
    ['hands the other shares on', 'sell no 10 @ 60', 'buy no 10 @ 65', [100, 90], [100, 110]],
    ['mints', 'buy no 10 @ 40', 'buy yes 10 @ 65', [100, 110], [110, 100]],
    ['merges', 'sell no 10 @ 40', 'sell yes 10 @ 60', [100, 90], [90, 100]],
  ];

  it.each(ways)('%s: %s, %s', (_name, resting, taking, ann, bob) => {
    const rig = new CoreRig();
    for (const name of ['ann', 'bob']) rig.exchange.split(walletOf(name), rig.market, shares(100));
    const [annBefore, bobBefore] = [rig.cash('ann'), rig.cash('bob')];
    rig.placed('ann', resting);
    const { outcome, filled, paid, trades } = rig.placed('bob', taking);
    expect([outcome, filled, trades.length]).toEqual(['matched', shares(10), 1]);
    expect(rig.held('ann')).toEqual(ann);
    expect(rig.held('bob')).toEqual(bob);
    // The trade has the maker's price: bob pays or gets 6 dollars in each case.
    const price = Number(resting.split(' ')[4]) / 100;
    expect(Math.abs(rig.cash('ann') - annBefore)).toBeCloseTo(10 * price, 6);
    expect(Math.abs(rig.cash('bob') - bobBefore)).toBeCloseTo(6, 6);
    expect(paid).toBe(dollars(6));
    expect(rig.book()).toEqual([[], []]);
  });

  it('of one taker with several makers is one trade, at its average price rounded in its favour', () => {
    const rig = new CoreRig();
    rig.placed('ann', 'buy no 10 @ 60');
    rig.placed('bob', 'buy no 10 @ 59');
    rig.quote(ASK, 10, 42);
    const { order, trades } = rig.placed('cat', 'buy yes 25 @ 45');
    expect(order).toMatchObject({ status: 'MATCHED', matched: shares(25), tradeIds: [trades[0]!.tradeId] });
    const [trade] = trades;
    expect(trade).toMatchObject({
      price: 4_000,
      size: shares(25),
      takerOrderId: order.orderId,
      isBuy: true,
      token: 0,
    });
    expect(trade!.makers.map(it => [it.token, it.isBuy, it.price, it.size])).toEqual([
      [1, true, 6_000, shares(10)],
      [1, true, 5_900, shares(10)],
      [1, true, 5_800, shares(5)],
    ]);
    for (const name of ['ann', 'bob', 'cat']) expect(rig.trades(name)).toEqual(trades);
    expect([...rig.exchange.tradesOfMarket(rig.market)]).toEqual(trades);
    expect([...rig.exchange.tradesOfWallet(walletOf('ann'))]).toEqual(trades);
    expect([...rig.exchange.tradesOfWallet(null)]).toEqual(trades);
    expect([...rig.exchange.tradesOfMarket(rig.other)]).toEqual([]);
  });

  it('charges the taker, on top of what it buys and out of what it sells', () => {
    const rig = new CoreRig({ first: { fees: { rate: '0.05', exponent: 1 } } });
    rig.quote(ASK, 100, 50);
    rig.quote(BID, 100, 50 - 10);
    const bought = rig.placed('ann', 'buy yes 100 @ 50', { type: 'FOK' });
    expect(bought.trades[0]!.takerFee).toBe(dollars(1.25));
    expect(rig.cash('ann')).toBe(1_000 - 50 - 1.25);
    const sold = rig.placed('ann', 'sell yes 100 @ 40', { type: 'FOK' });
    expect(sold.trades[0]!.takerFee).toBe(dollars(1.2));
    expect(rig.cash('ann')).toBe(1_000 - 50 - 1.25 + 40 - 1.2);
  });

  it('reserves fees of who takes, not of who rests', () => {
    const rig = new CoreRig({ first: { fees: { rate: '0.05', exponent: 1 } } });
    expect(rig.refusal('ann', 'buy yes 2000 @ 50')).toBe('taken');
    rig.quote(ASK, 100, 60);
    expect(rig.refusal('bob', 'buy yes 1600 @ 62.5')).toBe('breaks-tick');
    expect(rig.refusal('bob', 'buy yes 1612 @ 62')).toBe('not-enough-balance');
    expect(rig.refusal('bob', 'buy yes 1600 @ 62')).toBe('taken');
  });
});

describe('dollars', () => {
  const market = (type: 'FOK' | 'FAK', spends: number) => ({ type, spends: dollars(spends) }) as const;

  it('buy more shares where they are cheaper than the limit', () => {
    const rig = new CoreRig({ cash: 10 });
    rig.quote(ASK, 10, 50);
    rig.quote(ASK, 100, 55);
    const { order, filled, paid } = rig.placed('ann', 'buy yes 17.8571 @ 56', market('FOK', 10));
    // The order buys ten shares at 50 cents and 9.09 at 55. The remaining 0.05 cents do not buy another hundredth of a share.
    expect([filled, paid]).toEqual([shares(19.09), dollars(9.9995)]);
    expect(order).toMatchObject({ status: 'MATCHED', size: shares(19.09), matched: shares(19.09) });
    expect(rig.cash('ann')).toBeCloseTo(0.0005, 9);
  });

  it('of a FOK are spent to the last hundredth of a share, or not at all', () => {
    const rig = new CoreRig();
    rig.quote(ASK, 18.18, 55);
    expect(rig.refusal('ann', 'buy yes 17.8571 @ 56', market('FOK', 10.01))).toBe('fok-not-filled');
    expect(rig.cash('ann')).toBe(1_000);
    // 18.18 shares at 55 cents cost 9.999. The rest does not buy a hundredth of a share at the limit price.
    expect(rig.refusal('ann', 'buy yes 17.8571 @ 56', market('FOK', 10))).toBe('taken');
  });

  it('of a FAK are spent as far as there is something to buy', () => {
    const rig = new CoreRig();
    rig.quote(ASK, 10, 50);
    const { order, paid } = rig.placed('ann', 'buy yes 17.85 @ 56', market('FAK', 10));
    expect(paid).toBe(dollars(5));
    expect(order).toMatchObject({ status: 'CANCELED', size: shares(17.85), matched: shares(10) });
    expect(rig.refusal('ann', 'buy yes 17.85 @ 56', market('FAK', 10))).toBe('fak-no-match');
  });

  it('buy the second token from bids', () => {
    const rig = new CoreRig();
    rig.quote(BID, 100, 44);
    const { filled, paid } = rig.placed('ann', 'buy no 17.8571 @ 56', market('FOK', 10));
    expect([filled, paid]).toEqual([shares(17.85), dollars(9.996)]);
    expect(rig.held('ann')).toEqual([0, 17.85]);
  });

  it('must be there, with the fee', () => {
    const rig = new CoreRig({ cash: 10, first: { fees: { rate: '0.05', exponent: 1 } } });
    rig.quote(ASK, 100, 50);
    expect(rig.refusal('ann', 'buy yes 20 @ 50', market('FOK', 10))).toBe('not-enough-balance');
    expect(rig.refusal('ann', 'buy yes 19 @ 50', market('FOK', 9.7))).toBe('taken');
  });
});

describe('the grid of prices', () => {
  it('gets finer while the market trades, and its levels stay', () => {
    const rig = new CoreRig();
    rig.placed('ann', 'buy yes 10 @ 40');
    expect(rig.refusal('ann', 'buy yes 10 @ 40.1')).toBe('breaks-tick');
    rig.reported();
    expect(rig.exchange.setTickSize(rig.market, '0.001')).toBe(true);
    expect(rig.reported()).toEqual(['tick-size 0.01 to 0.001']);
    expect(rig.refusal('ann', 'buy yes 10 @ 40.1')).toBe('taken');
    expect(rig.refusal('ann', 'buy no 10 @ 0.1')).toBe('taken');
    expect(rig.book()).toEqual([['0.401 × 10', '0.4 × 10'], ['0.999 × 10']]);
  });

  it('is one of the venue', () => {
    const rig = new CoreRig();
    for (const text of ['0.02', '0', 'x', '1']) expect(rig.exchange.setTickSize(rig.market, text)).toBe(false);
    expect(rig.market.tickSize).toBe('0.01');
  });
});

describe('an order good till a date', () => {
  it('ends a minute before, without a request', () => {
    const rig = new CoreRig();
    const order = rig.placed('ann', 'buy yes 10 @ 40', { type: 'GTD', expirationS: startS + 3_600 });
    const later = rig.placed('ann', 'buy yes 10 @ 41', { type: 'GTD', expirationS: startS + 7_200 });
    rig.reported();
    rig.timers.advance(HOUR_MS - 60_001);
    expect(rig.reported()).toEqual([]);
    rig.timers.advance(1);
    expect(rig.reported()).toEqual(['level bid 0.4 × 0 by yes', 'CANCELLATION ann CANCELED 0/10']);
    expect(rig.order('ann', order)).toMatchObject({ status: 'CANCELED' });
    rig.timers.advance(HOUR_MS);
    expect(rig.order('ann', later)).toMatchObject({ status: 'CANCELED' });
    expect(rig.timers.pending).toBe(0);
  });
});
