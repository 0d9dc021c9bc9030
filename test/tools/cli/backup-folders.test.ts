// The files that a backup takes and that a restore puts back.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatewayIdIn } from '../../../src/core/store/data-files.ts';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import { OrderReader } from '../../../src/core/store/orders/order-reader.ts';
import { OPEN_BOOT_MARK, takeOwnership, UNKNOWN_BOOT } from '../../../src/core/store/owner-lock.ts';
import { openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';
import { backupCommand, restoreCommand } from '../../../src/tools/cli/backup.ts';
import { storeCommand } from '../../../src/tools/cli/store.ts';
import { CommandRig } from './command-rig.ts';
import { numberedOrder, putLedger } from './ledger-data.ts';

// The command's check rebuilt the state, so the gateway never reported the rebuild. After a rebuild, cursors of the channel `orders` may have
// expired.
describe('0160: a restored store that a command opens first', () => {
  let rig: CommandRig;
  beforeEach(async () => {
    rig = new CommandRig();
    mkdirSync(rig.dataDir);
    await putLedger(rig.dataDir, [step => step.putOrder(numberedOrder(1))]);
    await rig.run(backupCommand, rig.file('copy'));
    mkdirSync(rig.file('restored'));
    renameSync(rig.file('copy/data/orders'), join(rig.file('restored'), 'orders'));
  });
  afterEach(() => rig.remove());

  it.each(['check', 'export', 'compact'])(
    'store %s leaves it to the gateway to see that events may be lost',
    async name => {
      expect(await rig.run(storeCommand, name, '--data-dir', rig.file('restored'))).toMatchObject({ code: 0, err: '' });
      const owner = await openLedgerFolder(rig.file('restored/orders'));
      expect(new OrderReader(owner.tables).mark(OPEN_BOOT_MARK)).toBe(UNKNOWN_BOOT);
      await owner.close();
    },
  );
});

// The comparison of the two names alone did not notice that one folder is in the other. The backup copied itself, folder in folder, until the path
// was too long for the system.
describe('3209: a backup within what it copies', () => {
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
});

// Each ended with 0, and had no orders: one who keeps the last few backups had none. One that failed left its part, on a disk that may be
// full.
describe('3305: a backup of what is not there', () => {
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
});

// A data directory that was restored beside its gateway had the same gateway id. For a replicated pod both gateways counted as the owner, and each
// start ended the other gateway. A second restore into the same folder took over the draft of the first restore.
describe('3306: a restore beside its gateway', () => {
  let rig: CommandRig;
  let copy: string;
  let back: string;
  let id: string;
  beforeEach(async () => {
    rig = new CommandRig();
    [copy, back] = [rig.file('copy'), rig.file('back')];
    id = gatewayIdIn(rig.dataDir);
    await openKeyStore(join(rig.dataDir, 'keys')).close();
    expect((await rig.run(backupCommand, copy)).code).toBe(0);
  });
  afterEach(() => rig.remove());

  const restore = () => rig.run(restoreCommand, copy, '--data-dir', back);

  it('a restored data directory is that of another gateway, and the restore says so', async () => {
    expect(await restore()).toMatchObject({ code: 0, out: expect.stringContaining('crossbook pods take POD') });
    expect(readdirSync(back)).toEqual(['keys']);
    expect(gatewayIdIn(back)).not.toBe(id);
  });

  it('a restore beside another into the same folder is refused, and changes nothing', async () => {
    const draft = join(back, 'restoring');
    mkdirSync(join(draft, 'data'), { recursive: true });
    writeFileSync(join(draft, 'data', 'part'), 'of the other');
    const end = takeOwnership(draft);
    const refused = await restore();
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`is open in process ${process.pid}`)]);
    expect(readFileSync(join(draft, 'data', 'part'), 'utf8')).toBe('of the other');
    end();
    expect((await restore()).code).toBe(0);
    expect(existsSync(draft)).toBe(false);
  });
});

// The backup had the orders up to the last one in the history, which could be hours old, and ended with exit code 0. Later orders, which only the
// journal had, were in no backup.
describe('3308: orders that a backup lacked', () => {
  const ORDERS = 3;
  let rig: CommandRig;
  beforeEach(async () => {
    rig = new CommandRig();
    await putLedger(rig.dataDir, [it => it.putOrder(numberedOrder(1))]);
    for (let number = 2; number <= ORDERS; number++)
      await putLedger(rig.dataDir, [it => it.putOrder(numberedOrder(number))], false);
  });
  afterEach(() => rig.remove());

  it('a backup beside a gateway has the orders that are in the journal alone', async () => {
    const owner = await openLedgerFolder(join(rig.dataDir, 'orders'));
    expect(await rig.run(backupCommand, rig.file('copy'))).toMatchObject({ code: 0, err: '' });
    expect(owner.tables.followed()).toBe(1);
    await owner.close();
    const back = rig.file('back');
    expect((await rig.run(restoreCommand, rig.file('copy'), '--data-dir', back)).code).toBe(0);
    const restored = await openLedgerFolder(join(back, 'orders'));
    expect(new OrderReader(restored.tables).mark(OPEN_BOOT_MARK)).toBe(UNKNOWN_BOOT);
    await restored.close();
    const checked = await rig.run(storeCommand, 'check', '--data-dir', back);
    expect(checked.out).toBe(`whole: ${ORDERS} orders, 0 fills, 0 positions\n`);
  });
});
