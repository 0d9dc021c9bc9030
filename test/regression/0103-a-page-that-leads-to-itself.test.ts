// Found by review: a page of venue A's list that named itself as the next one counted as the last. The pages so far counted as the whole
// list. Only "-1" is the end (venue-a.md §3.5). Fills beyond it were skipped, and the mark moved past them.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST } from '../venues/venue-a/trading/trading-rig.ts';

const order = {
  id: `0x${'b'.repeat(64)}`,
  status: 'LIVE',
  asset_id: FIRST,
  side: 'BUY',
  original_size: '10',
  size_matched: '0',
  price: '0.5',
  order_type: 'GTC',
};

it.each(['MA==', 'MTAw'])('%s is no end at venue A', async cursor => {
  const { trading, line } = tradingOn({
    '/data/orders': () => ({ body: { data: [order], next_cursor: cursor } }),
    '/data/trades': () => ({ body: { data: [], next_cursor: cursor } }),
  });
  const error = expect.stringContaining('leads to itself');
  expect(await trading.openOrders()).toEqual({ ok: false, error });
  // Beyond a page that holds nothing there is nothing.
  expect(await trading.fillsSince(0 as UnixMillis)).toEqual({ ok: true, value: { rows: [], unread: [] } });
  expect(line.requests.length).toBeLessThanOrEqual(4);
});
