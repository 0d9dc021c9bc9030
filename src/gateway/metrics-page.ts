// GET /metrics: what the threads have counted, as Prometheus text. Main thread.

import { VENUES, type Venue } from '../domain/market.ts';
import { limits } from '../limits.ts';
import type { Reply } from '../net/listen.ts';
import { FEED_COUNTER_NAMES, type FeedCounters } from '../runtime/counters.ts';
import { prometheusLines } from '../runtime/prometheus.ts';
import { TokenBucket } from './api/token-bucket.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { Streaming } from './stream/streaming.ts';

export class MetricsPages {
  readonly #make: () => Reply;
  readonly #budget = new TokenBucket({ perS: limits.metricsPagesPerS, burstMax: limits.metricsPagesBurstMax });
  #latest: Reply | null = null;

  constructor(make: () => Reply) {
    this.#make = make;
  }

  /** `nowMs` is of a monotonic clock. */
  at(nowMs: number): Reply {
    if (this.#budget.take(nowMs) || this.#latest === null) this.#latest = this.#make();
    return this.#latest;
  }
}

export function metricsText(
  metrics: GatewayMetrics,
  counters: Readonly<Record<Venue, FeedCounters>>,
  { streams, clients }: Streaming,
): Reply {
  const lines = FEED_COUNTER_NAMES.flatMap(name => [
    `# TYPE crossbook_feed_${snake(name)}_total counter`,
    ...VENUES.map(venue => `crossbook_feed_${snake(name)}_total{venue="${venue}"} ${counters[venue].read(name)}`),
  ]);
  for (const name of ['deltas', 'snapshots', 'trades', 'laps', 'busyReads'] as const) {
    lines.push(`# TYPE crossbook_stream_${snake(name)}_total counter`);
    for (const venue of VENUES) {
      lines.push(`crossbook_stream_${snake(name)}_total{venue="${venue}"} ${streams[venue].counts[name]}`);
    }
  }
  lines.push('# TYPE crossbook_stream_connections gauge', `crossbook_stream_connections ${clients.count}`);
  lines.push('# TYPE crossbook_stream_lagging_total counter', `crossbook_stream_lagging_total ${clients.laggards}`);
  lines.push(...prometheusLines(metrics.metrics));
  return { status: 200, contentType: 'text/plain; version=0.0.4', body: `${lines.join('\n')}\n` };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
