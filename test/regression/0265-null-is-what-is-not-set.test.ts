// Found by review: venue B leaves unset fields out, and at times writes null instead, as recorded for `client_order_id` in an answer to new
// orders. That counted as somebody else's order: an accepted order was a 502. So was one with null averages; and a fill with a null fee was
// unreadable, and its account with it.

import { describe, expect, it } from 'vitest';
import type { VenueBOrderRequest } from '../../src/domain/order-request.ts';
import { submitOutcome } from '../../src/venues/venue-b/trading/answers.ts';
import { fillRecordOf, orderRecordOf } from '../../src/venues/venue-b/trading/reported-rows.ts';
import { price, size } from '../venues/trading-rig.ts';
import { answer } from '../venues/venue-b/trading/scripted-answers.ts';
import { FILL, ORDER } from '../venues/venue-b/trading/scripted-rest.ts';

const REQUEST: VenueBOrderRequest = {
  venue: 'venue_b',
  ticker: 'KXA',
  side: 'YES',
  action: 'BUY',
  size: size('10'),
  price: price('0.6'),
  timeInForce: 'GTC',
};
const TAKEN = { order_id: 'order', client_order_id: 'ours', fill_count: '0.00', remaining_count: '10.00', ts_ms: 1 };
const PARTLY = { ...TAKEN, fill_count: '4.00', remaining_count: '6.00' };

describe.each([null, undefined])('%s in an answer to a new order', unset => {
  it.each([
    ['its own id', { ...TAKEN, client_order_id: unset }, { size: 0 }],
    ['averages of nothing', { ...TAKEN, average_fill_price: unset, average_fee_paid: unset }, { size: 0 }],
    ['averages of what it took', { ...PARTLY, average_fill_price: unset, average_fee_paid: unset }, null],
    ['the fee', { ...PARTLY, average_fill_price: '0.5200', average_fee_paid: unset }, { size: size('4'), fees: 0 }],
  ])('for %s', (_what, body, stated) => {
    const outcome = submitOutcome(REQUEST, 'ours', answer(201, body));
    expect(outcome).toMatchObject({ type: 'accepted', venueOrderId: 'order', state: 'rests', stated });
  });

  it('for the averages of what is filled whole: it is looked up', () => {
    const body = { ...PARTLY, fill_count: '10.00', remaining_count: '0.00', average_fill_price: unset };
    expect(submitOutcome(REQUEST, 'ours', answer(201, body)).type).toBe('exists');
  });

  it('for sums of an order, and for the fee of a fill', () => {
    const sums = { maker_fill_cost_dollars: unset, maker_fees_dollars: unset };
    const order = { ...ORDER, fill_count_fp: '1.00', remaining_count_fp: '9.00', ...sums };
    expect(orderRecordOf(order)).toMatchObject({ stated: { size: size('1'), fees: 10_000 } });
    expect(fillRecordOf({ ...FILL, fee_cost: unset })).toMatchObject({ fee: 0, size: size('2.5') });
  });
});
