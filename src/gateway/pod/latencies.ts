// Latency by stage, from the histograms of /metrics: cumulative counts, so that a reader forms the rates of any interval. Main thread.

import type { HistogramName } from '../../core/metrics/metric-table.ts';
import { bucketEndUs, type Metrics } from '../../core/metrics/metrics.ts';

interface Stage {
  readonly stage: string;
  readonly histogram: HistogramName;
  /** Whether a series belongs to it, by its label values. */
  takes(values: readonly string[]): boolean;
}

/** Operations that submit orders, over REST and over WebSockets. */
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
  /** Buckets in ascending order. `endUs` null: beyond the last end. Empty buckets are left out. */
  readonly buckets: readonly { readonly endUs: number | null; readonly count: number }[];
}

export function latencies(metrics: Metrics): readonly Latency[] {
  return STAGES.map(({ stage, histogram, takes }) => {
    const series = metrics.histograms.get(histogram)!.filter(({ values }) => takes(values));
    const readings = series.map(({ slot }) => metrics.reading(slot).counts);
    const [first = [], ...others] = readings;
    const counts = first.map((count, bucket) => others.reduce((sum, it) => sum + it[bucket]!, count));
    const buckets = counts.flatMap((count, bucket) => (count === 0 ? [] : [{ endUs: endOf(bucket), count }]));
    return { stage, buckets };
  });
}

function endOf(bucket: number): number | null {
  const endUs = bucketEndUs(bucket);
  return Number.isFinite(endUs) ? endUs : null;
}

/** Orders that were submitted since the start, over all pods. */
export function submissionsCounted(metrics: Metrics): number {
  const series = metrics.counters
    .get('http_requests_total')!
    .filter(({ values: [operation = ''] }) => SUBMITS.test(operation));
  return series.reduce((sum, { slot }) => sum + metrics.read(slot), 0);
}
