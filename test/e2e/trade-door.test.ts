// The door on the engine's own thread, through the whole gateway. Its answers equal those of the main thread's door. Both doors share one budget and
// one memory.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { ListenError } from '../../src/core/net/listen.ts';
import { connectWebSocket } from '../../src/core/net/websocket.ts';
import { tradeJsonCodec } from '../../src/core/wire/trade-messages.ts';
import { tradeProtobufCodec } from '../../src/core/wire/trade-protobuf.ts';
import { DOOR_OPERATIONS, OPERATIONS } from '../../src/gateway/api/operations.ts';
import { BUCKETS } from '../../src/gateway/api/rate-limits.ts';
import { SharedRates } from '../../src/gateway/api/shared-rates.ts';
import { DoorLink } from '../../src/gateway/door/door-link.ts';
import { limits, rateProfiles } from '../../src/limits.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeTrade } from '../../src/tools/client/node-stream.ts';
import type { TradeConnection } from '../../src/tools/client/trade-connection.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually, PATIENCE_MS } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';
import {
  type Answer,
  type RequestParts,
  type Sending,
  sendSigned,
  signedHeaders,
  type TestKey,
} from '../support/signed-requests.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

const PATH = '/v1/venue-b/orders';
/** The budget of submissions, of which no token comes back while the tests last. */
const SUBMISSIONS = { perS: 0.001, burstMax: 400 };
const JSON_BODY = { 'Content-Type': 'application/json' };

let folder: string;
let socketPath: string;
let rig: OrdersRig;
let ticker: string;
const connections: TradeConnection[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-door-'));
  socketPath = join(folder, 'trade.sock');
  rig = await OrdersRig.start('venue-b', {
    tradeDoor: { address: { host: '127.0.0.1', port: 0 }, unixSocketPath: socketPath },
    rateProfile: { ...rateProfiles.default, submissions: SUBMISSIONS },
  });
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  await rig.close();
  expect(() => statSync(socketPath)).toThrow('ENOENT');
  rmSync(folder, { recursive: true });
});

const order = (fields: object = {}) =>
  ({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1, ...fields }) as const;
const doorUrl = () => `http://127.0.0.1:${rig.gateway.doorPort}`;

async function atDoor(
  operationId: string,
  target: string,
  sending: Sending & RequestParts = {},
  key: TestKey = rig.gateway.key,
): Promise<Answer> {
  const answer = await sendSigned(doorUrl() + target, key, sending);
  expect(answerProblems(operationId, answer.status, answer.headers, answer.json)).toEqual([]);
  return answer;
}

function submit(body: object, parts: Sending & RequestParts = {}, key?: TestKey): Promise<Answer> {
  const sending = { method: 'POST', body: JSON.stringify(body), headers: JSON_BODY };
  return atDoor('submitVenueBOrder', PATH, { ...sending, idempotencyKey: randomUUID(), ...parts }, key);
}

async function connected(key: TestKey = rig.gateway.key, codec = tradeJsonCodec): Promise<TradeConnection> {
  const url = `ws://127.0.0.1:${rig.gateway.doorPort}/v1/trade`;
  const trade = createNodeTrade({ url, signer: nodeSigner(key), codec });
  connections.push(trade);
  trade.start();
  await eventually(() => expect(trade.isUp).toBe(true));
  return trade;
}

/** Sends an upgrade, signed if there is a key. The result `words` is `open` or the reason of the refusal. */
async function open(port: number, path: string, key: TestKey | null) {
  const headers = key === null ? {} : signedHeaders(key, 'GET', path);
  const { promise, resolve } = Promise.withResolvers<string>();
  const handlers = { onOpen: () => resolve('open'), onFrame: () => {}, onPing: () => {}, onClose: resolve };
  const bounds = { handshakeTimeoutMs: PATIENCE_MS, frameBytesMax: limits.streamMessageBytesMax };
  const socket = connectWebSocket({ url: `ws://127.0.0.1:${port}${path}`, headers, ...bounds }, handlers);
  return { words: await promise, socket };
}

describe('the REST paths of orders', () => {
  it('place, read and cancel one, by its id and by its key', async () => {
    const idempotencyKey = randomUUID();
    const placed = await submit(order(), { idempotencyKey, headers: { ...JSON_BODY, 'SVC-Timing': '1' } });
    expect([placed.status, placed.headers['server-timing']]).toEqual([
      201,
      expect.stringMatching(/^parse;dur=.*total;dur=/),
    ]);
    const orderId = orderIdOf(placed);
    const byKey = `${PATH}/by-client-id/${idempotencyKey}`;
    expect((await atDoor('getVenueBOrder', `${PATH}/${orderId}`)).json).toMatchObject({ orderId, status: 'OPEN' });
    expect((await atDoor('getVenueBOrderByClientId', byKey)).json).toMatchObject({ orderId });
    expect((await rig.read(orderId)).json).toMatchObject({ orderId, status: 'OPEN' });
    const cancelled = await atDoor('cancelVenueBOrderByClientId', byKey, { method: 'DELETE' });
    expect(cancelled.json).toMatchObject({ orderId, status: 'CANCELLED' });
    const again = await atDoor('cancelVenueBOrder', `${PATH}/${orderId}`, { method: 'DELETE' });
    expect([again.status, errorOf(again).code]).toEqual([409, 'ORDER_NOT_CANCELLABLE']);
  });

  it('replace one, as /v1/trade does in both forms', async () => {
    let orderId = orderIdOf(await submit(order()));
    const parts = { method: 'POST', body: '{"priceCents":2}', headers: JSON_BODY, idempotencyKey: randomUUID() };
    const replaced = await atDoor('replaceVenueBOrder', `${PATH}/${orderId}/replace`, parts);
    expect(replaced.json).toMatchObject({ status: 'OPEN', replaces: { orderId, status: 'CANCELLED' } });
    orderId = orderIdOf(replaced);
    for (const codec of [tradeJsonCodec, tradeProtobufCodec]) {
      const again = await (await connected(rig.gateway.key, codec)).replace('venue_b', orderId, { count: 3 });
      expect(again).toMatchObject({ ok: true, value: { value: { replaces: { orderId, status: 'CANCELLED' } } } });
      orderId = again.ok ? again.value.value.orderId : '';
    }
    expect((await atDoor('cancelVenueBOrder', `${PATH}/${orderId}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('answer many at once, whose signatures the pool checks', async () => {
    const key = await rig.newKey({ actorId: 'crowd' });
    const placed = await Promise.all(Array.from({ length: 40 }, () => submit(order(), {}, key)));
    expect(placed.map(it => it.status)).toEqual(placed.map(() => 201));
    const all = await atDoor('cancelVenueBOrders', PATH, { method: 'DELETE' }, key);
    const { results } = all.json as { readonly results: readonly { readonly orderId: string }[] };
    expect(results.map(it => it.orderId).toSorted()).toEqual(placed.map(orderIdOf).toSorted());
  });

  it('refuse as main’s door does', async () => {
    const key = await rig.newKey();
    const wrong = { ...key, seedHex: '11'.repeat(32) };
    const body = JSON.stringify(order({ count: 0 }));
    const both = async (signer: TestKey): Promise<readonly (readonly [number, unknown])[]> => {
      const parts = { method: 'POST', body, headers: JSON_BODY, idempotencyKey: randomUUID() };
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const answers = [await atDoor('submitVenueBOrder', PATH, { ...parts, timestamp }, signer)];
      answers.push(await rig.call('POST', PATH, { ...parts, timestamp }, signer));
      return answers.map(it => [it.status, it.json]);
    };
    for (const signer of [key, key, wrong, { ...key, keyId: 'key_unknown' }]) {
      const [own, main] = await both(signer);
      expect(own).toEqual(main);
    }
  });

  it('are the only ones that the door serves', async () => {
    const here = new Set(DOOR_OPERATIONS.map(it => it.operationId));
    expect(here.size).toBe(19);
    for (const { method, path, operationId } of OPERATIONS.filter(it => !here.has(it.operationId))) {
      const target = path.replace(/:\w+/g, 'x');
      const { status } = await sendSigned(doorUrl() + target, rig.gateway.key, { method });
      // The door has no route for `…/x/fills`, has a DELETE where lists have GET, and reads `preview` as the id of an order.
      const isServed = DOOR_OPERATIONS.some(it => new RegExp(`^${it.path.replace(/:\w+/g, '[^/]+')}$`).test(target));
      expect([operationId, status]).toEqual([operationId, isServed ? 405 : 404]);
    }
  });

  it('are on a Unix socket, too, of its owner only', async () => {
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    const parts = { method: 'POST', body: JSON.stringify(order()), headers: JSON_BODY, idempotencyKey: randomUUID() };
    expect((await atDoor('submitVenueBOrder', PATH, { ...parts, socketPath })).status).toBe(201);
  });
});

describe('both doors have', () => {
  it('one memory of idempotency keys', async () => {
    const idempotencyKey = randomUUID();
    const first = await submit(order(), { idempotencyKey });
    const again = await rig.submit(order(), { idempotencyKey });
    expect(orderIdOf(again)).toBe(orderIdOf(first));
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await submit(order({ count: 3 }), { idempotencyKey })).status).toBe(422);
  });

  it('one memory of signed requests: a repetition at the other door acts on nothing', async () => {
    const key = await rig.newKey({ actorId: 'repeats' });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const first = await submit(order(), {}, key);
    const cancelled = await rig.call('DELETE', PATH, { timestamp }, key);
    expect(cancelled.json).toEqual({ results: [{ orderId: orderIdOf(first), outcome: 'CANCELLED' }] });
    const second = await submit(order(), {}, key);
    const repeated = await atDoor('cancelVenueBOrders', PATH, { method: 'DELETE', timestamp }, key);
    expect([repeated.json, repeated.headers['idempotency-replayed']]).toEqual([cancelled.json, 'true']);
    expect((await rig.read(orderIdOf(second), key)).json).toMatchObject({ status: 'OPEN' });
  });

  it('one budget of each rate', async () => {
    const key = await rig.newKey();
    const left: string[] = [];
    for (const send of [submit, rig.submit.bind(rig), submit, rig.submit.bind(rig)]) {
      const { headers } = await send(order({ count: 0 }), {}, key);
      left.push(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1] ?? '');
    }
    expect(left).toEqual([1, 2, 3, 4].map(count => String(SUBMISSIONS.burstMax - count)));
  });

  it('one bound of sessions of a key (tradeSessionsPerKeyMax)', async () => {
    const key = await rig.newKey();
    const doors = [rig.gateway.port, rig.gateway.doorPort];
    const opened = await Promise.all(
      Array.from({ length: limits.tradeSessionsPerKeyMax }, (_, it) => open(doors[it % 2]!, '/v1/trade', key)),
    );
    expect(opened.map(({ words }) => words)).toEqual(opened.map(() => 'open'));
    for (const port of doors) expect((await open(port, '/v1/trade', key)).words).toMatch(/429/);
    opened[0]!.socket.terminate();
    // A session that ends at the main thread's door makes room at the engine's door.
    const next = await eventually(async () => {
      const another = await open(rig.gateway.doorPort, '/v1/trade', key);
      expect(another.words).toBe('open');
      return another;
    });
    for (const { socket } of [...opened, next]) socket.terminate();
  });

  it(
    'one switch for lost connections',
    async () => {
      const key = await rig.newKey({ actorId: 'switch' });
      const [own, main] = [
        await connected(key),
        createNodeTrade({
          url: rig.gateway.url.replace('orderbook', 'trade'),
          signer: nodeSigner(key),
        }),
      ];
      connections.push(main);
      main.start();
      await eventually(() => expect(main.isUp).toBe(true));
      const placed = await own.submit('venue_b', order());
      if (!placed.ok) throw new Error(placed.error.message);
      for (const connection of [own, main]) connection.cancelOnDisconnect(true);
      // A switch returns no outcome here. The message that follows it on the same connection is answered after it.
      await Promise.all([own, main].map(it => it.cancel('venue_b', randomUUID())));
      main.close();
      own.close();
      await eventually(async () =>
        expect((await rig.read(placed.value.value.orderId, key)).json).toMatchObject({ status: 'CANCELLED' }),
      );
    },
    2 * limits.cancelOnDisconnectGraceMs + PATIENCE_MS,
  );
});

describe.each([tradeJsonCodec, tradeProtobufCodec])('/v1/trade in $subprotocol', codec => {
  it('acknowledges, answers and cancels many at once', async () => {
    const trade = await connected(await rig.newKey({ actorId: codec.subprotocol.replaceAll('.', '-') }), codec);
    const accepted: string[] = [];
    const placed = await Promise.all(
      Array.from({ length: 30 }, () =>
        trade.submit('venue_b', order(), { accepted: orderId => accepted.push(orderId) }),
      ),
    );
    const ids = placed.map(it => (it.ok ? it.value.value.orderId : it.error.message));
    expect(accepted.toSorted()).toEqual(ids.toSorted());
    expect(await trade.cancel('venue_b', ids[0]!)).toMatchObject({
      ok: true,
      value: { value: { orderId: ids[0], status: 'CANCELLED', filledCount: null } },
    });
    const all = await trade.cancelAll('venue_b', ticker);
    expect(all.ok && all.value.value.results.map(it => it.orderId).toSorted()).toEqual(ids.slice(1).toSorted());
    expect(await trade.submit('venue_b', order({ count: 0 }))).toMatchObject({ ok: false, error: { status: 400 } });
    const queue = { status: 404, message: expect.stringContaining('known at the usual address') };
    expect(await trade.queue('venue_b', ids[0]!)).toMatchObject({ ok: false, error: queue });
    // The next message cancels the order by the only name that is known then, the idempotency key.
    const idempotencyKey = randomUUID();
    const sent = trade.submit('venue_b', order(), { idempotencyKey });
    expect(await trade.cancel('venue_b', { idempotencyKey })).toMatchObject({
      value: { value: { status: 'CANCELLED' } },
    });
    expect(await sent).toMatchObject({ ok: true });
  });

  it('closes before the next message of a revoked key is taken', async () => {
    const key = await rig.newKey();
    const trade = await connected(key, codec);
    const down: string[] = [];
    trade.on('connection', (isUp, detail) => isUp || down.push(detail));
    expect(rig.gateway.keyStore.revokeSigningKey(key.keyId, Date.now() as UnixMillis).ok).toBe(true);
    expect(await trade.submit('venue_b', order())).toMatchObject({ ok: false, error: { kind: 'unknown-outcome' } });
    expect(down[0]).toMatch(/1008 the signing key was revoked/);
    trade.close();
  });
});

describe('the way in', () => {
  async function refusalOf(path: string, key: TestKey | null): Promise<string> {
    return (await open(rig.gateway.doorPort, path, key)).words;
  }

  it('takes no ticket', async () => {
    const { json } = await rig.call('POST', '/v1/trade/ticket');
    const { ticket } = json as { readonly ticket: string };
    expect(await refusalOf(`/v1/trade?ticket=${ticket}`, null)).toMatch(/401/);
  });

  it('has no books', async () => {
    expect(await refusalOf('/v1/orderbook', rig.gateway.key)).toMatch(/404/);
  });

  it('holds keys to their addresses', async () => {
    const [elsewhere, local] = [
      await rig.newKey({ addresses: ['10.0.0.0/8'] }),
      await rig.newKey({ addresses: ['unix'] }),
    ];
    expect((await submit(order(), {}, elsewhere)).status).toBe(403);
    expect(await refusalOf('/v1/trade', elsewhere)).toMatch(/403/);
    expect((await submit(order(), {}, local)).status).toBe(403);
    const parts = { method: 'POST', body: JSON.stringify(order()), headers: JSON_BODY, idempotencyKey: randomUUID() };
    expect((await atDoor('submitVenueBOrder', PATH, { ...parts, socketPath }, local)).status).toBe(201);
  });
});

describe('a door', () => {
  it.each([
    ['tradeAddress', () => ({ address: { host: '127.0.0.1', port: rig.gateway.port }, unixSocketPath: null })],
    ['tradeSocketPath', () => ({ address: null, unixSocketPath: join(folder, 'nowhere', 'trade.sock') })],
  ])('that cannot be opened is a fault of the setting %s', async (of, addressOf) => {
    const { trading, metrics } = rig.gateway;
    const opened = DoorLink.open({
      ...{ ...addressOf(), tls: null, connectionsMax: 1, rateProfile: rateProfiles.default, checksHere: true },
      ...{
        engine: trading.engine,
        checks: trading.checks,
        disconnects: null,
        rates: new SharedRates(BUCKETS),
        metrics,
      },
    });
    await expect(opened).rejects.toThrow(ListenError);
    await expect(opened).rejects.toMatchObject({ of });
  });

  it('may be a Unix socket alone, and answers what is in flight at the end', async () => {
    const path = join(folder, 'alone.sock');
    const alone = await OrdersRig.start('venue-b', {
      tradeDoor: { address: null, unixSocketPath: path },
    });
    expect(alone.gateway.doorPort).toBe(0);
    await alone.fault({ venue: 'venue_b', operation: 'POST *', fault: { kind: 'delay', beforeMs: 0, afterMs: 1_000 } });
    const ticker = await someTicker(alone.gateway.paper!.urls.venueB.rest);
    const parts = { method: 'POST', body: JSON.stringify(order({ ticker })), headers: JSON_BODY };
    const sent = sendSigned(`http://door${PATH}`, alone.gateway.key, {
      ...parts,
      idempotencyKey: 'last',
      socketPath: path,
    });
    await eventually(async () => expect(await alone.newest()).not.toBeNull());
    await alone.close();
    expect((await sent).status).toBe(201);
    expect(() => statSync(path)).toThrow('ENOENT');
  });
});
