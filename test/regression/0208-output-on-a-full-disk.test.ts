// Found by exporting the store to a full disk: `crossbook store export > FILE` cut the file short, said nothing and ended with 0. So did
// every command whose output could not be written.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openLedgerFolder } from '../../src/history/ledger-folder.ts';
import { START_FLAGS } from '../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');

it.each(['store check', 'help'])('%s that cannot say what it has to say has failed', async command => {
  const dataDir = temporaryFolder();
  onTestFinished(() => removeFolder(dataDir));
  const folder = join(dataDir, 'orders');
  await (await openLedgerFolder(folder)).close();
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const args = [...START_FLAGS, 'src/cli/crossbook.ts', ...command.split(' ')];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, CROSSBOOK_DATA_DIR: dataDir },
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  const words = 'crossbook: standard output: ENOSPC: no space left on device, write\n';
  expect([status, stderr]).toEqual([1, words]);
});
