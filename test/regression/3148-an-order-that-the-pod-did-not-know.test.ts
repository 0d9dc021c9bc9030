// A cancel by the pod right after an order's answer was a 404 at times: the main thread heard of the order behind its reply.

import { expect, it } from 'vitest';
import { OrdersRig, orderIdOf } from '../e2e/orders-rig.ts';
import { newKey } from '../support/new-key.ts';
import { someTicker } from '../support/paper-traders.ts';

const ORDERS = 60;

it('the pod knows an order as soon as its caller does', async () => {
  const rig = await OrdersRig.start('venue-b');
  try {
    const ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
    const canceller = await newKey(rig.gateway.keyStore, { scopes: ['observe', 'cancel'] });
    const order = { ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1, timeInForce: { type: 'GTC' } };
    const statuses: number[] = [];
    while (statuses.length < ORDERS) {
      const orderId = orderIdOf(await rig.submit(order));
      statuses.push((await rig.call('DELETE', `/v1/pod/orders/${orderId}`, {}, canceller)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
  } finally {
    await rig.close();
  }
});
