// Latencies by stage, from the histograms of /metrics. The counts are cumulative, so that a reader can compute the rates of any interval.
// Main thread.

import type { Venue } from '../../core/domain/market.ts';
import type { HistogramName } from '../../core/metrics/metric-table.ts';
import { bucketEndUs, type Metrics } from '../../core/metrics/metrics.ts';
import type { LatencyBucket, VenueLatencies } from '../../core/wire/reports.ts';

interface Stage {
  readonly stage: string;
  readonly histogram: HistogramName;
  /** Whether a series of the histogram belongs to the stage, by the values of its labels. */
  takes(values: readonly string[]): boolean;
}

/** The operations that submit orders, over REST and over WebSockets. */
const SUBMITS = /^(submit|tradeSubmit)/;
const CANCELS = /^(cancelVenue|tradeCancel)/;

const STAGES: readonly Stage[] = [
  { stage: 'submit', histogram: 'http_request_seconds', takes: ([operation = '']) => SUBMITS.test(operation) },
  { stage: 'cancel', histogram: 'http_request_seconds', takes: ([operation = '']) => CANCELS.test(operation) },
  { stage: 'signature', histogram: 'auth_verify_seconds', takes: () => true },
  ...(['venue_a', 'venue_b'] as const).map(venue => ({
    stage: venue,
    histogram: 'upstream_request_seconds' as const,
    takes: ([upstream, request]: readonly string[]) => upstream === venue && request === 'submit',
  })),
  ...(['main', 'engine'] as const).map(loop => ({
    stage: `${loop}_loop`,
    histogram: 'event_loop_lag_seconds' as const,
    takes: ([it]: readonly string[]) => it === loop,
  })),
];

export interface Latency {
  readonly stage: string;
  readonly buckets: readonly LatencyBucket[];
}

export function latencies(metrics: Metrics): readonly Latency[] {
  return STAGES.map(({ stage, histogram, takes }) => ({ stage, buckets: bucketsOf(metrics, histogram, takes) }));
}

/** The latencies of orders and cancels at each venue, from the request's bytes written to its answer read. */
export function venueLatencies(metrics: Metrics): VenueLatencies {
  const of = (venue: Venue, wanted: string): readonly LatencyBucket[] =>
    bucketsOf(metrics, 'upstream_request_seconds', ([upstream, request]) => upstream === venue && request === wanted);
  const both = (venue: Venue) => ({ order: of(venue, 'submit'), cancel: of(venue, 'cancel') });
  return { venue_a: both('venue_a'), venue_b: both('venue_b') };
}

function bucketsOf(metrics: Metrics, histogram: HistogramName, takes: Stage['takes']): readonly LatencyBucket[] {
  const series = metrics.histograms.get(histogram)!.filter(({ values }) => takes(values));
  const [first = [], ...others] = series.map(({ slot }) => metrics.reading(slot).counts);
  const counts = first.map((count, bucket) => others.reduce((sum, it) => sum + it[bucket]!, count));
  return counts.flatMap((count, bucket) => (count === 0 ? [] : [{ endUs: endOf(bucket), count }]));
}

function endOf(bucket: number): number | null {
  const endUs = bucketEndUs(bucket);
  return Number.isFinite(endUs) ? endUs : null;
}

/** The number of orders that were submitted since the start, over all pods. */
export function submissionsCounted(metrics: Metrics): number {
  const series = metrics.counters
    .get('http_requests_total')!
    .filter(({ values: [operation = ''] }) => SUBMITS.test(operation));
  return series.reduce((sum, { slot }) => sum + metrics.read(slot), 0);
}
