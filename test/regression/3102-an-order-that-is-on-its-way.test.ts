// Found by review: a read or a cancel by the client order id was answered 404 while the submission was being checked. A check takes as long
// as the venue takes to describe a new market. The order was placed right after. On /v1/trade a cancel may be the next message after its
// submission.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OrdersRig } from '../e2e/orders-rig.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';

type Message = Readonly<Record<string, unknown>>;

let rig: OrdersRig;
let ticker: string;
let socket: WebSocket;
const heard: Message[] = [];

beforeAll(async () => {
  rig = await OrdersRig.start('venue-b');
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

/** Sent one right after the other; the answers in this order. */
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
