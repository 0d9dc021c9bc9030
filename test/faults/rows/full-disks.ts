// Requests that lower risk while the disk is full to the last byte, beside clients that trade. Orders rest, a dead man's switch is armed, and the
// disk is filled. Then the row asks the venues for resting orders. A resting order is a failure.

import { setTimeout as pause } from 'node:timers/promises';
import type { Result } from '../../../src/core/domain/result.ts';
import type { ApiAnswer, ApiFailure } from '../../../src/tools/client/api-failure.ts';
import { nodeSigner } from '../../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../../src/tools/client/node-stream.ts';
import { createVenueBSigner } from '../../../src/venues/venue-b/auth.ts';
import type { SoakMarket } from '../../soak/markets.ts';
import type { OrderBody } from '../../soak/orders.ts';
import type { Trader } from '../../soak/trader.ts';
import { ask, venueAClient } from '../../support/paper-traders.ts';
import type { Row } from '../row.ts';
import type { Scene } from '../scene.ts';
import { fillDisk, freeDisk } from '../small-disk.ts';

const DISK_BYTES = 64 * 1024 * 1024;
/** The number of resting orders at venue B; one more rests at venue A. */
const RESTING = 6;
const LONG_MS = 600_000;
/** A time that is longer than it takes to fill the disk. */
const DUE_MS = 9_000;
const ASK_AGAIN_MS = 100;
const ASKED_MAX = 600;

interface Resting {
  readonly trader: Trader;
  /** The ids of the orders at venue B, then at venue A. */
  readonly orderIds: readonly string[];
  readonly venueOrderIds: readonly string[];
}

/** Places resting orders of an actor with a pod of its own, far from the middle of the book. */
async function rest(scene: Scene): Promise<Resting> {
  const { actors, markets } = scene.stage;
  const trader = scene.patientTrader(actors.at(-1)!);
  const orderIds: string[] = [];
  const orders = [...Array<OrderBody>(RESTING).fill(bidAtB(markets)), bidAtA(markets)];
  for (const order of orders) {
    await trader.trade(order);
    const made = trader.placed.at(-1)!.said.at(-1)!;
    if (made.type !== 'made') throw new Error(`an order that should rest: ${JSON.stringify(made)}`);
    orderIds.push(made.orderId);
  }
  return {
    trader,
    orderIds,
    venueOrderIds: await Promise.all(orderIds.map(orderId => venueOrderIdOf(trader, orderId))),
  };
}

function bidAtB(markets: readonly SoakMarket[]): OrderBody {
  const { ticker } = markets.find(it => it.venue === 'venue_b')!;
  return { venue: 'venue_b', body: { ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 } };
}

function bidAtA(markets: readonly SoakMarket[]): OrderBody {
  const { tokenId } = markets.find(it => it.venue === 'venue_a')!;
  return { venue: 'venue_a', body: { tokenId, side: 'BUY', type: 'LIMIT', size: '5', price: '0.01' } };
}

async function venueOrderIdOf({ client }: Trader, orderId: string): Promise<string> {
  const path = { orderId };
  const b = await client.call('getVenueBOrder', { path });
  const answer = b.ok ? b : await client.call('getVenueAOrder', { path });
  if (!answer.ok || answer.value.value.venueOrderId === null) throw new Error(`order ${orderId} cannot be read`);
  return answer.value.value.venueOrderId;
}

/** Returns the orders that still rest, as the venues report it. */
async function resting(scene: Scene, { trader, venueOrderIds }: Resting): Promise<readonly string[]> {
  const { urls, pods } = scene.stage.paper;
  const { accounts } = pods.find(({ podId }) => podId === trader.actor.podId)!;
  const url = `${urls['venue_b rest']}/portfolio/orders?status=resting&limit=1000`;
  const { keyId, privateKeyPem } = accounts.venueB.keys[0]!;
  const headers = createVenueBSigner(keyId, privateKeyPem)('GET', url, Date.now());
  const atB = await ask<{ readonly orders: readonly { readonly order_id: string }[] }>(url, 'GET', undefined, headers);
  const atA = await venueAClient(urls['venue_a rest'], accounts).getOpenOrders();
  const there = new Set([...atB.body.orders.map(it => it.order_id), ...atA.map(it => it.id)]);
  return venueOrderIds.filter(id => there.has(id));
}

async function untilRest(scene: Scene, orders: Resting, count: number): Promise<void> {
  for (let asked = 0; asked < ASKED_MAX; asked += 1) {
    if ((await resting(scene, orders)).length === count) return;
    await pause(ASK_AGAIN_MS);
  }
  throw new Error(`${(await resting(scene, orders)).length} orders rest and not ${count}`);
}

const setSwitch = ({ client }: Trader, timeoutMs: number) => client.call('cancelAfter', { body: { timeoutMs } });

/** Uses the room that is left in the last block of the journal: sets another actor's switch until it is not recorded. */
async function exhaust(other: Trader): Promise<void> {
  for (let asked = 0; asked < ASKED_MAX; asked += 1) {
    const answer = await setSwitch(other, LONG_MS);
    if (!answer.ok || answer.value.header('svc-recorded') === 'false') return;
  }
  throw new Error('the disk is not full');
}

/** Returns the status, and whether the request was recorded, for the table. */
function wordsOf(answer: Result<ApiAnswer<unknown>, ApiFailure>): string {
  if (!answer.ok) {
    const [words] = answer.error.message.split(',');
    return `${'status' in answer.error ? answer.error.status : 'no answer'}: ${words}`;
  }
  const { status } = answer.value;
  return answer.value.header('svc-recorded') === 'false' ? `${status}, not recorded` : `${status}`;
}

/** @param act the request that is made while the disk is full */
function row(
  what: string,
  armedMs: number | null,
  act: (scene: Scene, orders: Resting) => Promise<void>,
  before: (scene: Scene, orders: Resting) => Promise<void> = async () => {},
): Row {
  return {
    group: 'the gateway’s disk, full to the last byte',
    fault: `full, and ${what}`,
    setting: { diskBytes: DISK_BYTES },
    expected: ['order task failed', 'request failed', 'the order store failed', 'nothing can be recorded'],
    async strike(scene) {
      const { dataDir } = scene.stage.gateway;
      await scene.begun(12);
      const orders = await rest(scene);
      if (armedMs !== null) await setSwitch(orders.trader, armedMs);
      await before(scene, orders);
      const other = scene.patientTrader(scene.stage.actors[0]!);
      fillDisk(dataDir);
      try {
        await exhaust(other);
        await act(scene, orders);
      } finally {
        freeDisk(dataDir);
      }
      await setSwitch(other, 0);
    },
  };
}

export const FULL_DISK_ROWS: readonly Row[] = [
  row('one order is cancelled (a switch is armed)', LONG_MS, async (scene, orders) => {
    const answer = await orders.trader.client.call('cancelVenueBOrder', { path: { orderId: orders.orderIds[0]! } });
    scene.notes.push(wordsOf(answer));
    await untilRest(scene, orders, RESTING);
  }),
  row('all orders are cancelled (a switch is armed)', LONG_MS, async (scene, orders) => {
    const { client } = orders.trader;
    for (const answer of [await client.call('cancelVenueBOrders'), await client.call('cancelVenueAOrders')])
      scene.notes.push(wordsOf(answer));
    await untilRest(scene, orders, 0);
  }),
  row('an armed switch falls due', DUE_MS, async (scene, orders) => {
    await untilRest(scene, orders, 0);
  }),
  row('an armed switch is extended, then brought forward', LONG_MS, async (scene, orders) => {
    scene.notes.push(wordsOf(await setSwitch(orders.trader, LONG_MS)), wordsOf(await setSwitch(orders.trader, 1_000)));
    await untilRest(scene, orders, 0);
  }),
  row('a first switch is armed', null, async (scene, orders) => {
    scene.notes.push(wordsOf(await setSwitch(orders.trader, 1_000)));
    await untilRest(scene, orders, 0);
  }),
  row(
    'a connection with cancelOnDisconnect is lost (a switch is armed)',
    LONG_MS,
    async (scene, orders) => {
      await untilRest(scene, orders, 0);
    },
    async ({ stage }, { trader }) => {
      const url = `${stage.gateway.url.replace('http', 'ws')}/v1/orderbook`;
      const stream = createNodeStream({ url, signer: nodeSigner(trader.actor.key) });
      stream.subscribeOrders({ cancelOnDisconnect: true });
      stream.start();
      while (stream.orderCursor === null) await pause(ASK_AGAIN_MS);
      // The connection ends now, so that its grace ends while the disk is full.
      stream.close();
    },
  ),
];
