// The machine's clock was set back an hour. A thread that had died often, and then lasted, counted as one that died at once. When it died
// again it was missing for up to ten seconds.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { LastingThread } from '../../src/runtime/lasting-thread.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const HOUR_MS = 3_600_000;

it('a thread that has lasted is followed soon when it dies', async () => {
  const timers = new VirtualTimers();
  const heard: unknown[] = [];
  const reported: string[] = [];
  const thread = new LastingThread({
    name: 'test',
    entry: new URL('../runtime/lasting-worker.ts', import.meta.url),
    whenItHangs: 'logged',
    workerData: {},
    log: silentLog,
    onMessage: message => void heard.push(message),
    onLost: () => void reported.push('lost'),
    onRestart: () => void reported.push('restart'),
    timers,
  });
  const dies = async (starts: number): Promise<void> => {
    await expect.poll(() => heard).toHaveLength(starts);
    await thread.kill();
    await expect.poll(() => reported.at(-1)).toBe('lost');
  };
  await dies(1);
  timers.advance(limits.threadRestartMs);
  await expect.poll(() => heard).toHaveLength(2);
  timers.setClock(-HOUR_MS);
  timers.advance(limits.threadSettledMs);
  await dies(2);
  timers.advance(limits.threadRestartMs);
  expect(reported.at(-1)).toBe('restart');
  await thread.close();
});
