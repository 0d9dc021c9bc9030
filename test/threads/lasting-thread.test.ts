// A lasting thread through its death, its end, and both.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { Metrics } from '../../src/runtime/metrics.ts';
import type { Timers } from '../../src/runtime/timers.ts';
import { LastingThread } from '../../src/threads/lasting-thread.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const logged: string[] = [];
const heard: unknown[] = [];

function start(timers?: Timers): LastingThread {
  logged.length = 0;
  heard.length = 0;
  return new LastingThread({
    name: 'test',
    url: new URL('./lasting-worker.ts', import.meta.url),
    workerData: 'data',
    log: { ...silentLog, warn: event => void logged.push(event) },
    onMessage: message => void heard.push(message),
    onLost: () => void logged.push('lost'),
    onRestart: () => void logged.push('restart'),
    ...(timers && { timers }),
  });
}

const hears = (count: number) =>
  expect.poll(() => heard, { timeout: 10_000 }).toEqual(Array(count).fill('here with data'));

it('that dies is followed by another with the same data', async () => {
  const thread = start();
  await hears(1);
  await thread.kill();
  await hears(2);
  expect(logged).toEqual(['test thread ended', 'lost', 'restart']);
  await thread.close();
  expect(heard.at(-1)).toBe('bye');
});

it('that is closed is followed by none, though it has just died', async () => {
  const thread = start();
  await hears(1);
  await thread.kill();
  await thread.close();
  await thread.close();
  expect(heard).toEqual(['here with data']);
});

it('that dies at once is followed later each time, up to a limit, and soon again once one has lasted', async () => {
  const timers = new VirtualTimers();
  const metrics = new Metrics({ operations: [] });
  const thread = start(timers).countLosses(metrics, 'catalog');
  const { threadRestartMs, threadRestartMsMax, threadSettledMs } = limits;
  let starts = 1;
  const diesAndIsMissing = async (pauseMs: number): Promise<void> => {
    await hears(starts);
    await thread.kill();
    await expect.poll(() => timers.pending, { timeout: 10_000 }).toBe(1);
    timers.advance(pauseMs - 1);
    expect(timers.pending).toBe(1);
    timers.advance(1);
    expect(timers.pending).toBe(0);
    starts += 1;
  };
  for (const factor of [1, 2, 4, 8, 16, 32]) await diesAndIsMissing(factor * threadRestartMs);
  for (let turn = 0; turn < 2; turn++) await diesAndIsMissing(threadRestartMsMax);
  await hears(starts);
  timers.advance(threadSettledMs);
  await diesAndIsMissing(threadRestartMs);
  await diesAndIsMissing(2 * threadRestartMs);
  await hears(starts);
  expect(metrics.count(metrics.counter('threads_lost_total', 'catalog'))).toBe(starts - 1);
  await thread.close();
});
