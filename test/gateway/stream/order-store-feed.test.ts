// The orders channel over the real store: what it keeps, forgets and numbers is what followers rely on.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { fullActorId } from '../../../src/domain/identity.ts';
import { openOrdersOf } from '../../../src/gateway/stream/open-orders.ts';
import type { OrderFeed } from '../../../src/gateway/stream/order-feed.ts';
import { OrderHub } from '../../../src/gateway/stream/order-hub.ts';
import { limits } from '../../../src/limits.ts';
import type { OrderEventRecord } from '../../../src/store/order-records.ts';
import type { OpenedOrderStore } from '../../../src/store/order-store.ts';
import { protobufCodec } from '../../../src/wire/protobuf.ts';
import { crashCopy, removeFolder, temporaryFolder } from '../../store/durable/store-rig.ts';
import { at, fillOf, openOrders, storedOrder } from '../../store/orders/order-rig.ts';
import { ANYBODY } from '../../support/stream-rig.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { OrderClient } from './order-rig.ts';

const ALICE = { ...ANYBODY, actorId: 'alice' };
const KEPT = 200;

let folder: string;
let store: OpenedOrderStore;
let hub: OrderHub;
let hear: (events: readonly OrderEventRecord[]) => void;
const timers = new VirtualTimers();

beforeEach(async () => {
  folder = temporaryFolder();
  await open('a boot');
});
afterEach(async () => {
  await close();
  removeFolder(folder);
});

async function open(bootId: string): Promise<void> {
  store = await openOrders(folder, { bootId, retention: { ...limits, orderEventsKeptMax: KEPT } });
  const feed: OrderFeed = {
    events: (actorId, after, rowsMax) => store.events(actorId, after, rowsMax),
    lastCursor: actorId => store.lastCursor(actorId),
    openOrders: actorId => openOrdersOf(store, actorId),
    listen: listener => {
      hear = listener;
      return () => {};
    },
    cancelAllOf: () => Promise.resolve(true),
  };
  hub = new OrderHub(feed, timers);
}

async function close(): Promise<void> {
  hub.close();
  await store.close();
}

/** As many threads would: each commits its own event, all at once. */
function commit(count: number): Promise<OrderEventRecord[]> {
  const one = (number: number): Promise<OrderEventRecord> =>
    store.commit(to => {
      const stored = storedOrder({ number });
      const order = { ...stored.order, actorId: fullActorId(ALICE) };
      to.putOrder({ ...stored, order });
      const [event, fill] =
        number % 2 === 0 ? (['FILL', fillOf(`fill ${number}`)] as const) : (['STATUS', null] as const);
      return to.appendEvent({ actorId: fullActorId(ALICE), event, order, fill, at: at(number) });
    });
  return Promise.all(Array.from({ length: count }, (_, number) => one(number + 1)));
}

const connect = (): OrderClient => new OrderClient({ hub, timers }, ALICE, protobufCodec);
const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);

it('tells what many committed at once, whatever the order of their news, over two connections', async () => {
  const first = connect();
  await first.subscribe(0);
  hear((await commit(60)).reverse());
  expect(first.cursors).toEqual(upTo(60));
  first.end();
  const news = await commit(140);
  const second = connect();
  await second.subscribe(60);
  hear(news);
  timers.advance(0);
  expect(second.cursors).toEqual(upTo(200, 61));
  expect(second.heard.at(-1)).toMatchObject({ type: 'order', event: 'FILL', venue: 'venue_b', fill: { size: '1' } });
});

it('says what it has forgotten, and goes on from the open orders', async () => {
  await commit(KEPT + 50);
  const client = connect();
  await client.subscribe(49);
  timers.advance(0);
  expect(client.heard).toMatchObject([{ code: 'CURSOR_EXPIRED' }, { type: 'ordersSnapshot' }, {}, {}]);
  const orders = client.heard.flatMap(message => (message.type === 'ordersSnapshot' ? message.orders : []));
  expect(new Set(orders.map(({ order }) => order.orderId)).size).toBe(KEPT + 50);
  hear(await commit(1));
  expect(client.cursors).toEqual([KEPT + 51]);
  const other = connect();
  await other.subscribe(51);
  timers.advance(0);
  expect(other.cursors).toEqual(upTo(KEPT + 51, 52));
});

it('says after a power cut that it cannot tell what followed, and goes on without a gap', async () => {
  await commit(10);
  await store.durable.durable();
  const left = crashCopy(folder);
  // Told, and gone with the power.
  hear(await commit(5));
  await close();
  removeFolder(folder);
  folder = left;
  await open('the next boot');
  const early = await commit(20);
  const client = connect();
  await client.subscribe(15);
  expect(client.heard).toMatchObject([{ code: 'CURSOR_EXPIRED' }, { type: 'ordersSnapshot', hasMore: false }]);
  hear(early);
  hear(await commit(1));
  const [first] = client.cursors;
  expect(client.cursors).toEqual([early.at(-1)!.cursor + 1]);
  const other = connect();
  await other.subscribe(early[0]!.cursor);
  timers.advance(0);
  expect(other.cursors).toEqual(upTo(first!, early[1]!.cursor));
});
