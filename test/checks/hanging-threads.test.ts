// What becomes of a process of which a thread hangs that others can neither do without nor end.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const CHILD = join(import.meta.dirname, 'hanging-threads.ts');

it.each([
  ['check worker', 'check worker'],
  ['lasting thread', 'test thread'],
])(
  'an %s that hangs for good ends the process, and is told of before',
  (which, name) => {
    const { signal, stderr } = spawnSync(process.execPath, [CHILD, which], { timeout: 60_000, encoding: 'utf8' });
    const events = stderr
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).event);
    expect(events).toEqual([`${name} does not answer`, `${name} hangs`]);
    expect(signal).toBe('SIGKILL');
  },
  90_000,
);
