// The folder of orders: who may open it, what it says about pods, and what a copy of it contains.

import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { OrderReader } from '../../../src/core/store/orders/order-reader.ts';
import { OPEN_BOOT_MARK } from '../../../src/core/store/owner-lock.ts';
import { HISTORY_DRAFT, openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';
import { copyHistory } from '../../../src/orders/history/upkeep.ts';
import { orderIdOf, storedOrder } from '../../core/store/orders/order-rig.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { FollowerRig, LedgerRig } from './history-rig.ts';

let ledger: LedgerRig;
beforeEach(() => {
  ledger = new LedgerRig();
});
afterEach(() => ledger.remove());

const put = (number: number) => ledger.step(it => it.putOrder(storedOrder({ number })));

it('is one owner’s at a time, who is named', async () => {
  const owner = await openLedgerFolder(ledger.folder);
  await expect(openLedgerFolder(ledger.folder)).rejects.toThrow(`is open in process ${process.pid}`);
  await owner.close();
  await (await openLedgerFolder(ledger.folder)).close();
});

it('has its names on disk before anything is written to it', async () => {
  const synced = new Set<string>();
  const files = {
    ...nodeFiles,
    syncFolder(path: string) {
      synced.add(path);
      nodeFiles.syncFolder(path);
    },
  };
  const owner = await openLedgerFolder(ledger.folder, { files });
  expect([...synced]).toEqual([ledger.historyFolder, ledger.folder, dirname(ledger.folder)]);
  await owner.close();
});

it('knows whether a pod has orders, from the history and from the journal behind it', async () => {
  const owner = await openLedgerFolder(ledger.folder);
  expect(owner.hasOrders('pod')).toBe(false);
  put(1);
  expect([owner.hasOrders('pod'), owner.hasOrders('other')]).toEqual([true, false]);
  owner.followToEnd();
  expect(owner.tables.followed()).toBe(1);
  expect([owner.hasOrders('pod'), owner.hasOrders('other')]).toEqual([true, false]);
  await owner.close();
});

it('keeps what it lacks of the journal, however long', async () => {
  for (let number = 1; number <= 1_200; number++) put(number);
  const owner = await openLedgerFolder(ledger.folder);
  owner.followToEnd();
  expect(owner.tables.followed()).toBe(1_200);
  await owner.close();
});

it('is copied while it is followed, and the copy is a folder of its own, whose events may be lost', async () => {
  put(1);
  const follower = new FollowerRig(ledger);
  expect(await follower.ask(reads => reads.order(orderIdOf(1)))).not.toBeNull();
  const target = join(temporaryFolder(), 'a/copy');
  await copyHistory(ledger.folder, follower.tables, target);
  put(2);
  await follower.close();
  const copy = await openLedgerFolder(target);
  const reads = new OrderReader(copy.tables);
  expect([reads.order(orderIdOf(1)) === null, reads.order(orderIdOf(2)) === null]).toEqual([false, true]);
  expect(reads.mark(OPEN_BOOT_MARK)).toBe('copy');
  await copy.close();
  await expect(copyHistory(ledger.folder, follower.tables, target)).rejects.toThrow(
    `the folder ${target} is not empty`,
  );
  removeFolder(target);
});

it('is refused without its journal, which has the last orders', async () => {
  put(1);
  const owner = await openLedgerFolder(ledger.folder);
  owner.followToEnd();
  await owner.close();
  rmSync(join(ledger.folder, 'journal'), { recursive: true });
  await expect(openLedgerFolder(ledger.folder)).rejects.toThrow('its journal is missing, and with it the last orders');
});

it('is taken up again from a copy of its history, with the journal that was kept', async () => {
  put(1);
  const owner = await openLedgerFolder(ledger.folder);
  owner.followToEnd();
  const target = join(temporaryFolder(), 'copy');
  await copyHistory(ledger.folder, owner.tables, target);
  put(2);
  owner.followToEnd();
  await owner.close();
  removeFolder(ledger.historyFolder);
  renameSync(join(target, 'history'), ledger.historyFolder);
  const again = await openLedgerFolder(ledger.folder);
  again.followToEnd();
  expect(new OrderReader(again.tables).order(orderIdOf(2))).not.toBeNull();
  await again.close();
});

it('refuses a backup that was not finished', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, HISTORY_DRAFT));
  await expect(openLedgerFolder(folder)).rejects.toThrow(`${folder}: is a backup that was not finished`);
  expect(readdirSync(folder)).toEqual([HISTORY_DRAFT, 'lock']);
  removeFolder(folder);
});
