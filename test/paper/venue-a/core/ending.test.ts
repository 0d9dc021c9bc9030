// How orders and markets end at venue A's exchange: cancels and their answers, heartbeats, resolution and redemption.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { TokenIndex } from '../../../../src/paper/venue-a/records.ts';
import { CoreRig, dollars, keyOf, shares, walletOf } from './core-rig.ts';

describe('a cancel', () => {
  it('ends an order and frees its money', () => {
    const rig = new CoreRig({ cash: 4 });
    const order = rig.placed('ann', 'buy yes 10 @ 40');
    rig.reported();
    expect(rig.cancel('ann', order)).toEqual({ canceled: [order.order.orderId], notCanceled: new Map() });
    expect(rig.reported()).toEqual(['level bid 0.4 × 0 by yes', 'CANCELLATION ann CANCELED 0/10']);
    expect(rig.refusal('ann', 'buy no 10 @ 40')).toBe('taken');
  });

  it('says what has filled before', () => {
    const rig = new CoreRig();
    const order = rig.placed('ann', 'buy yes 10 @ 60');
    rig.placed('bob', 'buy no 4 @ 40');
    rig.reported();
    rig.cancel('ann', order);
    expect(rig.reported().at(-1)).toBe('CANCELLATION ann CANCELED 4/10');
  });

  it('has an answer for each order, once', () => {
    const rig = new CoreRig();
    const [open, gone, filled, foreign] = ['ann', 'ann', 'ann', 'bob'].map((name, index) =>
      rig.placed(name, `buy yes 10 @ ${index === 2 ? 60 : 40}`),
    );
    rig.cancel('ann', gone!);
    rig.placed('cat', 'buy no 10 @ 40');
    const { canceled, notCanceled } = rig.cancel('ann', open!, open!, gone!, filled!, foreign!);
    expect(canceled).toEqual([open!.order.orderId]);
    expect([...notCanceled]).toEqual([
      [gone!.order.orderId, 'already canceled or matched'],
      [filled!.order.orderId, 'already canceled or matched'],
      [foreign!.order.orderId, 'Order not found or already canceled'],
    ]);
    expect(rig.open('bob')).toHaveLength(1);
  });

  it.each([
    ['all', false, null, 4],
    ['of a market', true, null, 3],
    ['of the first token', true, 0, 2],
    ['of the second token of any market', false, 1, 1],
  ] as const)('%s', (_name, isOfMarket, token, count) => {
    const rig = new CoreRig();
    const texts = ['buy yes 10 @ 40', 'buy yes 10 @ 41', 'buy no 10 @ 40'];
    for (const text of texts) rig.placed('ann', text);
    rig.placed('ann', 'buy yes 10 @ 40', { market: rig.other });
    rig.placed('bob', 'buy yes 10 @ 40');
    const { canceled } = rig.exchange.cancels.cancelAll(keyOf('ann'), isOfMarket ? rig.market : null, token);
    expect(canceled).toHaveLength(count);
    expect(rig.open('ann')).toHaveLength(4 - count);
    expect(rig.open('bob')).toHaveLength(1);
  });

  it('works while new orders are not taken', () => {
    const rig = new CoreRig();
    const order = rig.placed('ann', 'buy yes 10 @ 40');
    rig.exchange.setMode('cancel-only');
    rig.exchange.setAcceptingOrders(rig.market, false);
    expect(rig.cancel('ann', order).canceled).toHaveLength(1);
  });
});

describe('heartbeats', () => {
  it('hand on an id, and take no other', () => {
    const { exchange } = new CoreRig();
    const first = exchange.heartbeats.beat('key-ann', '');
    expect(first).toMatchObject({ ok: true, value: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const id = first.ok ? first.value : '';
    expect(exchange.heartbeats.beat('key-ann', 'x')).toEqual({ ok: false, error: id });
    expect(exchange.heartbeats.beat('key-ann', '')).toEqual({ ok: false, error: id });
    expect(exchange.heartbeats.beat('key-ann', id)).toMatchObject({ ok: true });
    expect(exchange.heartbeats.beat('key-ann', id)).toMatchObject({ ok: false });
    expect(exchange.heartbeats.beat('key-bob', id)).toEqual({ ok: false, error: '' });
  });

  it('that stay away cost all orders of the key, at the next look after ten seconds', () => {
    const rig = new CoreRig();
    rig.placed('ann', 'buy yes 10 @ 40');
    rig.placed('bob', 'buy yes 10 @ 40');
    rig.timers.advance(60_000);
    expect(rig.open('ann')).toHaveLength(1);
    let id = '';
    const beat = (name: string) => {
      const result = rig.exchange.heartbeats.beat(keyOf(name), name === 'ann' ? id : '');
      if (result.ok && name === 'ann') id = result.value;
    };
    for (let beats = 0; beats < 4; beats += 1) {
      beat('ann');
      rig.timers.advance(9_000);
      expect(rig.open('ann')).toHaveLength(1);
    }
    // The last heartbeat was 27 s after the first. The silence counts from 37 s on, and the exchange checks every 5 s.
    rig.timers.advance(3_999);
    expect(rig.open('ann')).toHaveLength(1);
    rig.timers.advance(1);
    expect(rig.open('ann')).toEqual([]);
    expect(rig.open('bob')).toHaveLength(1);
    expect(rig.timers.pending).toBe(0);
    expect(rig.exchange.heartbeats.beat(keyOf('ann'), id)).toEqual({ ok: false, error: '' });
    expect(rig.exchange.heartbeats.beat(keyOf('ann'), '')).toMatchObject({ ok: true });
  });
});

describe('a resolved market', () => {
  const results: [winner: TokenIndex | null, ann: number, bob: number][] = [
    [0, 10, 0],
    [1, 0, 10],
    [null, 5, 5],
  ];

  it.each(results)('won by %s pays who redeems: %d and %d dollars', (winner, ann, bob) => {
    const rig = new CoreRig();
    rig.placed('ann', 'buy yes 10 @ 60');
    rig.placed('bob', 'buy no 10 @ 40');
    rig.exchange.resolutions.resolve(rig.market, winner);
    expect(rig.market.resolution).toEqual({ winner, at: rig.timers.now() });
    // The shares are still there, and cannot be spent.
    expect([rig.held('ann'), rig.held('bob'), rig.cash('ann'), rig.cash('bob')]).toEqual([[10, 0], [0, 10], 994, 996]);
    expect(rig.exchange.deposit(walletOf('ann'), dollars(-994.01))).toBe(false);
    expect(rig.position('ann', 0)).toMatchObject({ size: shares(10), cost: dollars(6) });
    expect(rig.exchange.redeem(walletOf('ann'), rig.market)).toBe(dollars(ann));
    expect(rig.exchange.redeem(walletOf('ann'), rig.market)).toBe(0);
    expect(rig.exchange.redeem(walletOf('bob'), rig.market)).toBe(dollars(bob));
    expect([rig.held('ann'), rig.cash('ann'), rig.cash('bob')]).toEqual([[0, 0], 994 + ann, 996 + bob]);
    expect(rig.position('ann', 0)).toMatchObject({ size: 0, cost: 0, realizedPnl: dollars(ann - 6) });
    const { wallets, house, escrow, pots, fees, deposited } = rig.exchange.audit();
    expect([escrow, wallets + house + pots + fees]).toEqual([0, deposited]);
  });

  it('has cancelled its orders and takes no more', () => {
    const rig = new CoreRig();
    const order = rig.placed('ann', 'buy yes 10 @ 40');
    rig.placed('ann', 'buy yes 10 @ 40', { market: rig.other });
    const quote = rig.quote(ASK, 10, 60)!;
    rig.reported();
    rig.exchange.resolutions.resolve(rig.market, 0);
    expect(rig.reported()).toEqual([
      'level bid 0.4 × 0 by yes',
      'level ask 0.6 × 0 by no',
      'CANCELLATION ann CANCELED_MARKET_RESOLVED 0/10',
      'resolved',
    ]);
    rig.exchange.resolutions.resolve(rig.market, 1);
    rig.exchange.setAcceptingOrders(rig.market, true);
    expect(rig.reported()).toEqual([]);
    expect(rig.market).toMatchObject({ isAcceptingOrders: false, resolution: { winner: 0 } });
    expect(rig.refusal('ann', 'buy yes 10 @ 40')).toBe('market-not-ready');
    expect(rig.quote(BID, 10, 40)).toBeNull();
    expect(rig.exchange.desk.resting(quote)).toBeNull();
    expect(rig.cancel('ann', order).canceled).toEqual([]);
    expect(rig.open('ann')).toHaveLength(1);
    expect(rig.exchange.split(walletOf('ann'), rig.market, shares(1))).toBe(false);
  });

  it('pays nothing before, nor to who has nothing', () => {
    const rig = new CoreRig();
    rig.exchange.split(walletOf('ann'), rig.market, shares(3));
    expect(rig.exchange.redeem(walletOf('ann'), rig.market)).toBe(0);
    rig.exchange.resolutions.resolve(rig.market, 0);
    expect(rig.exchange.redeem(walletOf('bob'), rig.market)).toBe(0);
    expect(rig.exchange.redeem(walletOf('eve'), rig.market)).toBe(0);
    expect(rig.exchange.redeem(walletOf('ann'), rig.market)).toBe(dollars(3));
  });

  it('lets an order in its delay end', () => {
    const rig = new CoreRig({ first: { takerDelayS: 3 } });
    rig.quote(ASK, 10, 60);
    rig.placed('ann', 'buy yes 10 @ 60');
    rig.exchange.resolutions.resolve(rig.market, 0);
    rig.timers.advance(3_000);
    expect(rig.open('ann')).toEqual([]);
  });
});

describe('an exchange that closes', () => {
  it('waits for nothing any more', () => {
    const rig = new CoreRig({ first: { takerDelayS: 3 }, second: { clearsBookOnStart: true } });
    rig.quote(ASK, 10, 60);
    rig.placed('ann', 'buy yes 10 @ 60');
    rig.placed('ann', 'buy yes 10 @ 40', { type: 'GTD', expirationS: rig.timers.now() / 1_000 + 600 });
    rig.placed('bob', 'buy no 10 @ 60', { market: rig.other });
    rig.placed('ann', 'buy yes 10 @ 40', { market: rig.other });
    rig.exchange.heartbeats.beat(keyOf('ann'), '');
    expect(rig.timers.pending).toBe(5);
    rig.exchange.close();
    expect(rig.timers.pending).toBe(0);
  });
});
