// Found by the fault campaign, in CI: an order worker died, and so did the one that took its place, while it started. The pool was started
// anew, and the threads that were left were ended as they were: one of them in the midst of a transaction. lmdb-js then waits for a lock that
// this thread holds, and every other thread that has a store waited for it, for ever.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';

const CHILD = join(import.meta.dirname, '0163-replaces-the-threads-of-a-pool.ts');
const TIMEOUT_MS = 30_000;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('does not keep others from committing', () => {
  const env = { PATH: process.env.PATH, FOLDER: folder };
  const said = execFileSync(process.execPath, [CHILD], {
    env,
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  expect(said.trimEnd().split('\n')).toEqual(['started anew', 'committed', 'closed']);
});
