// The end of a process under load that its parent talks to: how much processor time it has used. Ends with its parent.

import type { CpuAnswer } from './messages.ts';

export function answerCpuQuestions(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000 } satisfies CpuAnswer);
  });
  process.once('disconnect', () => process.exit(0));
}
