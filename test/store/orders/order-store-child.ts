// A second process that makes orders until it is killed, and says each step once it is committed: `node order-store-child.ts FOLDER`.
// Every order is recorded, filled, and told of, each in a transaction of its own.

import { writeSync } from 'node:fs';
import type { MicroDollars, MicroShares } from '../../../src/domain/numbers.ts';
import { at, fillOf, openOrders, orderIdOf, storedOrder } from './order-rig.ts';

const [folder = ''] = process.argv.slice(2);
const account = { podId: 'pod', venue: 'venue_b' } as const;
const store = await openOrders(folder);

// An order that was recorded and not filled is recorded once more.
for (let number = store.lastCursor('alice') + 1; ; number++) {
  const orderId = orderIdOf(number);
  const promise = { orderId, bodySha256Hex: '00'.repeat(32), answer: null };
  await store.commit(to => {
    to.putOrder(storedOrder({ number }, { status: 'SUBMITTED' }));
    to.putIdempotency('alice', 'venue_b', `key ${number}`, promise);
  });
  writeSync(1, `recorded ${number}\n`);
  store.change(to => {
    const stored = to.order(orderId)!;
    const fill = fillOf(`fill ${number}`);
    const filled = {
      size: fill.size as MicroShares,
      cost: BigInt(fill.size) * BigInt(fill.price),
      fees: fill.fee as MicroDollars,
    };
    to.addFill(account, { fill, orderId });
    const order = { ...stored.order, status: 'FILLED', filled, venueOrderId: `v${number}` } as const;
    to.putOrder({ ...stored, order });
    to.appendEvent({ actorId: 'alice', event: 'FILL', order, fill, at: at(number) });
  });
  writeSync(1, `filled ${number}\n`);
}
