// Trading while the engine waits for a write to its journal that does not end. Nothing new is sent, no answer is wrong, and what lowers
// risk goes on. Regression test 3021 shows the recovery on a real file system that is frozen.

import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OperationReply, OrderOperation, SubmitOperation } from '../../../src/core/domain/operation.ts';
import { ok } from '../../../src/core/domain/result.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import type { Trading } from '../../../src/gateway/trading/trading.ts';
import { orderFeedOf } from '../../../src/gateway/trading-feed.ts';
import {
  accounts,
  atVenueB,
  folder,
  metrics,
  open,
  operate,
  paper,
  restingOf,
  start,
  submission,
  tradingRig,
  venue,
} from '../../gateway/trading/trading-rig.ts';
import { blockJournalOf } from '../../support/block-journal.ts';
import { eventually } from '../../support/eventually.ts';
import { ask, someToken, VenueBTrader } from '../../support/paper-traders.ts';

let trading: Trading;
let unblock = (): void => {};

const NOT_RECORDED = ['SVC-Recorded', 'false'];
const LATER = ['Retry-After', '1'];
const UNSENT = 'the disk of the gateway does not answer: nothing was sent by this request';

type Caller = SubmitOperation['caller'];

const callerOf = (actorId: string): Caller => ({ podId: 'demo', actorId, keyId: `key_${actorId}` });

/** Makes an order in a market of its own. */
async function orderOf(caller: Caller): Promise<SubmitOperation> {
  return { ...(await submission()), caller, idempotencyKey: crypto.randomUUID() };
}

async function orderAtVenueA(caller: Caller): Promise<SubmitOperation> {
  const tokenId = await someToken(paper.urls.venueA.gamma);
  const body = ok({ tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.01' });
  return { ...(await orderOf(caller)), venue: 'venue_a', body };
}

/** Makes an order that rests, and returns its id. */
async function made(operation: SubmitOperation): Promise<string> {
  const reply = await operate(trading, operation);
  expect(reply.status, reply.body).toBe(201);
  return JSON.parse(reply.body).orderId;
}

const errorOf = ({ status, body }: OperationReply) => ({ status, ...JSON.parse(body).error });
/** Leaves out the header that differs in every answer. */
const headersOf = ({ headers }: OperationReply) => headers.filter(([name]) => name !== 'Server-Timing');
const cancelOf = (orderId: string, caller: Caller): OrderOperation => ({ name: 'cancel', venue, caller, orderId });
const cancelAllOf = (caller: Caller, keyId: string | null, address: string | null = null): OrderOperation => ({
  ...{ name: 'cancel-all', venue, caller, address, keyId, signature: null },
});
const fail = (rule: object) => ask(`${paper.urls.control}/faults`, 'POST', { venue, ...rule });
const endFaults = () => ask(`${paper.urls.control}/faults`, 'DELETE');

function goOn(): void {
  unblock();
  unblock = () => {};
}

describe('while the journal takes no writes', () => {
  tradingRig('all tests');
  // The journal has to go on before the rig closes the parts that trade.
  afterAll(goOn);

  /** Each test has orders of its own, of an actor of its own. They are made before the journal is blocked. */
  function prepare<Prepared>(make: () => Promise<Prepared>): () => Prepared {
    let prepared: Prepared;
    beforeAll(async () => {
      prepared = await make();
    });
    return () => prepared;
  }

  const known = prepare(async () => {
    trading = await start();
    const [caller, other] = [callerOf('known'), { ...callerOf('known'), keyId: 'key_other' }];
    const [submitted, unwanted] = [await orderOf(caller), await orderOf(other)];
    const orderId = await made(submitted);
    await made(unwanted);
    const armed = { name: 'cancel-after', caller: other, body: { timeoutMs: 12_000 } } as const;
    expect((await operate(trading, armed)).status).toBe(200);
    await open.pop()!.close();
    trading = await start();
    return { caller, orderId, orders: [submitted, unwanted] };
  });

  const cancellable = prepare(async () => {
    const caller = callerOf('cancels');
    const submitted = await orderOf(caller);
    return { caller, submitted, orderId: await made(submitted) };
  });

  it('a cancel is made, and said not to be recorded', async () => {
    const { caller, submitted, orderId } = cancellable();
    const fault = { kind: 'lost', isApplied: false };
    await fail({ operation: 'DELETE *', countMax: 1_000, fault });
    const undecided = await operate(trading, cancelOf(orderId, caller));
    const message = expect.stringContaining('cancel again');
    expect(errorOf(undecided)).toMatchObject({ status: 504, orderId, message });
    await endFaults();

    const cancelled = await operate(trading, cancelOf(orderId, caller));
    expect([cancelled.status, JSON.parse(cancelled.body)]).toEqual([
      200,
      { orderId, status: 'CANCELLED', filledCount: null },
    ]);
    expect([headersOf(cancelled), await restingOf(submitted)]).toEqual([[NOT_RECORDED], []]);
    const again = await operate(trading, cancelOf(orderId, caller));
    expect(errorOf(again)).toEqual({
      status: 409,
      code: 'ORDER_NOT_CANCELLABLE',
      message: `order ${orderId} is CANCELLED`,
    });
  });

  const leaving = prepare(async () => {
    const caller = callerOf('leaves');
    const submitted = await orderOf(caller);
    return { caller, submitted, orderId: await made(submitted) };
  });

  it('the answer to a cancel says that the order has left the book meanwhile', async () => {
    const { caller, submitted, orderId } = leaving();
    const trader = new VenueBTrader(paper.urls.venueB.rest, accounts);
    const [resting] = await restingOf(submitted);
    await trader.call('DELETE', `/portfolio/events/orders/${resting!.order_id}`);
    const over = {
      status: 409,
      message: `order ${orderId} does not rest any more: it was filled or cancelled earlier`,
    };
    for (let times = 0; times < 2; times++)
      expect(errorOf(await operate(trading, cancelOf(orderId, caller)))).toMatchObject(over);
  });

  const anothers = prepare(async () => {
    const caller = callerOf('owner');
    const submitted = await orderOf(caller);
    return { caller, submitted, orderId: await made(submitted) };
  });

  it('a cancel of an order that is not known to be open is to be repeated, and one of an invalid id is not', async () => {
    const { caller, submitted, orderId } = anothers();
    const unknown = orderId.replace(/^./, orderId.startsWith('0') ? '1' : '0');
    expect((await operate(trading, cancelOf(orderId, callerOf('somebody')))).status).toBe(503);
    expect((await operate(trading, cancelOf(unknown, caller))).status).toBe(503);
    expect((await operate(trading, cancelOf('x', caller))).status).toBe(404);
    expect(await restingOf(submitted)).toHaveLength(1);
  });

  const many = prepare(async () => {
    const [caller, other] = [callerOf('many'), { ...callerOf('many'), keyId: 'key_other' }];
    await made(await orderAtVenueA(caller));
    const [own, others] = [await orderOf(caller), await orderOf(other)];
    const orderId = await made(own);
    await made(others);
    return { caller, other, own, others, orderId };
  });

  it('all of a market, of a signing key, and of both venues are cancelled', async () => {
    const { caller, other, own, others, orderId } = many();
    const cancelled = async (operation: OrderOperation): Promise<unknown> => {
      const reply = await operate(trading, operation);
      expect([reply.status, headersOf(reply)]).toEqual([200, [NOT_RECORDED]]);
      return JSON.parse(reply.body).results;
    };
    expect(await cancelled(cancelAllOf(caller, null, 'no such market'))).toEqual([]);
    expect(await cancelled(cancelAllOf(caller, caller.keyId))).toEqual([{ orderId, outcome: 'CANCELLED' }]);
    expect([await restingOf(own), await restingOf(others)]).toMatchObject([[], [{}]]);
    const feed = orderFeedOf(trading, silentLog, metrics);
    expect(await feed.cancelAllOf(other.keyId, other.actorId, other.podId)).toBe(true);
    expect(await restingOf(others)).toEqual([]);
    expect(await cancelled({ ...cancelAllOf(caller, null), venue: 'venue_a' } as OrderOperation)).toMatchObject([
      { outcome: 'CANCELLED' },
    ]);
  });

  const armed = prepare(async () => {
    const [caller, other] = [callerOf('armed'), { ...callerOf('armed'), keyId: 'key_other' }];
    const atA = await made(await orderAtVenueA(caller));
    const [own, others] = [await orderOf(caller), await orderOf(other)];
    await made(own);
    await made(others);
    const reply = await operate(trading, { name: 'cancel-after', caller, body: { timeoutMs: 8_000 } });
    expect(reply.status).toBe(200);
    return { caller, atA, own, others };
  });

  it('a switch that falls due fires for its key, at both venues', async () => {
    const { caller, atA, own, others } = armed();
    await expect.poll(() => restingOf(own)).toEqual([]);
    const cancel = { ...cancelOf(atA, caller), venue: 'venue_a' } as OrderOperation;
    await expect.poll(async () => errorOf(await operate(trading, cancel))).toMatchObject({ status: 409 });
    expect(await restingOf(others)).toHaveLength(1);
  });

  /** The venue has carried out both requests, but neither its answers nor its stream say so. */
  const sent = prepare(async () => {
    const caller = callerOf('sent');
    const [submitted, old, next] = [await orderOf(caller), await orderOf(caller), await orderOf(caller)];
    const oldId = await made(old);
    const nameBefore = (await restingOf(old))[0]?.client_order_id;
    const replaced: OrderOperation = { ...next, ...{ name: 'replace', orderId: oldId, body: ok({ priceCents: 2 }) } };
    const noticed = await orderOf(callerOf('first'));
    await fail({ operation: 'user_order', countMax: 9, fault: { kind: 'drop' } });
    await fail({ operation: 'POST *', countMax: 2, fault: { kind: 'delay', beforeMs: 0, afterMs: 60_000 } });
    const [asked, askedToReplace] = [operate(trading, submitted), operate(trading, replaced)];
    await eventually(async () => {
      expect(await restingOf(submitted)).toHaveLength(1);
      expect((await restingOf(old))[0]?.client_order_id).not.toBe(nameBefore);
    });
    return { caller, submitted, asked, old, oldId, replaced, askedToReplace, noticed };
  });

  /** The answer to the order that makes the engine notice the block. */
  const refused = prepare(async () => {
    unblock = blockJournalOf(join(folder, 'orders'));
    return operate(trading, sent().noticed);
  });

  it('an order that may be at the venue is unknown, with its id, and is cancelled there by it', async () => {
    const { caller, submitted, asked } = sent();
    const unknown = errorOf(await asked);
    const orderId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(unknown).toMatchObject({ status: 504, code: 'ORDER_RECONCILIATION_REQUIRED', orderId });
    expect(errorOf(await operate(trading, submitted))).toMatchObject({ status: 504, orderId: unknown.orderId });
    const cancelled = await operate(trading, cancelOf(unknown.orderId, caller));
    expect([cancelled.status, headersOf(cancelled), await restingOf(submitted)]).toEqual([200, [NOT_RECORDED], []]);
  });

  it('a replace that may be at the venue is unknown, and what has taken the place is cancelled by its own id', async () => {
    const { caller, old, oldId, replaced, askedToReplace } = sent();
    const unknown = errorOf(await askedToReplace);
    expect(unknown).toMatchObject({ status: 504, message: expect.stringMatching(/read it, and the one it replaces$/) });
    expect(unknown.orderId).not.toBe(oldId);
    expect(errorOf(await operate(trading, replaced))).toMatchObject({ status: 504, orderId: unknown.orderId });
    const another = { ...replaced, idempotencyKey: crypto.randomUUID() };
    expect((await operate(trading, another)).status).toBe(503);
    const cancelled = await operate(trading, cancelOf(unknown.orderId, caller));
    expect([cancelled.status, headersOf(cancelled), await restingOf(old)]).toEqual([200, [NOT_RECORDED], []]);
  });

  it('the guard knows orders that were open and switches that were armed at the start', async () => {
    const { caller, orderId, orders } = known();
    expect((await operate(trading, cancelOf(orderId, caller))).status).toBe(200);
    await expect.poll(() => restingOf(...orders)).toEqual([]);
  });

  it('an order is refused in words, and is not sent once the journal goes on', async () => {
    const { caller, noticed } = sent();
    expect(errorOf(refused())).toEqual({ status: 503, code: 'INTERNAL_ERROR', message: UNSENT });
    expect(headersOf(refused())).toEqual([LATER]);
    expect(trading.recordFault).toMatch(/^the engine does not answer: /);
    // On a busy machine the engine may have seemed to hang earlier, too.
    expect(metrics.read(metrics.counter('engine_stalls_total'))).toBeGreaterThanOrEqual(1);
    const another = await orderOf(caller);
    expect(errorOf(await operate(trading, another))).toMatchObject({ status: 503, message: UNSENT });
    const reads: OrderOperation[] = [
      { name: 'get', venue, caller, orderId: 'x' },
      { name: 'positions', venue, caller, address: null, hasTotals: false },
      { name: 'balance', venue, caller },
      { name: 'cancel-after', caller, body: { timeoutMs: 1_000 } },
    ];
    for (const read of reads) expect((await operate(trading, read)).status).toBe(503);
    goOn();
    await expect.poll(() => trading.recordFault).not.toMatch(/^the engine does not answer/);
    // The requests to the venue that are under way then end with their answers.
    await open.pop()!.close();
    expect(await restingOf(noticed, another)).toEqual([]);
  });
});

describe('a stop while the journal takes no writes', () => {
  tradingRig();
  // The journal has to go on before the rig closes the parts that trade.
  afterEach(goOn);

  it('cancels everything in its scope, and keeps new orders away once the journal goes on', async () => {
    trading = await start();
    const caller = callerOf('demo');
    for (let count = 0; count < 2; count++) await made(await orderOf(caller));
    const noticed = await orderOf(caller);
    unblock = blockJournalOf(join(folder, 'orders'));
    expect((await operate(trading, noticed)).status).toBe(503);
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
    goOn();
    await expect.poll(() => trading.recordFault).not.toMatch(/^the engine does not answer/);
    await expect.poll(() => trading.stops).toEqual(['another-pod', 'demo']);
    expect(errorOf(await operate(trading, await orderOf(caller)))).toMatchObject({
      status: 503,
      message: 'the operator has stopped demo: nothing was sent',
    });
  });
});
