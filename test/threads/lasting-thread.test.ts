// A lasting thread through its death, its end, and both.

import { expect, it } from 'vitest';
import { silentLog } from '../../src/runtime/log.ts';
import { LastingThread } from '../../src/threads/lasting-thread.ts';

const logged: string[] = [];
const heard: unknown[] = [];

function start(): LastingThread {
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
