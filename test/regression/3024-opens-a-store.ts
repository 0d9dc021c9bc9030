// Opens an order store as a start does, and says what it found: in a process of its own, which a damaged page may end.

import { wallTimers } from '../../src/runtime/timers.ts';
import { openOrderStore } from '../../src/store/order-store.ts';
import { checkOrders } from '../../src/store/orders/check.ts';

const folder = process.argv[2]!;
const options = { folder, mode: 'process-safe', role: 'owner', timers: wallTimers, checksLive: true } as const;
const store = await openOrderStore(options);
const { faultsTotal, rows } = store.inspect(checkOrders);
process.stdout.write(JSON.stringify({ recovery: store.recovery, faultsTotal, orders: rows.orders }));
await store.close();
