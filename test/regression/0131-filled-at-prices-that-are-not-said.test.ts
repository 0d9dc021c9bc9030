// Found by review: venue B answered a filled order without its usual averages. That became 201 CANCELLED with nothing filled, and stayed
// the answer to its idempotency key. Now the traded amount is looked up.

import { describe, expect, it } from 'vitest';
import { NOTHING_FILLED } from '../../src/domain/order-sums.ts';
import { submitOutcome } from '../../src/venues/venue-b/trading/answers.ts';
import { found, Rig, YES_BUY } from '../orders/orders-rig.ts';

function answered(change: object) {
  const order = { order_id: 'v-1', client_order_id: 'c', fill_count: '10.00', remaining_count: '0.00', ...change };
  const body = Buffer.from(JSON.stringify(order));
  return submitOutcome(YES_BUY, 'c', { type: 'answer', status: 201, headers: new Map(), body });
}

describe('an answer that says', () => {
  it.each([
    ['all is filled, and no price', {}, { type: 'exists' }],
    ['all is filled, and the price', { average_fill_price: '0.56' }, { type: 'accepted', state: 'gone' }],
    [
      'a part is filled, and no price',
      { fill_count: '4.00', remaining_count: '6.00' },
      { state: 'rests', stated: null },
    ],
    ['nothing is filled', { fill_count: '0.00' }, { state: 'gone', stated: NOTHING_FILLED }],
  ])('%s', (_what, change, expected) => {
    expect(answered(change)).toMatchObject(expected);
  });
});

it('the order is looked up, and answered as it turns out', async () => {
  const rig = new Rig();
  rig.venue.lookUps = [found('gone', [rig.fill('f', 10)])];
  expect(await rig.submit(answered({}))).toMatchObject({ type: 'made', status: 'FILLED' });
});
