// How late an event loop is: a timer that fires late has waited behind other work, and so would a request. Main thread and engine thread.

import { limits } from '../../limits.ts';
import type { LABEL_VALUES } from './metric-table.ts';
import type { Metrics } from './metrics.ts';

/** Observes this thread's loop until the returned function is called. */
export function watchLoop(metrics: Metrics, loop: (typeof LABEL_VALUES.loop)[number]): () => void {
  const lags = metrics.histogram('event_loop_lag_seconds', loop);
  let dueMs = performance.now() + limits.engineBeatMs;
  const look = (): void => {
    const nowMs = performance.now();
    // Timers count whole milliseconds, and may be early by a part of one.
    metrics.observe(lags, Math.max(0, Math.round((nowMs - dueMs) * 1_000)));
    dueMs = nowMs + limits.engineBeatMs;
  };
  const looks = setInterval(look, limits.engineBeatMs).unref();
  return () => clearInterval(looks);
}
