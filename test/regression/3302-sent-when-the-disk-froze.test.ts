// The disk froze while an order was on its way. The guard did not know by what id venue A has such an order. It knew of no order that only the
// door on the engine's thread had heard of. Until the disk went on, no cancel and no switch reached them. And what the guard answered had no
// `Server-Timing`.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { OrdersRig } from '../e2e/orders-rig.ts';
import { blockJournalOf } from '../support/block-journal.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker, someToken, venueAClient } from '../support/paper-traders.ts';
import { sendSigned } from '../support/signed-requests.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };
const LATE = { kind: 'delay', beforeMs: 0, afterMs: limits.venueAnswerTimeoutMs };

let rig: OrdersRig;
let unblock = (): void => {};
beforeEach(async () => {
  rig = await OrdersRig.start('venue-b', {
    tradeDoor: { address: { host: '127.0.0.1', port: 0 }, unixSocketPath: null },
  });
  await eventually(() => expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true));
});
afterEach(async () => {
  goOn();
  await rig.close();
});

it('an order at venue A is cancelled there', async () => {
  const tokenId = await someToken(rig.gateway.paper!.urls.venueA.gamma);
  await rig.fault({ venue: 'venue_a', operation: 'POST *', fault: LATE });
  const order = { tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' };
  const sent = send(rig.gateway.httpUrl, '/v1/venue-a/orders', order);
  await eventually(async () => expect(await atVenueA()).toBe(1));
  await blocked();
  const { json } = await rig.call('DELETE', '/v1/venue-a/orders');
  expect(json).toMatchObject({ results: [{ outcome: 'CANCELLED' }] });
  expect(await atVenueA()).toBe(0);
  await sent;
});

it('an order of the door is cancelled at its venue', async () => {
  await rig.fault({ venue: 'venue_b', operation: 'POST *', fault: LATE });
  const order = { ticker: await tickerHere(), side: 'YES', action: 'BUY', count: 2, priceCents: 1 };
  const sent = send(`http://127.0.0.1:${rig.gateway.doorPort}`, '/v1/venue-b/orders', order);
  await eventually(async () => expect(await rig.idsAtVenueB()).toHaveLength(1));
  await blocked();
  const { json } = await rig.call('DELETE', '/v1/venue-b/orders');
  expect(json).toMatchObject({ results: [{ outcome: 'CANCELLED' }] });
  goOn();
  await sent;
});

const tickerHere = () => someTicker(rig.gateway.paper!.urls.venueB.rest);

function send(url: string, path: string, body: object) {
  const sending = { method: 'POST', body: JSON.stringify(body), headers: JSON_BODY, idempotencyKey: randomUUID() };
  return sendSigned(url + path, rig.gateway.key, sending);
}

function goOn(): void {
  unblock();
  unblock = () => {};
}

/** The engine notices with an order. */
async function blocked(): Promise<void> {
  unblock = blockJournalOf(join(rig.gateway.dataDir, 'orders'));
  const body = { ticker: await tickerHere(), side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
  expect((await rig.submit(body)).status).toBe(503);
}

async function atVenueA(): Promise<number> {
  const venueA = rig.gateway.trading.pods[0]!.venueA!;
  const client = venueAClient(venueA.restUrl, { venueA } as unknown as DemoAccounts);
  return (await client.getOpenOrders()).length;
}
