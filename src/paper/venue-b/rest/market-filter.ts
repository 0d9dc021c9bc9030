// Filters of `GET /markets` (venue-b.md §4.2). Thread of the paper exchanges.

import type { MarketStatus, VenueBMarket } from '../market.ts';
import { seconds } from '../wire-text.ts';
import type { QueryReader } from './market-query.ts';

const STATUS_FILTERS = ['unopened', 'open', 'paused', 'closed', 'settled'] as const;
type StatusFilter = (typeof STATUS_FILTERS)[number];

const STATUSES: Readonly<Record<StatusFilter, readonly MarketStatus[]>> = {
  unopened: ['initialized'],
  open: ['active'],
  paused: ['inactive'],
  closed: ['closed', 'determined', 'disputed'],
  settled: ['finalized'],
};

export function hasStatus(market: VenueBMarket, filter: StatusFilter | null): boolean {
  return filter === null || STATUSES[filter].includes(market.status);
}

/** For each family of times: its parameters, its time, and the status filters that it allows. */
const FAMILIES: readonly {
  readonly name: string;
  readonly timeOf: (market: VenueBMarket) => number | null;
  readonly goesWith: readonly StatusFilter[];
}[] = [
  { name: 'created', timeOf: ({ listing }) => seconds(listing.createdAt), goesWith: ['unopened', 'open'] },
  { name: 'close', timeOf: ({ closeAt }) => seconds(closeAt), goesWith: ['closed'] },
  {
    name: 'settled',
    timeOf: ({ outcome }) => (outcome === null || outcome.settledAt === null ? null : seconds(outcome.settledAt)),
    goesWith: ['settled'],
  },
  { name: 'updated', timeOf: ({ updatedAt }) => seconds(updatedAt), goesWith: [] },
];

export function marketFilter(query: QueryReader): (market: VenueBMarket) => boolean {
  const tickers = query.list('tickers');
  const event = query.text('event_ticker');
  const series = query.text('series_ticker');
  const status = query.oneOf('status', STATUS_FILTERS);
  // There are no combos here.
  const isCombosOnly = query.oneOf('mve_filter', ['only', 'exclude']) === 'only';
  const isInTime = timeFilter(query, status);
  return market =>
    !isCombosOnly &&
    hasStatus(market, status) &&
    (tickers === null || tickers.has(market.ticker)) &&
    (event === null || event === market.event.eventTicker) &&
    (series === null || series === market.event.series.ticker) &&
    isInTime(market);
}

/** Families exclude each other, and each allows only certain statuses. */
function timeFilter(query: QueryReader, status: StatusFilter | null): (market: VenueBMarket) => boolean {
  const asked = FAMILIES.flatMap(family => {
    const [min, max] = [query.time(`min_${family.name}_ts`), query.time(`max_${family.name}_ts`)];
    return min === null && max === null ? [] : [{ ...family, min: min ?? 0, max: max ?? Number.POSITIVE_INFINITY }];
  });
  const [only, second] = asked;
  if (only === undefined) return () => true;
  if (second !== undefined) query.reject(`${only.name} and ${second.name} timestamp filters are mutually exclusive`);
  if (status !== null && !only.goesWith.includes(status)) {
    query.reject(`${only.name} timestamp filters are not compatible with status '${status}'`);
  }
  return market => {
    const time = only.timeOf(market);
    return time !== null && time >= only.min && time <= only.max;
  };
}
