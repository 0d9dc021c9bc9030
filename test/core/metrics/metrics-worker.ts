// Counts in a block of metrics together with other threads: test/core/metrics/metrics.test.ts starts several of these.

import { workerData } from 'node:worker_threads';
import { Metrics, type MetricsParts } from '../../../src/core/metrics/metrics.ts';

export interface HammerData {
  readonly parts: MetricsParts;
  readonly durationsUs: readonly number[];
  readonly rounds: number;
  /** The number of threads that have not started yet. All threads begin to count when it is zero. */
  readonly missing: Int32Array;
}

const { parts, durationsUs, rounds, missing } = workerData as HammerData;
const metrics = new Metrics(parts);
const tasks = metrics.counter('pool_tasks_total');
const waits = metrics.histogram('pool_wait_seconds');
if (Atomics.sub(missing, 0, 1) === 1) Atomics.notify(missing, 0);
for (let left = Atomics.load(missing, 0); left > 0; left = Atomics.load(missing, 0))
  Atomics.wait(missing, 0, left, 1_000);
for (let round = 0; round < rounds; round++) {
  for (const duration of durationsUs) {
    metrics.add(tasks);
    metrics.observe(waits, duration);
  }
}
