// Requests about a wallet's positions, in both versions of the Data API (venue-a.md §8). Thread of the paper exchanges.

import { type MicroDollars, parseMicroShares } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueAExchange } from '../exchange.ts';
import { paged, pageOf, type Query } from '../gamma/query.ts';
import type { VenueAPosition } from '../order-requests.ts';
import { exactNumber } from './json-number.ts';
import {
  closedPositionRow,
  isMergeable,
  positionRow,
  positionRowV2,
  type ValuedPosition,
  valued,
} from './position-rows.ts';
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

/** Null with more conditions than the venue takes. */
export function positionsV2Reply(exchange: VenueAExchange, user: string, query: Query): Reply | null {
  const conditions = query.list('condition_id');
  if (conditions !== null && conditions.size > limits.paperDataConditionsMax) return null;
  const status = query.text('status').toUpperCase();
  const rows = [...exchange.positions(user)]
    .filter(({ market, size, bought }) => (size > 0 || bought > 0) && (conditions?.has(market.conditionId) ?? true))
    .map(valued)
    .filter(({ size, market }) => {
      if (status === '' || status === 'ALL') return true;
      if (status === 'CLOSED') return size === 0;
      return size > 0 && (status === 'REDEEMABLE') === (market.resolution !== null);
    });
  const { limit, offset } = pageOf(
    query,
    limits.paperDataRowsPerPage,
    limits.paperDataRowsMax,
    limits.paperDataOffsetMax,
  );
  const page = { limit, offset: offsetAt(query.text('cursor')) ?? offset };
  const hasMore = page.offset + page.limit < rows.length;
  const history = new WalletHistory(exchange, user);
  return jsonReply(200, {
    data: paged(rows, page).map(position => positionRowV2(position, exchange, history)),
    pagination: {
      limit: page.limit,
      offset: page.offset,
      has_more: hasMore,
      next_cursor: hasMore ? Buffer.from(String(page.offset + page.limit)).toString('base64') : null,
    },
  });
}

/** Null if the cursor is invalid. */
function offsetAt(cursor: string): number | null {
  const text = Buffer.from(cursor, 'base64').toString('latin1');
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
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
