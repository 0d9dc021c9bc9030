// The Data API, venue A's public record of holdings, results and approvals (venue-a.md §8), on a port of its own. Thread of the paper
// exchanges.

import { parseJson } from '../../../core/domain/json.ts';
import { parseMicroShares } from '../../../core/domain/numbers.ts';
import { type HttpRoute, jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { POLYGON } from '../../../venues/venue-a/exchanges.ts';
import { conditionKey } from '../../../venues/venue-a/position-ids.ts';
import { type HttpServer, NOT_SERVED, serve } from '../../http-server.ts';
import type { VenueAExchange } from '../exchange.ts';
import { paged, pageOf, Query } from '../gamma/query.ts';
import type { VenueAMarket } from '../market.ts';
import { secondsOf } from '../rest/decimal-text.ts';
import { APPROVALS } from '../wallet.ts';
import {
  isArchived,
  isMergeable,
  positionRow,
  statusOf,
  type ValuedPosition,
  valued,
  WalletHistory,
} from './position-rows.ts';

interface DataServerOptions {
  readonly exchange: VenueAExchange;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

export function startDataServer({ exchange, host, port }: DataServerOptions): Promise<HttpServer> {
  const notFound = () => jsonReply(404, { error: 'not found', ...NOT_SERVED });
  return serve({ host, port, http: dataRoutes(exchange), refuse: { notFound } });
}

function dataRoutes(exchange: VenueAExchange): HttpRoute[] {
  return [
    route('/', () => jsonReply(200, { data: 'OK' })),
    ofUser('/v2/positions', (user, query) => positionsReply(exchange, user, query)),
    route('/v2/resolutions', query => resolutionsReply(exchange, query)),
    ofUser('/v2/approvals', user => approvalsReply(exchange, user)),
  ];
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

function route(pattern: string, answer: (query: Query) => Reply): HttpRoute {
  return { method: 'get', pattern, handle: request => answer(new Query(request)) };
}

/** A request about one wallet. */
function ofUser(pattern: string, answer: (user: string, query: Query) => Reply): HttpRoute {
  return route(pattern, query => {
    const user = query.text('user');
    return ADDRESS.test(user) ? answer(user, query) : invalidRequest('user', 'an address');
  });
}

/**
 * A page of positions (venue-a.md §8). A cursor belongs to the wallet and the filters of its first page, which each further request repeats.
 */
function positionsReply(exchange: VenueAExchange, user: string, query: Query): Reply {
  if (query.text('offset') !== '') return invalidRequest('offset', 'offset is not supported: use cursor');
  const conditions = query.list('condition');
  if (conditions !== null && conditions.size > limits.paperDataConditionsMax)
    return invalidRequest('condition', `at most ${limits.paperDataConditionsMax} conditions`);
  const status = query.text('status').toUpperCase() || 'OPEN';
  if (!STATUSES.includes(status)) return invalidRequest('status', `one of ${STATUSES.join(', ')}`);
  const floor = query.text('filter_amount') === '' ? FLOOR_OTHERWISE : parseMicroShares(query.text('filter_amount'));
  if (floor === null) return invalidRequest('filter_amount', 'a number of shares');
  const hasArchived = query.flag('include_archived') === true;
  const filters = JSON.stringify([user.toLowerCase(), status, floor, hasArchived, [...(conditions ?? [])]]);
  const cursor = query.text('cursor');
  const offset = cursor === '' ? 0 : offsetAt(cursor, filters);
  if (offset === null) return invalidRequest('cursor', 'a cursor of this user and of these filters');
  const rows = [...exchange.positions(user)]
    .filter(({ market, bought }) => bought > 0 && (conditions?.has(market.conditionId) ?? true))
    .map(valued)
    .filter(position => hasStatus(position, status, exchange))
    .filter(position => position.size >= floor || status === 'CLOSED')
    .filter(({ market }) => hasArchived || !isArchived(market, exchange.now()));
  const { limit } = pageOf(query, limits.paperDataRowsPerPage, limits.paperDataV2RowsMax, 0);
  const hasMore = offset + limit < rows.length;
  const history = new WalletHistory(exchange, user);
  return jsonReply(200, {
    data: paged(rows, { limit, offset }).map(position => positionRow(position, exchange, history)),
    pagination: { limit, offset, has_more: hasMore, next_cursor: hasMore ? cursorOf(filters, offset + limit) : null },
  });
}

const STATUSES = ['OPEN', 'REDEEMABLE', 'REDEEMABLE_LOST', 'MERGEABLE', 'CLOSED'];
/** A tenth of a share, in millionths. */
const FLOOR_OTHERWISE = 100_000;

/** `OPEN` has every position with shares, also those that wait for their redemption. */
function hasStatus(position: ValuedPosition, status: string, exchange: VenueAExchange): boolean {
  if (status === 'OPEN') return position.size > 0;
  if (status === 'MERGEABLE') return isMergeable(position, exchange);
  return statusOf(position) === status;
}

function cursorOf(filters: string, offset: number): string {
  return Buffer.from(JSON.stringify([filters, offset])).toString('base64url');
}

/** Null if the cursor is invalid, or belongs to another request. */
function offsetAt(cursor: string, filters: string): number | null {
  const value = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(value) || value[0] !== filters) return null;
  return Number.isSafeInteger(value[1]) ? (value[1] as number) : null;
}

function approvalsReply(exchange: VenueAExchange, user: string): Reply {
  const revoked = exchange.revoked(user);
  const contracts = APPROVALS.map(it => ({ ...it, approved: !revoked.has(it.id) }));
  return jsonReply(200, {
    data: { address: user.toLowerCase(), chain_id: POLYGON, checked_at: secondsOf(exchange.now()), contracts },
  });
}

/** The query has exactly one of the ids; an unknown market has no row. */
function resolutionsReply(exchange: VenueAExchange, query: Query): Reply {
  const asked = SUBJECTS.filter(name => query.text(name) !== '');
  const [subject] = asked;
  if (asked.length !== 1 || subject === undefined)
    return invalidRequest('condition', 'exactly one of condition, question_id, event_id');
  const markets = [...exchange.markets.values()].filter(market => isAbout(market, subject, query.text(subject)));
  return jsonReply(200, { data: markets.map(resolutionRow), pagination: NO_MORE });
}

const SUBJECTS = ['condition', 'question_id', 'event_id'] as const;
const NO_MORE = { limit: 1_000, offset: 0, has_more: false, next_cursor: null };
function isAbout({ listing, event }: VenueAMarket, subject: (typeof SUBJECTS)[number], id: string): boolean {
  if (subject === 'event_id') return event.id === id;
  if (subject === 'question_id') return listing.questionId === id.toLowerCase();
  return conditionKey(id) === listing.conditionId;
}

const MICROS = { won: 1_000_000, half: 500_000, lost: 0 };

function resolutionRow({ listing, resolution }: VenueAMarket): object {
  const common = {
    condition_id: listing.conditionId,
    question_id: listing.questionId,
    market_type: 'BINARY',
    reporter: 'UMA_OO',
    was_disputed: false,
    extended_review: false,
    new_version_q: false,
    transaction_hash: '',
    log_index: '',
  };
  if (resolution === null) return { ...common, status: 'posed', price: UNSET, proposed_price: UNSET };
  const { winner, at } = resolution;
  const first = winner === null ? MICROS.half : winner === 0 ? MICROS.won : MICROS.lost;
  return {
    ...common,
    status: 'resolved',
    payouts: [first, MICROS.won - first],
    resolution_source: 'reported',
    price: PRICES.get(first),
    proposed_price: PRICES.get(first),
    resolved_at: secondsOf(at),
    last_update_timestamp: String(secondsOf(at)),
  };
}

/** The number in units of 1e18; the venue's word for an unset price. */
const UNSET = '69';
const PRICES = new Map([
  [MICROS.won, '1000000000000000000'],
  [MICROS.half, '500000000000000000'],
  [MICROS.lost, '0'],
]);

function invalidRequest(parameter: string, error: string): Reply {
  return jsonReply(400, { error, code: 'invalid_request', retryable: false, trace_id: '', parameter });
}
