// Requests about a wallet's positions (venue-a.md §8). Thread of the paper exchanges.

import { parseJson } from '../../../core/domain/json.ts';
import { parseMicroShares } from '../../../core/domain/numbers.ts';
import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import type { VenueAExchange } from '../exchange.ts';
import { paged, pageOf, type Query } from '../gamma/query.ts';
import { isArchived, isMergeable, positionRow, statusOf, type ValuedPosition, valued } from './position-rows.ts';
import { invalidRequest } from './v2-replies.ts';
import { WalletHistory } from './wallet-history.ts';

/**
 * A page of positions (venue-a.md §8). A cursor belongs to the wallet and the filters of its first page, which each further request repeats.
 */
export function positionsReply(exchange: VenueAExchange, user: string, query: Query): Reply {
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
