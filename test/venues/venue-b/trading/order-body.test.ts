// The body of an order for venue B: every price in whole cents, in dollars with four decimals.

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../../src/core/domain/actor-tag.ts';
import type { Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { OrderId } from '../../../../src/core/domain/order.ts';
import type { VenueBOrderRequest } from '../../../../src/core/domain/order-request.ts';
import { orderBody } from '../../../../src/venues/venue-b/trading/order-body.ts';
import { price, size } from '../../trading-rig.ts';
import { request } from './scripted-answers.ts';

const CLIENT_ORDER_ID = clientOrderIdOf('5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38' as OrderId, 'alice');

/** Returns the body of an order for twelve contracts at 0.56, with the changes. */
function bodyOf(changes: Partial<VenueBOrderRequest> = {}) {
  const wish = { size: size('12'), price: price('0.56'), timeInForce: 'IOC', ...changes } as const;
  return JSON.parse(orderBody(request(wish), CLIENT_ORDER_ID));
}

it('is what is wished, and nothing else', () => {
  expect(bodyOf()).toEqual({
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
    const { ticker, client_order_id, side, count, price, ...rest } = bodyOf(wish);
    return rest;
  };
  const rests = { time_in_force: 'good_till_canceled', self_trade_prevention_type: 'taker_at_cross' };
  expect(more({ timeInForce: 'GTC', terms: { ...terms, postOnly: true } })).toEqual({ ...rests, post_only: true });
  const expiresAt = 1_795_000_000_000 as UnixMillis;
  const expires = { ...rests, expiration_time: 1_795_000_000 };
  expect(more({ timeInForce: 'GTD', terms: { ...terms, expiresAt } })).toEqual(expires);
  expect(more({ terms: { ...terms, reduceOnly: true, selfTrade: 'CANCEL_MAKER' } })).toEqual({
    time_in_force: 'immediate_or_cancel',
    self_trade_prevention_type: 'maker',
    reduce_only: true,
  });
});

it('has a price finer than a cent', () => {
  expect(bodyOf({ side: 'NO', price: price('0.3165') }).price).toBe('0.6835');
});

it.each(['0.22', '0.01', '10.5', '1000000000'])('has %s contracts in hundredths', text => {
  expect(bodyOf({ size: size(text) }).count).toBe(Number(text).toFixed(2));
});

it('is never of a part that the venue does not trade', () => {
  expect(() => bodyOf({ size: size('0.225') })).toThrow('hundredths');
});

it('has the price of YES, for either side', () => {
  for (let cents = 1; cents < 100; cents += 1) {
    const [yes, no] = (['YES', 'NO'] as const).map(side => bodyOf({ side, price: (cents * 100) as Ticks }));
    expect([yes.price, no.price]).toEqual([(cents / 100).toFixed(4), ((100 - cents) / 100).toFixed(4)]);
  }
});
