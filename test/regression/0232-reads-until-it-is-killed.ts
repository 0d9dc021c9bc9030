// A process of 0232, as `crossbook store` is one: reads a store beside its owner, and goes on for good.

import { writeSync } from 'node:fs';
import { openOrders } from '../store/orders/order-rig.ts';

const [folder = ''] = process.argv.slice(2);
const store = await openOrders(folder, { role: 'member' });
store.inspect(reader => {
  reader.range('marks', { limit: 1 });
  writeSync(1, 'reading\n');
  for (;;);
});
