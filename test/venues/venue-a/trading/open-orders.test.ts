// An order as venue A shows it: where it stands, by each text of its status.

import { describe, expect, it } from 'vitest';
import { committedBy, readShownOrder } from '../../../../src/venues/venue-a/trading/open-orders.ts';

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

  it.each([
    ['nothing', '0', 'GTC', 'gone', null],
    ['a part', '2', 'GTC', 'rests', 2_000_000],
    ['all but a hundredth', '4.99', 'GTC', 'rests', 4_990_000],
    ['all but less than that', '4.990001', 'GTC', 'gone', 4_990_001],
    ['a part, of what cannot rest', '2', 'FAK', 'gone', null],
  ])('that was matched: %s', (_what, size_matched, order_type, state, size) => {
    const order = readShownOrder({ ...shown, status: 'MATCHED', size_matched, order_type });
    expect([order?.state, order?.stated?.size ?? null]).toEqual([state, size]);
  });

  it('that was cancelled just now has not been matched whole', () => {
    const cancelled = { ...shown, type: 'CANCELLATION', status: 'CANCELED' };
    expect(readShownOrder({ ...cancelled, size_matched: '2' })).toMatchObject({ stated: { size: 2_000_000 } });
    expect(readShownOrder({ ...cancelled, size_matched: '5' })).toMatchObject({ state: 'gone', stated: null });
  });

  it.each([
    ['a buy, what is left of it', { size_matched: '2' }, 1_500_000],
    ['parts of a micro-dollar, whole', { original_size: '0.000001', price: '0.3333' }, 1],
    ['a sale, nothing', { side: 'SELL' }, 0],
    ['what is over, nothing', { status: 'CANCELED' }, 0],
  ])('holds back of %s', (_what, change, committed) => {
    expect(committedBy(readShownOrder({ ...shown, status: 'LIVE', ...change })!)).toBe(committed);
  });
});
