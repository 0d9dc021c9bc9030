// Found by a careless bot. An idempotency key in a path whose percent-encoding is broken was answered as an order that does not exist. A
// protection of a market that does not exist was armed, so that a mistyped ticker left the real market without one. A `fillsMax` below 0
// was refused with a range that is not its own.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, OrdersRig } from '../e2e/orders-rig.ts';
import { someTicker } from '../support/paper-traders.ts';

let rig: OrdersRig;
let ticker: string;
beforeAll(async () => {
  rig = await OrdersRig.start('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(() => rig.close());

it.each(['GET', 'DELETE'])(
  '%s by a client id that is not percent-encoded is refused for its encoding',
  async method => {
    for (const name of ['100%', '%zz', '%ff']) {
      const refused = await rig.call(method, `/v1/venue-b/orders/by-client-id/${name}`);
      expect([refused.status, errorOf(refused).message]).toEqual([
        400,
        'clientOrderId: must be percent-encoded UTF-8, as by encodeURIComponent',
      ]);
    }
    const unknown = await rig.call(method, '/v1/venue-b/orders/by-client-id/100%25');
    expect([unknown.status, errorOf(unknown).message]).toEqual([404, 'orderId: no such order']);
  },
);

const protect = (terms: object) =>
  rig.call('POST', '/v1/orders/protection', {
    body: JSON.stringify({ venue: 'venue_b', fillsMax: 1, windowMs: 1_000, ...terms }),
    headers: { 'Content-Type': 'application/json' },
    idempotencyKey: randomUUID(),
  });

it('a protection of an unknown market is refused, and none is set', async () => {
  const [b, a] = [await protect({ address: 'KXNOTHING-26' }), await protect({ venue: 'venue_a', address: '123' })];
  for (const refused of [b, a])
    expect([refused.status, errorOf(refused).message]).toEqual([404, 'address: no such market']);
  const listed = await rig.call('GET', '/v1/orders/protection');
  expect(listed.json).toEqual({ protections: [] });
  expect((await protect({ address: ticker })).status).toBe(200);
});

it.each([-1, 1_001, 0.5])('a fillsMax of %d is refused with its range', async fillsMax => {
  const refused = await protect({ fillsMax });
  expect(refused.status).toBe(400);
  if (Number.isInteger(fillsMax))
    expect(errorOf(refused).message).toBe('fillsMax: must be an integer from 0 to 1000 (protectionFillsMax)');
});
