// Left of 0163: an exit of the process stops its threads, too. It may come after an uncaught error on the main thread, or a shutdown that
// took too long, during a thread's transaction. The process then hung and answered nobody, so no supervisor started another.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, '0164-ends-while-a-thread-commits.ts');
const TIMEOUT_MS = 30_000;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

function ended(how: 'fault' | 'force') {
  const env = { PATH: process.env.PATH, FOLDER: folder, HOW: how };
  // Another signal than its own, should it not end.
  return spawnSync(process.execPath, [CHILD], { env, timeout: TIMEOUT_MS, killSignal: 'SIGTERM', encoding: 'utf8' });
}

it('an end by force ends the process, and writes what was logged', () => {
  const { signal, stderr } = ended('force');
  expect(signal).toBe('SIGKILL');
  expect(stderr).toContain('"event":"the last line"');
});

it('an error that nobody catches is logged, without secrets, and ends the process', () => {
  const { signal, stderr } = ended('fault');
  expect(signal).toBe('SIGKILL');
  expect(stderr).toMatch(/^crossbook: the main thread failed: ended by the test, with a seed \[redacted 32 bytes\]$/m);
  expect(stderr).toContain('"event":"the last line"');
  expect(stderr).toMatch(
    /"event":"main thread failed","error":"ended by the test, with a seed \[redacted 32 bytes\]","at":"\S* ?test\/regression\/0164-ends/,
  );
  expect(stderr).not.toContain('5555');
});
