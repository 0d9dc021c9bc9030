// The terms of orders through the whole gateway on the paper exchanges. Reads, lists and events show the terms that were asked for, and
// what the venue makes of them.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeSigner } from '../../src/client/node-client.ts';
import { createNodeStream } from '../../src/client/node-stream.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import type { OrderMessage } from '../../src/wire/messages.ts';
import { protobufCodec } from '../../src/wire/protobuf.ts';
import { eventually } from '../support/eventually.ts';
import { ask, someTicker, someToken } from '../support/paper-traders.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

interface Listed {
  readonly ticker: string;
  readonly status: string;
  readonly price_ranges: readonly { readonly start: string; readonly step: string }[];
}

describe('at venue B', () => {
  let rig: OrdersRig;
  let ticker: string;
  /** With a grid finer than a cent near 0. */
  let finer: string;

  beforeAll(async () => {
    rig = await OrdersRig.shared('venue-b');
    const { rest } = rig.gateway.paper!.urls.venueB;
    ticker = await someTicker(rest);
    const { body } = await ask<{ readonly markets: readonly Listed[] }>(`${rest}/markets?status=open&limit=1000`);
    finer = body.markets.find(({ price_ranges: [first] }) => first?.step === '0.0010')!.ticker;
  });
  afterAll(() => rig.close());

  const order = (fields: object = {}) => ({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1, ...fields });
  const exact = (price: string) => ({ ticker: finer, side: 'YES', action: 'BUY', count: 2, price });
  /** In whole seconds. */
  const inS = (seconds: number) => new Date(Math.ceil(Date.now() / 1_000 + seconds) * 1_000).toISOString();

  it.each([
    ['0.003', null],
    ['0.01', 1],
  ])('an order at %s shows its price exactly, and cents where they are whole', async (price, priceCents) => {
    const orderId = orderIdOf(await rig.submit(exact(price)));
    expect(await rig.shown(orderId)).toMatchObject({ status: 'OPEN', price, priceCents });
    await rig.cancel(orderId);
  });

  it('a price off the grid is refused, with the nearest on both sides', async () => {
    const answer = await rig.submit(exact('0.0035'));
    expect([answer.status, errorOf(answer).message]).toEqual([
      400,
      "price: must be on the market's grid; the nearest prices are 0.003 below and 0.004 above",
    ]);
  });

  it.each([jsonCodec, protobufCodec])(
    'an order is known by its key in reads, lists and over $subprotocol',
    async codec => {
      const stream = createNodeStream({ url: rig.gateway.url, codec, signer: nodeSigner(rig.gateway.key) });
      const reported: OrderMessage[] = [];
      stream.on('order', message => reported.push(message));
      stream.subscribeOrders();
      stream.start();
      await eventually(() => expect(stream.orderCursor).not.toBeNull());
      const clientOrderId = randomUUID();
      const orderId = orderIdOf(await rig.submit(exact('0.003'), { idempotencyKey: clientOrderId }));
      await rig.cancel(orderId);
      const cancelled = {
        clientOrderId,
        status: 'CANCELLED',
        cancelReason: 'REQUESTED',
        price: '0.003',
        priceCents: null,
      };
      await eventually(() => expect(reported.at(-1)?.order).toMatchObject({ orderId, ...cancelled }));
      stream.close();
      expect(await rig.shown(orderId)).toMatchObject(cancelled);
      expect(await rig.newest()).toMatchObject({ orderId, ...cancelled });
    },
  );

  it('a post-only order that would trade is refused, in our words and in the venue’s', async () => {
    const answer = await rig.submit(order({ priceCents: 99, postOnly: true }));
    expect([answer.status, errorOf(answer).code]).toEqual([400, 'INVALID_REQUEST']);
    const { orderId } = (await rig.newest())!;
    expect(await rig.shown(orderId)).toMatchObject({
      status: 'REJECTED',
      postOnly: true,
      error: { code: 'NOT_FEASIBLE' },
      venueError: { code: 'invalid_order', message: expect.stringContaining('post only cross') },
    });
    expect(await rig.newest()).toMatchObject({ orderId, error: null, venueError: null });
  });

  it('an order that is good till a time ends then', async () => {
    const expiresAt = inS(2);
    const orderId = orderIdOf(await rig.submit(order({ timeInForce: { type: 'GTD', expiresAt } })));
    expect(await rig.shown(orderId)).toMatchObject({ status: 'OPEN', expiresAt, timeInForce: { type: 'GTD' } });
    expect(await rig.settled(orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'EXPIRED', expiresAt });
  });

  it('a time that is over is refused, and leaves no record', async () => {
    const before = await rig.newest();
    const answer = await rig.submit(order({ timeInForce: { type: 'GTD', expiresAt: '2026-01-01T00:00:00Z' } }));
    expect([answer.status, errorOf(answer).message]).toEqual([
      400,
      expect.stringMatching(/^timeInForce.expiresAt: must be at least 1 s from now/),
    ]);
    expect((await rig.newest())?.orderId).toBe(before?.orderId);
  });

  it('a reduce-only order sells no more than is held', async () => {
    const bought = orderIdOf(await rig.submit(order({ priceCents: 99 })));
    await rig.settled(bought);
    const sale = { action: 'SELL', count: 50, reduceOnly: true, timeInForce: { type: 'IOC' } };
    const sold = await rig.settled(orderIdOf(await rig.submit(order(sale))));
    expect(sold).toMatchObject({ status: 'CANCELLED', filledCount: '2', reduceOnly: true });
  });

  it('a position has its exact size, average and mark beside whole contracts and cents', async () => {
    await rig.settled(orderIdOf(await rig.submit({ ...exact('0.999'), count: 3 })));
    const { json } = await rig.call('GET', `/v1/venue-b/positions?ticker=${finer}`);
    const { positions } = json as { readonly positions: readonly Record<string, unknown>[] };
    expect(positions).toMatchObject([{ contracts: 3, size: '3', averagePrice: expect.stringMatching(/^0\.\d{1,6}$/) }]);
  });

  it('an order that ends at the venue says why, where the venue does', async () => {
    const [closing, cancelled] = [orderIdOf(await rig.submit(exact('0.003'))), orderIdOf(await rig.submit(order()))];
    const { keyId, privateKeyPem } = rig.gateway.trading.pods[0]!.venueB!;
    const { venueOrderId } = await rig.shown(cancelled);
    const orders = `${rig.gateway.paper!.urls.venueB.rest}/portfolio/events/orders`;
    const url = `${orders}/${venueOrderId}?market_ticker=${ticker}`;
    const headers = createVenueBSigner(keyId, privateKeyPem)('DELETE', url, Date.now());
    expect((await ask(url, 'DELETE', undefined, headers)).status).toBe(200);
    expect(await rig.settled(cancelled)).toMatchObject({ status: 'CANCELLED', cancelReason: 'VENUE' });
    await rig.control('POST', `/venues/venue_b/markets/${finer}/close`, {});
    expect(await rig.settled(closing)).toMatchObject({ status: 'CANCELLED', cancelReason: 'MARKET_CLOSED' });
  });
});

describe('at venue A', () => {
  let rig: OrdersRig;
  let tokenId: string;

  beforeAll(async () => {
    rig = await OrdersRig.shared('venue-a');
    tokenId = await someToken(rig.gateway.paper!.urls.venueA.gamma);
  });
  afterAll(() => rig.close());

  const order = (expiresAt: string) => ({
    ...{ tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' },
    timeInForce: { type: 'GTD', expiresAt },
  });
  const inS = (seconds: number) => new Date(Math.ceil(Date.now() / 1_000 + seconds) * 1_000).toISOString();

  it('an order that is good till a time rests until it is cancelled', async () => {
    const expiresAt = inS(130);
    const orderId = orderIdOf(await rig.submit(order(expiresAt)));
    expect(await rig.shown(orderId)).toMatchObject({ status: 'OPEN', expiresAt, clientOrderId: expect.any(String) });
    await rig.cancel(orderId);
    expect(await rig.shown(orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'REQUESTED' });
  });

  it('a time too near is refused, with the venue’s least', async () => {
    const answer = await rig.submit(order(inS(100)));
    expect([answer.status, errorOf(answer).message]).toEqual([
      400,
      expect.stringMatching(/^timeInForce.expiresAt: must be at least 120 s from now/),
    ]);
  });
});
