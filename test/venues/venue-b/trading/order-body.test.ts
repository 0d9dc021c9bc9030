// The body of an order for venue B: every price in whole cents, in dollars with four decimals.

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../../src/core/domain/actor-tag.ts';
import type { Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { OrderId } from '../../../../src/core/domain/order.ts';
import type { VenueBOrderRequest } from '../../../../src/core/domain/order-request.ts';
import { orderBody } from '../../../../src/venues/venue-b/trading/order-body.ts';
import { size } from '../../trading-rig.ts';

const CLIENT_ORDER_ID = clientOrderIdOf('5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38' as OrderId, 'alice');

const request = (side: 'YES' | 'NO', cents: number): VenueBOrderRequest => ({
  venue: 'venue_b',
  ticker: 'KXA',
  side,
  action: 'BUY',
  size: size('12'),
  price: (cents * 100) as Ticks,
  timeInForce: 'IOC',
});

it('is what is wished, and nothing else', () => {
  expect(JSON.parse(orderBody(request('YES', 56), CLIENT_ORDER_ID))).toEqual({
    ticker: 'KXA',
    client_order_id: CLIENT_ORDER_ID,
    side: 'bid',
    count: '12.00',
    price: '0.5600',
    time_in_force: 'immediate_or_cancel',
    self_trade_prevention_type: 'taker_at_cross',
  });
});

it('has the terms that are not as by default, in the venue’s words', () => {
  const terms = { expiresAt: null, postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER' } as const;
  const more = (wish: Partial<VenueBOrderRequest>) => {
    const { ticker, client_order_id, side, count, price, ...rest } = JSON.parse(
      orderBody({ ...request('YES', 56), ...wish }, CLIENT_ORDER_ID),
    );
    return rest;
  };
  const [gtc, ioc] = [{ time_in_force: 'good_till_canceled' }, { time_in_force: 'immediate_or_cancel' }];
  const taker = { self_trade_prevention_type: 'taker_at_cross' };
  expect(more({ timeInForce: 'GTC', terms: { ...terms, postOnly: true } })).toEqual({
    ...gtc,
    ...taker,
    post_only: true,
  });
  const expiresAt = 1_795_000_000_000 as UnixMillis;
  expect(more({ timeInForce: 'GTD', terms: { ...terms, expiresAt } })).toEqual({
    ...gtc,
    ...taker,
    expiration_time: 1_795_000_000,
  });
  expect(more({ terms: { ...terms, reduceOnly: true, selfTrade: 'CANCEL_MAKER' } })).toEqual({
    ...ioc,
    self_trade_prevention_type: 'maker',
    reduce_only: true,
  });
});

it('has a price finer than a cent', () => {
  const finer = { ...request('NO', 1), price: 3_165 as Ticks };
  expect(JSON.parse(orderBody(finer, CLIENT_ORDER_ID)).price).toBe('0.6835');
});

it.each(['0.22', '0.01', '10.5', '1000000000'])('has %s contracts in hundredths', text => {
  const { count } = JSON.parse(orderBody({ ...request('YES', 56), size: size(text) }, CLIENT_ORDER_ID));
  expect(count).toBe(Number(text).toFixed(2));
});

it('is never of a part that the venue does not trade', () => {
  expect(() => orderBody({ ...request('YES', 56), size: size('0.225') }, CLIENT_ORDER_ID)).toThrow('hundredths');
});

it('has the price of YES, for either side', () => {
  for (let cents = 1; cents < 100; cents += 1) {
    const [yes, no] = (['YES', 'NO'] as const).map(side =>
      JSON.parse(orderBody(request(side, cents), CLIENT_ORDER_ID)),
    );
    expect([yes.price, no.price]).toEqual([(cents / 100).toFixed(4), ((100 - cents) / 100).toFixed(4)]);
  }
});
