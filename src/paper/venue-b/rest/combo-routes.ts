// Combos and requests for quotes by REST (shapes of the official client 3.30.0). There are none here: lists are empty, and
// named ones are not found. Routes that create them do not exist. Thread of the paper exchanges.

import { jsonReply, type Reply } from '../../../net/listen.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { QueryReader } from './market-query.ts';
import { publicGet, type SignedRoute, type VenueBRoute } from './route.ts';

const ROWS_PER_PAGE = 100;
const ROWS_PER_PAGE_MAX = 1_000;
/** venue-b.md §9. */
const LOOK_UP_COST = 2;
const COLLECTIONS = '/multivariate_event_collections';

const notFound = (): Reply => errorReply(NOT_FOUND);

export const comboRoutes: readonly VenueBRoute[] = [
  publicGet(COLLECTIONS, ({ query }) => emptyPage('GetMultivariateEventCollections', 'multivariate_contracts', query)),
  publicGet(`${COLLECTIONS}/:collection`, notFound),
  { method: 'post', path: `${COLLECTIONS}/:collection`, access: 'write', handle: notFound },
  { method: 'put', path: `${COLLECTIONS}/:collection/lookup`, access: 'write', cost: LOOK_UP_COST, handle: notFound },
  read('/communications/id', ({ caller }) => jsonReply(200, { communications_id: caller.userId })),
  read('/communications/rfqs', ({ query }) => emptyPage('GetRFQs', 'rfqs', query)),
  read('/communications/rfqs/:rfq', notFound),
  read('/communications/quotes', ({ query }) => emptyPage('GetQuotes', 'quotes', query)),
  read('/communications/quotes/:quote', notFound),
];

function read(path: string, handle: SignedRoute['handle']): SignedRoute {
  return { method: 'get', path, access: 'read', handle };
}

function emptyPage(operation: string, name: string, parameters: URLSearchParams): Reply {
  const query = new QueryReader(operation, parameters);
  query.limit(ROWS_PER_PAGE, ROWS_PER_PAGE_MAX);
  return query.refusal ?? jsonReply(200, { cursor: '', [name]: [] });
}
