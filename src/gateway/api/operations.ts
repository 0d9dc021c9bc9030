// The list of all operations of the API (interface §4, contract §4.11, §8): path, scope, rate limit, and guard against repetition. A test
// compares the list with proto/openapi.yaml. Main thread.

import type { Scope } from '../../core/domain/identity.ts';
import type { OlderOperation, OpenOperation, Operation, RepeatGuard, SignedOperation } from './operation.ts';
import type { Bucket } from './rate-limits.ts';

const PAGE = ['pageSize', 'pageToken'];
const PROTECTION = '/v1/orders/protection';
export const CANCEL = { scope: 'trade', bucket: 'cancels' } as const;
const POD_CANCEL = { scope: 'cancel', bucket: 'cancels' } as const;
export const SUBMISSION = { scope: 'trade', bucket: 'submissions', guard: 'idempotency-key', hasBody: true } as const;

/** A preview reads, though it has a body. */
const PREVIEW = { scope: 'read', bucket: 'reads', guard: 'none', hasBody: true } as const;

/** The query parameter that adds the queue ahead to each working order. */
const QUEUE = 'queue';

export const OPERATIONS: readonly Operation[] = [
  read('getWhoami', '/v1/whoami', [], null),
  read('getTime', '/v1/time', [], null),
  mutation('createStreamTicket', 'POST', '/v1/orderbook/ticket', {
    scope: 'read',
    bucket: 'reads',
    guard: 'signature',
  }),
  mutation('createTradeTicket', 'POST', '/v1/trade/ticket', {
    scope: 'trade',
    bucket: 'reads',
    guard: 'signature',
  }),
  open('getOpenapi', '/v1/openapi.json'),
  open('getAsyncapi', '/v1/asyncapi.json'),
  read('getVenueAMarket', '/v1/venue-a/markets/:tokenId', []),
  read('getVenueBMarket', '/v1/venue-b/markets/:ticker', []),
  ...ordersOf('VenueA', '/v1/venue-a/orders', 'tokenId'),
  ...ordersOf('VenueB', '/v1/venue-b/orders', 'ticker'),
  mutation('cancelAfter', 'POST', '/v1/orders/cancel-after', { ...CANCEL, guard: 'signature', hasBody: true }),
  read('listProtections', PROTECTION, []),
  mutation('setProtection', 'POST', PROTECTION, { ...CANCEL, guard: 'signature', hasBody: true }),
  mutation('endProtection', 'DELETE', PROTECTION, { ...CANCEL, guard: 'signature', query: ['venue', 'address'] }),
  mutation('resetProtection', 'POST', `${PROTECTION}/reset`, { ...CANCEL, guard: 'signature', hasBody: true }),
  read('getVenueAPositions', '/v1/venue-a/positions', ['tokenId']),
  ...(['redeem', 'split', 'merge'] as const).map(kind =>
    mutation(`${kind}VenueAPosition`, 'POST', `/v1/venue-a/positions/:tokenId/${kind}`, SUBMISSION),
  ),
  read('listVenueAActions', '/v1/venue-a/actions', PAGE),
  read('getVenueAAction', '/v1/venue-a/actions/:actionId', []),
  read('getVenueBPositions', '/v1/venue-b/positions', ['ticker']),
  read('getVenueABalance', '/v1/venue-a/balance', []),
  read('getVenueBBalance', '/v1/venue-b/balance', []),
  read('getRisk', '/v1/risk', [], null),
  read('getPod', '/v1/pod', [], 'observe'),
  read('listPodOrders', '/v1/pod/orders', [QUEUE], 'observe'),
  read('listPodPositions', '/v1/pod/positions', [], 'observe'),
  read('listPodEvents', '/v1/pod/events', ['after'], 'observe'),
  mutation('cancelPodOrders', 'DELETE', '/v1/pod/orders', { ...POD_CANCEL, guard: 'signature' }),
  mutation('cancelPodOrder', 'DELETE', '/v1/pod/orders/:orderId', { ...POD_CANCEL, guard: 'none' }),
  mutation('stopPod', 'POST', '/v1/pod/stop', { ...POD_CANCEL, guard: 'signature' }),
  read('listSports', '/v1/sports', []),
  read('listCompetitions', '/v1/sports/competitions', ['sport']),
  read('listEvents', '/v1/sports/events', ['sport', 'competition', 'status', 'startsAfter', 'startsBefore', ...PAGE]),
  read('listEventMarkets', '/v1/sports/events/:eventId/markets', []),
  read('getEventBest', '/v1/sports/events/:eventId/best', []),
  read('listMarkets', '/v1/markets', ['q', 'venue', 'sport', 'competition', 'eventId', 'executable', ...PAGE]),
  older('listOlderOrders', '/v1/orders', ['status', 'type', ...PAGE]),
  older('getOlderMarket', '/v1/markets/:marketVenue/:marketId', []),
  older('getOlderBalances', '/v1/balances', []),
];

/**
 * The operations of the door on the engine's thread: orders, batches, cancels, and the time, by which clients check key and clock. This
 * door serves no lists.
 */
export const DOOR_OPERATIONS = OPERATIONS.filter(({ operationId }) =>
  /^getTime$|^(submit|get|cancel|replace)Venue[AB](Order(ByClientId)?|Batch)$|^cancelVenue[AB]Orders$/.test(
    operationId,
  ),
);

/** The operation ids under which upgrades are counted. */
export const OPEN_STREAM = 'openStream';
export const OPEN_TRADE = 'openTrade';
export type UpgradeId = typeof OPEN_STREAM | typeof OPEN_TRADE;
/** The names under which the requests of /v1/trade are counted. */
const TRADE_OPERATIONS = [
  'tradeSubmit',
  'tradeBatch',
  'tradeReplace',
  'tradeCancel',
  'tradeCancelAll',
  'tradeQueue',
  'tradeLimits',
];
/** The name under which requests for no known operation are counted. */
export const NO_OPERATION = 'none';
/** All values of the metrics’ label `operation`. */
export const COUNTED_OPERATIONS = [
  ...OPERATIONS.map(({ operationId }) => operationId),
  OPEN_STREAM,
  OPEN_TRADE,
  ...TRADE_OPERATIONS,
  NO_OPERATION,
];

interface MutationNeeds {
  readonly scope: Scope;
  readonly bucket: Bucket;
  readonly guard: RepeatGuard;
  readonly hasBody?: boolean;
  readonly query?: readonly string[];
}

/** The operations on a venue's orders, cancel-all included. `filter` is the query parameter that names the venue's market. */
function ordersOf(venue: 'VenueA' | 'VenueB', path: string, filter: string): readonly Operation[] {
  return [
    mutation(`submit${venue}Order`, 'POST', path, SUBMISSION),
    mutation(`preview${venue}Order`, 'POST', `${path}/preview`, PREVIEW),
    mutation(`submit${venue}Batch`, 'POST', `${path}/batch`, { ...SUBMISSION, guard: 'item-keys' }),
    read(`list${venue}Orders`, path, [filter, 'status', ...PAGE, QUEUE]),
    mutation(`cancel${venue}Orders`, 'DELETE', path, { ...CANCEL, guard: 'signature', query: [filter] }),
    mutation(`cancel${venue}Batch`, 'DELETE', `${path}/batch`, { ...CANCEL, guard: 'none', hasBody: true }),
    read(`get${venue}Order`, `${path}/:orderId`, [QUEUE]),
    mutation(`cancel${venue}Order`, 'DELETE', `${path}/:orderId`, { ...CANCEL, guard: 'none' }),
    read(`get${venue}OrderByClientId`, `${path}/by-client-id/:clientOrderId`, [QUEUE]),
    mutation(`cancel${venue}OrderByClientId`, 'DELETE', `${path}/by-client-id/:clientOrderId`, {
      ...CANCEL,
      guard: 'none',
    }),
    mutation(`replace${venue}Order`, 'POST', `${path}/:orderId/replace`, SUBMISSION),
    read(`list${venue}OrderFills`, `${path}/:orderId/fills`, PAGE),
  ];
}

/** If `scope` is null, any live key is admitted. */
function read(
  operationId: string,
  path: string,
  query: readonly string[],
  scope: Scope | null = 'read',
): SignedOperation {
  const place = { operationId, method: 'GET', path, query } as const;
  return { family: 'signed', ...place, scope, bucket: 'reads', guard: 'none', hasBody: false };
}

function mutation(
  operationId: string,
  method: 'POST' | 'DELETE',
  path: string,
  { query = [], hasBody = false, ...needs }: MutationNeeds,
): SignedOperation {
  return { family: 'signed', operationId, method, path, query, hasBody, ...needs };
}

function older(operationId: string, path: string, query: readonly string[]): OlderOperation {
  return { family: 'older', operationId, method: 'GET', path, query };
}

function open(operationId: string, path: string): OpenOperation {
  return { family: 'open', operationId, method: 'GET', path, query: [] };
}
