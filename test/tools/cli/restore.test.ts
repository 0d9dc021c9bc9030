// A restore into a folder of its own.

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupCommand, restoreCommand } from '../../../src/tools/cli/backup.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { CommandRig } from './command-rig.ts';
import { numberedOrder, putLedger } from './ledger-data.ts';

// If root owns the folder above the data directory, the gateway's user can create nothing there. In a container the data directory is a mount. The
// restore made its draft beside the data directory, so it failed in both cases.
describe('3200: a restore into a folder of its own', () => {
  let rig: CommandRig;
  let copy: string;
  beforeEach(async () => {
    rig = new CommandRig();
    copy = rig.file('copy');
    await putLedger(rig.dataDir, [it => it.putOrder(numberedOrder(1))]);
    expect((await rig.run(backupCommand, copy)).code).toBe(0);
  });
  afterEach(() => rig.remove());

  const restore = (dataDir: string) => rig.run(restoreCommand, copy, '--data-dir', dataDir);

  it('a restore replaces no folder that exists, and writes nothing beside it', async () => {
    const back = rig.file('deep/back');
    mkdirSync(back, { recursive: true });
    const { ino } = statSync(back);
    const above = statSync(rig.file('deep'), { bigint: true }).mtimeNs;
    expect(await restore(back)).toMatchObject({ code: 0, err: '' });
    expect(statSync(back).ino).toBe(ino);
    expect(statSync(rig.file('deep'), { bigint: true }).mtimeNs).toBe(above);
    expect(readdirSync(back)).toEqual(['orders']);
  });

  it('a restore that was killed begins anew', async () => {
    const back = rig.file('back');
    mkdirSync(join(back, 'restoring', 'orders'), { recursive: true });
    writeFileSync(join(back, 'restoring', 'orders', 'part'), '');
    expect(await restore(back)).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(back)).toEqual(['orders']);
  });

  it('nothing is made of a restore that was cut off while its files were taken out: no start, no backup, no other restore', async () => {
    const back = rig.file('back');
    expect((await restore(back)).code).toBe(0);
    mkdirSync(join(back, 'restoring'));
    const words = 'belongs to a restore that was not finished';
    const gateway = new OwnProcess(['src/main.ts'], { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: back });
    expect([await gateway.ended, gateway.stderr]).toEqual([1, expect.stringContaining(words)]);
    const copied = await rig.run(backupCommand, rig.file('other'), '--data-dir', back);
    expect([copied.code, copied.err]).toEqual([1, expect.stringContaining(words)]);
    expect((await restore(back)).err).toContain('is not empty');
    expect(readdirSync(back)).toEqual(['orders', 'restoring']);
  });
});
