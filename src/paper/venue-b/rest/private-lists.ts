// Lists of an account's orders, fills and settlements, newest first over all requested subaccounts, with the filters that
// these calls share (venue-b.md §5.6, §6). Thread of the paper exchanges.

import type { UnixMillis } from '../../../domain/numbers.ts';
import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';
import type { QueryReader } from './market-query.ts';

export const ITEMS_PER_PAGE = 100;
export const ITEMS_PER_PAGE_MAX = 1_000;
const EVENTS_PER_LIST_MAX = 10;

/** Items that match `ticker`, `event_ticker`, `exchange_index` and the times of a query. */
interface ListFilter {
  admits(market: VenueBMarket, at: UnixMillis): boolean;
}

export function listFilter(query: QueryReader): ListFilter {
  const ticker = query.text('ticker');
  const events = query.list('event_ticker');
  if (events !== null && events.size > EVENTS_PER_LIST_MAX)
    query.reject(`at most ${EVENTS_PER_LIST_MAX} event tickers`);
  const fromS = query.time('min_ts');
  const untilS = query.time('max_ts');
  // Without a ticker all are shown (as the official client says).
  const shard = query.whole('exchange_index', -1, Number.MAX_SAFE_INTEGER) ?? -1;
  return {
    admits: (market, at) =>
      (shard === -1 || shard === market.shard) &&
      (ticker === null || market.ticker === ticker) &&
      (events === null || events.has(market.event.eventTicker)) &&
      (fromS === null || at >= fromS * 1000) &&
      (untilS === null || at <= untilS * 1000),
  };
}

/** Merges lists of several owners, each newest first; reads lazily. */
export function* newestFirst<T>(
  owners: readonly Owner[],
  listOf: (owner: Owner) => Iterable<T>,
  timeOf: (item: T) => UnixMillis,
): Iterable<T> {
  const lists = owners.flatMap(owner => {
    const rest = listOf(owner)[Symbol.iterator]();
    const first = rest.next();
    return first.done === true ? [] : [{ next: first.value, rest }];
  });
  while (lists.length > 0) {
    const list = lists.reduce((newest, other) => (timeOf(other.next) > timeOf(newest.next) ? other : newest));
    yield list.next;
    const next = list.rest.next();
    if (next.done === true) lists.splice(lists.indexOf(list), 1);
    else list.next = next.value;
  }
}
