// The guard in virtual time, over a link that notes the cancels. The test says what the engine has reported before it stopped answering.

import { describe, expect, it } from 'vitest';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { EngineOperation, OrderOperation } from '../../../src/core/domain/operation.ts';
import type { OrderId, OrderStatus } from '../../../src/core/domain/order.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import type { CancelAfter } from '../../../src/core/store/order-records.ts';
import { limits } from '../../../src/limits.ts';
import type { CancelledByGuard, OpenOrder } from '../../../src/orders/engine/engine-messages.ts';
import { Guard } from '../../../src/orders/guard/guard.ts';
import type { CarriedOut } from '../../../src/orders/guard/guard-cancel.ts';
import { GuardSwitches } from '../../../src/orders/guard/guard-state.ts';
import { undecidedRefusal } from '../../../src/orders/life/cancel.ts';
import { OrderIds } from '../../../src/orders/life/order-ids.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const KEY = 'key';
const caller = { podId: 'pod', actorId: 'pod/alice', keyId: KEY };

function rig() {
  const timers = new VirtualTimers();
  const asked: string[] = [];
  const reported: CancelledByGuard[] = [];
  const fired: number[] = [];
  let outcome: (order: OpenOrder) => CarriedOut = () => ({ type: 'cancelled' });
  const guard = new Guard({
    pods: [{ podId: 'pod', secretHex: '00'.repeat(32), venueA: {}, venueB: {} } as never],
    link: {
      carryOut: order => {
        asked.push(order.orderId);
        return Promise.resolve(outcome(order));
      },
    },
    timers,
    log: silentLog,
    onCancelled: it => reported.push(it),
    onSwitchFired: () => fired.push(timers.now()),
  });
  const order = (name: string, changes: Partial<OpenOrder> = {}): OpenOrder => ({
    ...caller,
    orderId: idOf(name),
    request: {
      venue: 'venue_b',
      ticker: 'T',
      side: 'YES',
      action: 'BUY',
      type: 'LIMIT',
      size: 1_000_000 as MicroShares,
      price: 5_000 as Ticks,
    } as never,
    status: 'OPEN' as OrderStatus,
    createdAt: timers.now(),
    venueOrderId: `v-${name}`,
    traded: 0 as MicroShares,
    cost: 0n,
    ...changes,
  });
  const armed = (afterMs: number): CancelAfter => {
    const owner = { ...caller, deadline: (timers.now() + afterMs) as UnixMillis };
    guard.setSwitch(owner);
    return owner;
  };
  return {
    timers,
    asked,
    reported,
    fired,
    guard,
    order,
    armed,
    answer: (next: typeof outcome): void => {
      outcome = next;
    },
  };
}

function idOf(name: string): OrderId {
  return `00000000-0000-8000-8000-${name.padStart(12, '0')}` as OrderId;
}

it.each([0, 6_001, 60_000, 3_600_000])(
  '4011: a switch that the engine had no time to fire fires, though it was due %d ms before the guard steps in',
  async lateMs => {
    const { guard, timers, asked, order, armed } = rig();
    guard.addOrders([order('1')]);
    armed(1_000);
    timers.advance(1_000 + lateMs);
    guard.stall([]);
    await timers.settle();
    expect(asked).toEqual([idOf('1')]);
  },
);

it('4011: a switch that the engine has fired is not fired again', async () => {
  const { guard, timers, asked, fired, order, armed } = rig();
  const owner = armed(1_000);
  timers.advance(1_000);
  guard.dropSwitch(owner);
  expect(fired).toEqual([timers.now()]);
  // The clock was set back: a newer order has the time of an older one.
  timers.setClock(-60_000);
  guard.addOrders([order('1')]);
  guard.stall([]);
  await timers.settle(60_000);
  expect(asked).toEqual([]);
});

it('4011: a switch that is set anew while the engine fires it stays', async () => {
  const { guard, timers, asked, order, armed } = rig();
  guard.addOrders([order('1')]);
  const former = armed(1_000);
  timers.advance(1_000);
  armed(2_000);
  guard.dropSwitch(former);
  guard.stall([]);
  await timers.settle(1_999);
  expect(asked).toEqual([]);
  await timers.settle(limits.cancelAfterCheckMs);
  expect(asked).toEqual([idOf('1')]);
});

it('4011: cancels that the engine had begun by a switch or a protection are finished, until they are confirmed', async () => {
  const { guard, timers, asked, order, answer } = rig();
  guard.addOrders([order('1'), order('2'), order('3')]);
  guard.addUnwanted({ actorId: caller.actorId, orderIds: [idOf('1'), idOf('3')], reason: 'DEAD_MAN' });
  guard.applyNews([{ ...caller, cursor: 1, order: order('3', { status: 'CANCELLED' }), record: null }]);
  answer(it => undecidedRefusal(it, false));
  guard.stall([]);
  await timers.settle();
  expect(asked).toEqual([idOf('1')]);
  answer(() => ({ type: 'cancelled' }));
  await timers.settle(limits.cancelAfterRetryMs + limits.cancelAfterCheckMs);
  await timers.settle(10_000);
  expect(asked).toEqual([idOf('1'), idOf('1')]);
});

it('4030: the engine learns which request was the first for an order that the guard has cancelled', async () => {
  const { guard, timers, reported, order, armed, answer } = rig();
  guard.addOrders([order('1'), order('2', { keyId: 'other' })]);
  armed(1_000);
  guard.stall([]);
  answer(it => undecidedRefusal(it, false));
  const askedAt = timers.now();
  const cancel = { name: 'cancel', venue: 'venue_b', caller, orderId: idOf('1') } as OrderOperation;
  await guard.answer(cancel as EngineOperation, false);
  await timers.settle(1_000);
  expect(reported).toEqual([]);
  answer(() => ({ type: 'cancelled' }));
  await guard.answer({ name: 'stop', caller, scope: 'pod' } as EngineOperation, false);
  expect(reported).toMatchObject([
    { order: { orderId: idOf('1') }, reason: 'REQUESTED', at: askedAt },
    { order: { orderId: idOf('2') }, reason: 'STOP', at: timers.now() },
  ]);
});

it('4030: an order that a switch has cancelled in a freeze is one of the switch', async () => {
  const { guard, timers, reported, order, armed } = rig();
  guard.addOrders([order('1')]);
  armed(0);
  guard.stall([]);
  await timers.settle();
  expect(reported).toMatchObject([{ order: { orderId: idOf('1') }, reason: 'DEAD_MAN' }]);
});

it('4032: a switch leaves orders alone that were made after its deadline', async () => {
  const { guard, timers, asked, order, armed } = rig();
  armed(1_000);
  guard.addOrders([order('1')]);
  timers.advance(1_000);
  guard.addOrders([order('2')]);
  timers.advance(1);
  guard.addOrders([order('3')]);
  guard.stall([]);
  await timers.settle();
  expect(asked).toEqual([idOf('1'), idOf('2')]);
});

it('4032: a cancel by the path of the other venue is made for no order', async () => {
  const { guard, asked, order } = rig();
  guard.addOrders([order('1')]);
  guard.stall([]);
  const byPathOf = (venue: 'venue_a' | 'venue_b') => ({ name: 'cancel', venue, caller, orderId: idOf('1') }) as const;
  expect((await guard.answer(byPathOf('venue_a') as EngineOperation, false)).status).toBe(503);
  expect(asked).toEqual([]);
  expect((await guard.answer(byPathOf('venue_b') as EngineOperation, false)).status).toBe(200);
  expect(asked).toEqual([idOf('1')]);
});

it('a wallet action that the engine had begun may be at the relayer: the answer has its id; another was not sent', async () => {
  const { guard } = rig();
  const operation = { name: 'wallet-action', caller, venue: 'venue_a', idempotencyKey: 'k' } as EngineOperation;
  const answerOf = async (isBegun: boolean) => {
    const { status, body } = await guard.answer(operation, isBegun);
    return { status, ...JSON.parse(body).error };
  };
  const orderId = new OrderIds([{ podId: 'pod', secretHex: '00'.repeat(32) }]).actionIdFor(caller, 'k');
  expect(await answerOf(true)).toMatchObject({ status: 504, code: 'ORDER_RECONCILIATION_REQUIRED', orderId });
  expect(await answerOf(false)).toMatchObject({ status: 503, message: expect.stringContaining('nothing was sent') });
});

// Noticed in a review. While the engine did not answer, the guard took the deadlines of dead man’s switches by elapsed time only. If the
// clock was set forward meanwhile, a switch fired later than the deadline that its caller had been answered. The engine goes by both
// clocks.
describe('3216: a clock that is set forward in a freeze', () => {
  const owner = { keyId: 'key', actorId: 'pod/alice', podId: 'pod' };

  function armed() {
    const timers = new VirtualTimers();
    const switches = new GuardSwitches(timers);
    const deadline = (timers.now() + 60_000) as UnixMillis;
    switches.set({ ...owner, deadline });
    return { timers, switches, deadline };
  }

  it('a switch is due at its deadline, also where the clock was set forward while the engine was silent', () => {
    const { timers, switches, deadline } = armed();
    timers.setClock(59_999);
    expect(switches.due()).toEqual([]);
    timers.setClock(1);
    expect(switches.due()).toMatchObject([{ keyId: 'key', deadline }]);
  });

  it('a switch is due after the time that it was armed for, also where the clock was set back', () => {
    const { timers, switches } = armed();
    timers.setClock(-3_600_000);
    timers.advance(59_999);
    expect(switches.due()).toEqual([]);
    timers.advance(1);
    expect(switches.due()).toMatchObject([{ keyId: 'key' }]);
  });
});
