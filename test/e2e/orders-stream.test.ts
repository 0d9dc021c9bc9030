// The orders channel through the whole gateway on the paper exchanges. Our own client hears everything that reads show, from every thread that
// changes orders. The client misses nothing over a lost connection.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { OrderMessage, StreamCodec } from '../../src/core/wire/messages.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import type { OrderbookStream } from '../../src/tools/client/orderbook-stream.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';
import { OrdersRig, orderIdOf } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(() => rig.close());

/** A follower of the rig's orders, and what it heard. */
function follow(
  codec: StreamCodec,
  from?: number,
): { readonly stream: OrderbookStream; readonly reported: OrderMessage[] } {
  const { url, key } = rig.gateway;
  const stream = createNodeStream({ url, codec, signer: nodeSigner(key) });
  const reported: OrderMessage[] = [];
  stream.on('order', message => reported.push(message));
  stream.subscribeOrders(from === undefined ? {} : { from });
  stream.start();
  return { stream, reported };
}

const of = (reported: readonly OrderMessage[], orderId: string): OrderMessage[] =>
  reported.filter(({ order }) => order.orderId === orderId);

describe.each([jsonCodec, protobufCodec])('over $subprotocol a client', codec => {
  it('hears what becomes of its orders, as reads show it', async () => {
    const { stream, reported } = follow(codec);
    await eventually(() => expect(stream.orderCursor).not.toBeNull());
    const begin = stream.orderCursor!;
    const order = { ticker, side: 'YES', action: 'BUY', count: 2 };
    const filled = orderIdOf(await rig.submit({ ...order, priceCents: 99 }));
    const resting = orderIdOf(await rig.submit({ ...order, priceCents: 1 }));
    await rig.cancel(resting);
    await eventually(() => {
      expect(of(reported, filled).at(-1)?.order).toMatchObject({ status: 'FILLED', filledCount: '2' });
      expect(of(reported, resting).at(-1)?.order).toMatchObject({ status: 'CANCELLED' });
    });
    for (const orderId of [filled, resting]) {
      await eventually(async () => expect(of(reported, orderId).at(-1)?.order).toEqual((await rig.read(orderId)).json));
    }
    expect(reported.map(({ cursor }) => cursor)).toEqual(reported.map((_, at) => begin + 1 + at));
    expect(of(reported, filled).filter(({ event, fill }) => event === 'FILL' && fill !== null)).not.toEqual([]);

    const again = follow(codec, begin);
    await eventually(() => expect(again.reported).toHaveLength(reported.length));
    expect(again.reported).toEqual(reported);
    stream.close();
    again.stream.close();
  });
});

// The check of an order takes as long as the venue takes to describe a new market. The order is placed right after it. On /v1/trade a cancel may be
// the next message after the submission.
describe('3102: an order that is on its way', () => {
  type Message = Readonly<Record<string, unknown>>;

  let rig: OrdersRig;
  let ticker: string;
  let socket: WebSocket;
  const heard: Message[] = [];

  beforeAll(async () => {
    rig = await OrdersRig.shared('venue-b');
    ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
    const { json } = await rig.call('POST', '/v1/trade/ticket');
    const url = rig.gateway.url.replace('/v1/orderbook', '/v1/trade');
    socket = new WebSocket(`${url}?ticket=${(json as { readonly ticket: string }).ticket}`, 'crossbook.v1.json');
    socket.onmessage = ({ data }) => heard.push(JSON.parse(data));
    await eventually(() => expect(socket.readyState).toBe(WebSocket.OPEN));
  });
  afterAll(async () => {
    socket.close();
    await rig.close();
  });

  /** Sends the requests right after one another; returns the answers in the same order. */
  async function asked(...requests: readonly object[]): Promise<readonly Message[]> {
    const sent = requests.map(request => ({ id: randomUUID(), venue: 'venue_b', ...request }));
    for (const request of sent) socket.send(JSON.stringify(request));
    return eventually(() => {
      const results = sent.map(({ id }) => heard.find(it => it.id === id));
      expect(results).not.toContain(undefined);
      return results as Message[];
    });
  }

  const order = (fields: object = {}) => ({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1, ...fields });

  it.each(['submit', 'batch'])('a cancel right behind its %s finds the order', async op => {
    await rig.fault({ operation: 'GET /markets/:ticker', fault: { kind: 'delay', beforeMs: 300 } });
    const idempotencyKey = randomUUID();
    const submission =
      op === 'submit' ? { op, idempotencyKey, order: order() } : { op, orders: [{ idempotencyKey, ...order() }] };
    const [, cancelled] = await asked(submission, { op: 'cancel', idempotencyKey });
    expect(cancelled).toMatchObject({ status: 200, order: { status: 'CANCELLED' } });
    const read = await rig.call('GET', `/v1/venue-b/orders/by-client-id/${idempotencyKey}`);
    expect(read.json).toMatchObject({ status: 'CANCELLED', cancelReason: 'REQUESTED' });
  });

  it('a cancel behind a submission that makes no order finds none', async () => {
    const idempotencyKey = randomUUID();
    const submission = { op: 'submit', idempotencyKey, order: order({ ticker: 'KXNOTHING-26NOV21-X' }) };
    expect(await asked(submission, { op: 'cancel', idempotencyKey })).toMatchObject([{ status: 404 }, { status: 404 }]);
  });
});
