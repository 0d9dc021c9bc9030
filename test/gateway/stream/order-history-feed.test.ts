// The orders channel over the real engine, its journal and the history that follows the journal. Followers rely on the cursors, the kept
// events and the forgotten events of these parts.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { fullActorId } from '../../../src/core/domain/identity.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { nodeFiles } from '../../../src/core/store/files.ts';
import type { OrderEventRecord } from '../../../src/core/store/order-records.ts';
import { OrderReader } from '../../../src/core/store/orders/order-reader.ts';
import { PRUNE_FROM_START, pruneSlice, type RetentionBounds } from '../../../src/core/store/orders/prune.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { OrderHub } from '../../../src/gateway/stream/order-hub.ts';
import { openOrdersOf } from '../../../src/gateway/trading-feed.ts';
import { newsOf } from '../../../src/orders/engine/engine-messages.ts';
import { Projection } from '../../../src/orders/history/projection.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';
import { Journal } from '../../../src/orders/journal/journal.ts';
import { readJournal } from '../../../src/orders/journal/segments.ts';
import { NO_ARCHIVE } from '../../../src/orders/ledger/archive.ts';
import { EngineStore } from '../../../src/orders/ledger/engine-store.ts';
import { readEvents } from '../../../src/orders/ledger/events.ts';
import { at, fillOf, storedOrder } from '../../core/store/orders/order-rig.ts';
import { ANYBODY } from '../../support/stream-rig.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { OrderClient, settle } from './order-rig.ts';

const ALICE = { ...ANYBODY, actorId: 'alice' };
const ACTOR = fullActorId(ALICE);
const KEPT = 200;
const RETENTION: RetentionBounds = {
  orderEventsKeptMax: KEPT,
  orderEventsKeptMs: Number.MAX_SAFE_INTEGER,
  orderRowsPrunedMax: 1_000,
};

let folder: string;
let tables: HistoryTables;
let journal: Journal;
let engine: EngineStore;
let hub: OrderHub;
let hear: (events: readonly OrderEventRecord[]) => void;
/** Whether the engine knows that the actor is followed. */
let isWhole: boolean;
let timers: VirtualTimers;
let made: number;

beforeEach(() => {
  [folder, timers, made, isWhole] = [temporaryFolder(), new VirtualTimers(), 0, true];
  tables = HistoryTables.open(`${folder}/history`);
  const options = {
    folder: `${folder}/journal`,
    files: nodeFiles,
    timers: wallTimers,
    segmentBytes: 20_000,
    syncDelayMs: 5,
  };
  journal = Journal.open(options, 1, () => {});
  engine = new EngineStore(NO_ARCHIVE, 'process-safe').appendTo(journal);
  const reader = new OrderReader(tables);
  /** The history reads the journal up to its end before it answers. */
  const answer = async <T>(read: () => T): Promise<T> => {
    followJournal();
    return read();
  };
  hub = new OrderHub(
    {
      otherOwner: null,
      events: (actorId, after, rowsMax) => answer(() => reader.events(actorId, after, rowsMax)),
      lastCursor: actorId => answer(() => reader.lastCursor(actorId)),
      openOrders: actorId => openOrdersOf(query => answer(() => reader.orders(query)), actorId),
      follow: () => {},
      listen: listener => {
        hear = events => listener(events.map(it => newsOf(it, isWhole)));
        return () => {};
      },
      halts: () => [],
      listenHalts: () => () => {},
      cancelAllOf: () => Promise.resolve(true),
    },
    timers,
  );
});
afterEach(async () => {
  hub.close();
  await journal.close();
  await tables.close();
  removeFolder(folder);
});

function followJournal(): void {
  const projection = new Projection(tables);
  readJournal(nodeFiles, `${folder}/journal`, tables.followed() + 1, (sequence, payload) => {
    projection.take(sequence, readEvents(payload));
  });
  projection.follow();
  tables.change(it => void pruneSlice(it, at(made), PRUNE_FROM_START, RETENTION));
  tables.refresh();
}

/** Commits one order per number, and its events. Every second order has a fill. */
function commit(count: number): OrderEventRecord[] {
  return Array.from({ length: count }, () => {
    made += 1;
    const { order, ...stored } = storedOrder({ number: made, actorId: ACTOR });
    const fill = made % 2 === 0 ? fillOf(`fill ${made}`) : null;
    return engine.change(to => {
      to.putOrder({ order, ...stored });
      if (fill !== null) to.addFill({ podId: order.podId, venue: 'venue_b' }, { fill, orderId: order.orderId });
      return to.appendEvent({ actorId: ACTOR, event: fill === null ? 'STATUS' : 'FILL', order, fill, at: at(made) });
    });
  });
}

const connect = (): OrderClient => new OrderClient({ hub, timers }, ALICE, protobufCodec);
const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);

it('tells what is heard and what is read, once and in order, over two connections', async () => {
  const first = connect();
  await first.subscribe(0);
  hear(commit(60));
  expect(first.cursors).toEqual(upTo(60));
  first.end();
  const news = commit(140);
  const second = connect();
  await second.subscribe(60);
  // The page had them already.
  hear(news);
  await settle(timers);
  expect(second.cursors).toEqual(upTo(200, 61));
  hear(commit(2));
  expect(second.cursors).toEqual(upTo(202, 61));
  expect(second.heard.at(-1)).toMatchObject({ type: 'order', event: 'FILL', venue: 'venue_b', fill: { size: '1' } });
});

it('says what it has forgotten, and goes on from the open orders', async () => {
  commit(KEPT + 50);
  const client = connect();
  await client.subscribe(49);
  await settle(timers);
  expect(client.heard).toMatchObject([{ code: 'CURSOR_EXPIRED' }, { type: 'ordersSnapshot' }, {}, {}]);
  const orders = client.heard.flatMap(message => (message.type === 'ordersSnapshot' ? message.orders : []));
  expect(new Set(orders.map(({ order }) => order.orderId)).size).toBe(KEPT + 50);
  hear(commit(1));
  expect(client.cursors).toEqual([KEPT + 51]);
  const other = connect();
  await other.subscribe(51);
  await settle(timers);
  expect(other.cursors).toEqual(upTo(KEPT + 51, 52));
});

it('reads events whose news came before the engine knew of the follower', async () => {
  isWhole = false;
  const client = connect();
  await client.subscribe();
  hear(commit(3));
  isWhole = true;
  hear(commit(2));
  expect(client.cursors).toEqual([]);
  await settle(timers);
  expect(client.cursors).toEqual(upTo(5));
  hear(commit(1));
  expect(client.cursors).toEqual(upTo(6));
});
