// Which clients may subscribe to their orders and which answers they get, in both codecs; and cancelOnDisconnect, under virtual time.

import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/core/domain/identity.ts';
import { fullActorId } from '../../../src/core/domain/identity.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { OrdersMessage } from '../../../src/core/wire/messages.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { OrderHub } from '../../../src/gateway/stream/order-hub.ts';
import { limits } from '../../../src/limits.ts';
import { MemoryOrderFeed } from '../../support/memory-order-feed.ts';
import { ANYBODY, RigClient, startRig } from '../../support/stream-rig.ts';
import { OrderRig } from './order-rig.ts';

const SUBSCRIBE = { op: 'subscribe', id: '1', channel: 'orders', from: null, cancelOnDisconnect: false } as const;
const UNSUBSCRIBE = { op: 'unsubscribe', id: '2', channel: 'orders' } as const;
const SUBSCRIBED = { type: 'subscribed', id: '1', channel: 'orders', accepted: [], rejected: [], cursor: 0 };
const UNSUBSCRIBED = { type: 'unsubscribed', id: '2', channel: 'orders', accepted: [], rejected: [], cursor: null };
const error = (id: string | null, code: string, message: string) => ({
  type: 'error',
  id,
  code,
  message,
  rejected: [],
});

interface Row {
  readonly what: string;
  readonly scopes: readonly Scope[];
  readonly isServed?: boolean;
  readonly says: readonly OrdersMessage[];
  readonly hears: readonly object[];
}

const rows: readonly Row[] = [
  { what: 'with read', scopes: ['read'], says: [SUBSCRIBE], hears: [SUBSCRIBED] },
  {
    what: 'without an id',
    scopes: ['read'],
    says: [
      { ...SUBSCRIBE, id: null },
      { ...UNSUBSCRIBE, id: null },
    ],
    hears: [
      { ...SUBSCRIBED, id: null },
      { ...UNSUBSCRIBED, id: null },
    ],
  },
  {
    what: 'with cancelOnDisconnect and both scopes',
    scopes: ['read', 'trade'],
    says: [{ ...SUBSCRIBE, cancelOnDisconnect: true }],
    hears: [SUBSCRIBED],
  },
  {
    what: 'with cancelOnDisconnect and without trade',
    scopes: ['read'],
    says: [{ ...SUBSCRIBE, cancelOnDisconnect: true }],
    hears: [
      error('1', 'INVALID_REQUEST', 'cancelOnDisconnect: needs the scope trade, which this signing key does not have'),
    ],
  },
  {
    what: 'without read',
    scopes: ['trade'],
    says: [SUBSCRIBE],
    hears: [
      error('1', 'INVALID_REQUEST', 'channel: "orders" needs the scope read, which this signing key does not have'),
    ],
  },
  {
    what: 'where it is not served',
    scopes: ['read', 'trade'],
    isServed: false,
    says: [SUBSCRIBE, UNSUBSCRIBE],
    hears: [
      error('1', 'INVALID_REQUEST', 'channel: "orders" is not served by this gateway'),
      error('2', 'NOT_SUBSCRIBED', 'channel: this connection is not subscribed to "orders"'),
    ],
  },
  {
    what: 'twice',
    scopes: ['read'],
    says: [SUBSCRIBE, { ...SUBSCRIBE, id: 'again', from: 0 }],
    hears: [
      SUBSCRIBED,
      error(
        'again',
        'INVALID_REQUEST',
        'channel: this connection is subscribed to "orders" already; unsubscribe first',
      ),
    ],
  },
  {
    what: 'and ends it, once',
    scopes: ['read'],
    says: [SUBSCRIBE, UNSUBSCRIBE, { ...UNSUBSCRIBE, id: '3' }, SUBSCRIBE],
    hears: [
      SUBSCRIBED,
      UNSUBSCRIBED,
      error('3', 'NOT_SUBSCRIBED', 'channel: this connection is not subscribed to "orders"'),
      SUBSCRIBED,
    ],
  },
];

describe.each([jsonCodec, protobufCodec])('over $subprotocol a key subscribes to its orders', codec => {
  it.each(rows)('$what', async ({ scopes, isServed = true, says, hears }) => {
    const client = new OrderRig({ isServed }).connect({ ...ANYBODY, scopes }, codec);
    for (const message of says) await client.say(message);
    expect(client.heard).toEqual(hears);
  });

  it('the answer says so if it unsubscribes before that has begun', async () => {
    const rig = new OrderRig();
    const client = rig.connect(ANYBODY, codec);
    rig.feed.isHeld = true;
    for (const message of [SUBSCRIBE, UNSUBSCRIBE, SUBSCRIBE]) await client.say(message);
    rig.feed.release();
    await rig.settle();
    expect(client.heard).toEqual([
      error('1', 'NOT_SUBSCRIBED', 'channel: "orders" was unsubscribed before the subscription began'),
      UNSUBSCRIBED,
      SUBSCRIBED,
    ]);
  });

  it('at the gateway that owns the pod: another one names it, and cancels nothing', async () => {
    const rig = new OrderRig();
    const podOwner = 'https://two.desk.example';
    rig.feed.otherOwner = podOwner;
    const client = rig.connect(ANYBODY, codec);
    await client.say({ ...SUBSCRIBE, cancelOnDisconnect: true });
    const message = `the gateway at ${podOwner} owns the pod: nothing was done`;
    expect(client.heard).toEqual([{ ...error('1', 'POD_ELSEWHERE', message), podOwner }]);
    client.end();
    rig.timers.advance(60_000);
    expect(rig.feed.cancelled).toEqual([]);
  });

  it('it hears nothing more once it has unsubscribed', async () => {
    const rig = new OrderRig();
    const client = rig.connect(ANYBODY, codec);
    await client.subscribe();
    rig.feed.commit(fullActorId(ANYBODY));
    rig.feed.tell();
    await client.unsubscribe();
    rig.feed.commit(fullActorId(ANYBODY));
    rig.feed.tell();
    rig.timers.advance(60_000);
    expect(client.cursors).toEqual([1]);
  });

  it('through real sockets, and hears its events until it is revoked', async () => {
    const feed = new MemoryOrderFeed();
    const hub = new OrderHub(feed, wallTimers);
    const rig = await startRig({ orders: hub });
    const client = await RigClient.connect(rig, codec);
    client.say(SUBSCRIBE);
    await client.hear('subscribed');
    feed.commit(fullActorId(ANYBODY), 'FILL');
    feed.tell();
    expect(await client.hear('order')).toMatchObject({ cursor: 1, event: 'FILL', fill: { size: '10' } });
    rig.clients.closeRefused(keyId => (keyId === ANYBODY.keyId ? 'the signing key was revoked' : null));
    feed.commit(fullActorId(ANYBODY));
    feed.tell();
    await client.until(() => client.closedWith !== null);
    expect(client.closedWith).toContain('1008');
    expect(client.heard.filter(message => message.type === 'order')).toHaveLength(1);
    hub.close();
    rig.close();
  });
});

describe('cancelOnDisconnect', () => {
  const GRACE_MS = limits.cancelOnDisconnectGraceMs;

  async function armed(rig: OrderRig, key = ANYBODY) {
    const client = rig.connect(key);
    await client.subscribe(null, true);
    return client;
  }

  it('cancels what the key has open, once, when the connection has been gone for the grace', async () => {
    const rig = new OrderRig();
    (await armed(rig)).end();
    rig.timers.advance(GRACE_MS - 1);
    expect(rig.feed.cancelled).toEqual([]);
    rig.timers.advance(1);
    expect(rig.feed.cancelled).toEqual([ANYBODY.keyId]);
    rig.timers.advance(10 * GRACE_MS);
    expect(rig.feed.cancelled).toHaveLength(1);
  });

  it.each([1008, 1013])('counts a connection that we ended with %d as gone', async code => {
    const rig = new OrderRig();
    (await armed(rig)).end(code);
    rig.timers.advance(GRACE_MS);
    expect(rig.feed.cancelled).toEqual([ANYBODY.keyId]);
  });

  it('cancels nothing of a subscription that did not ask for it, nor after unsubscribe', async () => {
    const rig = new OrderRig();
    const plain = rig.connect();
    await plain.subscribe();
    plain.end();
    const ended = await armed(rig);
    await ended.unsubscribe();
    ended.end();
    rig.timers.advance(10 * GRACE_MS);
    expect(rig.feed.cancelled).toEqual([]);
  });

  it('is called off by another such subscription of the key, and by nothing else', async () => {
    const rig = new OrderRig();
    (await armed(rig)).end();
    rig.timers.advance(GRACE_MS - 1);
    const second = await armed(rig);
    rig.timers.advance(10 * GRACE_MS);
    expect(rig.feed.cancelled).toEqual([]);
    second.end();
    await rig.connect().subscribe();
    await armed(rig, { ...ANYBODY, keyId: 'key_0000000000000002' });
    rig.timers.advance(GRACE_MS);
    expect(rig.feed.cancelled).toEqual([ANYBODY.keyId]);
  });

  it('waits for the last such subscription of the key', async () => {
    const rig = new OrderRig();
    const [first, second] = [await armed(rig), await armed(rig)];
    first.end();
    rig.timers.advance(10 * GRACE_MS);
    expect(rig.feed.cancelled).toEqual([]);
    second.end();
    rig.timers.advance(GRACE_MS);
    expect(rig.feed.cancelled).toEqual([ANYBODY.keyId]);
  });

  it('may be subscribed again after unsubscribe', async () => {
    const rig = new OrderRig();
    const client = await armed(rig);
    await client.unsubscribe();
    await client.subscribe(null, true);
    client.end();
    rig.timers.advance(GRACE_MS);
    expect(rig.feed.cancelled).toEqual([ANYBODY.keyId]);
  });

  it('stays with the subscription after one that was refused', async () => {
    const rig = new OrderRig();
    const client = await armed(rig);
    await client.subscribe(null, true);
    client.end();
    rig.timers.advance(GRACE_MS);
    expect(rig.feed.cancelled).toEqual([ANYBODY.keyId]);
  });

  it('5707: tries again what cannot be begun, as when the key has too many cancels under way', async () => {
    const rig = new OrderRig();
    rig.feed.refusals = 2;
    (await armed(rig)).end();
    await rig.timers.settle(GRACE_MS);
    expect(rig.feed.cancelled).toHaveLength(1);
    for (let second = 0; second < 10; second++) await rig.timers.settle(limits.cancelOnDisconnectRetryMs);
    expect(rig.feed.cancelled).toEqual(Array(3).fill(ANYBODY.keyId));
    expect(rig.feed.isAgain).toEqual([false, true, true]);
    expect(rig.timers.pending).toBe(0);
  });

  it('is called off by another such subscription as long as it cannot be begun', async () => {
    const rig = new OrderRig();
    rig.feed.refusals = 100;
    (await armed(rig)).end();
    await rig.timers.settle(GRACE_MS);
    await armed(rig);
    for (let second = 0; second < 10; second++) await rig.timers.settle(limits.cancelOnDisconnectRetryMs);
    expect(rig.feed.cancelled).toHaveLength(1);
  });

  it('cancels nothing because the gateway goes away', async () => {
    const rig = new OrderRig();
    const [before, after] = [await armed(rig), await armed(rig)];
    before.end(1001);
    rig.hub?.close();
    after.end(1001);
    rig.timers.advance(10 * GRACE_MS);
    expect(rig.feed.cancelled).toEqual([]);
    expect(rig.timers.pending).toBe(0);
  });
});
