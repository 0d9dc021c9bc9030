// GET /metrics as Prometheus text, made at a bounded rate. Main thread.

import { limits } from '../limits.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { prometheusText } from '../metrics/prometheus.ts';
import { NO_STORE, type Reply } from '../net/listen.ts';
import { TokenBucket } from './api/token-bucket.ts';

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

export function metricsReply(metrics: Metrics): Reply {
  const contentType = 'text/plain; version=0.0.4';
  return { status: 200, contentType, body: prometheusText(metrics), headers: [NO_STORE] };
}
