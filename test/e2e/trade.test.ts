// /v1/trade through the whole gateway: our own client, and frames by hand. Its answers equal those of REST, many at once, on one connection of one
// key.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { connectWebSocket } from '../../src/core/net/websocket.ts';
import { tradeJsonCodec } from '../../src/core/wire/trade-messages.ts';
import { tradeProtobufCodec } from '../../src/core/wire/trade-protobuf.ts';
import { limits } from '../../src/limits.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeTrade } from '../../src/tools/client/node-stream.ts';
import type { TradeConnection } from '../../src/tools/client/trade-connection.ts';
import { asyncapiSchemas } from '../support/contract-schema.ts';
import { eventually, PATIENCE_MS } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';
import { signedHeaders, type TestKey } from '../support/signed-requests.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;
const open: { close(): void }[] = [];
const SCHEMAS: Readonly<Record<string, string>> = {
  ...{ accepted: 'TradeAccepted', result: 'TradeResult', error: 'Error', pong: 'Pong' },
};
/** Breaches of the contract in the messages of the gateway. */
const problems: string[] = [];

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(async () => {
  for (const connection of open) connection.close();
  await rig.close();
  expect(problems).toEqual([]);
});

const order = (fields: object = {}) =>
  ({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1, ...fields }) as const;
const urlOf = (path: string) => rig.gateway.url.replace('/v1/orderbook', path);
const submission = (id: string, fields: object = {}) => ({
  ...{ op: 'submit', id, venue: 'venue_b', idempotencyKey: randomUUID(), order: order() },
  ...fields,
});

async function connected(key: TestKey = rig.gateway.key): Promise<TradeConnection> {
  const trade = createNodeTrade({ url: urlOf('/v1/trade'), signer: nodeSigner(key) });
  open.push(trade);
  trade.start();
  await eventually(() => expect(trade.isUp).toBe(true));
  return trade;
}

/** A client that sends exactly the given frames. */
class Hand {
  readonly heard: Record<string, unknown>[] = [];
  closedWith: string | null = null;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    socket.onerror = () => {
      this.closedWith = 'refused';
    };
    socket.onclose = ({ code, reason }) => {
      this.closedWith = `${code} ${reason}`;
    };
    open.push(socket);
  }

  static async open(key: TestKey = rig.gateway.key): Promise<Hand> {
    const { status, json } = await rig.call('POST', '/v1/trade/ticket', {}, key);
    expect(status).toBe(201);
    return Hand.withTicket((json as { ticket: string }).ticket);
  }

  static async withTicket(ticket: string): Promise<Hand> {
    const hand = new Hand(new WebSocket(`${urlOf('/v1/trade')}?ticket=${ticket}`, 'crossbook.v1.json'));
    await eventually(() => expect(hand.isOpen || hand.closedWith !== null).toBe(true));
    return hand;
  }

  send(message: object | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Returns the message with this id that is not `accepted`. */
  async answer(id: string): Promise<Record<string, unknown>> {
    return eventually(() => {
      const found = this.heard.find(message => message.id === id && message.type !== 'accepted');
      expect(found).toBeDefined();
      return found!;
    });
  }

  /** Checks that every message is one that proto/asyncapi.yaml describes. */
  #hear(message: Record<string, unknown>): void {
    this.heard.push(message);
    const schema = SCHEMAS[String(message.type)];
    problems.push(...asyncapiSchemas.problems(`#/components/schemas/${schema}`, message));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }
}

describe('an order', () => {
  it('is acknowledged once recorded, answered, seen over REST, and cancelled', async () => {
    const trade = await connected();
    const accepted: string[] = [];
    const placed = await trade.submit('venue_b', order(), { accepted: orderId => accepted.push(orderId) });
    if (!placed.ok) throw new Error(placed.error.message);
    const { orderId, status } = placed.value.value;
    expect([placed.value.status, status]).toEqual([201, 'OPEN']);
    expect(placed.value.header('server-timing')).toMatch(/^parse;dur=.*total;dur=[\d.]+$/);
    expect(accepted).toEqual([orderId]);
    expect((await rig.read(orderId)).json).toMatchObject({ status: 'OPEN' });
    expect(await trade.cancel('venue_b', orderId)).toMatchObject({
      ok: true,
      value: { value: { status: 'CANCELLED' } },
    });
  });

  it('has one idempotency key on both doors', async () => {
    const trade = await connected();
    const idempotencyKey = randomUUID();
    const first = await rig.submit(order(), { idempotencyKey });
    const again = await trade.submit('venue_b', order(), { idempotencyKey });
    expect(again).toMatchObject({ ok: true, value: { isReplayed: true, value: { orderId: orderIdOf(first) } } });
    expect(await trade.submit('venue_b', order({ count: 3 }), { idempotencyKey })).toMatchObject({
      ok: false,
      error: { kind: 'refused', status: 422, code: 'IDEMPOTENCY_CONFLICT' },
    });
  });

  it('is not sent after its deadline', async () => {
    const trade = await connected();
    const refused = await trade.submit('venue_b', order(), { notAfter: Date.now() - 1 });
    const overRest = await rig.submit(order(), { notAfter: String(Date.now() - 1) });
    expect(refused).toMatchObject({ ok: false, error: { status: overRest.status } });
  });

  it('of another actor is unknown', async () => {
    const mine = await rig.submit(order());
    const trade = await connected(await rig.newKey({ actorId: 'other', scopes: ['trade'] }));
    expect(await trade.cancel('venue_b', orderIdOf(mine))).toMatchObject({ ok: false, error: { status: 404 } });
  });
});

it.each([tradeJsonCodec, tradeProtobufCodec])(
  '4039: what is refused has the code of its order over $subprotocol, alone and in a batch',
  async codec => {
    const trade = createNodeTrade({ url: urlOf('/v1/trade'), signer: nodeSigner(rig.gateway.key), codec });
    open.push(trade);
    trade.start();
    await eventually(() => expect(trade.isUp).toBe(true));
    const [killed, crossing] = [order({ timeInForce: { type: 'FOK' } }), order({ priceCents: 99, postOnly: true })];
    const refused = { status: 400, code: 'INVALID_REQUEST', reason: 'NOT_FEASIBLE' };
    expect(await trade.submit('venue_b', killed)).toMatchObject({ ok: false, error: refused });
    expect(await trade.submit('venue_b', crossing)).toMatchObject({ ok: false, error: refused });
    const noOrder = { status: 400, code: 'INVALID_REQUEST', reason: null };
    expect(await trade.submit('venue_b', order({ priceCents: 100 }))).toMatchObject({ ok: false, error: noOrder });
    const keyed = (it: typeof killed) => ({ ...it, idempotencyKey: randomUUID() });
    const batch = await trade.submitBatch('venue_b', { orders: [keyed(killed), keyed(order({ priceCents: 100 }))] });
    const results = batch.ok ? batch.value.value.results : [];
    expect(results.map(({ error }) => [error?.code, error?.reason])).toEqual([
      ['INVALID_REQUEST', 'NOT_FEASIBLE'],
      ['INVALID_REQUEST', undefined],
    ]);
    const overRest = await rig.submit(killed);
    expect(errorOf(overRest)).toMatchObject({ code: 'INVALID_REQUEST', reason: 'NOT_FEASIBLE' });
  },
);

it.each([tradeJsonCodec, tradeProtobufCodec])(
  '4033: an order till a time has the time that holds over $subprotocol',
  async codec => {
    const trade = createNodeTrade({ url: urlOf('/v1/trade'), signer: nodeSigner(rig.gateway.key), codec });
    open.push(trade);
    trade.start();
    await eventually(() => expect(trade.isUp).toBe(true));
    const wholeS = Math.ceil(Date.now() / 1_000 + 60) * 1_000;
    const timeInForce = { type: 'GTD', expiresAt: new Date(wholeS + 789).toISOString() } as const;
    const placed = await trade.submit('venue_b', order({ timeInForce }));
    const expiresAt = new Date(wholeS).toISOString();
    expect(placed).toMatchObject({ ok: true, value: { value: { status: 'OPEN', expiresAt } } });
    const orderId = placed.ok ? placed.value.value.orderId : '';
    expect(await rig.shown(orderId)).toMatchObject({ status: 'OPEN', expiresAt });
    const replaced = await trade.replace('venue_b', orderId, { count: 1 });
    expect(replaced).toMatchObject({ ok: true, value: { value: { expiresAt, replaces: { orderId } } } });
    const plain = await trade.submit('venue_b', order());
    expect(plain.ok && Object.keys(plain.value.value).toSorted()).toEqual(['orderId', 'status']);
  },
);

it('many are under way at once, and cancel-all takes those that rest', async () => {
  const trade = await connected(await rig.newKey({ actorId: 'many', scopes: ['trade'] }));
  const placed = await Promise.all(Array.from({ length: 40 }, () => trade.submit('venue_b', order())));
  const ids = placed.map(it => (it.ok ? it.value.value.orderId : it.error.message));
  expect(new Set(ids).size).toBe(40);
  const cancelled = await trade.cancelAll('venue_b', ticker);
  if (!cancelled.ok) throw new Error(cancelled.error.message);
  const outcomes = cancelled.value.value.results.map(({ orderId, outcome }) => [orderId, outcome]);
  expect(outcomes.toSorted()).toEqual(ids.map(id => [id, 'CANCELLED']).toSorted());
});

describe('a message that cannot be taken', () => {
  let hand: Hand;
  beforeAll(async () => {
    hand = await Hand.open();
  });

  it.each([
    ['no JSON', '{"op":', null, /^message: must be JSON text in UTF-8$/],
    ['no object', '[]', null, /^message: must be an object/],
    ['no id', { op: 'ping' }, null, /^id: is missing/],
    ['another operation', { op: 'buy', id: 'op' }, 'op', /^op: must be "submit" or "batch" or "replace"/],
    [
      'a mistyped field',
      { ...submission('field'), idempotencykey: 'x' },
      'field',
      /^idempotencykey: is not a field here/,
    ],
    ['no key', { ...submission('key'), idempotencyKey: '' }, 'key', /^idempotencyKey: required, 1 to 255 bytes/],
    ['another venue', { ...submission('venue'), venue: 'venue_c' }, 'venue', /^venue: must be "venue_a" or "venue_b"$/],
    ['no order', { ...submission('order'), order: 1 }, 'order', /^order: must be an object, is a number$/],
    ['a field twice', '{"op":"ping","id":"twice","id":"x"}', null, /^id: is given twice$/],
  ])('%s', async (_what, message, id, words) => {
    const before = hand.heard.length;
    hand.send(message);
    await eventually(() => expect(hand.heard.length).toBeGreaterThan(before));
    const answer = hand.heard.at(-1)!;
    expect(answer).toMatchObject({ type: 'error', code: 'INVALID_REQUEST' });
    expect(answer.id).toBe(id ?? undefined);
    expect(answer.message).toMatch(words);
  });

  it.each([
    [{ count: 0 }],
    [{ priceCents: 100 }],
    [{ priceCents: 1.5 }],
    [{ ticker: 'x' }],
    [{ side: 'yes' }],
    [{ postonly: true }],
  ])('an order with %j is refused as over REST', async fields => {
    const overRest = await rig.submit(order(fields));
    const id = randomUUID();
    hand.send(submission(id, { order: order(fields) }));
    const { status, error } = await hand.answer(id);
    expect({ status, error }).toEqual({ status: overRest.status, error: (overRest.json as { error: object }).error });
  });

  it('the connection goes on', async () => {
    hand.send({ op: 'ping', id: 'still' });
    expect(await hand.answer('still')).toEqual({ type: 'pong', id: 'still' });
  });
});

describe('the way in', () => {
  it('needs the scope trade', async () => {
    const reader = await rig.newKey({ actorId: 'reader', scopes: ['read'] });
    const headers = signedHeaders(reader, 'GET', '/v1/trade');
    const refused = new Promise<string>(resolve => {
      const nothing = { onOpen: () => resolve('open'), onFrame: () => {}, onPing: () => {}, onClose: resolve };
      const bounds = { handshakeTimeoutMs: PATIENCE_MS, frameBytesMax: limits.streamMessageBytesMax };
      connectWebSocket({ url: urlOf('/v1/trade'), headers, ...bounds }, nothing);
    });
    expect(await refused).toMatch(/403/);
    expect((await rig.call('POST', '/v1/trade/ticket', {}, reader)).status).toBe(403);
  });

  it('is not opened by a ticket for books', async () => {
    const { json } = await rig.call('POST', '/v1/orderbook/ticket');
    const hand = await Hand.withTicket((json as { ticket: string }).ticket);
    expect(hand.closedWith).toBe('refused');
  });

  it('closes before the next message of a revoked key is taken', async () => {
    const key = await rig.newKey({ actorId: 'revoked', scopes: ['trade', 'read'] });
    const hand = await Hand.open(key);
    expect(rig.gateway.keyStore.revokeSigningKey(key.keyId, Date.now() as UnixMillis).ok).toBe(true);
    hand.send(submission('late'));
    await eventually(() => expect(hand.closedWith).toBe('1008 the signing key was revoked'));
    expect(hand.heard).toEqual([]);
  });
});

it(
  'cancel-on-disconnect cancels what a lost connection leaves',
  async () => {
    const key = await rig.newKey({ actorId: 'lost', scopes: ['trade', 'read'] });
    const trade = await connected(key);
    trade.cancelOnDisconnect(true);
    const placed = await trade.submit('venue_b', order());
    if (!placed.ok) throw new Error(placed.error.message);
    trade.close();
    const { orderId } = placed.value.value;
    await eventually(async () => {
      const { json } = await rig.read(orderId, key);
      expect(json).toMatchObject({ status: 'CANCELLED', cancelReason: 'DISCONNECT' });
    });
  },
  2 * limits.cancelOnDisconnectGraceMs + 60_000,
);

it('an order is found and cancelled by its idempotency key, which any key of its owner may do', async () => {
  const idempotencyKey = 'mine/1 & ünique';
  const path = `/v1/venue-b/orders/by-client-id/${encodeURIComponent(idempotencyKey)}`;
  const trade = await connected();
  expect((await rig.call('GET', path)).status).toBe(404);
  const placed = await trade.submit('venue_b', order(), { idempotencyKey });
  if (!placed.ok) throw new Error(placed.error.message);
  const { orderId } = placed.value.value;
  expect((await rig.call('GET', path)).json).toMatchObject({ orderId, status: 'OPEN' });
  expect((await rig.call('GET', path, {}, await rig.newKey({ actorId: 'stranger', scopes: ['read'] }))).status).toBe(
    404,
  );
  expect((await rig.call('DELETE', path)).json).toMatchObject({ orderId, status: 'CANCELLED' });
  const hand = await Hand.open();
  hand.send({ op: 'cancel', id: 'again', venue: 'venue_b', idempotencyKey });
  expect(await hand.answer('again')).toMatchObject({ status: 409, error: { code: 'ORDER_NOT_CANCELLABLE' } });
});

describe('limits', () => {
  interface Rates {
    readonly rateLimits: readonly { readonly name: string; readonly left: number }[];
    readonly venueBudgets: readonly { readonly venue: string; readonly orders: { readonly left: number } }[] | null;
  }
  const whoami = async () => (await rig.call('GET', '/v1/whoami')).json as Rates;

  it('are those of whoami, by session', async () => {
    const trade = await connected();
    const asked = await trade.limits();
    if (!asked.ok) throw new Error(asked.error.message);
    const { rateLimits, venueBudgets } = asked.value.value;
    const names = ['reads', 'submissions', 'cancels', 'failed-checks', 'refused-requests'];
    expect(rateLimits.map(({ name }) => name)).toEqual(names);
    expect((await whoami()).rateLimits.map(({ name }) => name)).toEqual(names);
    expect(venueBudgets?.map(({ venue }) => venue)).toEqual(['venue_a', 'venue_b']);
    const hand = await Hand.open(await rig.newKey({ actorId: 'limits', scopes: ['trade'] }));
    hand.send({ op: 'limits', id: 'by hand' });
    expect(await hand.answer('by hand')).toMatchObject({
      status: 200,
      rateLimits: [{ name: 'reads' }, {}, {}, {}, {}],
    });
    hand.send({ op: 'limits', id: 'more', venue: 'venue_b' });
    expect(await hand.answer('more')).toMatchObject({ type: 'error', message: expect.stringContaining('venue: ') });
  });

  it('of the venue come with each order and each cancel, over both doors', async () => {
    const trade = await connected();
    const before = (await whoami()).venueBudgets!.find(({ venue }) => venue === 'venue_b')!;
    const placed = await trade.submit('venue_b', order());
    if (!placed.ok) throw new Error(placed.error.message);
    const text = placed.value.header('svc-venue-budget');
    expect(text).toMatch(
      /^venue_b;orders=\d+;orders-ps=[\d.]+;cancels=\d+;cancels-ps=[\d.]+;reads=\d+;reads-ps=[\d.]+$/,
    );
    expect(Number(/orders=(\d+)/.exec(text)![1])).toBeLessThanOrEqual(before.orders.left);
    const all = await trade.cancelAll('venue_b', ticker);
    expect(all).toMatchObject({ ok: true, value: { value: { results: expect.any(Array) } } });
    if (all.ok) expect(Object.keys(all.value.value)).toEqual(['results']);
    const over = await rig.submit(order());
    expect(over.headers['svc-venue-budget']).toMatch(/^venue_b;orders=\d+;/);
    const cancelled = await rig.cancel(orderIdOf(over));
    expect(cancelled.headers['svc-venue-budget']).toMatch(/^venue_b;orders=\d+;/);
    expect((await rig.read(orderIdOf(over))).headers['svc-venue-budget']).toBeUndefined();
  });
});
