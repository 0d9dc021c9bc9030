// The store probe under virtual time, beside the owner of a real store on a disk that fails as told.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { OpenedOrderStore } from '../../src/store/order-store.ts';
import { StoreProbe } from '../../src/threads/store-probe.ts';
import { FailingFiles } from '../store/durable/failing-files.ts';
import { removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';
import { openOrders } from '../store/orders/order-rig.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

let folder: string;
let owner: OpenedOrderStore;
let member: OpenedOrderStore;
let files: FailingFiles;
let timers: VirtualTimers;
let said: string[];
let probe: StoreProbe;

beforeEach(async () => {
  folder = temporaryFolder();
  timers = new VirtualTimers();
  files = new FailingFiles();
  said = [];
  owner = await openOrders(folder, { files });
  member = await openOrders(folder, { role: 'member', files });
  const say = (event: string): void => void said.push(event);
  probe = new StoreProbe({ store: member, folder, timers, log: { ...silentLog, info: say, warn: say } });
});
afterEach(async () => {
  probe.close();
  files.failing.clear();
  await member.close();
  await owner.close();
  removeFolder(folder);
});

const write = (): void => owner.change(transaction => transaction.putMark('mark', ''));

it('writes nothing as long as changes are taken', async () => {
  await timers.settle(10 * limits.storeProbeMs);
  expect([owner.mark('probe'), said]).toEqual([null, []]);
});

it('tries until a change is taken again, and says both', async () => {
  files.failing.add('append');
  expect(write).toThrow('append failed');
  await timers.settle(3 * limits.storeProbeMs);
  expect([owner.durable.taking, said]).toEqual(['refused', ['nothing can be recorded']]);
  files.failing.clear();
  await timers.settle(2 * limits.storeProbeMs);
  expect([owner.durable.taking, said]).toEqual(['taken', ['nothing can be recorded', 'changes are recorded again']]);
});

it('tries nothing on a disk that has failed for good, and says so once', async () => {
  write();
  files.failing.add('syncSoon');
  await expect(owner.durable.durable()).rejects.toThrow('syncSoon failed');
  files.failing.clear();
  await timers.settle(5 * limits.storeProbeMs);
  expect([owner.mark('probe'), said]).toEqual([null, ['nothing can be recorded: the disk failed a change']]);
});
