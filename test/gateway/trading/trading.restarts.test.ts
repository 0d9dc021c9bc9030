// Trading, started and ended as the gateway does it, over a store that stays. An order outlives the process, and its key is remembered.
// Events at the venue meanwhile are found before new orders are admitted.

import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OperationReply, SubmitOperation } from '../../../src/core/domain/operation.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';
import type { Trading } from '../../../src/gateway/trading/trading.ts';
import { acceptLoss } from '../../../src/orders/history/ledger-folder.ts';
import { eventually } from '../../support/eventually.ts';
import { failJournalOf } from '../../support/fail-journal.ts';
import { VenueBTrader } from '../../support/paper-traders.ts';
import {
  accounts,
  cancelAllOf,
  endFaults,
  fail,
  folder,
  made,
  metrics,
  open,
  operate,
  orderOf,
  paper,
  restingOf,
  start,
  statusOf,
  submission,
  tradingRig,
  venue,
} from './trading-rig.ts';

describe('a folder of orders that is gone', () => {
  tradingRig();

  it('4024: does not start without the folder of orders, until the operator accepts the loss', async () => {
    await start();
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
