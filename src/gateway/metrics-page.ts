// GET /metrics: the threads' counters as Prometheus text. Main thread.

import { VENUES, type Venue } from '../domain/market.ts';
import { limits } from '../limits.ts';
import { FEED_COUNTER_NAMES, FEED_COUNTERS, type FeedCounters } from '../metrics/feed-counters.ts';
import { heading, prometheusLines } from '../metrics/prometheus.ts';
import { NO_STORE, type Reply } from '../net/listen.ts';
import { TokenBucket } from './api/token-bucket.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { Streaming } from './stream/streaming.ts';
import { STREAM_COUNTS, type StreamCounts } from './stream/venue-stream.ts';

const STREAM_COUNT_NAMES = Object.keys(STREAM_COUNTS) as readonly (keyof StreamCounts)[];

export class MetricsPages {
  readonly #make: () => Reply;
  readonly #budget = new TokenBucket({ perS: limits.metricsPagesPerS, burstMax: limits.metricsPagesBurstMax });
  #latest: Reply | null = null;

  constructor(make: () => Reply) {
    this.#make = make;
  }

  /** `nowMs`: monotonic milliseconds. */
  at(nowMs: number): Reply {
    if (this.#budget.take(nowMs) || this.#latest === null) this.#latest = this.#make();
    return this.#latest;
  }
}

export function metricsText(
  metrics: GatewayMetrics,
  counters: Readonly<Record<Venue, FeedCounters>>,
  streams: Streaming['streams'],
): Reply {
  const lines = FEED_COUNTER_NAMES.flatMap(name => [
    ...heading(`feed_${snake(name)}_total`, { help: FEED_COUNTERS[name] }, 'counter'),
    ...VENUES.map(venue => `crossbook_feed_${snake(name)}_total{venue="${venue}"} ${counters[venue].read(name)}`),
  ]);
  for (const name of STREAM_COUNT_NAMES) {
    lines.push(...heading(`stream_${snake(name)}_total`, { help: STREAM_COUNTS[name] }, 'counter'));
    for (const venue of VENUES) {
      lines.push(`crossbook_stream_${snake(name)}_total{venue="${venue}"} ${streams[venue].counts[name]}`);
    }
  }
  lines.push(...prometheusLines(metrics.metrics));
  return { status: 200, contentType: 'text/plain; version=0.0.4', body: `${lines.join('\n')}\n`, headers: [NO_STORE] };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
