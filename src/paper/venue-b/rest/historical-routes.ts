// Account history of venue B older than three months (venue-b.md §4.5): always empty, because a paper exchange is never that
// old. Thread of the paper exchanges.

import { jsonReply } from '../../../net/listen.ts';
import { QueryReader } from './market-query.ts';
import { ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX } from './private-lists.ts';
import type { SignedRoute } from './route.ts';

export const historicalRoutes: readonly SignedRoute[] = [
  empty('fills', 'GetFillsHistorical', { fills: [] }),
  empty('orders', 'GetHistoricalOrders', { orders: [] }),
  empty('positions', 'GetHistoricalPositions', { event_positions: [], market_positions: [] }),
];

function empty(name: string, operation: string, lists: Readonly<Record<string, readonly never[]>>): SignedRoute {
  return {
    method: 'get',
    path: `/historical/${name}`,
    access: 'read',
    handle: call => {
      const query = new QueryReader(operation, call.query);
      query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX);
      return query.refusal ?? jsonReply(200, { cursor: '', ...lists });
    },
  };
}
