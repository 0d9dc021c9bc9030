// Found by a rehearsal that was given up: the process aborted (`v8::Module::IsGraphAsync must be used on an instantiated module`). Piscina
// requires a task's file before it tries to import it. Node does not survive the end of a thread that instantiates modules for `require`.
// With forty threads that ended while they loaded, the process aborted in every second run.

import { expect, it, onTestFinished } from 'vitest';
import { createThreadPool } from '../../src/runtime/thread-pool.ts';

it('no thread of a pool requires ES modules', async () => {
  const url = new URL('./3101-required-worker.ts', import.meta.url);
  const pool = createThreadPool({ url, workerData: {}, threads: 1, tasksPerThreadMax: 1 });
  onTestFinished(() => pool.destroy());
  expect(await pool.run(null, { name: 'requiresModules' })).toBe(false);
});
