// Orders of venue A without an answer: the result of a look-up after any fault, however late the venue shows the order.

import { beforeEach, describe, expect, it } from 'vitest';
import { BID } from '../../../../src/core/domain/market.ts';
import type { Order } from '../../../../src/core/domain/order.ts';
import { limits } from '../../../../src/limits.ts';
import { eventListing, marketListing, REGULAR } from '../../../paper/venue-a/venue-a-rig.ts';
import { outcomeOf } from '../../../support/order-outcome.ts';
import { turnsUntil } from '../../../support/turns.ts';
import { cents, FIRST, keyOfTime, limit, marketBuy, shares, TradingRig } from './trading-rig.ts';

let rig: TradingRig;

beforeEach(async () => {
  rig = await TradingRig.start();
});

describe('an order of which nobody knows', () => {
  it('is absent once reads cannot lag behind it any more', async () => {
    rig.strike('POST /order', { kind: 'lost', isApplied: false });
    const { order, intent } = await rig.place(limit('BUY', 50, 10));
    expect(await rig.trading.lookUp(order, intent, rig.in(1_000))).toEqual({ type: 'absent', isCurrent: false });
    rig.venue.timers.advance(30_000);
    expect(await rig.trading.lookUp(order, intent, rig.in(1_000))).toEqual({ type: 'absent', isCurrent: true });
  });

  it('was matched: its trades tell', async () => {
    rig.venue.quote(REGULAR, 1, 50, 4);
    rig.venue.quote(REGULAR, 1, 51, 6);
    rig.strike('POST /order', { kind: 'lost', isApplied: true });
    const { order, intent } = await rig.place(limit('BUY', 55, 10));
    const found = await rig.trading.lookUp(order, intent, rig.in(1_000));
    expect(found).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(10) } });
    expect(found.type === 'found' && found.fills.map(({ price, size }) => [price, size])).toEqual([
      [cents(50), shares(4)],
      [cents(51), shares(6)],
    ]);
  });

  it('was matched in a market that the venue has forgotten: its trades show it', async () => {
    rig.venue.quote(REGULAR, 1, 50, 10);
    rig.strike('POST /order', { kind: 'lost', isApplied: true });
    const { order, intent } = await rig.place(limit('BUY', 55, 10));
    for (const path of ['/markets-by-token/:token', '/clob-markets/:condition'])
      rig.strike(`GET ${path}`, { kind: 'status', status: 404, isApplied: false }, null);
    const found = await rig.another().lookUp(order, intent, rig.in(1_000));
    expect(found).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(10) }, fills: [{}] });
  });

  it('cannot be looked up while the venue fails', async () => {
    const { order, intent } = await rig.place(limit('BUY', 50, 10));
    rig.strike('GET /data/*', { kind: 'status', status: 503, isApplied: false }, null);
    expect(await rig.trading.lookUp(order, intent, rig.in(1_000))).toMatchObject({ type: 'unavailable' });
  });

  it('arrives while it is looked up: what is left of it rests', async () => {
    rig.venue.quote(REGULAR, 1, 50, 4);
    await rig.trading.facts(FIRST);
    rig.strike('POST /order', { kind: 'delay', beforeMs: 1_000, afterMs: 0 });
    const { order, intent, outcome } = await rig.place(limit('BUY', 55, 10), { timeoutMs: 50 });
    expect(outcome).toMatchObject({ type: 'unknown', cause: 'timeout' });
    rig.strike('GET /data/trades', { kind: 'delay', beforeMs: 2_000, afterMs: 0 });
    const found = rig.trading.lookUp(order, intent, rig.in(5_000));
    await turnsUntil(() => [...rig.plan.rules].at(-1)?.hits === 1);
    rig.venue.timers.advance(1_000);
    rig.venue.timers.advance(1_000);
    expect(await found).toMatchObject({ type: 'found', state: 'rests', stated: { size: shares(4) }, fills: [{}] });
  });

  it('is not taken for gone by a read that lags', async () => {
    rig.venue.timers.advance(60_000);
    rig.plan.setStaleMs('venue_a', 2_000);
    const { order, intent } = await rig.place(limit('BUY', 50, 10));
    expect(await rig.trading.lookUp(order, intent, rig.in(1_000))).toEqual({ type: 'absent', isCurrent: false });
    rig.venue.timers.advance(2_000);
    expect(await rig.trading.lookUp(order, intent, rig.in(1_000))).toMatchObject({ type: 'found', state: 'rests' });
  });

  it('is the same when it is built anew from a UUIDv7 key: refused as a duplicate', async () => {
    const key = keyOfTime(rig.venue.timers.now() - 60_000);
    const pending = rig.order(limit('BUY', 50, 10));
    const first = await rig.trading.prepare(pending, key);
    rig.venue.timers.advance(5_000);
    const second = await rig.trading.prepare(pending, key);
    if (!first.ok || !second.ok) throw new Error('not prepared');
    expect(second.value).toEqual(first.value);
    expect(await outcomeOf(rig.trading, pending, first.value, rig.in(1_000))).toMatchObject({ type: 'accepted' });
    expect(await outcomeOf(rig.trading, pending, second.value, rig.in(1_000))).toMatchObject({ type: 'exists' });
  });

  it('that was sent minutes before its record was made anew is found by its trades', async () => {
    const key = keyOfTime(rig.venue.timers.now() + limits.venueAKeyTimeMs);
    rig.venue.quote(REGULAR, 1, 50, 10);
    const { order, intent } = await rig.place(limit('BUY', 50, 10), { key });
    rig.venue.timers.advance(2 * limits.venueAKeyTimeMs);
    const anew: Order = { ...order, createdAt: rig.in(0), updatedAt: rig.in(0), sentAt: null, venueOrderId: null };
    expect(await rig.another().prepare(anew, key)).toEqual({ ok: true, value: intent });
    expect(await rig.trading.lookUp(anew, intent, rig.in(1_000))).toMatchObject({
      type: 'found',
      state: 'gone',
      fills: [{ size: shares(10) }],
    });
  });
});

describe('a market order that finds nobody after its taker delay', () => {
  const held = async (timeInForce: 'FAK' | 'FOK') => {
    rig = await TradingRig.start({ events: [eventListing([marketListing({ takerDelayS: 3 })])] });
    rig.venue.quote(REGULAR, 1, 50, 100);
    const events = await rig.listen();
    const placed = await rig.place(marketBuy(10, timeInForce, 50));
    expect(placed.outcome).toMatchObject({ type: 'accepted', state: 'delayed' });
    const { desk } = rig.venue.exchange;
    const market = desk.markets.find(it => it.address === REGULAR.conditionId)!;
    desk.place(market, BID, cents(50), shares(100), 'take');
    rig.venue.timers.advance(3_000);
    return { ...placed, events };
  };

  it.each(['FAK', 'FOK'] as const)('4007: %s is undecided, then gone with nothing', async timeInForce => {
    const { order, intent, events } = await held(timeInForce);
    const sent: Order = { ...order, status: 'SUBMITTED' };
    const look = () => rig.trading.lookUp(sent, intent, rig.in(1_000));
    expect(await look()).toMatchObject({ type: 'found', state: 'delayed' });
    rig.venue.timers.advance(limits.venueAImmediateMs);
    expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: 0 }, fills: [] });
    const states = events.flatMap(event => (event.type === 'order' ? [event.order.state] : []));
    expect(new Set(states)).toEqual(new Set(['delayed']));
  });

  it('4007: an order that an earlier version took for resting ends, too', async () => {
    const { order, intent } = await held('FAK');
    expect(order.status).toBe('OPEN');
    rig.venue.timers.advance(limits.venueAImmediateMs);
    const found = await rig.trading.lookUp(order, intent, rig.in(1_000));
    expect(found).toMatchObject({ type: 'found', state: 'gone', stated: { size: 0 } });
  });
});
