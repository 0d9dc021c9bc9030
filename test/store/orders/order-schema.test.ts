// Order stores of earlier versions, brought up to date when they are opened.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MicroDollars, MicroShares } from '../../../src/domain/numbers.ts';
import { openDurableStore } from '../../../src/store/durable/durable-store.ts';
import { checkOrders } from '../../../src/store/orders/check.ts';
import { ORDER_TABLES } from '../../../src/store/orders/keys.ts';
import { OrderReader } from '../../../src/store/orders/order-reader.ts';
import { ORDER_SCHEMA } from '../../../src/store/orders/order-schema.ts';
import { OrderWriter } from '../../../src/store/orders/order-writer.ts';
import { realTimers, removeFolder, temporaryFolder } from '../durable/store-rig.ts';
import { FIRST_FORMS } from './first-forms.ts';
import { at, openOrders, orderIdOf, storedOrder } from './order-rig.ts';

const POD_B = { podId: 'pod', venue: 'venue_b' } as const;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

/** A store as a program of that version made it. */
function openAt(version: number) {
  const schema = { version, migrate: () => {} };
  return openDurableStore({
    ...({ folder, mode: 'process-safe', role: 'owner', timers: realTimers, tables: ORDER_TABLES } as const),
    schema,
  });
}

it('version 1 gets the list of what is to be cancelled', async () => {
  const first = await openAt(1);
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

it('version 2 stays as it is, and is not opened by its program any more, which would not keep what moved positions', async () => {
  const older = await openAt(2);
  older.transact(transaction =>
    new OrderWriter(transaction, 10).putOrder(storedOrder({ number: 1 }, { status: 'OPEN' })),
  );
  await older.close();

  const store = await openOrders(folder);
  expect(store.order(orderIdOf(1))?.order.status).toBe('OPEN');
  expect(store.inspect(checkOrders).faults).toEqual([]);
  await store.close();
  await expect(openAt(2)).rejects.toThrow('store: has schema version 4, this program has version 2');
});

it('version 3 gets the list of ended orders with fills that are not told yet', async () => {
  const older = await openAt(3);
  const stated = { size: 2_000_000 as MicroShares, cost: 0n, fees: 0 as MicroDollars };
  older.transact(transaction => {
    const orders = new OrderWriter(transaction, 10);
    orders.putOrder(storedOrder({ number: 1 }, { status: 'CANCELLED', closedAt: at(9), stated }));
    orders.putOrder(storedOrder({ number: 2 }, { status: 'CANCELLED', closedAt: at(9) }));
  });
  // Version 3 had no such table.
  older.transact(it => {
    for (const { key } of older.range('awaited', { limit: 10 })) it.delete('awaited', key);
  });
  await older.close();

  const store = await openOrders(folder);
  const awaited = store.inspect(reader => [...new OrderReader(reader).awaitedOrders(at(9))]);
  expect(awaited.map(({ order }) => order.orderId)).toEqual([orderIdOf(1)]);
  expect(store.inspect(checkOrders).faults).toEqual([]);
  await store.close();
});

/** What a program of the version writes. Whoever has to change this raises it, or an older program would open what it cannot read. */
const WRITTEN = {
  version: 4,
  tables: [
    'inFlight openCounts eventSpans cancelAfters marks orders submissions ordersByMarket ordersByStatus',
    'ordersByMarketAndStatus openOrders venueOrders fills fillPlaces positions idempotency answerAges events',
    'eventFloor wantedCancels bookedChanges awaited',
  ].join(' '),
  forms: {
    ...{ order: 1, submission: 1, fill: 1, event: 1, 'event span': 1, idempotency: 1, 'cancel-after': 1 },
    ...{ counter: 1, mark: 1, position: 1, 'booked-change': 1 },
  },
};

it('a version has its tables and its forms of records', () => {
  const forms = Object.fromEntries(FIRST_FORMS.map(({ codec, value }) => [codec.kind, codec.encode(value)[0]]));
  const tables = Object.keys(ORDER_TABLES).join(' ');
  expect({ version: ORDER_SCHEMA.version, tables, forms }).toEqual(WRITTEN);
});
