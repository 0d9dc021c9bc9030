// A check worker that hangs for good ends the process, and before that a log line says so.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { START_FLAGS } from '../../support/child-process.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';

const CHILD = join(import.meta.dirname, 'hanging-check-worker.ts');

it('a check worker that hangs for good ends the process', () => {
  const { signal, stderr } = spawnSync(process.execPath, [...START_FLAGS, CHILD], {
    timeout: PATIENCE_MS,
    encoding: 'utf8',
  });
  const events = stderr
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).event);
  expect(events).toEqual(['check worker does not answer', 'check worker hangs']);
  expect(signal).toBe('SIGKILL');
});
