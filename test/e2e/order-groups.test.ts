// Order groups of venue B behind a protection, through the whole gateway. Orders are in the group, and a trigger at the venue triggers the protection
// here. A venue that refuses groups stops no order.

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { eventually } from '../support/eventually.ts';
import { ask, someTicker } from '../support/paper-traders.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

const PROTECTION = '/v1/orders/protection';
const GROUPS = '/portfolio/order_groups';

interface Group {
  readonly id: string;
  readonly contracts_limit_fp: string;
}

let rig: OrdersRig;
let ticker: string;
beforeEach(async () => {
  rig = await OrdersRig.shared('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterEach(() => rig.close());

/** Sends a request as another client of the pod's account. */
async function atVenue<T>(method: 'GET' | 'PUT', path: string): Promise<T> {
  const { keyId, privateKeyPem } = rig.gateway.trading.pods[0]!.venueB!;
  const url = rig.gateway.paper!.urls.venueB.rest + path;
  const headers = createVenueBSigner(keyId, privateKeyPem)(method, url, Date.now());
  const { status, body } = await ask<T>(url, method, undefined, headers);
  expect(status).toBe(200);
  return body;
}

async function groups(): Promise<readonly Group[]> {
  return (await atVenue<{ order_groups?: readonly Group[] }>('GET', GROUPS)).order_groups ?? [];
}

async function protect(method: string, path: string, body?: object): Promise<void> {
  const sending = { body: JSON.stringify(body ?? {}), headers: { 'Content-Type': 'application/json' } };
  const parts = body === undefined ? {} : sending;
  expect((await rig.call(method, PROTECTION + path, { ...parts, idempotencyKey: randomUUID() })).status).toBe(200);
}

const resting = () => rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 });

/** Places orders until an order is in the group, which is made in the background; returns this order. */
function grouped(groupId: string): Promise<string> {
  return eventually(async () => {
    const placed = await resting();
    expect(placed.status).toBe(201);
    const orderId = orderIdOf(placed);
    const { orders } = await atVenue<{ orders: readonly string[] }>('GET', `${GROUPS}/${groupId}`);
    expect(orders).toContain((await rig.shown(orderId)).venueOrderId);
    return orderId;
  });
}

const SCOPE = () => ({ venue: 'venue_b', address: ticker });

it('a group backs up a protection in contracts, and triggers it', async () => {
  await protect('POST', '', { ...SCOPE(), sharesMax: '50', windowMs: 5_000 });
  const group = await eventually(async () => {
    const [first] = await groups();
    expect(first).toMatchObject({ contracts_limit_fp: '150.00' });
    return first!;
  });
  const orderId = await grouped(group.id);
  await atVenue('PUT', `${GROUPS}/${group.id}/trigger`);
  expect(await rig.settled(orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'PROTECTION' });
  const refused = await eventually(async () => {
    const answer = await resting();
    expect(answer.status).toBe(503);
    return answer;
  });
  expect(errorOf(refused).message).toContain('protection');
  expect((await rig.call('GET', PROTECTION)).json).toMatchObject({ protections: [{ state: 'TRIGGERED' }] });
  await protect('POST', '/reset', SCOPE());
  await grouped(group.id);
  await protect('DELETE', `?venue=venue_b&address=${ticker}`);
  await rig.cancelAll();
  await eventually(async () => expect(await groups()).toEqual([]));
});

it('a venue that refuses groups stops no order, and a metric says so', async () => {
  const fault = { kind: 'status', status: 403, isApplied: false };
  await rig.fault({ venue: 'venue_b', operation: `POST ${GROUPS}/create`, fault, countMax: 1_000 });
  await protect('POST', '', { ...SCOPE(), sharesMax: '50', windowMs: 15_000 });
  await eventually(async () => {
    const metrics = await (await fetch(`${rig.gateway.httpUrl}/metrics`)).text();
    expect(metrics).toMatch(/^crossbook_order_group_refusals_total [1-9]/m);
  });
  expect((await resting()).status).toBe(201);
  expect(await groups()).toEqual([]);
});
