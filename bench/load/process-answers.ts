// Answers a parent's questions in a process under load: processor time used, and lateness of its timers. Ends with its
// parent.

import { Latencies } from './latencies.ts';
import type { CpuAnswer, Lateness, ProcessQuestion } from './messages.ts';

export function answerParent(): void {
  let endSampling: (() => Lateness) | null = null;
  process.on('message', ({ op }: ProcessQuestion) => {
    switch (op) {
      case 'cpu': {
        const { user, system } = process.cpuUsage();
        process.send?.({ cpuMs: (user + system) / 1_000 } satisfies CpuAnswer);
        return;
      }
      case 'sample':
        endSampling = sampleLateness();
        process.send?.(null);
        return;
      case 'lateness':
        process.send?.(endSampling?.() ?? null);
        return;
      default:
        throw new Error(`unknown question ${op}`);
    }
  });
  process.once('disconnect', () => process.exit(0));
}

const PERIOD_MS = 1;

/**
 * Samples this thread's event loop until the returned function is called. A sample is the lateness of a 1 ms timer, which is the delay by other
 * work on the thread. Node counts timers in whole milliseconds, which moves each sample by up to one. So only the upper percentiles are meaningful,
 * and only beside those of an idle process.
 */
function sampleLateness(): () => Lateness {
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
