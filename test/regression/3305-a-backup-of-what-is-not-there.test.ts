// Found by backups of a data directory whose disk was not mounted, and of one whose orders were behind a link that led nowhere. Each ended with 0,
// and had no orders: one who keeps the last few backups had none. One that failed left its part, on a disk that may be full.

import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupCommand, restoreCommand } from '../../src/cli/backup.ts';
import { storeCommand } from '../../src/cli/store.ts';
import { openKeyStore } from '../../src/store/key-store.ts';
import { CommandRig } from '../cli/command-rig.ts';
import { numberedOrder, putLedger } from '../cli/ledger-data.ts';

let rig: CommandRig;
let orders: string;
beforeEach(async () => {
  rig = new CommandRig();
  orders = join(rig.dataDir, 'orders');
  await putLedger(rig.dataDir, [it => it.putOrder(numberedOrder(1))]);
  await openKeyStore(join(rig.dataDir, 'keys')).close();
});
afterEach(() => rig.remove());

const backup = () => rig.run(backupCommand, rig.file('copy'));

it('is refused where the data directory is empty', async () => {
  rmSync(rig.dataDir, { recursive: true });
  mkdirSync(rig.dataDir);
  expect(await backup()).toEqual({ code: 2, out: '', err: expect.stringContaining('holds neither orders nor keys') });
  expect([existsSync(rig.file('copy')), readdirSync(rig.dataDir)]).toEqual([false, []]);
});

it.each([
  ['orders is a link to what is not there', 'orders', 'is missing, or empty', () => symlinkSync('nowhere', orders)],
  ['orders holds no orders', 'orders', 'is missing, or empty', () => mkdirSync(orders)],
  ['keys has no data', 'keys', 'its data.mdb is missing', () => mkdirSync(join(rig.dataDir, 'keys'))],
])('fails where %s, and leaves nothing', async (_what, name, words, make) => {
  rmSync(join(rig.dataDir, name), { recursive: true });
  make();
  expect(await backup()).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining(`${join(rig.dataDir, name)}: ${words}`),
  });
  expect(existsSync(rig.file('copy'))).toBe(false);
  if (existsSync(join(rig.dataDir, name))) expect(readdirSync(join(rig.dataDir, name))).toEqual([]);
});

it('leaves the folder of a backup that failed as it was', async () => {
  symlinkSync('nowhere', join(rig.dataDir, 'pods'));
  mkdirSync(rig.file('copy'));
  expect((await backup()).code).toBe(1);
  expect(readdirSync(rig.file('copy'))).toEqual([]);
});

it.each(['check', 'export', 'compact'])('store %s does not begin a ledger in an empty folder', async name => {
  rmSync(orders, { recursive: true });
  mkdirSync(orders);
  const { code, err } = await rig.run(storeCommand, name);
  expect([code, err]).toEqual([2, expect.stringContaining('holds no order store')]);
  expect(readdirSync(orders)).toEqual([]);
});

it('says so where a folder is expected and something else is there', async () => {
  writeFileSync(rig.file('file'), '');
  symlinkSync('nowhere', rig.file('link'));
  for (const [name, code] of Object.entries({ file: 'ENOTDIR', link: 'ENOENT' })) {
    const words = `: ${rig.file(name)} cannot be used as a folder (${code})\n`;
    expect((await rig.run(backupCommand, rig.file(name))).err).toBe(`crossbook: DIR${words}`);
    const restored = await rig.run(restoreCommand, rig.file('copy'), '--data-dir', rig.file(name));
    expect(restored).toEqual({ code: 2, out: '', err: `crossbook: --data-dir${words}` });
  }
});
