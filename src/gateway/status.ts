// The report of `crossbook status`, from the sources of /metrics and /readyz. Main thread.

import { VENUES, type Venue } from '../core/domain/market.ts';
import type { GaugeName } from '../core/metrics/metric-table.ts';
import { bucketEndUs, type Metrics } from '../core/metrics/metrics.ts';
import type { Readiness, StatusReport, VenueStatus } from '../core/wire/reports.ts';
import { faultsOf } from './pod/pod-status.ts';
import type { Trading } from './trading/trading.ts';

interface StatusParts {
  readonly readiness: Readiness;
  readonly trading: Pick<Trading, 'stops' | 'pods' | 'openCounts' | 'isTradable'>;
  readonly metrics: Metrics;
}

const SHOWN = [
  'standby',
  'http_connections',
  'stream_connections',
  'trade_connections',
  'http_requests_in_flight',
  'operations_in_flight',
  'journal_lag_records',
  'history_lag_records',
  'process_resident_memory_bytes',
] as const satisfies readonly GaugeName[];

const US_PER_MS = 1_000;

export function statusReport({ readiness, trading, metrics }: StatusParts): StatusReport {
  const [build] = metrics.rowsOf('build_info');
  return {
    version: build?.values[0] ?? '',
    pid: process.pid,
    startedAt: Math.round(performance.timeOrigin),
    ready: readiness,
    stopped: trading.stops,
    faults: faultsOf(metrics),
    venues: VENUES.map(venue => venueStatus(venue, trading, metrics)),
    actors: Array.from(trading.openCounts, ([actorId, openOrders]) => ({ actorId, openOrders })),
    submissions: submissionsOf(metrics),
    gauges: Object.fromEntries(SHOWN.flatMap(name => metrics.rowsOf(name).map(({ value }) => [name, value] as const))),
  };
}

function venueStatus(venue: Venue, trading: StatusParts['trading'], metrics: Metrics): VenueStatus {
  const books = metrics.rowsOf('books').filter(({ values }) => values[0] === venue);
  const pods = trading.pods.filter(({ venueA, venueB }) => (venue === 'venue_a' ? venueA : venueB) !== null);
  return {
    venue,
    books: Object.fromEntries(books.map(({ values, value }) => [values[1]!, value])),
    accounts: pods.map(({ podId }) => ({ podId, tradable: trading.isTradable(podId, venue) })),
  };
}

function submissionsOf(metrics: Metrics): StatusReport['submissions'] {
  const slots = (['submitVenueAOrder', 'submitVenueBOrder'] as const).map(operation =>
    metrics.histogram('http_request_seconds', operation),
  );
  const readings = slots.map(slot => metrics.reading(slot));
  const counts = readings[0]!.counts.map((_, bucket) => readings.reduce((sum, it) => sum + it.counts[bucket]!, 0));
  const count = readings.reduce((sum, it) => sum + it.count, 0);
  return { count, p50Ms: quantileMs(counts, count * 0.5), p99Ms: quantileMs(counts, count * 0.99) };
}

/** The upper end of the bucket that has the observation of this rank, in milliseconds. Returns null if there is no observation. */
function quantileMs(counts: readonly number[], rank: number): number | null {
  let sum = 0;
  for (const [bucket, count] of counts.entries()) {
    sum += count;
    if (count > 0 && sum >= rank) return bucketEndUs(bucket) / US_PER_MS;
  }
  return null;
}
