// The store flusher under virtual time, beside the owner of a real store.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { nodeFiles } from '../../src/store/durable/files.ts';
import { journalName } from '../../src/store/durable/layout.ts';
import type { OpenedOrderStore } from '../../src/store/order-store.ts';
import { StoreFlusher } from '../../src/threads/store-flusher.ts';
import { removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';
import { openOrders } from '../store/orders/order-rig.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

let folder: string;
let timers: VirtualTimers;
let owner: OpenedOrderStore;
let member: OpenedOrderStore;
beforeEach(async () => {
  folder = temporaryFolder();
  timers = new VirtualTimers();
  owner = await openOrders(folder, { timers });
  member = await openOrders(folder, { role: 'member', timers });
});
afterEach(async () => {
  await member.close();
  await owner.close();
  removeFolder(folder);
});

const commit = (name: string) => owner.change(to => to.putMark(name, 'value'));

it('flushes what there is at once, and then what is committed, some milliseconds later and together', async () => {
  commit('before');
  const flusher = new StoreFlusher(member, timers, silentLog);
  expect(owner.durable.unflushed).toBe(0);
  for (const round of ['one', 'two', 'three']) {
    commit(round);
    commit(`${round} more`);
    expect(owner.durable.unflushed).toBe(2);
    await timers.settle(limits.storeSyncDelayMs + limits.storeFlushPauseMs);
    expect(owner.durable.unflushed).toBe(0);
  }
  flusher.close();
  commit('after');
  await timers.settle(limits.storeSyncDelayMs + limits.storeFlushPauseMs);
  expect(owner.durable.unflushed).toBe(1);
});

it('says once that it cannot, tries again, and says that it can', async () => {
  const said: string[] = [];
  const say = (event: string, fields: object = {}): void =>
    void said.push([event, ...Object.values(fields)].join(': '));
  const log = { ...silentLog, info: say, warn: say };
  const journal = join(folder, journalName(1));
  nodeFiles.rename(journal, `${journal}.away`);
  commit('unseen');
  const flusher = new StoreFlusher(member, timers, log);
  await timers.settle(limits.storeFlushRetryMs);
  expect([said, owner.durable.unflushed]).toEqual([
    [
      expect.stringMatching(
        /^the order store cannot be flushed: store .*: the part of the journal with transaction 2 is missing$/,
      ),
    ],
    1,
  ]);
  nodeFiles.rename(`${journal}.away`, journal);
  await timers.settle(limits.storeFlushRetryMs);
  expect([said[1], owner.durable.unflushed]).toEqual(['the order store is flushed again', 0]);
  flusher.close();
});
