// Hundredths of a contract at venue B through the whole gateway. The rest of a position below one contract can be sold over REST, in a batch, and
// over /v1/trade.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assert } from '../../src/core/domain/result.ts';
import { tradeJsonCodec } from '../../src/core/wire/trade-messages.ts';
import { tradeProtobufCodec } from '../../src/core/wire/trade-protobuf.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeTrade } from '../../src/tools/client/node-stream.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { eventually } from '../support/eventually.ts';
import { ask, someTicker } from '../support/paper-traders.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(() => rig.close());

const yes = () => ({ ticker, side: 'YES', timeInForce: { type: 'IOC' } }) as const;
const buy = (fields: { readonly size: string } | { readonly count: number }) => ({
  ...yes(),
  ...({ action: 'BUY', priceCents: 99, ...fields } as const),
});
const sell = (fields: { readonly size: string } | { readonly count: number }) => ({
  ...yes(),
  ...({ action: 'SELL', priceCents: 1, ...fields } as const),
});
const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };

async function filled(order: object): Promise<void> {
  const answer = await rig.submit(order);
  expect([answer.status, answer.json], answer.text).toMatchObject([201, { status: 'FILLED' }]);
}

/** Resolves when the position has these rows. */
async function holds(...rows: readonly object[]): Promise<void> {
  await eventually(async () => {
    const answer = await rig.call('GET', `/v1/venue-b/positions?ticker=${ticker}`);
    expect(answer.json).toMatchObject({ positions: rows });
    expect((answer.json as { positions: readonly object[] }).positions).toHaveLength(rows.length);
  });
}

async function positionAtVenue(): Promise<string | null> {
  const { keyId, privateKeyPem } = rig.gateway.trading.pods[0]!.venueB!;
  const url = `${rig.gateway.paper!.urls.venueB.rest}/portfolio/positions?ticker=${ticker}`;
  const headers = createVenueBSigner(keyId, privateKeyPem)('GET', url, Date.now());
  const { body } = await ask<{ market_positions: { position_fp: string }[] }>(url, 'GET', undefined, headers);
  return body.market_positions[0]?.position_fp ?? null;
}

describe('what is left of a position below one contract', () => {
  it('is sold by its exact size, and nothing is left here or at the venue', async () => {
    const bought = await rig.submit(buy({ size: '3.22' }));
    expect(await rig.settled(orderIdOf(bought))).toMatchObject({
      ...{ status: 'FILLED', count: null, size: '3.22', filledCount: '3.22' },
    });
    await holds({ side: 'YES', contracts: 3, size: '3.22' });
    await filled(sell({ count: 3 }));
    await holds({ side: 'YES', contracts: 0, size: '0.22' });
    expect(await positionAtVenue()).toBe('0.22');
    const closing = orderIdOf(await rig.submit(sell({ size: '0.22' })));
    const { fills } = (await rig.fills(closing)).json as { fills: { size: string }[] };
    expect(fills.reduce((sum, { size }) => sum + Math.round(Number(size) * 100), 0)).toBe(22);
    await holds();
    expect(await positionAtVenue()).toMatch(/^0\.00$/);
  });

  it('is sold in a batch', async () => {
    await filled(buy({ size: '0.22' }));
    const orders = [
      { idempotencyKey: randomUUID(), ...sell({ size: '0.2' }) },
      { idempotencyKey: randomUUID(), ...sell({ size: '0.02' }) },
      { idempotencyKey: randomUUID(), ...sell({ size: '0.001' }) },
    ];
    const answer = await rig.call('POST', '/v1/venue-b/orders/batch', {
      body: JSON.stringify({ orders }),
      ...JSON_BODY,
    });
    const { results } = answer.json as { results: { status: number }[] };
    expect(results.map(({ status }) => status)).toEqual([201, 201, 400]);
    await holds();
  });

  it.each([tradeJsonCodec, tradeProtobufCodec])('is sold over /v1/trade in $subprotocol', async codec => {
    const url = rig.gateway.url.replace('/v1/orderbook', '/v1/trade');
    const trade = createNodeTrade({ url, signer: nodeSigner(rig.gateway.key), codec });
    trade.start();
    try {
      await eventually(() => expect(trade.isUp).toBe(true));
      for (const order of [buy({ size: '0.22' }), sell({ size: '0.22' })])
        expect(await trade.submit('venue_b', order)).toMatchObject({
          ok: true,
          value: { value: { status: 'FILLED' } },
        });
      await holds();
      const refused = await trade.submit('venue_b', { ...sell({ size: '0.22' }), count: 1 });
      expect(refused).toMatchObject({ ok: false, error: { kind: 'refused', status: 400 } });
      const rests = { ticker, side: 'NO', action: 'BUY', priceCents: 1, size: '4.22' } as const;
      const batch = await trade.submitBatch('venue_b', { orders: [{ idempotencyKey: randomUUID(), ...rests }] });
      assert(batch.ok, 'an answer to the batch');
      const [placed] = batch.value.value.results;
      const { orderId } = placed!.order as { orderId: string };
      expect(await rig.shown(orderId)).toMatchObject({ status: 'OPEN', size: '4.22', count: null });
      const replaced = await trade.replace('venue_b', orderId, { size: '0.22' });
      assert(replaced.ok, 'an answer to the replace');
      expect(await rig.shown(replaced.value.value.orderId)).toMatchObject({
        status: 'OPEN',
        size: '0.22',
        count: null,
      });
      expect(await trade.cancelAll('venue_b', ticker)).toMatchObject({ ok: true });
    } finally {
      trade.close();
    }
  });

  it('may be the size of an order that rests, and of one in its place', async () => {
    const placed = { ticker, side: 'NO', action: 'BUY', size: '4.22', priceCents: 1 };
    let orderId = orderIdOf(await rig.submit(placed));
    for (const [body, count, size] of [
      [{ size: '0.22' }, null, '0.22'],
      [{ count: 2, priceCents: 2 }, 2, '2'],
      [{ size: '2.01', price: '0.01' }, null, '2.01'],
    ] as const) {
      const sending = { body: JSON.stringify(body), ...JSON_BODY, idempotencyKey: randomUUID() };
      orderId = orderIdOf(await rig.call('POST', `/v1/venue-b/orders/${orderId}/replace`, sending));
      expect(await rig.shown(orderId)).toMatchObject({ status: 'OPEN', count, size });
    }
    const { orders } = (await rig.list('?status=OPEN')).json as { orders: readonly object[] };
    expect(orders).toMatchObject([{ orderId, size: '2.01' }]);
    expect((await rig.cancel(orderId)).json).toMatchObject({ status: 'CANCELLED' });
  });
});

it('the terms of a market have the hundredth as least size and step, its shard and its settlement floor', async () => {
  const { json } = await rig.call('GET', `/v1/venue-b/markets/${ticker}`);
  expect(json).toMatchObject({ minimumSize: '0.01', sizeStep: '0.01', shard: 0, settlementFloor: '0' });
});

it('a size beside a count, or finer than a hundredth, leaves no order', async () => {
  const before = await rig.newest();
  for (const body of [{ ...sell({ size: '0.22' }), count: 1 }, sell({ size: '0.225' })]) {
    const answer = await rig.submit(body);
    expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringMatching(/^size: /)]);
  }
  expect((await rig.newest())?.orderId).toBe(before?.orderId);
});
