// Answers a parent's questions in a process under load: processor time used, and lateness of its timers. Ends with its
// parent.

import { sampleLateness } from './http-lateness.ts';
import type { Lateness, ProcessQuestion } from './http-messages.ts';
import type { CpuAnswer } from './messages.ts';

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
