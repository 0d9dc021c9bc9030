// Routes of venue B about what a paper exchange never has. Combos, requests for quotes, block trades, incentives, live data (shapes of
// the official client 3.30.0), and archived markets and public trades (venue-b.md §4.5). Lists are empty, and named ones are not found.
// Order calls that the venue removed in June 2026 (venue-b.md §5.8) answer so, and cost tokens. Thread of the paper exchanges.

import { jsonReply, type Reply } from '../../../net/listen.ts';
import { errorReply, NOT_FOUND, type VenueBError } from './errors.ts';
import { type Call, publicGet, read, type VenueBRoute, write } from './route.ts';
import { DEFAULT_COST } from './serving.ts';

const ITEMS_PER_PAGE = 100;
const ITEMS_PER_PAGE_MAX = 1_000;
/** venue-b.md §9. */
const LOOK_UP_COST = 2;
const COLLECTIONS = '/multivariate_event_collections';
const DEPRECATED: VenueBError = {
  status: 410,
  error: {
    code: 'deprecated_v1_order_endpoint',
    message: 'deprecated v1 order endpoint',
    details: 'use the V2 endpoints below /portfolio/events/orders',
  },
};
/** With the costs that the venue still lists. */
const REMOVED: readonly (readonly ['post' | 'delete', path: string, cost: number])[] = [
  ['post', '', 20],
  ['delete', '', DEFAULT_COST],
  ['delete', '/:order_id', 4],
  ['post', '/:order_id/amend', 20],
  ['post', '/:order_id/decrease', 20],
  ['post', '/batched', 20],
  ['delete', '/batched', 4],
];

export const absentRoutes: readonly VenueBRoute[] = [
  publicGet('/historical/markets', () => jsonReply(200, { cursor: '', markets: [] })),
  publicGet('/historical/markets/:ticker', notFound),
  publicGet('/historical/markets/:ticker/candlesticks', notFound),
  publicGet('/historical/trades', () => jsonReply(200, { cursor: '', trades: [] })),
  publicGet(COLLECTIONS, empty('multivariate_contracts'), 'GetMultivariateEventCollections'),
  publicGet(`${COLLECTIONS}/:collection`, notFound),
  write('post', `${COLLECTIONS}/:collection`, notFound),
  write('put', `${COLLECTIONS}/:collection/lookup`, notFound, { cost: LOOK_UP_COST }),
  publicGet('/incentive_programs', () => jsonReply(200, { incentive_programs: [] })),
  publicGet('/live_data/batch', () => jsonReply(200, { live_datas: [] })),
  publicGet('/live_data/events/:event', notFound),
  publicGet('/live_data/milestone/:milestone', notFound),
  publicGet('/live_data/milestone/:milestone/game_stats', notFound),
  publicGet('/live_data/:type/milestone/:milestone', notFound),
  read('/communications/block-trade-proposals', empty('block_trade_proposals'), {
    operation: 'GetBlockTradeProposals',
  }),
  read('/communications/id', ({ caller }) => jsonReply(200, { communications_id: caller.userId })),
  read('/communications/rfqs', empty('rfqs'), { operation: 'GetRFQs' }),
  read('/communications/rfqs/:rfq', notFound),
  read('/communications/rfqs/:rfq/quotes/:quote', notFound),
  read('/communications/quotes', empty('quotes'), { operation: 'GetQuotes' }),
  read('/communications/quotes/:quote', notFound),
];

export const removedRoutes: readonly VenueBRoute[] = REMOVED.map(([method, path, cost]) =>
  write(method, `/portfolio/orders${path}`, () => errorReply(DEPRECATED), { scope: 'write::trade', cost }),
);

function notFound(): Reply {
  return errorReply(NOT_FOUND);
}

/** A page of a list that is empty. */
function empty(name: string): (call: Call) => Reply {
  return ({ query }) => {
    query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX);
    return jsonReply(200, { cursor: '', [name]: [] });
  };
}
