// How late a 1 ms timer is: the delay of any other work on the same thread. Node counts timers in whole milliseconds,
// which moves each by up to one. So only the upper percentiles mean something, and only beside those of an idle process.

import type { Lateness } from './http-messages.ts';
import { Latencies } from './latencies.ts';

const PERIOD_MS = 1;

/** Samples this thread's event loop until the returned function is called. */
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
