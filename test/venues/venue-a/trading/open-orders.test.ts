// An order as venue A shows it: where it stands, by each text of its status.

import { describe, expect, it } from 'vitest';
import { readShownOrder } from '../../../../src/venues/venue-a/trading/open-orders.ts';

describe('an order as it is shown', () => {
  const ID = `0x${'a'.repeat(64)}`;
  const shown = { id: ID, asset_id: '123', side: 'BUY', price: '0.5', original_size: '5', order_type: 'GTC' };

  it.each([
    ['LIVE', 'rests'],
    ['unmatched', 'rests'],
    ['ORDER_STATUS_UNMATCHED', 'rests'],
    ['UNMATCHED_invalid post-only order: order crosses book', 'gone'],
    ['DELAYED_by the market', 'delayed'],
    ['CANCELED_MARKET_RESOLVED', 'gone'],
    ['INVALID', 'gone'],
  ])('with status %s', (status, state) => {
    expect(readShownOrder({ ...shown, type: 'UPDATE', status })).toMatchObject({ state });
    expect(readShownOrder({ ...shown, type: 'CANCELLATION', status })).toMatchObject({ state: 'gone' });
  });
});
