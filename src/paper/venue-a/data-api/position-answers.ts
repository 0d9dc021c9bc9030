// Requests about a wallet's positions, in both versions of the Data API (venue-a.md §8). Thread of the paper exchanges.

import { parseJson } from '../../../domain/json.ts';
import { type MicroDollars, parseMicroShares } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueAExchange } from '../exchange.ts';
import { paged, pageOf, type Query } from '../gamma/query.ts';
import type { VenueAPosition } from '../order-requests.ts';
import { exactNumber } from './json-number.ts';
import {
  closedPositionRow,
  isArchived,
  isMergeable,
  positionRow,
  positionRowV2,
  statusOf,
  type ValuedPosition,
  valued,
} from './position-rows.ts';
import { invalidRequest } from './v2-replies.ts';
import { WalletHistory } from './wallet-history.ts';

/** One share, in millionths. */
const THRESHOLD_OTHERWISE = 1_000_000;

export function positionsReply(exchange: VenueAExchange, user: string, query: Query): Reply {
  const threshold = parseMicroShares(query.text('sizeThreshold')) ?? THRESHOLD_OTHERWISE;
  const [redeemable, mergeable] = [query.flag('redeemable'), query.flag('mergeable')];
  const rows = matching(exchange, user, query).filter(
    position =>
      position.size > 0 &&
      position.size >= threshold &&
      (redeemable === null || redeemable === (position.market.resolution !== null)) &&
      (mergeable === null || mergeable === isMergeable(position, exchange)),
  );
  const page = pageOf(query, limits.paperDataRowsPerPage, limits.paperDataRowsMax, limits.paperDataOffsetMax);
  const sorted = sortedBy(rows, query, POSITION_KEYS.TOKENS);
  return jsonReply(
    200,
    paged(sorted, page).map(position => positionRow(position, exchange)),
  );
}

/** Positions without shares. */
export function closedPositionsReply(exchange: VenueAExchange, user: string, query: Query): Reply {
  const rows = matching(exchange, user, query).filter(({ size, bought }) => size === 0 && bought > 0);
  const page = pageOf(query, limits.paperDataClosedPerPage, limits.paperDataClosedRowsMax, limits.paperDataOffsetMax);
  const history = new WalletHistory(exchange, user);
  return jsonReply(
    200,
    paged(sortedBy(rows, query, POSITION_KEYS.REALIZEDPNL), page).map(position => closedPositionRow(position, history)),
  );
}

export function valueReply(exchange: VenueAExchange, user: string, query: Query): Reply {
  const sum = matching(exchange, user, query).reduce((total, { value }) => total + value, 0) as MicroDollars;
  return jsonReply(200, [{ user: user.toLowerCase(), value: exactNumber(sum) }]);
}

/** Number of markets in which a wallet ever held shares. */
export function tradedReply(exchange: VenueAExchange, user: string): Reply {
  const held = [...exchange.positions(user)].filter(({ size, bought }) => size > 0 || bought > 0);
  return jsonReply(200, { user: user.toLowerCase(), traded: new Set(held.map(({ market }) => market)).size });
}

/**
 * A page of the second version (venue-a.md §8). A cursor belongs to the wallet and the filters of its first page, which each further request repeats.
 */
export function positionsV2Reply(exchange: VenueAExchange, user: string, query: Query): Reply {
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
    data: paged(rows, { limit, offset }).map(position => positionRowV2(position, exchange, history)),
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

/** Null: the cursor is none, or belongs to another request. */
function offsetAt(cursor: string, filters: string): number | null {
  const value = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(value) || value[0] !== filters) return null;
  return Number.isSafeInteger(value[1]) ? (value[1] as number) : null;
}

function matching(exchange: VenueAExchange, user: string, query: Query): ValuedPosition[] {
  const [markets, events] = [query.list('market'), query.list('eventId')];
  const title = query.text('title').toLowerCase();
  const isWanted = ({ market: { conditionId, event, listing } }: VenueAPosition): boolean =>
    (markets?.has(conditionId) ?? true) &&
    (events?.has(event.id) ?? true) &&
    listing.question.toLowerCase().includes(title);
  return [...exchange.positions(user)].filter(isWanted).map(valued);
}

type SortKey = (position: ValuedPosition) => number | string;

const POSITION_KEYS = {
  CURRENT: ({ value }) => value,
  INITIAL: ({ cost }) => cost,
  TOKENS: ({ size }) => size,
  CASHPNL: ({ cashPnl }) => cashPnl,
  PERCENTPNL: ({ cashPnl, cost }) => (cost === 0 ? 0 : cashPnl / cost),
  TITLE: ({ market }) => market.listing.question,
  RESOLVING: ({ market }) => market.listing.endAt,
  PRICE: ({ price }) => price,
  AVGPRICE: ({ cost, size }) => (size === 0 ? 0 : cost / size),
  REALIZEDPNL: ({ realizedPnl }) => realizedPnl,
} as const satisfies Readonly<Record<string, SortKey>>;

function sortedBy(rows: readonly ValuedPosition[], query: Query, otherwise: SortKey): ValuedPosition[] {
  const name = query.text('sortBy').toUpperCase();
  const key: SortKey = Object.hasOwn(POSITION_KEYS, name)
    ? POSITION_KEYS[name as keyof typeof POSITION_KEYS]
    : otherwise;
  const direction = query.text('sortDirection').toUpperCase() === 'ASC' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [key(one), key(other)];
    return a < b ? -direction : a > b ? direction : 0;
  });
}
