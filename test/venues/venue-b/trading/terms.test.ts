// The terms of an order that only venue B has, and prices finer than a cent. On the real paper exchange.

import { describe, expect, it } from 'vitest';
import type { VenueBOrderRequest, VenueBTerms } from '../../../../src/core/domain/order-request.ts';
import { cancel, Ear, look, price, send, size, strike } from '../../trading-rig.ts';
import { VenueBTradingRig, type VenueBTradingRigOptions } from './trading-rig.ts';

let rig: VenueBTradingRig;
const open = async (options?: VenueBTradingRigOptions): Promise<void> => {
  rig = await VenueBTradingRig.open(options);
};

const TERMS: VenueBTerms = { expiresAt: null, postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER' };
const wish = (action: 'BUY' | 'SELL', at: string, more: Partial<VenueBOrderRequest> = {}) =>
  rig.wish({ action, price: price(at), ...more });

describe('a market whose grid is finer than a cent', () => {
  const grid = { name: 'deci_cent', ranges: [{ start: '0.0000', end: '1.0000', step: '0.0010' }] };

  it('takes a price on it, of either side', async () => {
    await open({ listing: { grid } });
    rig.others('SELL', price('0.316'), size('20'), 'rest');
    const bought = await send(rig, wish('BUY', '0.316'));
    expect(await look(rig, bought)).toMatchObject({ state: 'gone', fills: [{ price: price('0.316') }] });
    const no = await send(rig, wish('BUY', '0.685', { side: 'NO' }));
    expect(no.outcome).toMatchObject({ type: 'accepted', state: 'rests' });
    expect(await rig.trading.openOrders()).toMatchObject({
      value: { rows: [{ request: { side: 'YES', action: 'SELL', price: price('0.315') } }] },
    });
  });

  it('refuses one that is off it, in its own words', async () => {
    await open({ listing: { grid } });
    const { outcome } = await send(rig, wish('BUY', '0.3165'));
    expect(outcome).toMatchObject({
      type: 'refused',
      error: { code: 'INVALID_ORDER' },
      venueError: { code: 'invalid_price', message: 'invalid price' },
    });
  });
});

describe('a post-only order whose refusal is lost', () => {
  it('is found by what ended in the moment in which it was made', async () => {
    await open();
    rig.others('SELL', price('0.5'), size('20'), 'rest');
    strike(rig, rig.operations.submit, { kind: 'lost', isApplied: true });
    const placed = await send(rig, wish('BUY', '0.55', { terms: { ...TERMS, postOnly: true } }));
    expect(placed.outcome.type).toBe('unknown');
    expect(await look(rig, placed)).toMatchObject({ type: 'found', state: 'gone', isAtOnce: true, fills: [] });
  });

  it('is not found by an order that has rested', async () => {
    await open();
    const placed = await send(rig, wish('BUY', '0.3', { terms: { ...TERMS, postOnly: true } }));
    await rig.advance(1_000);
    expect(await cancel(rig, placed)).toEqual({ type: 'cancelled' });
    await rig.advance(1_000);
    expect(await look(rig, placed)).toMatchObject({ type: 'found', isAtOnce: false });
  });
});

describe('a reduce-only order', () => {
  const reduces = { timeInForce: 'IOC', terms: { ...TERMS, reduceOnly: true } } as const;

  it('trades no further than a flat position', async () => {
    await open();
    rig.others('SELL', price('0.5'), size('4'), 'rest');
    await send(rig, wish('BUY', '0.5', { size: size('4') }));
    rig.others('BUY', price('0.45'), size('20'), 'rest');
    const placed = await send(rig, wish('SELL', '0.45', reduces));
    expect(await look(rig, placed)).toMatchObject({ type: 'found', state: 'gone', stated: { size: size('4') } });
    expect(await rig.trading.positions()).toMatchObject({ value: { rows: [] } });
  });

  it('is refused if there is nothing to reduce', async () => {
    await open();
    rig.others('BUY', price('0.45'), size('20'), 'rest');
    const { outcome } = await send(rig, wish('SELL', '0.45', reduces));
    expect(outcome).toMatchObject({ type: 'refused', kind: 'invalid', venueError: { code: 'invalid_order' } });
  });
});

describe('an order that meets one of its own account', () => {
  const meets = async (selfTrade: VenueBTerms['selfTrade']) => {
    await open();
    const ear = await Ear.up(rig.trading);
    const resting = await send(rig, wish('BUY', '0.4'));
    const meeting = await send(rig, wish('SELL', '0.4', { terms: { ...TERMS, selfTrade } }));
    const ends = () =>
      ear.events.flatMap(event => (event.type === 'order' && event.order.state === 'gone' ? [event.order] : []));
    await ear.until(() => ends().length > 0);
    return { resting, meeting, ended: ends()[0]! };
  };

  it('is cancelled by default, and the one that rests stays', async () => {
    const { resting, meeting, ended } = await meets('CANCEL_TAKER');
    expect(meeting.outcome).toMatchObject({ type: 'accepted', state: 'gone', reason: 'SELF_TRADE' });
    expect(ended).toMatchObject({ clientOrderId: meeting.intent.clientOrderId, reason: 'SELF_TRADE' });
    expect(await look(rig, resting)).toMatchObject({ state: 'rests' });
  });

  it('takes its place if it asks for that', async () => {
    const { resting, meeting, ended } = await meets('CANCEL_MAKER');
    expect(meeting.outcome).toMatchObject({ type: 'accepted', state: 'rests' });
    expect(ended).toMatchObject({ clientOrderId: resting.intent.clientOrderId, reason: 'SELF_TRADE' });
  });
});

describe('an order that has expired', () => {
  it('is said to have, on the stream and in a look-up', async () => {
    await open();
    const ear = await Ear.up(rig.trading);
    const placed = await send(rig, rig.order({ side: 'BUY', price: price('0.3'), size: size('10'), forMs: 5_000 }));
    await rig.advance(5_000);
    await ear.until(() => ear.events.some(event => event.type === 'order' && event.order.reason === 'EXPIRED'));
    await rig.advance(1_000);
    expect(await look(rig, placed)).toMatchObject({ state: 'gone', reason: 'EXPIRED' });
  });

  it('is not said to have if it was cancelled before', async () => {
    await open();
    const placed = await send(rig, rig.order({ side: 'BUY', price: price('0.3'), size: size('10'), forMs: 5_000 }));
    expect(await cancel(rig, placed)).toEqual({ type: 'cancelled' });
    await rig.advance(10_000);
    expect(await look(rig, placed)).toMatchObject({ state: 'gone', reason: 'VENUE' });
  });
});
