// Found by review: a replace of an unknown order was answered 404, also where its idempotency key was used for another request. Such a key is
// 422 (contract §3), as it is with a body that cannot be read. A bot that mixes up its keys is not to look for the order.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, OrdersRig, orderIdOf } from '../e2e/orders-rig.ts';
import { someTicker } from '../support/paper-traders.ts';

const UNKNOWN_ID = '00000000-0000-8000-8000-000000000000';

let rig: OrdersRig;
beforeAll(async () => {
  rig = await OrdersRig.start('venue-b');
});
afterAll(() => rig.close());

it('a replace of an unknown order is a conflict under a key that was used, and not found under another', async () => {
  const ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  const order = { ticker, side: 'YES', action: 'BUY', count: 4, priceCents: 1 };
  const used = 'used-before';
  const made = await rig.submit(order, { idempotencyKey: used });
  expect(made.status, made.text).toBe(201);
  const replace = (idempotencyKey: string) =>
    rig.call('POST', `/v1/venue-b/orders/${UNKNOWN_ID}/replace`, {
      ...{ body: '{"count":5}', headers: { 'Content-Type': 'application/json' }, idempotencyKey },
    });
  const conflict = await replace(used);
  expect([conflict.status, errorOf(conflict).code]).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
  const unknown = await replace('never-used');
  expect([unknown.status, errorOf(unknown).code]).toEqual([404, 'NOT_FOUND']);
  expect((await rig.cancel(orderIdOf(made))).status).toBe(200);
});
