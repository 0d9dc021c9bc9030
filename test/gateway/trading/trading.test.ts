// Trading, started as the gateway does it. trading.restarts.test.ts has what outlives a restart, and a disk that fails.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AlarmNews } from '../../../src/core/alerts/alarm-sender.ts';
import type { SubmitOperation } from '../../../src/core/domain/operation.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';
import { ok } from '../../../src/core/domain/result.ts';
import type { LABEL_VALUES } from '../../../src/core/metrics/metric-table.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { monotonicUs } from '../../../src/core/runtime/clock.ts';
import { AlarmWatch } from '../../../src/gateway/alerts/alarm-watch.ts';
import type { Trading } from '../../../src/gateway/trading/trading.ts';
import { limits } from '../../../src/limits.ts';
import { newsOf, type OrderNews } from '../../../src/orders/engine/engine-messages.ts';
import { eventually } from '../../support/eventually.ts';
import { someToken } from '../../support/paper-traders.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import {
  caller,
  callerOf,
  cancelAllOf,
  endFaults,
  fail,
  folder,
  made,
  metrics,
  operate,
  orderOf,
  paper,
  restingOf,
  start,
  statusOf,
  submission,
  tradingRig,
} from './trading-rig.ts';

async function orderAtVenueA(by: string): Promise<SubmitOperation> {
  const tokenId = await someToken(paper.urls.venueA.gamma);
  const body = ok({ tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' });
  return { ...(await orderOf(by)), venue: 'venue_a', body };
}

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
});
