// Found by killing `crossbook store backup`, as Ctrl-C does: it counted as reading for as long as the gateway ran, so that no page of the state
// that it could have read was used again. The file grew with every change, by some 20 KB, until its disk was full.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { STATE_NAME } from '../../src/store/durable/layout.ts';
import { usedBytes } from '../../src/store/lmdb-files.ts';
import type { OpenedOrderStore } from '../../src/store/order-store.ts';
import { StoreKeeper } from '../../src/threads/store-keeper.ts';
import { removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';
import { openOrders } from '../store/orders/order-rig.ts';
import { OwnProcess } from '../support/child-process.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const CHANGES = 200;
const VALUE = 'v'.repeat(2_000);
const TIMEOUT_MS = 30_000;

let folder: string;
let store: OpenedOrderStore;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openOrders(folder);
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

/** By how much the state grows with changes of the same rows. */
function growth(): number {
  const before = usedBytes(join(folder, STATE_NAME));
  for (let change = 0; change < CHANGES; change += 1) {
    store.change(to => to.putMark(`mark ${change % 3}`, VALUE));
    store.durable.flush();
  }
  return usedBytes(join(folder, STATE_NAME)) - before;
}

it(
  'keeps no room from those who write',
  async () => {
    growth();
    const timers = new VirtualTimers();
    const keeper = new StoreKeeper(store, timers, silentLog);
    const reading = new OwnProcess(['test/regression/0232-reads-until-it-is-killed.ts', folder]);
    await reading.said(/reading/);
    const whileItReads = growth();
    reading.signal('SIGKILL');
    await reading.ended;
    await timers.settle(limits.storeKeepMs);
    expect(growth()).toBeLessThan(whileItReads / 4);
    expect(growth()).toBe(0);
    await keeper.close();
  },
  TIMEOUT_MS,
);
