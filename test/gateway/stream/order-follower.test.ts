// A client that follows its orders hears each event once and in order. This also holds for late answers, lost connections, slow clients,
// and events that are no longer kept.

import { describe, expect, it } from 'vitest';
import { fullActorId } from '../../../src/core/domain/identity.ts';
import type { ServerMessage } from '../../../src/core/wire/messages.ts';
import type { OrderOutlet } from '../../../src/gateway/stream/order-follower.ts';
import { limits } from '../../../src/limits.ts';
import { orderOf } from '../../support/memory-order-feed.ts';
import { ANYBODY } from '../../support/stream-rig.ts';
import { type OrderClient, OrderRig } from './order-rig.ts';

const ACTOR = fullActorId(ANYBODY);
const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);

async function following(from: number | null = null): Promise<{ rig: OrderRig; client: OrderClient }> {
  const rig = new OrderRig();
  const client = rig.connect();
  await client.subscribe(from);
  return { rig, client };
}

describe('a follower', () => {
  it('gets the begin, then the events', async () => {
    const { rig, client } = await following();
    rig.feed.commit(ACTOR);
    rig.feed.commit(ACTOR, 'FILL');
    rig.feed.tell();
    expect(client.heard).toMatchObject([
      { type: 'subscribed', id: 's', channel: 'orders', cursor: 0 },
      { type: 'order', cursor: 1, event: 'STATUS', venue: 'venue_b', order: { status: 'PENDING' }, fill: null },
      { type: 'order', cursor: 2, event: 'FILL', fill: { fillId: 'fill-1', price: '0.53', feesUsd: '0.18' } },
    ]);
    expect(rig.feed.reads).toBe(1);
  });

  it('gets neither earlier events nor those of other actors', async () => {
    const rig = new OrderRig();
    rig.feed.commit(ACTOR);
    rig.feed.commit('another');
    const client = rig.connect();
    await client.subscribe();
    rig.feed.commit('another');
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    expect(client.heard[0]).toMatchObject({ type: 'subscribed', cursor: 1 });
    expect(client.cursors).toEqual([2]);
  });

  it('reads pages until it has caught up, a turn each, and goes over to what it hears', async () => {
    const rig = new OrderRig();
    const count = 2 * limits.orderEventsPerReadMax + 1;
    for (let event = 0; event < count; event++) rig.feed.commit(ACTOR);
    const client = rig.connect();
    await client.subscribe(0);
    expect(client.cursors).toEqual(upTo(limits.orderEventsPerReadMax));
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    expect(client.cursors).toEqual(upTo(limits.orderEventsPerReadMax));
    await rig.settle();
    expect(client.cursors).toEqual(upTo(count + 1));
    const { reads } = rig.feed;
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    expect([client.cursors.at(-1), rig.feed.reads]).toEqual([count + 2, reads]);
  });

  it('goes over to what it hears after a page that is just full', async () => {
    const rig = new OrderRig();
    for (let event = 0; event < limits.orderEventsPerReadMax; event++) rig.feed.commit(ACTOR);
    const client = rig.connect();
    rig.feed.isHeld = true;
    await client.subscribe(0);
    rig.feed.read();
    rig.feed.deliver();
    await rig.settle();
    expect(client.cursors).toHaveLength(limits.orderEventsPerReadMax);
    rig.feed.read();
    // The event comes after the history has looked, and before the history's answer arrives.
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    rig.feed.release();
    await rig.settle();
    expect(client.cursors).toEqual(upTo(limits.orderEventsPerReadMax + 1));
  });

  it('begins after the last event of the answer, with those that it heard since', async () => {
    const rig = new OrderRig();
    rig.feed.isHeld = true;
    const client = rig.connect();
    rig.feed.commit(ACTOR);
    await client.subscribe();
    rig.feed.tell();
    rig.feed.commit(ACTOR);
    rig.feed.read();
    rig.feed.tell();
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    rig.feed.release();
    await rig.settle();
    expect(client.heard[0]).toMatchObject({ type: 'subscribed', cursor: 2 });
    expect(client.cursors).toEqual([3]);
  });

  it('tells once what it has read before it hears of it', async () => {
    const { rig, client } = await following(0);
    rig.feed.commit(ACTOR);
    const other = rig.connect();
    await other.subscribe(0);
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    expect([client.cursors, other.cursors]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('leaves to the history what a slow client has no room for, and reads it as it drains', async () => {
    const { rig, client } = await following();
    client.drain(2);
    for (let event = 0; event < 1_000; event++) rig.feed.commit(ACTOR);
    rig.feed.tell();
    await rig.settle();
    expect(client.cursors).toEqual([1, 2]);
    expect(client.unsentFrames).toBe(0);
    client.drain(3);
    await rig.settle();
    expect(client.cursors).toEqual(upTo(5));
    client.drain();
    await rig.settle();
    expect(client.cursors).toEqual(upTo(1_000));
  });

  it.each([
    ['has read the rest', async (client: OrderClient) => client.drain()],
    ['has unsubscribed instead', (client: OrderClient) => client.unsubscribe()],
  ])('keeps the rest of the connection waiting no longer than until it %s', async (_what, end) => {
    const { rig, client } = await following();
    client.drain(0);
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    rig.feed.isHeld = true;
    client.drain();
    await end(client);
    rig.feed.release();
    await rig.settle();
    rig.timers.advance(limits.streamLagMs + 1);
    client.checkLag();
    expect(client.endedWith).toBe(null);
  });

  it('comes before the rest of the connection once there is room again', async () => {
    const rig = new OrderRig();
    const [sent, resumed]: [ServerMessage['type'][], number[]] = [[], []];
    let room = 1;
    const outlet: OrderOutlet = {
      send: ({ type }) => {
        sent.push(type);
        room -= 1;
      },
      batch: task => task(),
      hasRoom: () => room > 0,
      postpone() {},
      resume: () => resumed.push(sent.length),
      fail() {},
    };
    const follower = rig.hub!.follow(ACTOR, outlet);
    follower.begin('s', null);
    await rig.settle();
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    expect([sent, follower.catchUp(), resumed]).toEqual([['subscribed'], false, []]);
    await rig.settle();
    room = 2;
    expect([sent, follower.catchUp(), resumed]).toEqual([['subscribed'], false, []]);
    await rig.settle();
    expect([sent, follower.catchUp(), resumed]).toEqual([['subscribed', 'order'], true, [2]]);
  });

  it('sends a client away that does not drain', async () => {
    const { rig, client } = await following();
    client.drain(0);
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    rig.timers.advance(limits.streamLagMs + 1);
    client.checkLag();
    expect(client.endedWith).toBe(1013);
  });

  it('ends the connection if the history cannot answer, and leaves nothing behind', async () => {
    const { rig, client } = await following();
    client.drain(0);
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    rig.feed.isBroken = true;
    client.drain();
    await rig.settle();
    expect([client.endedWith, client.cursors]).toEqual([1011, []]);
    expect(rig.timers.pending).toBe(0);
  });

  it('ends the connection if it cannot begin', async () => {
    const rig = new OrderRig();
    rig.feed.isBroken = true;
    const clients = [rig.connect(), rig.connect()] as const;
    await clients[0].subscribe();
    await clients[1].subscribe(0);
    await rig.settle();
    expect(clients.map(({ endedWith, heard }) => [endedWith, heard])).toEqual([
      [1011, []],
      [1011, []],
    ]);
  });

  it('does nothing with an answer that comes after its end', async () => {
    const rig = new OrderRig();
    rig.feed.commit(ACTOR);
    rig.feed.isHeld = true;
    const [lost, left, next] = [rig.connect(), rig.connect(), rig.connect()];
    await lost.subscribe(0);
    lost.end();
    rig.feed.release();
    rig.feed.isHeld = true;
    await left.subscribe(0);
    await rig.settle();
    await left.unsubscribe();
    rig.feed.release();
    await next.subscribe(0);
    await rig.settle();
    expect([lost.heard, left.cursors, next.cursors]).toEqual([[], [], [1]]);
  });

  it('tells nothing after it has ended', async () => {
    const { rig, client } = await following();
    client.end(1008);
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    rig.timers.advance(60_000);
    expect(client.cursors).toEqual([]);
    rig.hub?.close();
    expect(rig.feed.listeners).toBe(0);
  });
});

describe('a cursor that has expired', () => {
  const expired = { type: 'error', code: 'CURSOR_EXPIRED' };

  it('is answered with the open orders, and goes on from there', async () => {
    const rig = new OrderRig();
    for (let event = 0; event < 5; event++) rig.feed.commit(ACTOR);
    rig.feed.prune(3);
    rig.feed.open = [orderOf(ACTOR, 4)];
    const client = rig.connect();
    await client.subscribe(2);
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    await rig.settle();
    expect(client.heard).toMatchObject([
      { ...expired, id: 's', message: expect.stringContaining('from: what followed 2 is not kept any more') },
      { type: 'ordersSnapshot', id: 's', cursor: 5, orders: [{ venue: 'venue_b' }], hasMore: false },
      { type: 'order', cursor: 6 },
    ]);
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    expect(client.heard.at(-1)).toMatchObject({ type: 'order', cursor: 7 });
  });

  it('leaves out no event that happens while the open orders are read', async () => {
    const rig = new OrderRig();
    rig.feed.commit(ACTOR);
    rig.feed.prune(1);
    const client = rig.connect();
    await client.subscribe(0);
    rig.feed.isHeld = true;
    await rig.settle();
    // The history has looked for the last cursor, and then for the orders.
    for (const cursor of [1, 2]) {
      rig.feed.read();
      rig.feed.commit(ACTOR);
      rig.feed.tell();
      rig.feed.deliver();
      await rig.settle();
      expect([cursor, client.cursors]).toEqual([cursor, []]);
    }
    rig.feed.release();
    await rig.settle();
    expect(client.heard[1]).toMatchObject({ type: 'ordersSnapshot', cursor: 1 });
    expect(client.cursors).toEqual([2, 3]);
  });

  it.each([6, 2 ** 53 - 1])('is one that was never given, such as %d', async from => {
    const rig = new OrderRig();
    for (let event = 0; event < 5; event++) rig.feed.commit(ACTOR);
    const client = rig.connect();
    await client.subscribe(from);
    await rig.settle();
    expect(client.heard).toMatchObject([expired, { type: 'ordersSnapshot', cursor: 5, orders: [] }]);
  });

  it('may be that of a client which reads too slowly', async () => {
    const { rig, client } = await following();
    client.drain(0);
    for (let event = 0; event < 5; event++) rig.feed.commit(ACTOR);
    rig.feed.tell();
    rig.feed.prune(3);
    client.drain();
    await rig.settle();
    expect(client.heard.slice(1)).toMatchObject([
      { ...expired, id: null, message: expect.stringContaining('this connection read too slowly: what followed 0') },
      { type: 'ordersSnapshot', id: null, cursor: 5 },
    ]);
  });

  it('brings many open orders in parts, as far as there is room, before any event', async () => {
    const rig = new OrderRig();
    rig.feed.commit(ACTOR);
    rig.feed.prune(1);
    rig.feed.open = upTo(2 * limits.ordersPerSnapshotMax + 1).map(number => orderOf(ACTOR, number));
    const client = rig.connect();
    client.framesTaken = 2;
    await client.subscribe(0);
    await rig.settle();
    expect(client.heard).toMatchObject([expired, { type: 'ordersSnapshot', hasMore: true }]);
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    client.drain();
    await rig.settle();
    const parts = client.heard.flatMap(message => (message.type === 'ordersSnapshot' ? [message] : []));
    expect(parts.map(({ hasMore, cursor, orders }) => [hasMore, cursor, orders.length])).toEqual([
      [true, 1, limits.ordersPerSnapshotMax],
      [true, 1, limits.ordersPerSnapshotMax],
      [false, 1, 1],
    ]);
    expect(client.heard.at(-1)).toMatchObject({ type: 'order', cursor: 2 });
  });
});
