// Batches through the whole gateway, over REST and /v1/trade. Every order has the status that it would have alone, even if the venue's only answer is
// lost.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeTrade } from '../../src/tools/client/node-stream.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker, someToken } from '../support/paper-traders.ts';
import type { Answer, RequestParts } from '../support/signed-requests.ts';
import { errorOf, OrdersRig, type Shown } from './orders-rig.ts';

interface Result {
  readonly status: number;
  readonly order?: { readonly orderId: string; readonly status: string };
  readonly error?: { readonly code: string; readonly message: string; readonly orderId?: string };
  readonly replayed?: boolean;
}

const resultsOf = (answer: Answer) => (answer.json as { readonly results: readonly Result[] }).results;
const saysOf = ({ status, order, error }: Result) => [status, order?.status ?? error?.code];
const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };
const UNKNOWN_ID = '00000000-0000-8000-8000-000000000000';

const VENUES = [
  {
    ...{ venue: 'venue-b' as const, name: 'venue_b' as const },
    ...{ batches: 'POST /portfolio/events/orders/batched', message: 'user_order' },
    order: (address: string, fields: object = {}) => ({
      ...{ ticker: address, side: 'YES', action: 'BUY', count: 2, priceCents: 1 },
      ...fields,
    }),
    dear: { count: 5_000_000, priceCents: 50 },
  },
  {
    ...{ venue: 'venue-a' as const, name: 'venue_a' as const },
    ...{ batches: 'POST /orders', message: 'order' },
    order: (address: string, fields: object = {}) => ({
      ...{ tokenId: address, side: 'BUY', type: 'LIMIT', size: '5', price: '0.01' },
      ...fields,
    }),
    dear: { size: '9000000', price: '0.01' },
  },
];

describe.each(VENUES)('a batch at $venue', ({ venue, name, batches, message, order, dear }) => {
  let rig: OrdersRig;
  let address: string;
  const path = `/v1/${venue}/orders/batch`;
  beforeAll(async () => {
    rig = await OrdersRig.shared(venue);
    const { urls } = rig.gateway.paper!;
    address = await (venue === 'venue-b' ? someTicker(urls.venueB.rest) : someToken(urls.venueA.gamma));
  });
  afterAll(() => rig.close());

  const item = (fields: object = {}) => ({ idempotencyKey: randomUUID(), ...order(address, fields) });
  const submit = (orders: readonly object[], parts: RequestParts = {}) =>
    rig.call('POST', path, { body: JSON.stringify({ orders }), ...JSON_BODY, ...parts });
  const cancel = (orderIds: readonly string[]) =>
    rig.call('DELETE', path, { body: JSON.stringify({ orderIds }), ...JSON_BODY });

  it('answers each order as if it were alone, and again', async () => {
    const orders = [item(), item(dear), item({ side: 'MAYBE' }), item()];
    const answer = await submit(orders);
    expect(answer.status, answer.text).toBe(200);
    const results = resultsOf(answer);
    expect(results.map(saysOf)).toEqual([
      [201, 'OPEN'],
      [400, 'INSUFFICIENT_BALANCE'],
      [400, 'INVALID_REQUEST'],
      [201, 'OPEN'],
    ]);
    for (const { order: made } of results) if (made) expect((await rig.shown(made.orderId)).status).toBe('OPEN');
    const again = resultsOf(await submit(orders));
    expect(again.map(saysOf)).toEqual(results.map(saysOf));
    expect(again.map(({ replayed }) => replayed === true)).toEqual([true, true, false, true]);
    const { idempotencyKey, ...alone } = orders[3]!;
    const single = await rig.submit(alone, { idempotencyKey });
    expect([single.status, (single.json as Shown).orderId]).toEqual([201, results[3]!.order!.orderId]);
    const conflict = resultsOf(await submit([{ ...orders[0]!, ...dear }]));
    expect(conflict.map(saysOf)).toEqual([[422, 'IDEMPOTENCY_CONFLICT']]);
  });

  it('of cancels answers each as if it were alone', async () => {
    const made = resultsOf(await submit([item(), item(), item()])).map(it => it.order!.orderId);
    expect((await rig.cancel(made[1]!)).status).toBe(200);
    const results = resultsOf(await cancel([made[0]!, made[1]!, UNKNOWN_ID, 'order', made[2]!]));
    expect(results.map(saysOf)).toEqual([
      [200, 'CANCELLED'],
      [409, 'ORDER_NOT_CANCELLABLE'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [200, 'CANCELLED'],
    ]);
    for (const orderId of made) expect((await rig.shown(orderId)).status).toBe('CANCELLED');
  });

  it('whose answer is lost is 502 for each order, until it is known', async () => {
    await rig.fault({ venue: name, operation: batches, fault: { kind: 'lost', isApplied: true } });
    await rig.fault({ venue: name, operation: message, fault: { kind: 'drop' }, countMax: 2 });
    const results = resultsOf(await submit([item(), item()]));
    expect(results.map(saysOf)).toEqual(results.map(() => [502, 'ORDER_RECONCILIATION_REQUIRED']));
    for (const { error } of results) await rig.settled(error!.orderId!, it => it.status === 'OPEN');
  });

  it('is refused as a whole if it is no batch', async () => {
    const keyed = await submit([item()], { idempotencyKey: 'mine' });
    expect([keyed.status, errorOf(keyed).message]).toEqual([
      400,
      'Idempotency-Key: must be absent, as each order of a batch has its own',
    ]);
    const empty = await submit([]);
    expect([empty.status, errorOf(empty).message]).toEqual([
      400,
      'orders: must have 1 to 15 items (batchOrdersMax), has 0',
    ]);
    const twice = await cancel([UNKNOWN_ID, UNKNOWN_ID]);
    expect([twice.status, errorOf(twice).message]).toEqual([400, 'orderIds[1]: is given twice']);
  });

  it('is the same on /v1/trade', async () => {
    const url = rig.gateway.url.replace('/v1/orderbook', '/v1/trade');
    const trade = createNodeTrade({ url, signer: nodeSigner(rig.gateway.key) });
    trade.start();
    await eventually(() => expect(trade.isUp).toBe(true));
    try {
      const orders = [item(), item(dear)];
      const outcome = await trade.submitBatch(name, { orders } as never);
      expect(outcome).toMatchObject({ ok: true, value: { status: 200 } });
      const results = outcome.ok ? (outcome.value.value as { readonly results: readonly Result[] }).results : [];
      expect(results.map(saysOf)).toEqual([
        [201, 'OPEN'],
        [400, 'INSUFFICIENT_BALANCE'],
      ]);
      expect(resultsOf(await submit(orders)).map(({ replayed }) => replayed)).toEqual([true, true]);
    } finally {
      trade.close();
    }
  });
});
