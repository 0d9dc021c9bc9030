// Found by use: on /v1/trade and in batches, an error named the header of REST, though the caller had sent a field of a message. Now it names
// what the caller has given.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeSigner } from '../../src/client/node-client.ts';
import { createNodeTrade } from '../../src/client/node-stream.ts';
import type { TradeConnection } from '../../src/client/trade-connection.ts';
import { errorOf, OrdersRig, orderIdOf } from '../e2e/orders-rig.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';
import type { RequestParts } from '../support/signed-requests.ts';

let rig: OrdersRig;
let trade: TradeConnection;
let ticker: string;
beforeAll(async () => {
  rig = await OrdersRig.start('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  trade = createNodeTrade({
    url: rig.gateway.url.replace('/v1/orderbook', '/v1/trade'),
    signer: nodeSigner(rig.gateway.key),
  });
  trade.start();
  await eventually(() => expect(trade.isUp).toBe(true));
});
afterAll(async () => {
  trade.close();
  await rig.close();
});

const order = (count = 2) => ({ ticker, side: 'YES', action: 'BUY', count, priceCents: 1 }) as const;
const past = () => Date.now() - 1;
const late = (name: string) =>
  expect.stringMatching(new RegExp(`^${name}: \\d+ has passed, it is \\d+: nothing was sent$`));
const used = (name: string) => `${name}: was used before with a different body`;

interface Outcome {
  readonly ok: boolean;
  readonly error?: { readonly message: string };
}
const messageOf = (outcome: Outcome) => outcome.error?.message;

interface Results {
  readonly results: readonly { readonly error?: { readonly message: string } }[];
}
const messagesOf = ({ results }: Results) => results.map(({ error }) => error?.message);

async function usedKey(): Promise<string> {
  const idempotencyKey = randomUUID();
  await rig.submit(order(), { idempotencyKey });
  return idempotencyKey;
}

async function batched(orders: readonly object[], parts: RequestParts = {}) {
  const headers = { 'Content-Type': 'application/json' };
  const sent = await rig.call('POST', '/v1/venue-b/orders/batch', {
    body: JSON.stringify({ orders }),
    headers,
    ...parts,
  });
  return messagesOf(sent.json as Results);
}

describe('over REST', () => {
  it('the key and the deadline of an order are headers', async () => {
    const taken = await rig.submit(order(3), { idempotencyKey: await usedKey() });
    expect(errorOf(taken).message).toBe(used('Idempotency-Key'));
    const tooLate = await rig.submit(order(), { notAfter: String(past()) });
    expect(errorOf(tooLate).message).toEqual(late('SVC-Not-After-Millis'));
    const unreadable = await rig.submit({ ...order(), side: 'MAYBE' }, { idempotencyKey: await usedKey() });
    expect(errorOf(unreadable).message).toBe(used('Idempotency-Key'));
  });

  it('the keys of a batch are fields, and its deadline is a header', async () => {
    const [first, second] = [await usedKey(), await usedKey()];
    const orders = [
      { ...order(3), idempotencyKey: first },
      { ...order(), idempotencyKey: randomUUID() },
      { ...order(), side: 'MAYBE', idempotencyKey: second },
    ];
    expect(await batched(orders)).toEqual([
      used('orders[0].idempotencyKey'),
      undefined,
      used('orders[2].idempotencyKey'),
    ]);
    const lateOne = { ...order(), idempotencyKey: randomUUID() };
    expect(await batched([lateOne], { notAfter: String(past()) })).toEqual([late('SVC-Not-After-Millis')]);
  });
});

describe('on /v1/trade', () => {
  it('the key and the deadline of an order are fields', async () => {
    const taken = await trade.submit('venue_b', order(3), { idempotencyKey: await usedKey() });
    expect(messageOf(taken)).toBe(used('idempotencyKey'));
    expect(messageOf(await trade.submit('venue_b', order(), { notAfter: past() }))).toEqual(late('notAfter'));
  });

  it('those of a replace are, too', async () => {
    const orderId = orderIdOf(await rig.submit(order()));
    const taken = await trade.replace('venue_b', orderId, { count: 3 }, { idempotencyKey: await usedKey() });
    expect(messageOf(taken)).toBe(used('idempotencyKey'));
    const tooLate = await trade.replace('venue_b', orderId, { count: 3 }, { notAfter: past() });
    expect(messageOf(tooLate)).toEqual(late('notAfter'));
  });

  it('those of a batch are, too', async () => {
    const fresh = { ...order(), idempotencyKey: randomUUID() };
    const conflicting = { ...order(3), idempotencyKey: await usedKey() };
    const taken = await trade.submitBatch('venue_b', { orders: [fresh, conflicting] });
    if (!taken.ok) throw new Error(taken.error.message);
    expect(messagesOf(taken.value.value as Results)).toEqual([undefined, used('orders[1].idempotencyKey')]);
    const lateOne = { ...order(), idempotencyKey: randomUUID() };
    const tooLate = await trade.submitBatch('venue_b', { orders: [lateOne] }, { notAfter: past() });
    if (!tooLate.ok) throw new Error(tooLate.error.message);
    expect(messagesOf(tooLate.value.value as Results)).toEqual([late('notAfter')]);
  });
});
