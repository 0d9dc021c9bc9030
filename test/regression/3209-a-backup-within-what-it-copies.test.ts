// Found by making a backup in a data directory that a link names. Their names alone did not say that one is in the other. The backup copied
// itself, folder in folder, until the path was too long for the system.

import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupCommand } from '../../src/cli/backup.ts';
import { CommandRig } from '../cli/command-rig.ts';

let rig: CommandRig;
beforeEach(() => {
  rig = new CommandRig();
  mkdirSync(rig.file('disk'));
  writeFileSync(rig.file('disk/pages.secret'), 'pages\n', { mode: 0o600 });
  symlinkSync(rig.file('disk'), rig.dataDir);
});
afterEach(() => rig.remove());

it.each([
  ['by the name of the folder itself', () => rig.file('disk/backup/today')],
  ['by the link', () => join(rig.dataDir, 'backup')],
])('is refused %s', async (_, target) => {
  const { code, err } = await rig.run(backupCommand, target());
  expect([code, err]).toEqual([2, expect.stringContaining(`DIR: must not be in ${rig.dataDir}`)]);
  expect(readdirSync(rig.file('disk'))).toEqual(['pages.secret']);
});

it('is made beside it', async () => {
  expect(await rig.run(backupCommand, rig.file('backup'))).toMatchObject({ code: 0, err: '' });
});
