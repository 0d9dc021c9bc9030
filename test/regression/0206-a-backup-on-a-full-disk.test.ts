// Found by a backup to a full disk: the message named the store, whose disk had room, and not the backup.

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openLedgerFolder } from '../../src/history/ledger-folder.ts';
import { START_FLAGS } from '../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');

it('the full disk is reported with the name of the backup', async () => {
  const dataDir = temporaryFolder();
  onTestFinished(() => removeFolder(dataDir));
  const folder = join(dataDir, 'orders');
  const owner = await openLedgerFolder(folder);
  const target = join(temporaryFolder(), 'backup');
  const args = [...START_FLAGS, 'src/cli/crossbook.ts', 'backup', target, '--data-dir', dataDir];
  // No file takes a byte more.
  const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  await owner.close();
  expect([status, stderr]).toEqual([1, expect.stringMatching(`^crossbook: .*${target}\\S*.*\n$`)]);
});
