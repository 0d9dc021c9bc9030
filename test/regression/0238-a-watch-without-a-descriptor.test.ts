// Found by asking what else is said of a moment in which no file can be opened: the watch over the files of the order store said that they
// are damaged, upon which an operator is told to stop the gateway, and look at the disk.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { Metrics } from '../../src/runtime/metrics.ts';
import { type Files, NoDescriptor, nodeFiles } from '../../src/store/durable/files.ts';
import { StoreWatch } from '../../src/threads/store-watch.ts';
import { removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';
import { openOrders } from '../store/orders/order-rig.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

it('finds nothing, and looks again', async () => {
  const folder = temporaryFolder();
  let isFull = false;
  const files: Files = {
    ...nodeFiles,
    open(path) {
      if (isFull) throw new NoDescriptor(`store file ${path}: EMFILE: too many open files`);
      return nodeFiles.open(path);
    },
  };
  const store = await openOrders(folder, { files });
  store.change(to => to.putMark('mark', 'value'));
  const [timers, metrics] = [new VirtualTimers(), new Metrics({ operations: [] })];
  const said: string[] = [];
  const watch = new StoreWatch({ store, timers, metrics, log: { ...silentLog, warn: event => void said.push(event) } });
  const counts = (): number[] =>
    (['store_rounds_total', 'store_damages_total'] as const).map(name => metrics.count(metrics.counter(name)));
  isFull = true;
  timers.advance(limits.storeLookPauseMs);
  expect([counts(), said]).toEqual([[0, 0], []]);
  isFull = false;
  timers.advance(limits.storeLookRestMs + limits.storeLookPauseMs);
  expect([counts(), said]).toEqual([[1, 0], []]);
  watch.close();
  await store.close();
  removeFolder(folder);
});
