// Found by asking what happens with a lock file that cannot be written. On a full disk `crossbook store` was refused beside the gateway,
// though it only reads, and backs up to another disk. And the start that would own the store did not name the file that could not be
// written.

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedgerFolder } from '../../src/history/ledger-folder.ts';
import { START_FLAGS } from '../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TIMEOUT_MS = 30_000;
let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => removeFolder(dataDir));

/** `crossbook store check` where no file takes a byte more. */
function check(): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const args = [...START_FLAGS, 'src/cli/crossbook.ts', 'store', 'check', '--data-dir', dataDir];
  const shell = 'ulimit -f 0; exec "$0" "$@"';
  const env = { PATH: process.env.PATH };
  return spawnSync('sh', ['-c', shell, process.execPath, ...args], {
    cwd: ROOT,
    env,
    timeout: TIMEOUT_MS,
    encoding: 'utf8',
  });
}

it('a command that only reads ignores the lock, and others are refused with its name', async () => {
  const folder = join(dataDir, 'orders');
  const owner = await openLedgerFolder(folder);
  expect(check()).toMatchObject({ status: 0, stdout: 'whole: 0 orders, 0 fills, 0 positions\n', stderr: '' });
  await owner.close();
  const fault = `crossbook: store file ${join(folder, 'owner')}: EFBIG`;
  expect(check()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(fault) });
});
