// Trading, started and ended as the gateway does it, over a store that stays. An order outlives the process, and its key is remembered.
// Events at the venue meanwhile are found before new orders are admitted.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AlarmNews } from '../../../src/core/alerts/alarm-sender.ts';
import type { OperationReply, SubmitOperation } from '../../../src/core/domain/operation.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';
import { ok } from '../../../src/core/domain/result.ts';
import type { LABEL_VALUES } from '../../../src/core/metrics/metric-table.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { monotonicUs } from '../../../src/core/runtime/clock.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { AlarmWatch } from '../../../src/gateway/alerts/alarm-watch.ts';
import type { Trading } from '../../../src/gateway/trading/trading.ts';
import { orderFeedOf } from '../../../src/gateway/trading-feed.ts';
import { limits } from '../../../src/limits.ts';
import { newsOf, type OrderNews } from '../../../src/orders/engine/engine-messages.ts';
import { acceptLoss } from '../../../src/orders/history/ledger-folder.ts';
import { eventually } from '../../support/eventually.ts';
import { failJournalOf } from '../../support/fail-journal.ts';
import { ask, someToken, VenueBTrader } from '../../support/paper-traders.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import {
  accounts,
  caller,
  folder,
  metrics,
  open,
  operate,
  paper,
  restingOf,
  start,
  statusOf,
  submission,
  tradingRig,
  venue,
} from './trading-rig.ts';

const callerOf = (actorId: string) => ({ podId: 'demo', actorId, keyId: `key_${actorId}` });

/** In a market of its own, by an actor of its own unless `by` has placed others. */
async function orderOf(by: string): Promise<SubmitOperation> {
  return { ...(await submission()), caller: callerOf(by), idempotencyKey: randomUUID() };
}

async function orderAtVenueA(by: string): Promise<SubmitOperation> {
  const tokenId = await someToken(paper.urls.venueA.gamma);
  const body = ok({ tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' });
  return { ...(await orderOf(by)), venue: 'venue_a', body };
}

/** The id of an order that rests. */
async function made(trading: Trading, submitted: SubmitOperation): Promise<OrderId> {
  const reply = await operate(trading, submitted);
  expect(reply.status, reply.body).toBe(201);
  return JSON.parse(reply.body).orderId;
}

const fail = (rule: object) => ask(`${paper.urls.control}/faults`, 'POST', { venue, ...rule });
const endFaults = () => ask(`${paper.urls.control}/faults`, 'DELETE');
const cancelAllOf = (trading: Trading, { keyId, actorId, podId } = caller, isAgain = false) =>
  orderFeedOf(trading, silentLog, metrics).cancelAllOf(keyId, actorId, podId, isAgain);

describe('what trades', () => {
  tradingRig('all tests');
  let trading: Trading;
  /** The answer of a node of the chain: at first that of another chain. */
  let result = '0x';
  const node = createServer((_request, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result })));
  beforeAll(async () => {
    await once(node.listen(0, '127.0.0.1'), 'listening');
    const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}/key`;
    trading = await start('process-safe', 1, 'ed25519', { rpcUrl });
  });
  afterEach(endFaults);
  afterAll(() => void node.close());

  it('tells what changes, once, in the order of the cursors; a pod that does not exist trades nothing', async () => {
    const stranger = { ...caller, podId: 'other' };
    const reply = await operate(trading, { ...(await submission()), caller: stranger });
    // Waiting does not help: there is no Retry-After.
    expect([reply.status, reply.headers.map(([name]) => name)]).toEqual([500, ['Server-Timing']]);
    const heard: OrderNews[] = [];
    const stop = trading.listen(news => heard.push(...news));
    expect((await operate(trading, await submission(1))).status).toBe(201);
    trading.engine.follow('demo', true);
    const second = { ...(await submission(99)), idempotencyKey: 'k-2' };
    expect((await operate(trading, second)).status).toBe(201);
    await expect.poll(() => heard.some(({ record }) => record?.event === 'FILL')).toBe(true);
    stop();
    const cursors = heard.map(({ cursor }) => cursor);
    expect(cursors).toEqual(cursors.map((_, index) => index + 1));
    // The order can have changed again since then.
    const stored = (await trading.history.events('demo', 0, heard.length))!;
    const isWhole = heard.map(({ record }) => record !== null);
    expect(isWhole).toEqual(isWhole.toSorted((one, other) => Number(one) - Number(other)));
    expect(isWhole[0]).toBe(false);
    expect(stored.map((record, index) => newsOf(record, isWhole[index]!))).toMatchObject(heard);
    // The engine has handled all that was sent to it.
    await eventually(() => expect(trading.engine.waitMs).toBe(0));
  });

  it('counts what befalls its connections to each host, from every thread', async () => {
    const counted = (upstream: (typeof LABEL_VALUES.upstream)[number], event: (typeof LABEL_VALUES.event)[number]) =>
      metrics.read(metrics.counter('upstream_connections_total', upstream, event));
    for (const upstream of ['venue_a', 'venue_a_data', 'venue_b'] as const)
      expect(counted(upstream, 'opened')).toBeGreaterThan(0);
    const submitted = await orderOf('loses');
    await fail({ operation: 'POST *', countMax: 1, fault: { kind: 'lost', isApplied: true } });
    expect(counted('venue_b', 'lost')).toBe(0);
    await operate(trading, submitted);
    expect(counted('venue_b', 'lost')).toBe(1);
  });

  it('5701, 5702: an order whose answer was lost is known as open, and an alarm names it', async () => {
    await fail({ operation: 'POST *', countMax: 1, fault: { kind: 'lost', isApplied: false } });
    const reply = await operate(trading, await orderOf('unknown'));
    const { orderId } = JSON.parse(reply.body).error;
    expect([reply.status, trading.openOrder(orderId)?.status]).toEqual([502, 'SUBMITTED']);
    const found: AlarmNews[] = [];
    const timers = new VirtualTimers();
    const watch = new AlarmWatch({
      kinds: ['outcomes'],
      metrics: new Metrics({ operations: [] }),
      stops: () => [],
      openOrders: () => trading.openOrders,
      titleOf: () => null,
      timers,
      onAlarms: news => found.push(...news),
    });
    timers.advance(20_000);
    watch.close();
    expect(found.map(({ order }) => order?.orderId)).toContain(orderId);
  });

  it('shows what is not converted, by the node that the pod names; none, if the node fails', async () => {
    const balance = { name: 'balance', venue: 'venue_a', caller } as const;
    const failed = await operate(trading, balance);
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(failed.body).toContain('USDC.e');
    result = `0x${(2_500_000).toString(16).padStart(64, '0')}`;
    const shown = await operate(trading, balance);
    expect([shown.status, JSON.parse(shown.body)]).toEqual([200, expect.objectContaining({ unconverted: 2.5 })]);
  });

  it('4026: where the folder of orders is gone, nothing is placed; once it is back, orders are', async () => {
    // Its thread has opened the history.
    await trading.history.lastCursor('demo/demo');
    const [orders, submitted] = [join(folder, 'orders'), await orderOf('away')];
    renameSync(orders, `${orders}.away`);
    await eventually(() =>
      expect(trading.recordFault).toMatch(/the orders were removed from the data directory, or moved/),
    );
    const refused = await operate(trading, submitted);
    expect([refused.status, await restingOf(submitted)]).toEqual([503, []]);
    renameSync(`${orders}.away`, orders);
    await eventually(() => expect(trading.recordFault).toBe(null));
    expect((await operate(trading, submitted)).status).toBe(201);
  });

  it('keeps neither cancels nor the orders of others, there or elsewhere, while a venue answers no order', async () => {
    const atA = await orderAtVenueA('greedy');
    const [other, elsewhere] = [callerOf('other'), await orderOf('other')];
    const orderId = await made(trading, { ...atA, caller: other });
    const fault = { kind: 'hung', isApplied: false, hangMs: 60_000 };
    await fail({ venue: 'venue_a', operation: 'POST /order', fault });

    const submitAs = (by: typeof other) =>
      trading.operations.ask({ ...atA, caller: by, idempotencyKey: randomUUID() }, monotonicUs());
    const half = limits.operationsMax / 12;
    const hung = Array.from({ length: half }, () => submitAs(atA.caller));
    expect(await submitAs(atA.caller)).toEqual({ ok: false, error: 'BUSY' });

    hung.push(submitAs(other));
    const [cancelled, placed] = await Promise.all([
      operate(trading, { name: 'cancel', venue: 'venue_a', caller: other, orderId }),
      operate(trading, elsewhere),
    ]);
    expect([cancelled.status, placed.status], cancelled.body + placed.body).toEqual([200, 201]);
    const statuses = (await Promise.all(hung)).map(done => done.ok && done.value.status);
    // Sent and not answered, or not sent in time: how many of which is the machine's affair.
    expect(statuses.filter(status => status !== 503 && status !== 504)).toEqual([]);
  });

  it('a lost subscription with cancelOnDisconnect has cancelled what its key has open, at both venues, and nothing of another key; what could not begin has to be requested again', async () => {
    const [atA, atB] = [await orderAtVenueA('leaves'), await orderOf('leaves')];
    const other = { ...(await orderOf('leaves')), caller: { ...atB.caller, keyId: 'other' } };
    const placed = [atB, atA, other];
    const ids: OrderId[] = [];
    for (const submitted of placed) ids.push(await made(trading, submitted));
    expect(await cancelAllOf(trading, atB.caller)).toBe(true);
    const statuses = await Promise.all(ids.map((orderId, at) => statusOf(trading, orderId, placed[at]!)));
    expect(statuses).toEqual(['CANCELLED', 'CANCELLED', 'OPEN']);
    expect([await restingOf(atB), await restingOf(other)]).toMatchObject([[], [{}]]);
    await trading.operations.close(0);
    expect(await cancelAllOf(trading, other.caller)).toBe(false);
  });

  it('4024: does not start without the folder of orders, until the operator accepts the loss', async () => {
    await open.pop()!.close();
    const orders = join(folder, 'orders');
    rmSync(orders, { recursive: true });
    await expect(start()).rejects.toThrow(/is missing, or empty: .*crossbook store accept-loss$/);
    // Nor is one begun where the note of the folder is lost, too.
    renameSync(`${orders}.id`, `${orders}.lost`);
    await expect(start()).rejects.toThrow('is missing, or empty');
    expect(existsSync(orders)).toBe(false);
    renameSync(`${orders}.lost`, `${orders}.id`);
    await acceptLoss(orders);
    await made(await start(), await orderOf('next'));
  });
});

describe('an order and its key', () => {
  tradingRig();

  it('outlive restarts in either mode, also with an engine that polls without a pause (CROSSBOOK_SPIN)', async () => {
    const submitted = await submission();
    const reply = await operate(await start('power-safe'), submitted);
    expect([reply.status, JSON.parse(reply.body).status]).toEqual([201, 'OPEN']);
    const { orderId } = JSON.parse(reply.body);
    await open.pop()!.close();

    // Somebody cancels it at the venue while we are away.
    const trader = new VenueBTrader(paper.urls.venueB.rest, accounts);
    const [resting] = await restingOf(submitted);
    const path = `/portfolio/events/orders/${resting!.order_id}`;
    expect((await trader.call('DELETE', path)).status).toBe(200);

    const second = await start('process-safe', 1, 'ed25519', { spins: true });
    const replays = async (trading: Trading, operation: SubmitOperation, first: OperationReply) => {
      const again = await operate(trading, operation);
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers).toContainEqual(['Idempotency-Replayed', 'true']);
    };
    await replays(second, submitted, reply);
    await expect.poll(() => statusOf(second, orderId)).toBe('CANCELLED');
    const next = await orderOf('next');
    const placed = await operate(second, next);
    expect([placed.status, await restingOf(next)]).toMatchObject([201, [{}]]);
    await open.pop()!.close();

    const third = await start('power-safe');
    await replays(third, submitted, reply);
    await replays(third, next, placed);
    expect(await statusOf(third, JSON.parse(placed.body).orderId, next)).toBe('OPEN');
  });
});

describe('an order store whose disk fails', () => {
  tradingRig('all tests');
  let trading: Trading;
  let orders: Readonly<Record<'refused' | 'sent' | 'cancelledAtOnce' | 'resting' | 'ofStream', SubmitOperation>>;
  let restingId: OrderId;
  let sentId: OrderId;
  let answers: readonly Promise<OperationReply>[];

  beforeAll(async () => {
    trading = await start();
    const [resting, ofStream] = [await orderOf('cancels'), await orderOf('leaves')];
    const [sent, cancelledAtOnce] = [await orderOf('sends'), await orderOf('sends')];
    orders = { refused: await orderOf('refused'), sent, cancelledAtOnce, resting, ofStream };
    restingId = await made(trading, resting);
    await made(trading, ofStream);
    await fail({ operation: 'POST *', countMax: 2, fault: { kind: 'delay', beforeMs: 0, afterMs: 3_000 } });
    answers = [sent, cancelledAtOnce].map(submitted => operate(trading, submitted));
    await eventually(async () => expect(await restingOf(sent, cancelledAtOnce)).toHaveLength(2));
    failJournalOf(join(folder, 'orders'));
  });
  const errorOf = ({ status, body }: OperationReply) => ({ status, ...JSON.parse(body).error });

  it('answers that a sent order may be there, and which one; cancels one that it could not record as accepted', async () => {
    const [unknown, other] = (await Promise.all(answers)).map(errorOf);
    const orderId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(unknown).toMatchObject({ status: 504, code: 'ORDER_RECONCILIATION_REQUIRED', orderId });
    sentId = unknown.orderId;
    const { caller } = orders.sent;
    expect((await operate(trading, { name: 'get', venue, caller, orderId: sentId })).status).toBe(200);
    const cancelled = await operate(trading, { name: 'cancel', venue, caller, orderId: other.orderId });
    expect([cancelled.status, await restingOf(orders.cancelledAtOnce)]).toEqual([200, []]);
  });

  it('sends nothing new, and says so', async () => {
    const refused = await operate(trading, orders.refused);
    const message = expect.stringContaining('nothing was sent');
    expect(errorOf(refused)).toEqual({ status: 503, code: 'INTERNAL_ERROR', message });
    expect(refused.headers).toContainEqual(['Retry-After', expect.stringMatching(/^[1-9]\d*$/)]);
    expect(await restingOf(orders.refused)).toEqual([]);
  });

  it('cancels, and answers that this is not recorded', async () => {
    const { caller } = orders.resting;
    const reply = await operate(trading, { name: 'cancel', venue, caller, orderId: restingId });
    expect([reply.status, await restingOf(orders.resting)]).toEqual([200, []]);
    expect(reply.headers).toContainEqual(['SVC-Recorded', 'false']);
  });

  it('cancels what a lost subscription with cancelOnDisconnect has cancelled; an unconfirmed cancel has to be requested again', async () => {
    await fail({ operation: 'DELETE *', countMax: 100, fault: { kind: 'lost', isApplied: false } });
    const { caller } = orders.ofStream;
    expect([await cancelAllOf(trading, caller), await restingOf(orders.ofStream)]).toMatchObject([false, [{}]]);
    await endFaults();
    expect([await cancelAllOf(trading, caller, true), await restingOf(orders.ofStream)]).toEqual([true, []]);
    expect(metrics.read(metrics.counter('switches_fired_total', 'disconnect'))).toBe(1);
  });

  it('at the next start makes the same request, answers for the sent order, and finds what was cancelled', async () => {
    await open.pop()!.close();
    const second = await start();
    await made(second, orders.refused);
    expect(await restingOf(orders.refused)).toHaveLength(1);
    const again = await operate(second, orders.sent);
    expect([again.status, JSON.parse(again.body)]).toEqual([201, { orderId: sentId, status: 'OPEN' }]);
    expect(await restingOf(orders.sent)).toHaveLength(1);
    await expect.poll(() => statusOf(second, restingId, orders.resting)).toBe('CANCELLED');
  });
});
