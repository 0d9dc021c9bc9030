// The life of a market (venue-b.md §4.2, §11): the clock, pauses, early closes, results and settlements, and their faults.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { DECI_CENT } from '../../../../src/paper/catalog/venue-b-listings.ts';
import { CLOSE_MS, cents, contracts, dollars, OPEN_MS, Rig, START } from './rig.ts';

const SETTLE_MS = limits.paperSettlementTimerS * 1_000;

/** Ann has bought 10 at 40 from Bob, and another order of Ann rests. */
function held(faults = {}) {
  const rig = new Rig({ faults });
  rig.order(rig.bob, 'ask 10 @ 40');
  rig.order(rig.ann, 'bid 15 @ 40');
  rig.news();
  return rig;
}

describe('a market', () => {
  it('opens and closes by the clock, which says nothing but what it does to orders', () => {
    const rig = new Rig();
    const market = rig.market('LATER');
    expect([market.status, rig.place(rig.ann, 'bid 1 @ 40', { market }).ok]).toEqual(['initialized', false]);
    rig.timers.advance(OPEN_MS);
    expect(market.status).toBe('active');
    expect(rig.news()).toEqual([]);
    rig.order(rig.ann, 'bid 1 @ 40', { market });
    rig.news();
    rig.timers.advance(CLOSE_MS - OPEN_MS);
    expect(market.status).toBe('closed');
    expect(rig.news()).toEqual(['order c2 canceled 0/1 CloseCancel', 'level bid 40 -1=0']);
    expect(rig.place(rig.ann, 'bid 1 @ 40', { market })).toEqual({ ok: false, error: 'market-closed' });
    expect(market.updatedAt).toBe(START + CLOSE_MS);
  });

  it('takes no order after its time though the timer is late, and takes them from its time on', () => {
    const rig = new Rig();
    rig.timers.now = () => (START + OPEN_MS) as UnixMillis;
    expect(rig.place(rig.ann, 'bid 1 @ 40', { market: rig.market('LATER') }).ok).toBe(true);
    rig.timers.now = () => (START + CLOSE_MS) as UnixMillis;
    expect(rig.place(rig.ann, 'bid 1 @ 40')).toEqual({ ok: false, error: 'market-closed' });
    expect(rig.quote('bid 1 @ 40')).toBeNull();
  });

  it('that is paused lets orders be cancelled, and cancels them itself when it goes on', () => {
    const rig = new Rig();
    const market = rig.market();
    const [first, second] = ['bid 1 @ 40', 'bid 2 @ 41'].map(text => rig.order(rig.ann, text).orderId);
    rig.quote('ask 5 @ 60');
    rig.news();
    rig.exchange.life.setPaused(market, true);
    expect([market.status, rig.news()]).toEqual(['inactive', ['M deactivated']]);
    expect(rig.place(rig.ann, 'bid 1 @ 40')).toEqual({ ok: false, error: 'market-paused' });
    expect(rig.exchange.orders.cancel(rig.ann, first!).ok).toBe(true);
    rig.news();
    rig.exchange.life.setPaused(market, false);
    expect(rig.news()).toEqual([
      'M activated',
      'order c2 canceled 0/2 HaltCancel',
      'level bid 41 -2=0',
      'level ask 60 -5=0',
    ]);
    expect([market.status, rig.book(), rig.status(rig.ann, second!)]).toEqual(['active', ' | ', 'canceled']);
    expect(rig.place(rig.ann, 'bid 1 @ 40').ok).toBe(true);
    rig.news();
    rig.exchange.life.setPaused(market, false);
    expect(rig.news()).toEqual([]);
  });

  it('that gets a finer grid keeps its resting orders, and takes orders at the new prices', () => {
    const rig = new Rig();
    rig.order(rig.ann, 'bid 1 @ 40');
    expect(rig.place(rig.ann, 'bid 1 @ 40.5')).toEqual({ ok: false, error: 'invalid-price' });
    rig.news();
    rig.exchange.life.setGrid(rig.market(), DECI_CENT);
    expect([rig.news(), rig.book()]).toEqual([['M price_level_structure_updated'], '1@40 | ']);
    rig.order(rig.ann, 'bid 1 @ 40.5');
    expect(rig.quote('ask 5 @ 60.1')).not.toBeNull();
    expect(rig.book()).toBe('1@40.5 1@40 | 5@60.1');
  });

  it('closes on command, or later', () => {
    const rig = new Rig();
    const market = rig.market();
    rig.exchange.life.setCloseAt(market, (START + 2 * CLOSE_MS) as UnixMillis);
    rig.timers.advance(CLOSE_MS);
    expect([market.status, rig.news()]).toEqual(['active', ['M close_date_updated']]);
    rig.exchange.life.setCloseAt(market, rig.exchange.now());
    expect([market.status, market.closeAt, rig.news()]).toEqual(['closed', START + CLOSE_MS, ['M close_date_updated']]);
    rig.exchange.life.setCloseAt(market, rig.exchange.now());
    rig.timers.advance(2 * CLOSE_MS);
    expect([market.status, rig.news()]).toEqual(['closed', []]);
  });
});

describe('a result', () => {
  it.each([
    ['yes', 100, 10, 0],
    ['no', 0, 0, 10],
    ['scalar', 30, 3, 7],
  ] as const)('%s pays', (result, value, toAnn, toBob) => {
    const rig = held();
    const market = rig.market();
    rig.exchange.life.determine(market, cents(value));
    expect(market).toMatchObject({ status: 'determined', outcome: { result, determinedAt: START, settledAt: null } });
    expect(rig.news()).toEqual([
      'M close_date_updated',
      'order c2 canceled 10/15 CloseCancel',
      'level bid 40 -5=0',
      'M determined',
    ]);
    rig.timers.advance(SETTLE_MS);
    expect(market).toMatchObject({ status: 'finalized', outcome: { settledAt: START + SETTLE_MS } });
    expect(rig.news()).toEqual(['M settled', 'position ann 0', 'position bob 0']);

    const reads = rig.exchange.reads(0);
    expect(reads.balance(rig.ann)).toMatchObject({ available: dollars(1_000 - 4 + toAnn), portfolioValue: 0 });
    expect(reads.balance(rig.bob)).toMatchObject({ available: dollars(1_000 - 6 + toBob), portfolioValue: 0 });
    expect([...reads.settlements(rig.ann)]).toMatchObject([
      { result, yesCount: contracts(10), yesCost: dollars(4), noCount: 0, noCost: 0, revenue: dollars(toAnn) },
    ]);
    expect([...reads.settlements(rig.bob)]).toMatchObject([
      { result, yesCount: 0, yesCost: 0, noCount: contracts(10), noCost: dollars(6), revenue: dollars(toBob) },
    ]);
    const [position] = reads.positions(rig.ann);
    expect(position).toMatchObject({ position: 0, exposure: 0, isSettled: true, realizedPnl: dollars(toAnn - 4) });
    expect(market.openInterest).toBe(0);
  });

  it('of a position that was closed before is no settlement', () => {
    const rig = held();
    rig.quote('bid 10 @ 50');
    rig.order(rig.ann, 'ask 10 @ 50');
    rig.exchange.life.determine(rig.market(), cents(100));
    rig.timers.advance(SETTLE_MS);
    const reads = rig.exchange.reads(0);
    expect([...reads.settlements(rig.ann)]).toEqual([]);
    expect([...reads.positions(rig.ann)]).toMatchObject([{ isSettled: true, realizedPnl: dollars(1) }]);
  });

  it('settles when the faults want it to', () => {
    const rig = held({ settlementDelayMs: () => 5_000 });
    rig.exchange.life.determine(rig.market(), cents(100));
    rig.timers.advance(4_999);
    expect(rig.market().status).toBe('determined');
    rig.timers.advance(1);
    expect(rig.market().status).toBe('finalized');
    rig.exchange.life.determine(rig.market(), cents(0));
    expect(rig.market().outcome?.result).toBe('yes');
  });

  it('that is disputed is determined again later, and settles then', () => {
    const rig = held({ ofSettlement: () => 'retries' });
    rig.exchange.life.determine(rig.market(), cents(100));
    const states = [0, 1, 2].map(() => {
      rig.timers.advance(SETTLE_MS);
      return rig.market().status;
    });
    expect(states).toEqual(['disputed', 'determined', 'finalized']);
    expect(rig.news().filter(line => line.startsWith('M'))).toEqual([
      'M close_date_updated',
      'M determined',
      'M determined',
      'M settled',
    ]);
  });

  it('that fails stays, until it is determined anew', () => {
    let fault: 'fails' | null = 'fails';
    const rig = held({ ofSettlement: () => fault });
    rig.exchange.life.determine(rig.market(), cents(100));
    rig.timers.advance(10 * SETTLE_MS);
    expect(rig.market().status).toBe('determined');
    fault = null;
    rig.exchange.life.determine(rig.market(), cents(0));
    rig.timers.advance(SETTLE_MS);
    expect(rig.market()).toMatchObject({ status: 'finalized', outcome: { result: 'no' } });
  });
});

describe('a pause of the exchange', () => {
  const cancel = (rig: Rig, orderId: string) => rig.exchange.orders.cancel(rig.ann, orderId);
  const decrease = (rig: Rig, orderId: string) => rig.exchange.orders.decrease(rig.ann, orderId, { by: contracts(1) });
  const amend = (rig: Rig, orderId: string) =>
    rig.exchange.orders.amend(rig.ann, orderId, {
      ticker: 'M',
      side: 0,
      price: cents(41),
      total: contracts(2),
      expiresAt: 'as before',
      clientOrderId: null,
      updatedClientOrderId: null,
    });
  const place = (rig: Rig) => rig.place(rig.ann, 'bid 1 @ 40');
  const stopTrading = (rig: Rig) => rig.exchange.state.setTradingActive(false);
  const stopAll = (rig: Rig) => rig.exchange.state.setExchangeActive(false);

  it.each([
    ['of trading: place', stopTrading, place, 'trading-paused'],
    ['of trading: amend', stopTrading, amend, 'trading-paused'],
    ['of trading: cancel', stopTrading, cancel, null],
    ['of trading: decrease', stopTrading, decrease, null],
    ['of all: place', stopAll, place, 'exchange-paused'],
    ['of all: amend', stopAll, amend, 'exchange-paused'],
    ['of all: cancel', stopAll, cancel, 'exchange-paused'],
    ['of all: decrease', stopAll, decrease, 'exchange-paused'],
  ] as const)('%s', (_what, stop, request, error) => {
    const rig = new Rig();
    const { orderId } = rig.order(rig.ann, 'bid 2 @ 40');
    stop(rig);
    const answer = request(rig, orderId);
    expect(answer.ok ? null : answer.error).toBe(error);
    // A cancel-all is refused in the same cases as a single cancel.
    const isLeft = stop === stopTrading && rig.status(rig.ann, orderId) === 'resting';
    expect(rig.exchange.orders.cancelAll(rig.ann)).toBe(isLeft ? 1 : 0);
  });

  it.each([
    ['trading', stopTrading],
    ['all', stopAll],
  ])('of %s cancels the orders that want it, and ends', (_what, stop) => {
    const rig = new Rig();
    rig.order(rig.ann, 'bid 1 @ 40', { isCancelledOnPause: true });
    rig.order(rig.ann, 'bid 2 @ 40');
    rig.news();
    stop(rig);
    expect(rig.news()).toEqual(['order c1 canceled 0/1 HaltCancel', 'level bid 40 -1=2']);
    rig.exchange.state.setTradingActive(true);
    rig.exchange.state.setExchangeActive(true);
    expect([rig.exchange.state.isTradingActive, rig.exchange.state.isExchangeActive, place(rig).ok]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
