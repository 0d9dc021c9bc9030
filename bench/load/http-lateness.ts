// How late a timer of one millisecond is: what everything else on a thread has to wait for its loop. Node counts timers in
// whole milliseconds, which moves each of them by up to one, either way; so only the upper end says something, and only
// beside the same in a process that does nothing.

import type { Lateness } from './http-messages.ts';
import { Latencies } from './latencies.ts';

const PERIOD_MS = 1;

/** Begins to sample this thread's loop; the function that is returned ends it. */
export function sampleLateness(): () => Lateness {
  const latencies = new Latencies();
  let dueMs = performance.now() + PERIOD_MS;
  let timer = setTimeout(tick, PERIOD_MS);

  function tick(): void {
    latencies.add((performance.now() - dueMs) * 1_000);
    dueMs = performance.now() + PERIOD_MS;
    timer = setTimeout(tick, PERIOD_MS);
  }

  return () => {
    clearTimeout(timer);
    return { p99Us: latencies.percentileUs(0.99) };
  };
}
