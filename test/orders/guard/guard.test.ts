// Trading while the engine waits for a write to its journal that does not end. Nothing new is sent, no answer is wrong, and what lowers
// risk goes on. Regression test 3021 shows the recovery on a real file system that is frozen.

import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { OperationReply, OrderOperation, SubmitOperation } from '../../../src/core/domain/operation.ts';
import { ok } from '../../../src/core/domain/result.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import type { Trading } from '../../../src/gateway/trading/trading.ts';
import { orderFeedOf } from '../../../src/gateway/trading-feed.ts';
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
  submission,
  tradingRig,
  venue,
} from '../../gateway/trading/trading-rig.ts';
import { blockJournalOf } from '../../support/block-journal.ts';
import { ask, someToken, VenueBTrader } from '../../support/paper-traders.ts';

tradingRig();

let unblock = (): void => {};
// Before the rig closes what trades.
afterEach(() => {
  unblock();
  unblock = () => {};
});

const NOT_RECORDED = ['SVC-Recorded', 'false'];
const LATER = ['Retry-After', '1'];
const other = { ...caller, keyId: 'other' };

const numbered = async (number: number): Promise<SubmitOperation> => ({
  ...(await submission()),
  idempotencyKey: `k-${number}`,
});

/** Of an order that rests. */
async function made(trading: Trading, operation: SubmitOperation): Promise<string> {
  const reply = await operate(trading, operation);
  expect(reply.status, reply.body).toBe(201);
  return JSON.parse(reply.body).orderId;
}

const errorOf = ({ status, body }: OperationReply) => ({ status, ...JSON.parse(body).error });
/** Without that of every answer. */
const headersOf = ({ headers }: OperationReply) => headers.filter(([name]) => name !== 'Server-Timing');
const cancelOf = (orderId: string, by = caller): OrderOperation => ({ name: 'cancel', venue, caller: by, orderId });
const cancelAllOf = (keyId: string | null, address: string | null = null): OrderOperation => ({
  ...{ name: 'cancel-all', venue, caller, address, keyId, signature: null },
});

/** The journal takes no writes from now on: the engine notices with an order, whose answer is returned. */
async function blocked(trading: Trading): Promise<OperationReply> {
  const asked = await numbered(0);
  unblock = blockJournalOf(join(folder, 'orders'));
  return operate(trading, asked);
}

it('an order is refused in words, and is not sent once the journal goes on', async () => {
  const trading = await start();
  const refused = await blocked(trading);
  const words = 'the disk of the gateway does not answer: nothing was sent by this request';
  expect(errorOf(refused)).toEqual({ status: 503, code: 'INTERNAL_ERROR', message: words });
  expect(headersOf(refused)).toEqual([LATER]);
  expect(trading.recordFault).toMatch(/^the engine does not answer: /);
  // On a busy machine the engine may have seemed to hang before.
  expect(metrics.read(metrics.counter('engine_stalls_total'))).toBeGreaterThanOrEqual(1);
  expect(errorOf(await operate(trading, await numbered(1)))).toMatchObject({ status: 503, message: words });
  const reads: OrderOperation[] = [
    { name: 'get', venue, caller, orderId: 'x' },
    { name: 'positions', venue, caller, address: null, hasTotals: false },
    { name: 'balance', venue, caller },
    { name: 'cancel-after', caller, body: { timeoutMs: 1_000 } },
  ];
  for (const read of reads) expect((await operate(trading, read)).status).toBe(503);
  unblock();
  unblock = () => {};
  await expect.poll(() => trading.recordFault).not.toMatch(/^the engine does not answer/);
  // What the venue has been asked by then ends with its answer.
  await open.pop()!.close();
  expect(await atVenueB()).toBe(0);
});

it('an order that may be at the venue is unknown, with its id, and is cancelled there by it', async () => {
  const trading = await start();
  const fault = { kind: 'delay', beforeMs: 0, afterMs: 60_000 };
  await ask(`${paper.urls.control}/faults`, 'POST', { venue, operation: 'POST *', countMax: 1, fault });
  const submitted = await numbered(1);
  const asked = operate(trading, submitted);
  await expect.poll(atVenueB).toBe(1);
  expect((await blocked(trading)).status).toBe(503);
  const unknown = errorOf(await asked);
  const orderId = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(unknown).toMatchObject({ status: 504, code: 'ORDER_RECONCILIATION_REQUIRED', orderId });
  expect(errorOf(await operate(trading, submitted))).toMatchObject({ status: 504, orderId: unknown.orderId });
  const cancelled = await operate(trading, cancelOf(unknown.orderId));
  expect([cancelled.status, headersOf(cancelled), await atVenueB()]).toEqual([200, [NOT_RECORDED], 0]);
});

it('a replace that may be at the venue is unknown, and what has taken the place is cancelled by its own id', async () => {
  const trading = await start();
  const old = await made(trading, await numbered(1));
  const trader = new VenueBTrader(paper.urls.venueB.rest, accounts);
  const nameAtVenueB = async () => {
    const { body } = await trader.call<{ orders: { client_order_id: string }[] }>(
      'GET',
      '/portfolio/orders?status=resting',
    );
    return body.orders[0]?.client_order_id;
  };
  const before = await nameAtVenueB();
  const fault = { kind: 'delay', beforeMs: 0, afterMs: 60_000 };
  await ask(`${paper.urls.control}/faults`, 'POST', { venue, operation: 'POST *', countMax: 1, fault });
  const silence = { venue, operation: 'user_order', countMax: 9, fault: { kind: 'drop' } };
  await ask(`${paper.urls.control}/faults`, 'POST', silence);
  const replaceOf = async (number: number): Promise<OrderOperation> => ({
    ...(await numbered(number)),
    ...{ name: 'replace', orderId: old, body: ok({ priceCents: 2 }) },
  });
  const replaced = await replaceOf(2);
  const asked = operate(trading, replaced);
  await expect.poll(nameAtVenueB).not.toBe(before);
  expect((await blocked(trading)).status).toBe(503);
  const unknown = errorOf(await asked);
  expect(unknown).toMatchObject({ status: 504, message: expect.stringMatching(/read it, and the one it replaces$/) });
  expect(unknown.orderId).not.toBe(old);
  expect(errorOf(await operate(trading, replaced))).toMatchObject({ status: 504, orderId: unknown.orderId });
  expect((await operate(trading, await replaceOf(3))).status).toBe(503);
  const cancelled = await operate(trading, cancelOf(unknown.orderId));
  expect([cancelled.status, headersOf(cancelled), await atVenueB()]).toEqual([200, [NOT_RECORDED], 0]);
});

it('a cancel is made, and said not to be recorded', async () => {
  const trading = await start();
  const orderId = await made(trading, await numbered(1));
  await blocked(trading);
  const fault = { kind: 'lost', isApplied: false };
  await ask(`${paper.urls.control}/faults`, 'POST', { venue, operation: 'DELETE *', countMax: 1_000, fault });
  const undecided = await operate(trading, cancelOf(orderId));
  expect(errorOf(undecided)).toMatchObject({ status: 504, orderId, message: expect.stringContaining('cancel again') });
  await ask(`${paper.urls.control}/faults`, 'DELETE');

  const cancelled = await operate(trading, cancelOf(orderId));
  expect([cancelled.status, JSON.parse(cancelled.body)]).toEqual([
    200,
    { orderId, status: 'CANCELLED', filledCount: null },
  ]);
  expect([headersOf(cancelled), await atVenueB()]).toEqual([[NOT_RECORDED], 0]);
  const again = await operate(trading, cancelOf(orderId));
  expect(errorOf(again)).toEqual({
    status: 409,
    code: 'ORDER_NOT_CANCELLABLE',
    message: `order ${orderId} is CANCELLED`,
  });
});

it('the answer to a cancel says that the order has left the book meanwhile', async () => {
  const trading = await start();
  const orderId = await made(trading, await numbered(1));
  await blocked(trading);
  const trader = new VenueBTrader(paper.urls.venueB.rest, accounts);
  const { body } = await trader.call<{ orders: { order_id: string }[] }>('GET', '/portfolio/orders?status=resting');
  await trader.call('DELETE', `/portfolio/events/orders/${body.orders[0]!.order_id}`);
  const over = { status: 409, message: `order ${orderId} rests no more: it was filled, or cancelled before` };
  for (let times = 0; times < 2; times++)
    expect(errorOf(await operate(trading, cancelOf(orderId)))).toMatchObject(over);
});

it('a cancel of an order that is not known to be open is to be repeated, and one of an invalid id is not', async () => {
  const trading = await start();
  const orderId = await made(trading, await numbered(1));
  await blocked(trading);
  const stranger = { ...caller, actorId: 'somebody' };
  expect((await operate(trading, cancelOf(orderId, stranger))).status).toBe(503);
  expect((await operate(trading, cancelOf(orderId.replace(/^./, orderId.startsWith('0') ? '1' : '0')))).status).toBe(
    503,
  );
  expect((await operate(trading, cancelOf('x'))).status).toBe(404);
  expect(await atVenueB()).toBe(1);
});

it('all of a market, of a signing key, and of both venues are cancelled', async () => {
  const trading = await start();
  const tokenId = await someToken(paper.urls.venueA.gamma);
  const body = ok({ tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' });
  await made(trading, { ...(await numbered(1)), venue: 'venue_a', body });
  const own = await made(trading, await numbered(2));
  await made(trading, { ...(await numbered(3)), caller: other });
  await blocked(trading);
  const cancelled = async (operation: OrderOperation): Promise<unknown> => {
    const reply = await operate(trading, operation);
    expect([reply.status, headersOf(reply)]).toEqual([200, [NOT_RECORDED]]);
    return JSON.parse(reply.body).results;
  };
  expect(await cancelled(cancelAllOf(null, 'no such market'))).toEqual([]);
  expect(await cancelled(cancelAllOf(caller.keyId))).toEqual([{ orderId: own, outcome: 'CANCELLED' }]);
  expect(await atVenueB()).toBe(1);
  expect(await orderFeedOf(trading, silentLog, metrics).cancelAllOf(other.keyId, caller.actorId, caller.podId)).toBe(
    true,
  );
  expect(await atVenueB()).toBe(0);
  expect(await cancelled({ ...cancelAllOf(null), venue: 'venue_a' } as OrderOperation)).toMatchObject([
    { outcome: 'CANCELLED' },
  ]);
});

it('a switch that falls due fires for its key, at both venues', async () => {
  const trading = await start();
  const tokenId = await someToken(paper.urls.venueA.gamma);
  const body = ok({ tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' });
  const atA = await made(trading, { ...(await numbered(1)), venue: 'venue_a', body });
  await made(trading, await numbered(2));
  await made(trading, { ...(await numbered(3)), caller: other });
  const armed = await operate(trading, { name: 'cancel-after', caller, body: { timeoutMs: 3_000 } });
  expect(armed.status).toBe(200);
  await blocked(trading);
  await expect.poll(atVenueB).toBe(1);
  const cancel = { ...cancelOf(atA), venue: 'venue_a' } as OrderOperation;
  await expect.poll(async () => errorOf(await operate(trading, cancel))).toMatchObject({ status: 409 });
});

it('the guard knows orders that were open and switches that were armed at the start', async () => {
  const first = await start();
  const orderId = await made(first, await numbered(1));
  await made(first, { ...(await numbered(2)), caller: other });
  const armed = { name: 'cancel-after', caller: other, body: { timeoutMs: 6_000 } } as const;
  expect((await operate(first, armed)).status).toBe(200);
  await open.pop()!.close();
  const trading = await start();
  await blocked(trading);
  expect((await operate(trading, cancelOf(orderId))).status).toBe(200);
  await expect.poll(atVenueB).toBe(0);
});

it('a stop cancels everything in its scope, and keeps new orders away once the journal goes on', async () => {
  const trading = await start();
  for (const number of [1, 2]) await made(trading, await numbered(number));
  await blocked(trading);
  const stop = (scope: string) => operate(trading, { name: 'stop', caller, scope } as OrderOperation);
  expect(JSON.parse((await stop('another-pod')).body)).toMatchObject({ cancelled: 0, leftTotal: 0 });
  const stopped = await stop('demo');
  expect([stopped.status, headersOf(stopped), JSON.parse(stopped.body)]).toEqual([
    200,
    [NOT_RECORDED],
    { stopped: ['demo'], cancelled: 2, leftTotal: 0, left: [], unread: [] },
  ]);
  expect(await atVenueB()).toBe(0);
  expect((await operate(trading, { name: 'resume', caller, scope: 'demo' })).status).toBe(503);
  unblock();
  unblock = () => {};
  await expect.poll(() => trading.recordFault).not.toMatch(/^the engine does not answer/);
  await expect.poll(() => trading.stops).toEqual(['another-pod', 'demo']);
  expect(errorOf(await operate(trading, await numbered(3)))).toMatchObject({
    status: 503,
    message: 'the operator has stopped demo: nothing was sent',
  });
});
