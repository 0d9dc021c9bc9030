// No process that the tests' processes have started outlives the process that started it.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OwnProcess } from './child-process.ts';
import { eventually } from './eventually.ts';

const CODE = `import { OwnProcess } from './test/support/child-process.ts';
console.log(new OwnProcess(['--eval', 'setInterval(() => {}, 1_000)']).pid);`;

/** Returns the command of a process. Empty text means that the process is gone, or has ended and waits for its parent. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

it.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)('%s ends a process with what it has started', async signal => {
  const starter = new OwnProcess(['--input-type=module', '--eval', CODE]);
  const [, pid = ''] = await starter.said(/^(\d+)\n/);
  expect(commandOf(pid)).toContain('setInterval');
  starter.signal(signal);
  expect([await starter.ended, starter.endedBy]).toEqual([null, signal]);
  await eventually(() => expect(commandOf(pid)).toBe(''));
});
