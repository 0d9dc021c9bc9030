// The terms of orders through the whole gateway on the paper exchanges. Reads, lists and events show the requested terms and the terms that the venue
// makes of them.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { OrderMessage } from '../../src/core/wire/messages.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream, createNodeTrade } from '../../src/tools/client/node-stream.ts';
import type { TradeConnection } from '../../src/tools/client/trade-connection.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { eventually } from '../support/eventually.ts';
import { ask, someTicker, someToken } from '../support/paper-traders.ts';
import type { RequestParts } from '../support/signed-requests.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

interface Listed {
  readonly ticker: string;
  readonly status: string;
  readonly price_ranges: readonly { readonly start: string; readonly step: string }[];
}

describe('at venue B', () => {
  let rig: OrdersRig;
  let ticker: string;
  /** A market with a grid finer than a cent near 0. */
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
  /** Returns the time in this many seconds, rounded up to a whole second. */
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

// A `price` in whole cents that is off the grid was refused as `priceCents`, and the `market` of a cancel-all on /v1/trade as `ticker`.
describe('3103: a field that was not given', () => {
  let rig: OrdersRig;
  let ticker: string;
  beforeAll(async () => {
    rig = await OrdersRig.shared('venue-b');
    ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  });
  afterAll(() => rig.close());

  it.each([
    ['0', /^price: must be on the market's grid; the nearest prices are 0\.\d+ above$/],
    ['1', /^price: must be on the market's grid; the nearest prices are 0\.9\d* below$/],
  ])('a price of %s is refused as price', async (price, words) => {
    const refused = await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1, price });
    expect([refused.status, errorOf(refused).message]).toEqual([400, expect.stringMatching(words)]);
  });

  it('an invalid market is refused under the field market', async () => {
    const { json } = await rig.call('POST', '/v1/trade/ticket');
    const url = rig.gateway.url.replace('/v1/orderbook', '/v1/trade');
    const socket = new WebSocket(`${url}?ticket=${(json as { readonly ticket: string }).ticket}`, 'crossbook.v1.json');
    const heard: unknown[] = [];
    socket.onmessage = ({ data }) => heard.push(JSON.parse(data));
    socket.onopen = () => socket.send('{"op":"cancel-all","id":"1","venue":"venue_b","market":"x y"}');
    await eventually(() => expect(heard).toHaveLength(1));
    const message = expect.stringMatching(/^market: must name a market of venue_b: ticker: /);
    expect(heard).toMatchObject([{ status: 400, error: { message } }]);
    socket.close();
  });
});

// The message now names the field that the caller has given.
describe('3145: a header that was no field', () => {
  let rig: OrdersRig;
  let trade: TradeConnection;
  let ticker: string;
  beforeAll(async () => {
    rig = await OrdersRig.shared('venue-b');
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
});
