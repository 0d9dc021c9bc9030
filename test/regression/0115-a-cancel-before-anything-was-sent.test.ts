// Noticed while reading: a cancel that could not be recorded, so that nothing was sent, was a 500 that no client asks again after.
// A submission that could not be recorded is a 503 (contract §3: nothing was sent), and so is a cancel.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorOf, OrdersRig, orderIdOf } from '../e2e/orders-rig.ts';
import { failDiskOf } from '../store/orders/order-rig.ts';
import { someTicker } from '../support/paper-traders.ts';

let rig: OrdersRig;
beforeEach(async () => {
  rig = await OrdersRig.start('venue-b');
}, 30_000);
afterEach(() => rig.close());

it('is 503, and the order rests', async () => {
  const ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  const orderId = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 }));
  await failDiskOf(join(rig.gateway.dataDir, 'orders'));

  const answer = await rig.cancel(orderId);

  const message = 'the cancel could not be recorded: nothing was sent';
  expect([answer.status, errorOf(answer)]).toEqual([503, { code: 'INTERNAL_ERROR', message }]);
  expect(answer.headers['retry-after']).toBe('1');
  expect((await rig.read(orderId)).json).toMatchObject({ status: 'OPEN' });
});
