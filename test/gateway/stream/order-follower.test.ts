// Whoever follows its orders hears each event once and in order, whatever happens: threads that tell out of turn or not at all,
// connections that are lost, clients that read slowly, events that are not kept any more.

import { describe, expect, it } from 'vitest';
import { fullActorId } from '../../../src/domain/identity.ts';
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
  it('is told where it begins, then what happens', async () => {
    const { rig, client } = await following();
    rig.feed.commit(ACTOR);
    rig.feed.commit(ACTOR, 'FILL');
    rig.feed.tell();
    expect(client.heard).toMatchObject([
      { type: 'subscribed', id: 's', channel: 'orders', cursor: 0 },
      { type: 'order', cursor: 1, event: 'STATUS', venue: 'venue_b', order: { status: 'PENDING' }, fill: null },
      { type: 'order', cursor: 2, event: 'FILL', fill: { fillId: 'fill-1', price: '0.53', feesUsd: '0.18' } },
    ]);
    expect(rig.feed.reads).toBe(2);
  });

  it('is not told of what was before, nor of other actors', async () => {
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
    rig.timers.advance(0);
    expect(client.cursors).toEqual(upTo(count + 1));
  });

  it('fills a hole by reading, and tells nothing twice when its news come late', async () => {
    const { rig, client } = await following();
    const [first, second, third] = [rig.feed.commit(ACTOR), rig.feed.commit(ACTOR), rig.feed.commit(ACTOR)];
    rig.feed.tell([second]);
    expect(client.cursors).toEqual([1, 2, 3]);
    rig.feed.tell([third, first]);
    expect(client.cursors).toEqual([1, 2, 3]);
  });

  it('looks again for what it has heard of and the store does not show yet', async () => {
    const { rig, client } = await following();
    rig.feed.commit(ACTOR);
    const second = rig.feed.commit(ACTOR);
    rig.feed.hidden = 2;
    rig.feed.tell([second]);
    expect(client.cursors).toEqual([]);
    rig.feed.hidden = 0;
    rig.timers.advance(limits.orderEventsRereadMs);
    expect(client.cursors).toEqual([1, 2]);
  });

  it('does not take a store that is behind what it was told for one that has forgotten', async () => {
    const { rig, client } = await following();
    rig.feed.hidden = 3;
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    rig.feed.commit(ACTOR);
    rig.feed.tell([rig.feed.commit(ACTOR)]);
    expect(client.cursors).toEqual([1]);
    rig.feed.hidden = 0;
    rig.timers.advance(limits.orderEventsRereadMs);
    expect(client.cursors).toEqual([1, 2, 3]);
  });

  it('finds by itself what nobody told of', async () => {
    const { rig, client } = await following();
    rig.feed.commit(ACTOR);
    rig.timers.advance(limits.orderEventsLookMs);
    expect(client.cursors).toEqual([1]);
  });

  it('leaves to the store what a slow client has no room for, and reads it as it drains', async () => {
    const { rig, client } = await following();
    client.drain(2);
    for (let event = 0; event < 1_000; event++) rig.feed.commit(ACTOR);
    rig.feed.tell();
    expect(client.cursors).toEqual([1, 2]);
    expect(client.unsentFrames).toBe(0);
    client.drain(3);
    expect(client.cursors).toEqual(upTo(5));
    client.drain();
    rig.timers.advance(1);
    expect(client.cursors).toEqual(upTo(1_000));
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

  it('ends the connection if the store cannot be read, and leaves nothing behind', async () => {
    const { rig, client } = await following();
    rig.feed.isBroken = true;
    rig.feed.commit(ACTOR);
    rig.feed.commit(ACTOR);
    rig.feed.tell([rig.feed.news[1]!]);
    expect(client.endedWith).toBe(1011);
    expect(rig.timers.pending).toBe(0);
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
    expect(client.heard).toMatchObject([
      { ...expired, id: 's', message: expect.stringContaining('from: what followed 2 is not kept any more') },
      { type: 'ordersSnapshot', id: 's', cursor: 5, orders: [{ venue: 'venue_b' }], hasMore: false },
      { type: 'order', cursor: 6 },
    ]);
  });

  it.each([6, 2 ** 53 - 1])('is one that was never given, such as %d', async from => {
    const rig = new OrderRig();
    for (let event = 0; event < 5; event++) rig.feed.commit(ACTOR);
    const client = rig.connect();
    await client.subscribe(from);
    expect(client.heard).toMatchObject([expired, { type: 'ordersSnapshot', cursor: 5, orders: [] }]);
  });

  it('may be that of a client which reads too slowly', async () => {
    const { rig, client } = await following();
    client.drain(0);
    for (let event = 0; event < 5; event++) rig.feed.commit(ACTOR);
    rig.feed.tell();
    rig.feed.prune(3);
    client.drain();
    expect(client.heard.slice(1)).toMatchObject([{ ...expired, id: null }]);
    rig.timers.advance(0);
    expect(client.heard.slice(2)).toMatchObject([{ type: 'ordersSnapshot', id: null, cursor: 5 }]);
  });

  it('brings many open orders in parts, as far as there is room, before any event', async () => {
    const rig = new OrderRig();
    rig.feed.commit(ACTOR);
    rig.feed.prune(1);
    rig.feed.open = upTo(2 * limits.ordersPerSnapshotMax + 1).map(number => orderOf(ACTOR, number));
    const client = rig.connect();
    client.framesTaken = 2;
    await client.subscribe(0);
    expect(client.heard).toMatchObject([expired, { type: 'ordersSnapshot', hasMore: true }]);
    rig.feed.commit(ACTOR);
    rig.feed.tell();
    client.drain();
    rig.timers.advance(0);
    const parts = client.heard.flatMap(message => (message.type === 'ordersSnapshot' ? [message] : []));
    expect(parts.map(({ hasMore, cursor, orders }) => [hasMore, cursor, orders.length])).toEqual([
      [true, 1, limits.ordersPerSnapshotMax],
      [true, 1, limits.ordersPerSnapshotMax],
      [false, 1, 1],
    ]);
    expect(client.heard.at(-1)).toMatchObject({ type: 'order', cursor: 2 });
  });
});
