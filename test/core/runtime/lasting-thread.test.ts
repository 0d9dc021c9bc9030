// A lasting thread that dies, that is ended, or both, and a lasting thread that hangs.

import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { LastingThread } from '../../../src/core/runtime/lasting-thread.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import type { Timers } from '../../../src/core/runtime/timers.ts';
import { limits } from '../../../src/limits.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const logged: string[] = [];
const heard: unknown[] = [];

function start(timers?: Timers, whenItHangs: 'replaced' | 'logged' = 'logged'): LastingThread {
  logged.length = 0;
  heard.length = 0;
  return new LastingThread({
    name: 'test',
    entry: new URL('./lasting-worker.ts', import.meta.url),
    workerData: { word: 'data' },
    whenItHangs,
    log: { ...silentLog, warn: event => void logged.push(event) },
    onMessage: message => void heard.push(message),
    onLost: () => void logged.push('lost'),
    onRestart: () => void logged.push('restart'),
    ...(timers && { timers }),
  });
}

const hears = (count: number) => expect.poll(() => heard).toEqual(Array(count).fill('here with data'));

it('another thread with the same data follows one that dies', async () => {
  const thread = start();
  await hears(1);
  await thread.kill();
  await hears(2);
  expect(logged).toEqual(['test thread ended', 'lost', 'restart']);
  await thread.close();
  expect(heard.at(-1)).toBe('bye');
});

it('no thread follows one that is closed, though it has just died', async () => {
  const thread = start();
  await hears(1);
  await thread.kill();
  await thread.close();
  await thread.close();
  expect(heard).toEqual(['here with data']);
});

it('the successor of a thread that dies at once comes later each time, up to a limit, and soon again once one has lasted', async () => {
  const timers = new VirtualTimers();
  const metrics = new Metrics({ operations: [] });
  const thread = start(timers).countLosses(metrics, 'catalog');
  const { threadRestartMs, threadRestartMsMax, threadSettledMs } = limits;
  let starts = 1;
  const diesAndIsMissing = async (pauseMs: number): Promise<void> => {
    await hears(starts);
    await thread.kill();
    await expect.poll(() => logged.at(-1)).toBe('lost');
    timers.advance(pauseMs - 1);
    expect(logged.at(-1)).toBe('lost');
    timers.advance(1);
    expect(logged.at(-1)).toBe('restart');
    starts += 1;
  };
  for (const factor of [1, 2, 4, 8, 16, 32]) await diesAndIsMissing(factor * threadRestartMs);
  for (let turn = 0; turn < 2; turn++) await diesAndIsMissing(threadRestartMsMax);
  await hears(starts);
  timers.advance(threadSettledMs);
  await diesAndIsMissing(threadRestartMs);
  await diesAndIsMissing(2 * threadRestartMs);
  await hears(starts);
  expect(metrics.read(metrics.counter('threads_lost_total', 'catalog'))).toBe(starts - 1);
  await thread.close();
});

describe('that hangs', () => {
  const { threadPulseMs, threadPulsesMissedMax, vitalPulsesMissedMax } = limits;
  const silences = (metrics: Metrics): number => metrics.read(metrics.counter('threads_silent_total', 'catalog'));
  const looks = (timers: VirtualTimers, count: number): void => timers.advance(count * threadPulseMs);

  async function beat(thread: LastingThread): Promise<void> {
    const beats = heard.length;
    thread.send('beat');
    await expect.poll(() => heard.length).toBe(beats + 1);
  }

  it('is reported once, and when it answers again; not before it has begun, and not when it is late', async () => {
    const [timers, metrics] = [new VirtualTimers(), new Metrics({ operations: [] })];
    const thread = start(timers).countLosses(metrics, 'catalog');
    await hears(1);
    looks(timers, 3 * threadPulsesMissedMax);
    for (let turn = 0; turn < 2; turn++) {
      await beat(thread);
      looks(timers, threadPulsesMissedMax);
    }
    expect(logged).toEqual([]);
    looks(timers, threadPulsesMissedMax);
    expect(logged).toEqual(['test thread does not answer']);
    expect(silences(metrics)).toBe(1);
    await beat(thread);
    looks(timers, 1);
    expect(logged).toEqual(['test thread does not answer', 'test thread answers again']);
    await thread.close();
    expect(timers.pending).toBe(0);
  });

  it('for good is reported once more, and left alone', async () => {
    const timers = new VirtualTimers();
    const thread = start(timers);
    await hears(1);
    await beat(thread);
    looks(timers, vitalPulsesMissedMax);
    expect(logged).toEqual(['test thread does not answer']);
    looks(timers, 2 * vitalPulsesMissedMax);
    expect(logged).toEqual(['test thread does not answer', 'test thread hangs']);
    await thread.close();
    expect(heard.at(-1)).toBe('bye');
  });

  it('is ended if it may be, and followed by another', async () => {
    const timers = new VirtualTimers();
    const thread = start(timers, 'replaced');
    await hears(1);
    await beat(thread);
    looks(timers, 1 + threadPulsesMissedMax);
    await expect.poll(() => logged.at(-1)).toBe('lost');
    looks(timers, 1);
    await expect.poll(() => heard).toEqual(['here with data', 'beaten', 'here with data']);
    expect(logged).toEqual(['test thread does not answer', 'test thread ended', 'lost', 'restart']);
    await thread.close();
  });
});

// The machine's clock was set back by an hour. A thread that had died often, and then lasted, counted as a thread that died at once. When
// it died again, its successor was missing for up to ten seconds.
describe('0091: a thread that lasted while the clock was set', () => {
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
});
