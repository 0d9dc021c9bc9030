// Trading, started and ended as the gateway does it, over a store that stays. An order outlives the process, and its key is remembered.
// What happened at the venue meanwhile is found before new orders are admitted.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OperationReply, SubmitOperation } from '../../../src/core/domain/operation.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';
import { ok } from '../../../src/core/domain/result.ts';
import type { LABEL_VALUES } from '../../../src/core/metrics/metric-table.ts';
import { monotonicUs } from '../../../src/core/runtime/clock.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import type { Trading } from '../../../src/gateway/trading/trading.ts';
import { orderFeedOf } from '../../../src/gateway/trading-feed.ts';
import { limits } from '../../../src/limits.ts';
import { newsOf, type OrderNews } from '../../../src/orders/engine/engine-messages.ts';
import { acceptLoss } from '../../../src/orders/history/ledger-folder.ts';
import { eventually } from '../../support/eventually.ts';
import { failJournalOf } from '../../support/fail-journal.ts';
import { ask, someToken, VenueBTrader } from '../../support/paper-traders.ts';

import {
  accounts,
  atVenueB,
  caller,
  folder,
  metrics,
  open,
  operate,
  paper,
  start,
  statusOf,
  submission,
  tradingRig,
  venue,
} from './trading-rig.ts';

tradingRig();

it.each(['process-safe', 'power-safe'] as const)('an order and its key outlive a restart (%s)', async durability => {
  const first = await start(durability);
  const submitted = await submission();
  const made = await operate(first, submitted);
  expect([made.status, JSON.parse(made.body).status]).toEqual([201, 'OPEN']);
  const { orderId } = JSON.parse(made.body);
  await open.pop()!.close();

  // Somebody cancels it at the venue while we are away.
  const trader = new VenueBTrader(paper.urls.venueB.rest, accounts);
  const { body } = await trader.call<{ orders: { order_id: string }[] }>('GET', '/portfolio/orders?status=resting');
  expect(body.orders).toHaveLength(1);
  const path = `/portfolio/events/orders/${body.orders[0]!.order_id}`;
  expect((await trader.call('DELETE', path)).status).toBe(200);

  const second = await start(durability);
  const again = await operate(second, submitted);
  expect([again.status, again.body]).toEqual([201, made.body]);
  expect(again.headers).toContainEqual(['Idempotency-Replayed', 'true']);
  const read = () => operate(second, { name: 'get', venue, caller, orderId });
  await expect.poll(async () => JSON.parse((await read()).body).status).toBe('CANCELLED');
});

it('4024: without the folder of orders the gateway does not start, until the operator accepts the loss', async () => {
  const made = await operate(await start(), await submission());
  expect(made.status).toBe(201);
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
  expect((await operate(await start(), { ...(await submission()), idempotencyKey: 'k-2' })).status).toBe(201);
});

it('4026: where the folder of orders is gone, nothing is placed; once it is back, orders are', async () => {
  const trading = await start();
  // Its thread has opened the history.
  await trading.history.lastCursor('demo/demo');
  const orders = join(folder, 'orders');
  renameSync(orders, `${orders}.away`);
  await eventually(() =>
    expect(trading.recordFault).toMatch(/the orders were removed from the data directory, or moved/),
  );
  const refused = await operate(trading, await submission());
  expect([refused.status, await atVenueB()]).toEqual([503, 0]);
  renameSync(`${orders}.away`, orders);
  await eventually(() => expect(trading.recordFault).toBe(null));
  expect((await operate(trading, await submission())).status).toBe(201);
});

it('an engine that polls without a pause (CROSSBOOK_SPIN) trades, and ends', async () => {
  const trading = await start('process-safe', 1, 'ed25519', { spins: true });
  const made = await operate(trading, await submission());
  expect([made.status, await atVenueB()]).toEqual([201, 1]);
  await open.pop()!.close();
});

it('tells what changes, once, in the order of the cursors; a pod that does not exist trades nothing', async () => {
  const trading = await start();
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
  const cursors = heard.map(({ cursor }) => cursor);
  expect(cursors).toEqual(cursors.map((_, index) => index + 1));
  const stored = (await trading.history.events('demo', 0, 100))!;
  const isWhole = heard.map(({ record }) => record !== null);
  expect(isWhole).toEqual(isWhole.toSorted((one, other) => Number(one) - Number(other)));
  expect(isWhole[0]).toBe(false);
  expect(stored.map((record, index) => newsOf(record, isWhole[index]!))).toMatchObject(heard);
  // The engine has handled all that was sent to it.
  await eventually(() => expect(trading.engine.waitMs).toBe(0));
  stop();
});

it('counts what befalls its connections to each host, from every thread', async () => {
  const trading = await start();
  const counted = (upstream: (typeof LABEL_VALUES.upstream)[number], event: (typeof LABEL_VALUES.event)[number]) =>
    metrics.read(metrics.counter('upstream_connections_total', upstream, event));
  for (const upstream of ['venue_a', 'venue_a_data', 'venue_b'] as const)
    expect(counted(upstream, 'opened')).toBeGreaterThan(0);
  const submitted = await submission();
  const fault = { kind: 'lost', isApplied: true };
  await ask(`${paper.urls.control}/faults`, 'POST', { venue, operation: 'POST *', countMax: 1, fault });
  expect(counted('venue_b', 'lost')).toBe(0);
  await operate(trading, submitted);
  expect(counted('venue_b', 'lost')).toBe(1);
});

it('shows what is not converted, by the node that the pod names; none, if the node fails', async () => {
  let result = `0x${(2_500_000).toString(16).padStart(64, '0')}`;
  const node = createServer((_request, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result })));
  await once(node.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void node.close());
  const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}/key`;
  const balance = { name: 'balance', venue: 'venue_a', caller } as const;
  const trading = await start('process-safe', 1, 'ed25519', { rpcUrl });
  const shown = await operate(trading, balance);
  expect([shown.status, JSON.parse(shown.body)]).toEqual([200, expect.objectContaining({ unconverted: 2.5 })]);
  // What the node said is kept for a while.
  await open.pop()!.close();
  result = '0x';
  const failed = await operate(await start('process-safe', 1, 'ed25519', { rpcUrl }), balance);
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect(failed.body).toContain('USDC.e');
});

describe('a venue that answers no order', () => {
  it('keeps neither cancels nor the orders of others, there or elsewhere', async () => {
    const trading = await start('process-safe', 1);
    const tokenId = await someToken(paper.urls.venueA.gamma);
    const body = ok({ tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' });
    const atA: SubmitOperation = { ...(await submission()), venue: 'venue_a', body };
    const { orderId } = JSON.parse((await operate(trading, atA)).body) as { readonly orderId: string };
    const fault = { kind: 'hung', isApplied: false, hangMs: 60_000 };
    await ask(`${paper.urls.control}/faults`, 'POST', { venue: 'venue_a', operation: 'POST /order', fault });

    const submitAs = (keyId: string) =>
      trading.operations.ask({ ...atA, caller: { ...caller, keyId }, idempotencyKey: randomUUID() }, monotonicUs());
    const half = limits.operationsMax / 12;
    const hung = Array.from({ length: half }, () => submitAs('greedy'));
    expect(await submitAs('greedy')).toEqual({ ok: false, error: 'BUSY' });

    const other = { ...caller, keyId: 'other' };
    hung.push(submitAs(other.keyId));
    const [cancelled, elsewhere] = await Promise.all([
      operate(trading, { name: 'cancel', venue: 'venue_a', caller: other, orderId }),
      operate(trading, { ...(await submission()), caller: other }),
    ]);
    expect([cancelled.status, elsewhere.status], cancelled.body + elsewhere.body).toEqual([200, 201]);
    const statuses = (await Promise.all(hung)).map(done => done.ok && done.value.status);
    // Sent and not answered, or not sent in time: how many of which is the machine's affair.
    expect(statuses.filter(status => status !== 503 && status !== 504)).toEqual([]);
  });
});

describe('what a lost subscription with cancelOnDisconnect has cancelled', () => {
  const cancelAllOf = (trading: Trading, keyId = caller.keyId) =>
    orderFeedOf(trading, silentLog, metrics).cancelAllOf(keyId, caller.actorId, caller.podId);

  it('is what its key has open, at both venues, and nothing of another key; what could not begin has to be requested again', async () => {
    const trading = await start();
    const tokenId = await someToken(paper.urls.venueA.gamma);
    const body = ok({ tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' });
    const atB = await submission();
    const other = { ...atB, caller: { ...caller, keyId: 'other' }, idempotencyKey: 'k-2' };
    const ids: OrderId[] = [];
    for (const asked of [atB, { ...atB, venue: 'venue_a' as const, body }, other]) {
      ids.push(JSON.parse((await operate(trading, asked)).body).orderId);
    }
    expect(await cancelAllOf(trading)).toBe(true);
    const venues = [venue, 'venue_a', venue] as const;
    const statuses = await Promise.all(ids.map((orderId, at) => statusOf(trading, orderId, venues[at])));
    expect(statuses).toEqual(['CANCELLED', 'CANCELLED', 'OPEN']);
    expect(await atVenueB()).toBe(1);
    await trading.operations.close(0);
    expect(await cancelAllOf(trading, 'other')).toBe(false);
  });

  it('is cancelled while nothing can be recorded; an unconfirmed cancel has to be requested again', async () => {
    const trading = await start();
    await operate(trading, await submission());
    failJournalOf(join(folder, 'orders'));
    const fault = { kind: 'lost', isApplied: false };
    const rule = { venue: 'venue_b', operation: 'DELETE *', countMax: 100, fault };
    await ask(`${paper.urls.control}/faults`, 'POST', rule);
    expect([await cancelAllOf(trading), await atVenueB()]).toEqual([false, 1]);
    await ask(`${paper.urls.control}/faults`, 'DELETE');
    expect([await cancelAllOf(trading), await atVenueB()]).toEqual([true, 0]);
  });
});

describe('an order store whose disk fails', () => {
  const errorOf = ({ status, body }: OperationReply) => ({ status, ...JSON.parse(body).error });

  it('sends nothing new, says so, and makes the same request later', async () => {
    const first = await start();
    const submitted = await submission();
    failJournalOf(join(folder, 'orders'));
    const refused = await operate(first, submitted);
    const message = expect.stringContaining('nothing was sent');
    expect(errorOf(refused)).toEqual({ status: 503, code: 'INTERNAL_ERROR', message });
    expect(refused.headers).toContainEqual(['Retry-After', expect.stringMatching(/^[1-9]\d*$/)]);
    expect(await atVenueB()).toBe(0);
    await open.pop()!.close();

    const second = await start();
    expect((await operate(second, submitted)).status).toBe(201);
    expect(await atVenueB()).toBe(1);
  });

  it('answers that a sent order may be there, and which one; cancels one that it could not record as accepted', async () => {
    const first = await start();
    const submitted = await submission();
    const fault = { kind: 'delay', beforeMs: 0, afterMs: 3_000 };
    await ask(`${paper.urls.control}/faults`, 'POST', { venue, operation: 'POST *', countMax: 2, fault });
    const [asked, other] = [submitted, { ...submitted, idempotencyKey: 'k-2' }].map(it => operate(first, it));
    await expect.poll(atVenueB).toBe(2);
    failJournalOf(join(folder, 'orders'));
    const unknown = errorOf(await asked!);
    const orderId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(unknown).toMatchObject({ status: 504, code: 'ORDER_RECONCILIATION_REQUIRED', orderId });
    expect((await operate(first, { name: 'get', venue, caller, orderId: unknown.orderId })).status).toBe(200);
    const cancelled = { name: 'cancel', venue, caller, orderId: errorOf(await other!).orderId } as const;
    expect([(await operate(first, cancelled)).status, await atVenueB()]).toEqual([200, 1]);
    await open.pop()!.close();

    const second = await start();
    const again = await operate(second, submitted);
    expect([again.status, JSON.parse(again.body)]).toEqual([201, { orderId: unknown.orderId, status: 'OPEN' }]);
    expect(await atVenueB()).toBe(1);
  });

  it('cancels, answers that this is not recorded, and finds it at the next start', async () => {
    const first = await start();
    const { orderId } = JSON.parse((await operate(first, await submission())).body) as { readonly orderId: string };
    failJournalOf(join(folder, 'orders'));
    const reply = await operate(first, { name: 'cancel', venue, caller, orderId });
    expect([reply.status, await atVenueB()]).toEqual([200, 0]);
    expect(reply.headers).toContainEqual(['SVC-Recorded', 'false']);
    await open.pop()!.close();
    const second = await start();
    const status = () => statusOf(second, orderId);
    await expect.poll(status).toBe('CANCELLED');
  });
});
