// A whole pod as its operator reads it: orders, positions and events of two actors at both venues. Also a cancel of either actor's order, and a stop
// of the pod. Every answer is checked against the contract document.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/core/domain/identity.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../src/core/domain/numbers.ts';
import type {
  PodEvents,
  PodOrders,
  PodPositions,
  PodStatus,
  PodStop,
  Risk,
} from '../../src/core/generated/api-types.ts';
import { eventually } from '../support/eventually.ts';
import { newKey } from '../support/new-key.ts';
import { someTicker } from '../support/paper-traders.ts';
import type { TestKey } from '../support/signed-requests.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;
let observer: TestKey;
let maker: TestKey;

beforeAll(async () => {
  rig = await OrdersRig.start('venue-b');
  const { keyStore } = rig.gateway;
  keyStore.createActor({ podId: 'demo', actorId: 'maker', createdAt: Date.now() as UnixMillis });
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  maker = await newKey(keyStore, { actorId: 'maker' });
  observer = await newKey(keyStore, { scopes: ['observe', 'cancel'] });
});
afterAll(() => rig.close());

const resting = () => ({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1, timeInForce: { type: 'GTC' } });

async function read<T>(path: string): Promise<T> {
  const answer = await rig.call('GET', path, {}, observer);
  expect(answer.status).toBe(200);
  return answer.json as T;
}

it('the pod shows open orders of all actors, each with its own', async () => {
  const own = orderIdOf(await rig.submit(resting()));
  const others = orderIdOf(await rig.submit(resting(), {}, maker));
  await eventually(async () => {
    const { orders, hasMore } = await read<PodOrders>('/v1/pod/orders');
    expect(hasMore).toBe(false);
    expect(orders.map(({ actorId, venue, order }) => [actorId, venue, order.orderId]).toSorted()).toEqual(
      [
        ['demo', 'venue_b', own],
        ['maker', 'venue_b', others],
      ].toSorted(),
    );
  });
});

it('the pod shows what both actors hold, and the events of both in order, after a number', async () => {
  const before = await read<PodEvents>('/v1/pod/events');
  const last = before.events.at(-1)!.number;
  expect(before.events.map(({ number }) => number)).toEqual(before.events.map(({ number }) => number).toSorted());
  const taken = orderIdOf(await rig.submit({ ...resting(), priceCents: 99, timeInForce: { type: 'IOC' } }, {}, maker));
  const { events } = await eventually(async () => {
    const later = await read<PodEvents>(`/v1/pod/events?after=${last}`);
    expect(later.events.some(({ event }) => event === 'FILL')).toBe(true);
    return later;
  });
  expect(events.every(event => event.number > last && event.event !== 'ACTION' && event.order.orderId === taken)).toBe(
    true,
  );
  await eventually(async () => {
    const { positions, realizedPnlUsd, feesUsd } = await read<PodPositions>('/v1/pod/positions');
    expect(positions).toMatchObject([
      { actorId: 'maker', venue: 'venue_b', position: { ticker, side: 'YES', contracts: 2 } },
    ]);
    expect([realizedPnlUsd, Number(feesUsd) > 0]).toEqual(['0', true]);
  });
});

it('the risk shows each limit with its use: to an actor its own, to the pod’s operator all', async () => {
  const { keyStore, trading } = rig.gateway;
  const dollars = { notionalMax: 5_000_000 as MicroDollars, exposureMax: 90_000_000 as MicroDollars };
  keyStore.setActorLimits('demo', 'maker', { openOrdersMax: 3, ...dollars });
  keyStore.setPodExposure('demo', 95_000_000 as MicroDollars);
  const caller = { podId: 'demo', actorId: 'demo/demo', keyId: 'operator' };
  const limitOf = (scope: string) => {
    const terms = { lossMax: 2_500_000 as MicroDollars, cancels: true };
    return trading.engine.ask({ name: 'loss-limit', ask: 'set', caller, scope, terms });
  };
  for (const scope of ['demo', 'demo/maker']) expect((await limitOf(scope)).status).toBe(200);
  const used = await eventually(async () => {
    const found = await read<Risk>('/v1/risk');
    expect(found.actors.find(it => it.actorId === 'maker')?.limits).toHaveLength(4);
    expect(found.pod!.events?.length).toBeGreaterThan(0);
    return found;
  });
  const loss = { lossMaxUsd: '2.5', lossUsd: '0', leftUsd: '2.5', cancels: true, reachedAt: null };
  const open = trading.openCounts.get('demo/maker') ?? 0;
  const inAll = used.pod!.events![0]!;
  const podUse = { name: 'podExposureMax', max: '95', used: inAll.lossUsd };
  expect(used.pod).toMatchObject({ podId: 'demo', loss, limits: [podUse] });
  const podMax = { name: 'podExposureMax', max: '95', used: null, left: null };
  expect(used.actors.find(it => it.actorId === 'demo')).toMatchObject({ limits: [podMax], loss: null });
  const [mine] = used.actors.find(it => it.actorId === 'maker')!.events!;
  expect(mine).toMatchObject({ worstOutcomes: [expect.any(String)] });
  const own = {
    actorId: 'maker',
    limits: [
      { name: 'notionalMax', max: '5', used: null, left: null },
      { name: 'openOrdersMax', max: '3', used: String(open), left: String(3 - open) },
      { name: 'exposureMax', max: '90', used: mine!.lossUsd, left: String(90 - Number(mine!.lossUsd)) },
      podMax,
    ],
    loss,
  };
  expect(used.actors.find(it => it.actorId === 'maker')).toMatchObject(own);
  const answer = await rig.call('GET', '/v1/risk', {}, maker);
  expect(answer.json).toMatchObject({ actors: [own], pod: null });
  expect((answer.json as Risk).actors).toHaveLength(1);
  for (const scope of ['demo', 'demo/maker'])
    await trading.engine.ask({ name: 'loss-limit', ask: 'end', caller, scope, terms: null });
  keyStore.setActorLimits('demo', 'maker', NO_LIMITS);
  keyStore.setPodExposure('demo', null);
});

it('the pod shows feeds, actors with their limits, and latencies of what was asked', async () => {
  const status = await read<PodStatus>('/v1/pod');
  expect(status).toMatchObject({ podId: 'demo', mode: 'PAPER', recordFault: null, stopped: [] });
  expect(status.feeds.map(({ venue, tradable }) => [venue, tradable])).toEqual([
    ['venue_a', true],
    ['venue_b', true],
  ]);
  expect(status.actors.map(({ actorId, openOrders }) => [actorId, openOrders]).toSorted()).toEqual([
    ['demo', 1],
    ['maker', 1],
  ]);
  const submits = status.latencies.find(({ stage }) => stage === 'submit')!.buckets;
  expect(submits.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(status.submissions).toBe(3);
});

it('the pod shows the queue ahead of the orders of all actors, on request', async () => {
  const own = orderIdOf(await rig.submit(resting()));
  const others = orderIdOf(await rig.submit(resting(), {}, maker));
  await eventually(async () => {
    const { orders } = await read<PodOrders>('/v1/pod/orders?queue=true');
    const ahead = new Map(orders.map(({ order }) => [order.orderId, order.queueAhead]));
    expect([ahead.get(own), ahead.get(others)]).toMatchObject([{ book: 'LIVE' }, { book: 'LIVE' }]);
    expect(Number(ahead.get(others)!.high)).toBeGreaterThan(0);
  });
  const { orders } = await read<PodOrders>('/v1/pod/orders?queue=venue');
  const atVenue = new Map(orders.map(({ order }) => [order.orderId, 'ticker' in order && order.queueAtVenue]));
  const placed = { ahead: expect.stringMatching(/^\d/), fault: null };
  expect([atVenue.get(own), atVenue.get(others)]).toEqual([placed, placed]);
  expect((await rig.call('GET', '/v1/pod/orders?queue=yes', {}, observer)).status).toBe(400);
  for (const orderId of [own, others]) await rig.call('DELETE', `/v1/pod/orders/${orderId}`, {}, observer);
});

it('4303: the risk counts a resting order for positionMax as soon as the order is answered', async () => {
  const { keyStore } = rig.gateway;
  keyStore.setActorLimits('demo', 'demo', { positionMax: 60_000_000 as MicroShares });
  await eventually(async () =>
    expect((await read<Risk>('/v1/risk')).actors.find(it => it.actorId === 'demo')?.limits).toHaveLength(1),
  );
  const limit = async () => (await read<Risk>('/v1/risk')).actors.find(it => it.actorId === 'demo')!.limits[0]!;
  const before = Number((await limit()).used);
  const made = orderIdOf(await rig.submit({ ...resting(), count: 50 }));
  const used = String(before + 50);
  expect(await limit()).toEqual({ name: 'positionMax', max: '60', used, left: String(60 - Number(used)) });
  expect((await rig.cancel(made)).status).toBe(200);
  expect((await limit()).used).toBe(String(before));
  keyStore.setActorLimits('demo', 'demo', NO_LIMITS);
});

describe('a cancel', () => {
  const cancel = (orderId: string, key = observer) => rig.call('DELETE', `/v1/pod/orders/${orderId}`, {}, key);

  it('ends the order of another actor, which hears of it', async () => {
    const orderId = orderIdOf(await rig.submit(resting(), {}, maker));
    const answer = await eventually(async () => {
      const it_ = await cancel(orderId);
      expect(it_.status).toBe(200);
      return it_;
    });
    expect(answer.json).toEqual({ orderId, status: 'CANCELLED', filledCount: null });
    expect((await rig.read(orderId, maker)).json).toMatchObject({ status: 'CANCELLED' });
  });

  it('of all ends the orders of all actors', async () => {
    const orderIds = [orderIdOf(await rig.submit(resting())), orderIdOf(await rig.submit(resting(), {}, maker))];
    const listed = async () => (await read<PodOrders>('/v1/pod/orders')).orders.map(({ order }) => order.orderId);
    await eventually(async () => expect(await listed()).toEqual(expect.arrayContaining(orderIds)));
    const open = await listed();
    const answer = await rig.call('DELETE', '/v1/pod/orders', {}, observer);
    expect(answer.status).toBe(200);
    const { results } = answer.json as { readonly results: readonly object[] };
    expect(results).toHaveLength(open.length);
    expect(results).toEqual(open.map(() => ({ orderId: expect.any(String), outcome: 'CANCELLED' })));
    await eventually(async () => expect(await listed()).toEqual([]));
  });

  it.each(['nothing', randomUUID()])('of %s is 404', async orderId => {
    const answer = await cancel(orderId);
    expect([answer.status, errorOf(answer).code]).toEqual([404, 'NOT_FOUND']);
  });

  it('needs its scope', async () => {
    const reader = await rig.newKey({ scopes: ['read', 'trade', 'observe'] });
    const answer = await cancel(randomUUID(), reader);
    expect([answer.status, errorOf(answer).message]).toEqual([403, 'the signing key lacks the scope cancel']);
  });
});

describe('a stop', () => {
  const stop = (key = observer) => rig.call('POST', '/v1/pod/stop', { timestamp: nextTimestamp() }, key);
  /** Resumes as the command `crossbook resume` does, since no request can resume. */
  const resume = (scope: string): Promise<unknown> => operate('resume', scope);
  const stopped = async () => (await read<PodStatus>('/v1/pod')).stopped;

  it('cancels what all actors have, refuses new orders of all, and shows', async () => {
    const orderIds = [orderIdOf(await rig.submit(resting())), orderIdOf(await rig.submit(resting(), {}, maker))];
    const answer = await stop();
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ stopped: ['demo'], cancelled: 2, leftTotal: 0, left: [], unread: [] });
    const shown = [await rig.shown(orderIds[0]!), (await rig.read(orderIds[1]!, maker)).json];
    expect(shown).toMatchObject(orderIds.map(orderId => ({ orderId, status: 'CANCELLED', cancelReason: 'STOP' })));
    for (const key of [rig.gateway.key, maker]) {
      const refused = await rig.submit(resting(), {}, key);
      expect([refused.status, errorOf(refused).message]).toEqual([
        503,
        'the operator has stopped demo: nothing was sent',
      ]);
    }
    await eventually(async () => expect(await stopped()).toEqual(['demo']));
    await resume('demo');
    await eventually(async () => expect(await stopped()).toEqual([]));
    expect((await rig.submit(resting())).status).toBe(201);
  });

  it('acts once for one request, however often that is sent', async () => {
    const timestamp = nextTimestamp();
    const once = () => rig.call('POST', '/v1/pod/stop', { timestamp }, observer);
    expect((await once()).headers['idempotency-replayed']).toBeUndefined();
    await resume('demo');
    const again = await once();
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
    await eventually(async () => expect(await stopped()).toEqual([]));
  });

  it('names stops of this pod and of all pods only', async () => {
    for (const scope of ['*', 'other', 'other/actor', 'demo/maker']) await operate('stop', scope);
    expect(((await stop()).json as PodStop).stopped.toSorted()).toEqual(['*', 'demo', 'demo/maker']);
    await eventually(async () => expect((await stopped()).toSorted()).toEqual(['*', 'demo', 'demo/maker']));
    for (const scope of ['*', 'other', 'other/actor', 'demo/maker', 'demo']) await resume(scope);
  });

  it('needs the scope cancel', async () => {
    const trader = await rig.newKey({ scopes: ['read', 'trade', 'observe'] });
    const answer = await stop(trader);
    expect([answer.status, errorOf(answer).message]).toEqual([403, 'the signing key lacks the scope cancel']);
    expect(await stopped()).toEqual([]);
  });

  let secondsAhead = 0;
  /** Returns a new timestamp. Two stops of the same second would be the same request. */
  function nextTimestamp(): string {
    secondsAhead += 1;
    return String(Math.floor(Date.now() / 1_000) + secondsAhead);
  }

  function operate(name: 'stop' | 'resume', scope: string): Promise<unknown> {
    const operation = { name, scope, caller: { podId: '*', actorId: '*', keyId: 'test' } } as const;
    return rig.gateway.trading.engine.ask(operation);
  }
});

it('the pod is for keys with the scope observe only', async () => {
  for (const path of ['/v1/pod', '/v1/pod/orders', '/v1/pod/positions', '/v1/pod/events']) {
    const answer = await rig.call('GET', path, {}, maker);
    expect([answer.status, errorOf(answer).message]).toEqual([403, 'the signing key lacks the scope observe']);
  }
});

it.each(['x', '-1', '1.5', '01'])('events after %j are refused', async after => {
  const answer = await rig.call('GET', `/v1/pod/events?after=${after}`, {}, observer);
  expect([answer.status, errorOf(answer).message]).toEqual([400, 'after: must be the number of an event']);
});
