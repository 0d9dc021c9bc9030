// Order stores of earlier versions, brought up to date when they are opened.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDurableStore } from '../../../src/store/durable/durable-store.ts';
import { checkOrders } from '../../../src/store/orders/check.ts';
import { ORDER_TABLES } from '../../../src/store/orders/keys.ts';
import { OrderWriter } from '../../../src/store/orders/order-writer.ts';
import { realTimers, removeFolder, temporaryFolder } from '../durable/store-rig.ts';
import { at, openOrders, orderIdOf, storedOrder } from './order-rig.ts';

const POD_B = { podId: 'pod', venue: 'venue_b' } as const;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('version 1 gets the list of what is to be cancelled', async () => {
  const schema = { version: 1, migrate: () => {} };
  const common = { folder, mode: 'process-safe', role: 'owner', timers: realTimers } as const;
  const first = await openDurableStore({ ...common, tables: ORDER_TABLES, schema });
  first.transact(transaction => {
    const orders = new OrderWriter(transaction, 10);
    for (const number of [1, 2, 3]) {
      const cancelRequestedAt = number === 2 ? at(9) : null;
      orders.putOrder(storedOrder({ number }, { status: 'OPEN', cancelRequestedAt }));
    }
  });
  // Version 1 had no such table.
  first.transact(it => {
    for (const { key } of first.range('wantedCancels', { limit: 10 })) it.delete('wantedCancels', key);
  });
  await first.close();

  const store = await openOrders(folder);
  expect(Array.from(store.unclearOrders(POD_B), ({ order }) => order.orderId)).toEqual([orderIdOf(2)]);
  expect(store.inspect(checkOrders).faults).toEqual([]);
  await store.close();
});
