// Found by a backup beside a gateway whose history was not kept, as on a disk with little room. The backup had the orders as of the last one in the
// history, of hours before, and ended with 0. What the journal had behind that was in no backup.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupCommand, restoreCommand } from '../../src/cli/backup.ts';
import { storeCommand } from '../../src/cli/store.ts';
import { openLedgerFolder } from '../../src/history/ledger-folder.ts';
import { OPEN_BOOT_MARK, UNKNOWN_BOOT } from '../../src/store/open-boot.ts';
import { OrderReader } from '../../src/store/orders/order-reader.ts';
import { CommandRig } from '../cli/command-rig.ts';
import { numberedOrder, putLedger } from '../cli/ledger-data.ts';

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
