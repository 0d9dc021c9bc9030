// The latencies of the last minutes by stage. The plot over time shows the quantiles of each interval. The distribution shows the counts
// since the page was opened. Browser.

import type { PodLatency } from '../../core/generated/api-types.ts';
import { type Bucket, countedSince, quantileUs } from './latency.ts';
import { signal } from './view.ts';

type Stage = PodLatency['stage'];

interface Quantiles {
  readonly atS: number;
  /** The quantile in milliseconds. Null means that nothing was counted. */
  readonly p50: number | null;
  readonly p99: number | null;
}

/** The number of points: ten minutes of seconds. */
const POINTS_MAX = 600;

export class LatencyHistory {
  readonly points = signal<readonly Quantiles[]>([]);
  /** The counts since the page was opened. */
  readonly counted = signal<readonly Bucket[]>([]);
  readonly stage = signal<Stage>('submit');
  readonly #points = new Map<Stage, readonly Quantiles[]>();
  readonly #first = new Map<Stage, readonly Bucket[]>();
  readonly #latest = new Map<Stage, readonly Bucket[]>();

  take(latencies: readonly PodLatency[], nowMs: number): void {
    for (const { stage, buckets } of latencies) {
      const before = this.#latest.get(stage);
      this.#latest.set(stage, buckets);
      if (before === undefined) {
        this.#first.set(stage, buckets);
        continue;
      }
      const grown = countedSince(before, buckets);
      const point = { atS: nowMs / 1_000, p50: millis(quantileUs(grown, 0.5)), p99: millis(quantileUs(grown, 0.99)) };
      this.#points.set(stage, [...(this.#points.get(stage) ?? []), point].slice(-POINTS_MAX));
    }
    this.#publish();
  }

  /** Is called when the gateway has started again, and counts from 0. */
  restart(): void {
    for (const stage of this.#latest.keys()) {
      this.#first.set(stage, []);
      this.#latest.set(stage, []);
    }
  }

  choose(stage: Stage): void {
    this.stage.value = stage;
    this.#publish();
  }

  #publish(): void {
    const stage = this.stage.value;
    this.points.value = this.#points.get(stage) ?? [];
    this.counted.value = countedSince(this.#first.get(stage) ?? [], this.#latest.get(stage) ?? []);
  }
}

function millis(us: number | null): number | null {
  return us === null ? null : us / 1_000;
}
