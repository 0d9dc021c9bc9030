// Events of venue A's exchange and their order: levels, then the trade, then the orders of callers.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { TradeRecord } from '../../../../src/paper/venue-a/records.ts';
import { CoreRig, dollars, HOUR_MS, shares, walletOf } from './core-rig.ts';

describe('events', () => {
  it('of an order that rests: its level, for its own token, then itself', () => {
    const rig = new CoreRig();
    rig.placed('ann', 'buy yes 10 @ 40');
    rig.placed('ann', 'buy no 10 @ 40');
    expect(rig.reported()).toEqual([
      'level bid 0.4 × 10 by yes',
      'PLACEMENT ann LIVE 0/10',
      'level ask 0.6 × 10 by no',
      'PLACEMENT ann LIVE 0/10',
    ]);
  });

  it('of a match: the maker’s levels, the trade, the orders; the leftover rests', () => {
    const rig = new CoreRig();
    rig.exchange.split(walletOf('ann'), rig.market, shares(100));
    rig.placed('ann', 'sell yes 10 @ 60');
    rig.placed('bob', 'buy no 20 @ 39');
    rig.reported();
    rig.placed('cat', 'buy yes 35 @ 61');
    expect(rig.reported()).toEqual([
      'level bid 0.61 × 5 by yes',
      'level ask 0.6 × 0 by yes',
      'level ask 0.61 × 0 by no',
      'trade MATCHED buy yes 30 @ 0.6',
      'PLACEMENT cat LIVE 0/35',
      'UPDATE ann MATCHED 10/10',
      'UPDATE bob MATCHED 20/20',
      'UPDATE cat LIVE 30/35',
    ]);
  });

  it('of a maker that is not used up', () => {
    const rig = new CoreRig();
    rig.placed('ann', 'buy yes 10 @ 60');
    rig.reported();
    rig.placed('bob', 'buy no 4 @ 40', { type: 'FOK' });
    expect(rig.reported()).toEqual([
      'level bid 0.6 × 6 by yes',
      'trade MATCHED buy no 4 @ 0.4',
      'PLACEMENT bob LIVE 0/4',
      'UPDATE ann LIVE 4/10',
      'UPDATE bob MATCHED 4/4',
    ]);
  });

  it('of the house: levels and trades, but no orders', () => {
    const rig = new CoreRig();
    rig.quote(BID, 10, 40);
    rig.quote(ASK, 10, 60);
    expect(rig.reported()).toEqual(['level bid 0.4 × 10 by yes', 'level ask 0.6 × 10 by no']);
    const [market] = rig.exchange.desk.markets;
    rig.exchange.desk.place(market!, BID, 6_000 as never, shares(4), 'take');
    expect(rig.reported()).toEqual(['level ask 0.6 × 6 by no', 'trade CONFIRMED buy yes 4 @ 0.6']);
  });

  it('of dollars: each level once', () => {
    const rig = new CoreRig();
    for (const price of [50, 51, 52]) rig.quote(ASK, 10, price);
    rig.reported();
    rig.placed('ann', 'buy yes 22 @ 53', { type: 'FAK', spends: dollars(12) });
    expect(rig.reported()).toEqual([
      'level ask 0.5 × 0 by no',
      'level ask 0.51 × 0 by no',
      'level ask 0.52 × 6.35 by no',
      'trade MATCHED buy yes 23.65 @ 0.5',
      'PLACEMENT ann LIVE 0/22',
      'UPDATE ann MATCHED 23.65/23.65',
    ]);
  });

  const killed: [text: string, type: 'FOK' | 'FAK', reported: string[]][] = [
    [
      'buy yes 11 @ 60',
      'FOK',
      ["CANCELLATION ann CANCELED 0/11 order couldn't be fully filled. FOK orders are fully filled or killed."],
    ],
    [
      'buy yes 11 @ 59',
      'FAK',
      [
        'CANCELLATION ann CANCELED 0/11 no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
      ],
    ],
    [
      'buy yes 11 @ 60',
      'FAK',
      [
        'level ask 0.6 × 0 by no',
        'trade MATCHED buy yes 10 @ 0.6',
        'PLACEMENT ann LIVE 0/11',
        'UPDATE ann LIVE 10/11',
        'CANCELLATION ann CANCELED 10/11',
      ],
    ],
  ];

  it.each(killed)('of a killed %s as %s', (text, type, reported) => {
    const rig = new CoreRig();
    rig.quote(ASK, 10, 60);
    rig.reported();
    rig.place('ann', text, { type });
    expect(rig.reported()).toEqual(reported);
  });

  it('of a post-only order that would cross, to its owner', () => {
    const rig = new CoreRig();
    rig.quote(ASK, 10, 60);
    rig.reported();
    rig.place('ann', 'buy yes 10 @ 60', { postOnly: true });
    expect(rig.reported()).toEqual(['CANCELLATION ann UNMATCHED 0/10 invalid post-only order: order crosses book']);
    expect(rig.open('ann')).toEqual([]);
  });
});

describe('levels of a trade', () => {
  const trades: [resting: string, taking: string, tickSize: string, text: string, yesPrice: number][] = [
    ['buy yes 10 @ 53', 'buy no 10 @ 47', '0.01', '0.530', 5_300],
    ['buy no 10 @ 40', 'buy yes 10 @ 60', '0.01', '0.400', 6_000],
    ['buy no 10 @ 40.5', 'buy yes 10 @ 59.5', '0.001', '0.405', 5_950],
    ['buy yes 10 @ 40.55', 'buy no 10 @ 59.45', '0.0001', '0.4055', 4_055],
  ];

  it.each(trades)('%s, then %s at a tick of %s: the last price is %s', (resting, taking, tickSize, text, yesPrice) => {
    const rig = new CoreRig({ first: { tickSize } });
    rig.placed('ann', resting);
    expect(rig.market.lastTradeText).toBe('0.500');
    rig.timers.advance(1_234);
    const seen: unknown[] = [];
    rig.exchange.observe(event => {
      const { lastTradeText, lastYesPrice, bookAt, volume } = rig.market;
      if (event.type === 'level')
        seen.push([lastTradeText, lastYesPrice, bookAt, volume, rig.order('ann', maker)?.status]);
    });
    const maker = { order: rig.open('ann')[0]! };
    rig.placed('bob', taking);
    expect(seen).toEqual([[text, yesPrice, rig.timers.now(), shares(10), 'MATCHED']]);
  });

  it('the book is as they say', () => {
    const rig = new CoreRig();
    rig.placed('ann', 'buy yes 10 @ 40');
    const seen: unknown[] = [];
    rig.exchange.observe(event => event.type === 'level' && seen.push(rig.book()[0]));
    rig.placed('bob', 'buy no 4 @ 60');
    expect(seen).toEqual([['0.4 × 6']]);
  });
});

describe('a delayed order', () => {
  const delayed = () => {
    const rig = new CoreRig({ first: { takerDelayS: 3 } });
    rig.quote(ASK, 10, 60);
    rig.reported();
    return rig;
  };

  it('waits if it is marketable, and cannot be cancelled meanwhile', () => {
    const rig = delayed();
    const order = rig.placed('ann', 'buy yes 10 @ 60');
    expect(order).toMatchObject({ outcome: 'delayed', filled: 0, order: { status: 'DELAYED' } });
    expect(rig.reported()).toEqual(['PLACEMENT ann DELAYED 0/10']);
    expect([...rig.cancel('ann', order).notCanceled.values()]).toEqual([
      'order match delayed due to market conditions',
    ]);
    expect(rig.exchange.cancels.cancelAll('key-ann', null, null).canceled).toEqual([]);
    expect(rig.open('ann')).toHaveLength(1);
    rig.timers.advance(2_999);
    expect(rig.reported()).toEqual([]);
    rig.timers.advance(1);
    expect(rig.reported()).toEqual([
      'level ask 0.6 × 0 by no',
      'trade MATCHED buy yes 10 @ 0.6',
      'UPDATE ann MATCHED 10/10',
    ]);
    expect(rig.held('ann')).toEqual([10, 0]);
  });

  it('is another’s to overtake, and then rests', () => {
    const rig = delayed();
    const order = rig.placed('ann', 'buy yes 10 @ 60');
    const [market] = rig.exchange.desk.markets;
    rig.exchange.desk.place(market!, BID, 6_000 as never, shares(10), 'take');
    rig.reported();
    rig.timers.advance(3_000);
    expect(rig.reported()).toEqual(['level bid 0.6 × 10 by yes', 'UPDATE ann UNMATCHED 0/10']);
    expect(rig.cancel('ann', order).canceled).toHaveLength(1);
  });

  it.each(['FAK', 'FOK'] as const)('4007: %s has the status of a resting order then, and does not rest', type => {
    const rig = delayed();
    const order = rig.placed('ann', 'buy yes 10 @ 60', { type });
    const [market] = rig.exchange.desk.markets;
    rig.exchange.desk.place(market!, BID, 6_000 as never, shares(10), 'take');
    rig.reported();
    rig.timers.advance(3_000);
    expect(rig.reported()).toEqual(['UPDATE ann UNMATCHED 0/10']);
    expect([rig.open('ann'), rig.book()]).toEqual([[], [[], []]]);
    expect([...rig.cancel('ann', order).notCanceled.values()]).toEqual(['already canceled or matched']);
    expect(rig.exchange.order('key-ann', order.order.orderId, 0)).toMatchObject({ status: 'UNMATCHED', type });
  });

  it('rests with what is left of it', () => {
    const rig = delayed();
    rig.placed('ann', 'buy yes 25 @ 60');
    rig.timers.advance(3_000);
    expect(rig.reported()).toContain('UPDATE ann LIVE 10/25');
    expect(rig.book()).toEqual([['0.6 × 15'], []]);
  });

  it('is looked at again: money, market, book', () => {
    const poor = delayed();
    poor.placed('ann', 'buy yes 10 @ 60');
    poor.exchange.deposit(walletOf('ann'), dollars(-995));
    poor.timers.advance(3_000);
    expect(poor.reported().at(-1)).toBe('CANCELLATION ann INVALID 0/10 not enough balance / allowance');

    const shut = delayed();
    shut.placed('ann', 'buy yes 10 @ 60');
    shut.exchange.setAcceptingOrders(shut.market, false);
    shut.timers.advance(3_000);
    expect(shut.reported().at(-1)).toBe(
      'CANCELLATION ann INVALID 0/10 the market is not yet ready to process new orders',
    );
    expect(shut.open('ann')).toEqual([]);

    const empty = delayed();
    const quote = empty.quote(ASK, 10, 55)!;
    empty.placed('ann', 'buy yes 20 @ 60', { type: 'FOK' });
    empty.exchange.desk.cancel(quote);
    empty.timers.advance(3_000);
    expect(empty.reported().at(-1)).toBe('UPDATE ann UNMATCHED 0/20');
  });

  it('does not rest, is not post-only, and is not the house’s', () => {
    const rig = delayed();
    expect(rig.placed('ann', 'buy yes 10 @ 59').outcome).toBe('live');
    expect(rig.refusal('ann', 'buy yes 10 @ 60', { postOnly: true })).toBe('post-only-crosses');
    rig.reported();
    expect(rig.quote(BID, 4, 60)).toBeNull();
    expect(rig.reported()).toContain('trade CONFIRMED buy yes 4 @ 0.6');
  });
});

describe('the start of the game', () => {
  it('clears the book of a market that wants it, and trading goes on', () => {
    const rig = new CoreRig({ first: { clearsBookOnStart: true } });
    const quote = rig.quote(ASK, 10, 60)!;
    const order = rig.placed('ann', 'buy yes 10 @ 40');
    rig.placed('ann', 'buy yes 10 @ 40', { market: rig.other });
    rig.reported();
    rig.timers.advance(6 * HOUR_MS);
    expect(rig.reported()).toEqual([
      'level bid 0.4 × 0 by yes',
      'level ask 0.6 × 0 by no',
      'CANCELLATION ann CANCELED 0/10',
    ]);
    expect(rig.exchange.desk.resting(quote)).toBeNull();
    expect(rig.order('ann', order)!.status).toBe('CANCELED');
    expect(rig.open('ann')).toHaveLength(1);
    expect(rig.refusal('ann', 'buy yes 10 @ 40')).toBe('taken');
  });
});

describe('a settlement', () => {
  /** Ann buys ten shares from the house. The ids are random, so that they differ. */
  function traded(rig: CoreRig): TradeRecord {
    rig.quote(ASK, 10, 60);
    const { trades } = rig.placed('ann', 'buy yes 10 @ 60');
    rig.reported();
    return trades[0]!;
  }

  it('is mined, then confirmed', () => {
    const rig = new CoreRig();
    const trade = traded(rig);
    expect(trade).toMatchObject({ status: 'MATCHED', transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    rig.timers.advance(1_999);
    expect(rig.reported()).toEqual([]);
    rig.timers.advance(1);
    expect(rig.reported()).toEqual(['trade-status MINED buy yes 10 @ 0.6']);
    expect(rig.trades('ann')[0]!.transactionHash).toBe(trade.transactionHash);
    rig.timers.advance(3_000);
    expect(rig.reported()).toEqual(['trade-status CONFIRMED buy yes 10 @ 0.6']);
    expect(trade.tradeId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(rig.timers.pending).toBe(0);
  });

  it.each([0, 100, 60_000])('takes as long as the faults say: %d ms', delayMs => {
    const rig = new CoreRig();
    rig.faults.delayMs = delayMs;
    traded(rig);
    rig.timers.advance(Math.max(delayMs - 1, 0));
    expect(rig.trades('ann')[0]!.status).toBe(delayMs === 0 ? 'CONFIRMED' : 'MINED');
    rig.timers.advance(1);
    expect(rig.trades('ann')[0]!.status).toBe('CONFIRMED');
  });

  it('may have to be tried again', () => {
    const rig = new CoreRig();
    rig.faults.fate = 'retries';
    const first = traded(rig);
    rig.timers.advance(60_000);
    expect(rig.reported().map(line => line.split(' ')[1])).toEqual(['RETRYING', 'MATCHED', 'MINED', 'CONFIRMED']);
    // A settlement that is sent again has another transaction hash.
    expect(rig.trades('ann')[0]!.transactionHash).not.toBe(first.transactionHash);
    expect(rig.held('ann')).toEqual([10, 0]);
  });
});
