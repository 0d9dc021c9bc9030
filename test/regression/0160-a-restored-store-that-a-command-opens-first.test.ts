// Found by restoring a backup and checking it before the start of the gateway. The check rebuilt the state, so the gateway never said that
// the store was rebuilt, after which cursors of the channel `orders` may have expired.

import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupCommand } from '../../src/cli/backup.ts';
import { storeCommand } from '../../src/cli/store.ts';
import { openLedgerFolder } from '../../src/history/ledger-folder.ts';
import { OPEN_BOOT_MARK, UNKNOWN_BOOT } from '../../src/store/open-boot.ts';
import { OrderReader } from '../../src/store/orders/order-reader.ts';
import { CommandRig } from '../cli/command-rig.ts';
import { numberedOrder, putLedger } from '../cli/ledger-data.ts';

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
