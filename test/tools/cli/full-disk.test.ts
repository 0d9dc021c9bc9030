// Commands on a full disk.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';
import { START_FLAGS } from '../../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

// Found with a backup to a full disk: the message named the store, which had room on its disk, and not the backup.
describe('0206: a backup on a full disk', () => {
  const ROOT = resolve(import.meta.dirname, '../../..');

  it('the full disk is reported with the name of the backup', async () => {
    const dataDir = temporaryFolder();
    onTestFinished(() => removeFolder(dataDir));
    const folder = join(dataDir, 'orders');
    const owner = await openLedgerFolder(folder);
    const target = join(temporaryFolder(), 'backup');
    const args = [...START_FLAGS, 'src/tools/cli/crossbook.ts', 'backup', target, '--data-dir', dataDir];
    // With this limit no file accepts another byte.
    const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });
    await owner.close();
    expect([status, stderr]).toEqual([1, expect.stringMatching(`^crossbook: .*${target}\\S*.*\n$`)]);
  });
});

// Every command with an output that could not be written had the same fault.
describe('0208: output on a full disk', () => {
  const ROOT = resolve(import.meta.dirname, '../../..');

  it.each(['store check', 'help'])('%s that cannot say what it has to say has failed', async command => {
    const dataDir = temporaryFolder();
    onTestFinished(() => removeFolder(dataDir));
    const folder = join(dataDir, 'orders');
    await (await openLedgerFolder(folder)).close();
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const args = [...START_FLAGS, 'src/tools/cli/crossbook.ts', ...command.split(' ')];
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, CROSSBOOK_DATA_DIR: dataDir },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    const words = 'crossbook: standard output: ENOSPC: no space left on device, write\n';
    expect([status, stderr]).toEqual([1, words]);
  });
});
