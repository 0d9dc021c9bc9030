// The store keeper under virtual time, beside the owner of a real store.

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { OpenedOrderStore } from '../../src/store/order-store.ts';
import { StoreKeeper } from '../../src/threads/store-keeper.ts';
import { FailingFiles } from '../store/durable/failing-files.ts';
import { removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';
import { at, openOrders, storedOrder } from '../store/orders/order-rig.ts';
import { eventually } from '../support/eventually.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

let folder: string;
let owner: OpenedOrderStore;
let member: OpenedOrderStore;
let timers: VirtualTimers;
beforeEach(async () => {
  folder = temporaryFolder();
  timers = new VirtualTimers();
  owner = await openOrders(folder);
  member = await openOrders(folder, { role: 'member' });
});
afterEach(async () => {
  await member.close();
  await owner.close();
  removeFolder(folder);
});

it('removes what is too old, a slice at a time', async () => {
  const { order } = storedOrder({ number: 1 });
  const events = limits.orderRowsPrunedMax * 2;
  owner.change(to => {
    for (let count = 0; count < events; count++) {
      to.appendEvent({ actorId: 'alice', event: 'STATUS', order, fill: null, at: at(1) });
    }
  });
  const keeper = new StoreKeeper(member, timers, silentLog);
  await timers.settle(limits.storeKeepMs);
  expect(owner.events('alice', limits.orderRowsPrunedMax - 1, 1)).toBeNull();
  expect(owner.events('alice', limits.orderRowsPrunedMax, 1)).toHaveLength(1);
  for (let slices = 0; slices < 3; slices++) await timers.settle(limits.storePruneSliceMs);
  expect([owner.events('alice', events - 1, 1), owner.events('alice', events, 1)]).toEqual([null, []]);
  await keeper.close();
});

it('says that it could not keep the store, and tries again', async () => {
  const said: string[] = [];
  const log = { ...silentLog, warn: (_event: string, fields?: object) => void said.push(JSON.stringify(fields)) };
  const files = new FailingFiles();
  const other = await openOrders(folder, { role: 'member', files });
  const keeper = new StoreKeeper(other, timers, log);
  const value = 'v'.repeat(limits.storeValueBytesMax / 2);
  while (!owner.durable.isCheckpointDue()) owner.change(to => to.putMark('m', value));
  files.failing.add('rename');
  timers.advance(limits.storeKeepMs);
  await eventually(() => expect(said).toEqual([expect.stringContaining('rename failed')]));
  expect(owner.durable.isCheckpointDue()).toBe(true);

  files.failing.clear();
  await eventually(() => expect(timers.pending).toBe(1));
  timers.advance(limits.storeKeepMs);
  await keeper.close();
  expect([owner.durable.isCheckpointDue(), said.length]).toEqual([false, 1]);
  await other.close();
});

it('makes a checkpoint once one is due, though a keeper before it died over one', async () => {
  mkdirSync(join(folder, 'checkpoint.draft'));
  const keeper = new StoreKeeper(member, timers, silentLog);
  await timers.settle(limits.storeKeepMs);
  const checkpoints = (): string[] => readdirSync(folder).filter(name => name.startsWith('checkpoint'));
  expect(checkpoints()).toEqual([]);
  const value = 'v'.repeat(limits.storeValueBytesMax / 2);
  while (!owner.durable.isCheckpointDue()) owner.change(to => to.putMark('m', value));
  timers.advance(limits.storeKeepMs);
  await keeper.close();
  expect(checkpoints()).toEqual([expect.stringMatching(/^checkpoint-\d+$/)]);
  expect(owner.durable.isCheckpointDue()).toBe(false);
});
