// Lists of what an account has done: orders, fills, settlements, each newest first over all subaccounts that are meant, within
// the filters that the calls have in common (venue-b.md §5.6, §6). Thread of the paper exchanges.

import type { UnixMillis } from '../../../domain/numbers.ts';
import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';
import type { QueryReader } from './market-query.ts';

export const ITEMS_PER_PAGE = 100;
export const ITEMS_PER_PAGE_MAX = 1_000;

/** What `ticker`, `event_ticker`, `exchange_index` and the times of a query leave. */
export interface ListFilter {
  admits(market: VenueBMarket, at: UnixMillis): boolean;
}

export function listFilter(query: QueryReader): ListFilter {
  const ticker = query.text('ticker');
  const events = query.list('event_ticker');
  const fromS = query.time('min_ts');
  const untilS = query.time('max_ts');
  // All markets are on shard 0.
  const isOtherShard = (query.whole('exchange_index', -1, Number.MAX_SAFE_INTEGER) ?? 0) > 0;
  return {
    admits: (market, at) =>
      !isOtherShard &&
      (ticker === null || market.ticker === ticker) &&
      (events === null || events.has(market.event.eventTicker)) &&
      (fromS === null || at >= fromS * 1000) &&
      (untilS === null || at <= untilS * 1000),
  };
}

/** One list out of those of several owners; nothing is read before it is asked for. */
export function* newestFirst<T>(
  owners: readonly Owner[],
  listOf: (owner: Owner) => Iterable<T>,
  timeOf: (item: T) => UnixMillis,
  admits: (item: T) => boolean,
): Iterable<T> {
  const [only] = owners;
  if (owners.length === 1 && only !== undefined) {
    for (const item of listOf(only)) if (admits(item)) yield item;
    return;
  }
  const all = owners.flatMap(owner => [...listOf(owner)].filter(admits));
  yield* all.sort((a, b) => timeOf(b) - timeOf(a));
}
