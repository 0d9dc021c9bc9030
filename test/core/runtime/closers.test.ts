// Parts that close at the end of a gateway, and parts that cannot.

import { expect, it, onTestFinished } from 'vitest';
import { Closers } from '../../../src/core/runtime/process-life.ts';
import { createThreadPool } from '../../../src/core/runtime/thread-pool.ts';

// Noticed in a review. The end of the gateway stopped at the first part that could not be closed. The journal, LMDB and the venues' sockets
// behind that part stayed open, and the process ended as after a fault.
it('3215: closes every part, newest first, one after the other, and says which could not be', async () => {
  const closed: string[] = [];
  const closers = new Closers();
  const late = async (name: string): Promise<void> => {
    await new Promise(setImmediate);
    closed.push(name);
  };
  closers.push(() => late('store'));
  closers.push(() => Promise.reject(new Error('sync failed')));
  closers.push(() => late('journal'));
  closers.push(() => {
    throw new Error('gone');
  });
  closers.push(() => late('gateway'));
  expect(await closers.closeAll()).toEqual([new Error('gone'), new Error('sync failed')]);
  expect(closed).toEqual(['gateway', 'journal', 'store']);
});

it('3215: closes what is started while it closes, too', async () => {
  const closed: string[] = [];
  const closers = new Closers();
  closers.push(() => {
    closers.push(() => closed.push('late'));
  });
  expect(await closers.closeAll()).toEqual([]);
  expect(closed).toEqual(['late']);
});

// Piscina requires a task's file before it tries to import it. Node does not survive the end of a thread that instantiates modules for
// `require`. With forty threads that ended while they loaded, the process aborted in every second run.
it('3101: no thread of a pool requires ES modules', async () => {
  const url = new URL('./required-worker.ts', import.meta.url);
  const pool = createThreadPool({ url, workerData: {}, threads: 1, tasksPerThreadMax: 1 });
  onTestFinished(() => pool.destroy());
  expect(await pool.run(null, { name: 'requiresModules' })).toBe(false);
});
