// Found by simulation: cancels beyond venue B's budget were given up at once, and left to retries. These looked at each order first, by a
// budget of their own, and then waited ever longer. A cancel of 300 orders in the smallest tier took eleven seconds where the venue allows
// it in five. Most were reported as not sent.

import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { createOrder, type Order, type OrderId } from '../../src/domain/order.ts';
import { limits } from '../../src/limits.ts';
import type { OutboundOutcome, OutboundRequest } from '../../src/net/outbound.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { createVenueBTrading } from '../../src/venues/venue-b/trading.ts';
import { ACTOR, POD, YES_BUY } from '../orders/orders-rig.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const MOMENT_MS = 10;
/** Of the smallest tier, a full bucket's, and what a second brings. */
const PER_S = 50;

/** It knows no other request. */
function cancelled({ method, body }: OutboundRequest): OutboundOutcome {
  const answered = (status: number, text: string): OutboundOutcome => {
    return { type: 'answer', status, headers: new Map(), body: Buffer.from(text) };
  };
  if (method !== 'DELETE') return answered(404, '{}');
  const [order] = JSON.parse(body.toString()).orders;
  return answered(200, JSON.stringify({ orders: [{ order_id: order.order_id, reduced_by: '10.00' }] }));
}

function rig() {
  const timers = new VirtualTimers();
  const sentAt: number[] = [];
  const request = async (asked: OutboundRequest): Promise<OutboundOutcome> => {
    if (asked.method === 'DELETE') sentAt.push(timers.now());
    return cancelled(asked);
  };
  const outbound = { request, warmUp: () => Promise.resolve(), close: () => Promise.resolve() };
  const privateKeyPem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const account = { keyId: 'key', privateKeyPem, restUrl: 'http://venue.test/v2', streamUrl: 'ws://venue.test/ws' };
  const connect = () => {
    throw new Error('not listened to');
  };
  const trading = createVenueBTrading(account, { outbound, connect, timers, random: () => 0, log: silentLog });
  const cancel = (number: number) => {
    const orderId = `00000000-0000-8000-8000-${String(number).padStart(12, '0')}` as OrderId;
    const order = createOrder({
      orderId,
      podId: POD,
      actorId: ACTOR,
      keyId: 'key',
      idempotencyKey: 'k',
      request: YES_BUY,
      at: timers.now(),
    });
    const resting: Order = { ...order, status: 'OPEN', venueOrderId: `v-${number}` };
    return trading.cancel(resting, (timers.now() + limits.venueAnswerTimeoutMs) as UnixMillis);
  };
  return { timers, sentAt, cancel };
}

it('cancels beyond the budget are made in their turn', async () => {
  const { timers, sentAt, cancel } = rig();
  const startedAt = timers.now();
  const outcomes = Promise.all(Array.from({ length: 2 * PER_S }, (_, number) => cancel(number)));
  for (let passedMs = 0; passedMs < limits.venueBCancelWaitMsMax; passedMs += MOMENT_MS) await timers.settle(MOMENT_MS);
  expect(new Set((await outcomes).map(({ type }) => type))).toEqual(new Set(['cancelled']));
  expect(sentAt.filter(at => at === startedAt)).toHaveLength(PER_S);
});

it('cancels that would wait for longer are not sent', async () => {
  const { timers, cancel } = rig();
  const count = PER_S + (limits.venueBCancelWaitMsMax * PER_S) / 1_000;
  const first = Array.from({ length: count }, (_, number) => cancel(number));
  expect(await cancel(count)).toMatchObject({ type: 'not-sent', message: expect.stringContaining('rate limit') });
  for (let passedMs = 0; passedMs < limits.venueBCancelWaitMsMax; passedMs += MOMENT_MS) await timers.settle(MOMENT_MS);
  expect(new Set((await Promise.all(first)).map(({ type }) => type))).toEqual(new Set(['cancelled']));
});
