// Found by making a backup in a data directory that a link names. Their names alone did not say that one is in the other. The backup copied
// itself, folder in folder, until the path was too long for the system.

import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupCommand } from '../../src/cli/backup.ts';
import { openKeyStore } from '../../src/store/key-store.ts';
import { CommandRig } from '../cli/command-rig.ts';

let rig: CommandRig;
beforeEach(async () => {
  rig = new CommandRig();
  await openKeyStore(rig.file('disk/keys')).close();
  symlinkSync(rig.file('disk'), rig.dataDir);
});
afterEach(() => rig.remove());

it.each([
  ['by the name of the folder itself', () => rig.file('disk/backup/today')],
  ['by the link', () => join(rig.dataDir, 'backup')],
])('is refused %s', async (_, target) => {
  const { code, err } = await rig.run(backupCommand, target());
  expect([code, err]).toEqual([2, expect.stringContaining(`DIR: must not be in ${rig.dataDir}`)]);
  expect(readdirSync(rig.file('disk'))).toEqual(['keys']);
});

it('is made beside it', async () => {
  expect(await rig.run(backupCommand, rig.file('backup'))).toMatchObject({ code: 0, err: '' });
});
