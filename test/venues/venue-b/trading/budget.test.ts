// Our mirror of venue B's rate limits, compared with the venue's own bucket. The mirror never sends more than the venue would take, and
// always leaves room for cancels.

import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { Order } from '../../../../src/core/domain/order.ts';
import type { OutboundRequest } from '../../../../src/core/net/outbound.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import { limits } from '../../../../src/limits.ts';
import { TokenBucket } from '../../../../src/paper/venue-b/rest/access.ts';
import { createBudgetMemory, SMALLEST_TIER, VenueBBudget } from '../../../../src/venues/venue-b/trading/budget.ts';
import { createVenueBTrading } from '../../../../src/venues/venue-b/trading.ts';
import { outboundBy } from '../../../support/outbound-by.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { answer, orderOf, request } from './scripted-answers.ts';

function rig(memory = createBudgetMemory()): { timers: VirtualTimers; budget: VenueBBudget } {
  const timers = new VirtualTimers();
  return { timers, budget: new VenueBBudget(memory, () => timers.now()) };
}

const times = <T>(count: number, task: () => T): T[] => Array.from({ length: count }, task);

describe('the budget', () => {
  it('takes orders down to the room of cancels, and cancels down to nothing', () => {
    const { budget } = rig();
    expect(times(9, () => budget.takeOrder(0) === 0)).toEqual([...Array(8).fill(true), false]);
    expect(times(11, () => budget.takeCancel(0, 0) === 0)).toEqual([...Array(10).fill(true), false]);
  });

  it('says when there will be room', () => {
    const { timers, budget } = rig();
    times(8, () => budget.takeOrder(0));
    const waitMs = budget.takeOrder(0);
    expect(waitMs).toBe(100);
    timers.advance(waitMs - 1);
    expect(budget.takeOrder(0)).toBe(1);
    timers.advance(1);
    expect(budget.takeOrder(0)).toBe(0);
  });

  it('says how many orders, cancels and reads can be sent now, each alone', () => {
    const take = fc.constantFrom('order' as const, 'cancel' as const, 'read' as const, 'pause' as const);
    const terms = fc.constantFrom(SMALLEST_TIER, {
      ...SMALLEST_TIER,
      read: { refillPerS: 300, tokensMax: 600 },
      write: { refillPerS: 333, tokensMax: 667 },
      cancelCost: 3,
    });
    const kinds = fc.constantFrom('orders' as const, 'cancels' as const, 'reads' as const);
    fc.assert(
      fc.property(terms, fc.array(take, { maxLength: 60 }), kinds, (these, takes, kind) => {
        const { timers, budget } = rig();
        budget.terms = these;
        const send = {
          order: () => budget.takeOrder(0),
          cancel: () => budget.takeCancel(0, 0),
          read: () => budget.takeRead('other', 0),
          pause: () => timers.advance(7),
        };
        for (const it of takes) send[it]();
        const { left, burst } = budget.now(0)[kind]!;
        let sent = 0;
        while (send[({ orders: 'order', cancels: 'cancel', reads: 'read' } as const)[kind]]() === 0) sent += 1;
        expect([sent, left <= burst]).toEqual([left, true]);
      }),
    );
    expect(rig().budget.now(0)).toEqual({
      venue: 'venue_b',
      orders: { left: 8, burst: 8, perSecond: 10 },
      cancels: { left: 50, burst: 50, perSecond: 50 },
      reads: { left: 20, burst: 20, perSecond: 20 },
    });
  });

  it('gives the same reading until a number in it changes', () => {
    const { timers, budget } = rig();
    const full = budget.now(0);
    timers.advance(1);
    expect(budget.now(1)).toBe(full);
    budget.takeOrder(0);
    expect(budget.now(0).orders.left).toBe(full.orders.left - 1);
    expect(budget.now(1)).toEqual(full);
    const { write } = SMALLEST_TIER;
    budget.terms = { ...SMALLEST_TIER, write: { ...write, refillPerS: 2 * write.refillPerS } };
    const faster = budget.now(1);
    expect(faster.orders).toEqual({ ...full.orders, perSecond: 2 * full.orders.perSecond });
  });

  it('leaves half of its reads to others than those of queues', () => {
    const { timers, budget } = rig();
    expect(times(11, () => budget.takeRead('queue', 0) === 0)).toEqual([...Array(10).fill(true), false]);
    expect(times(11, () => budget.takeRead('other', 0) === 0)).toEqual([...Array(10).fill(true), false]);
    timers.advance(500);
    expect(budget.takeRead('queue', 0)).toBeGreaterThan(0);
    timers.advance(50);
    expect(budget.takeRead('queue', 0)).toBe(0);
  });

  it('is of each shard', () => {
    const { budget } = rig();
    times(8, () => budget.takeOrder(0));
    expect([budget.takeOrder(0) > 0, budget.takeOrder(3), budget.takeOrder(1_000)]).toEqual([true, 0, 0]);
  });

  it('is one for the shards beyond the venueBShardsMax that it has room for', () => {
    const { budget } = rig();
    times(8, () => budget.takeOrder(limits.venueBShardsMax));
    expect(budget.takeOrder(limits.venueBShardsMax + 1)).toBeGreaterThan(0);
    expect(budget.takeOrder(limits.venueBShardsMax - 2)).toBe(0);
  });

  it('is one for all who share its memory', () => {
    const memory = createBudgetMemory();
    const [one, other] = [rig(memory), rig(memory)];
    times(5, () => one.budget.takeOrder(0));
    expect(times(4, () => other.budget.takeOrder(0) === 0)).toEqual([true, true, true, false]);
  });

  it('tells others of the terms that share its memory', () => {
    const memory = createBudgetMemory();
    const { budget } = rig(memory);
    budget.terms = { ...SMALLEST_TIER, write: { refillPerS: 1_000, tokensMax: 2_000 }, cancelCost: 5 };
    times(5, () => budget.takeOrder(0));
    expect(rig(memory).budget.now(0)).toEqual(budget.now(0));
    expect(rig(memory).budget.now(0)).toMatchObject({ cancels: { left: 390, burst: 400, perSecond: 200 } });
  });

  it('lets reads wait for their turn, one behind the other, and not for longer than they would', () => {
    const { budget } = rig();
    times(20, () => budget.takeRead('other', 0));
    expect([budget.takeRead('other', 1_000), budget.takeRead('order', 1_000), budget.takeRead('other', 1_000)]).toEqual(
      [50, 100, 150],
    );
    expect(budget.takeRead('other', 100)).toBe(200);
    expect(budget.takeRead('other', 200)).toBe(200);
  });

  it('charges reads of an order what the venue does, and other reads what those cost', () => {
    const terms = { ...SMALLEST_TIER, read: { refillPerS: 100, tokensMax: 100 }, orderReadCost: 20, readCost: 50 };
    const { budget } = rig();
    budget.terms = terms;
    expect(times(6, () => budget.takeRead('order', 0) === 0)).toEqual([...Array(5).fill(true), false]);
    const other = rig().budget;
    other.terms = terms;
    expect(times(3, () => other.takeRead('other', 0) === 0)).toEqual([true, true, false]);
  });

  it('is spent when the venue says so', () => {
    const { timers, budget } = rig();
    budget.emptyWrites(0);
    budget.emptyReads();
    expect([budget.takeCancel(0, 0), budget.takeRead('other', 0)]).toEqual([20, 50]);
    timers.advance(1_000);
    expect([budget.takeCancel(0, 0), budget.takeRead('other', 0)]).toEqual([0, 0]);
  });

  it('takes terms as they come', () => {
    const { budget } = rig();
    budget.terms = { ...SMALLEST_TIER, write: { refillPerS: 8_000, tokensMax: 16_000 } };
    expect(times(1_281, () => budget.takeOrder(0)).filter(waitMs => waitMs === 0)).toHaveLength(1_280);
  });

  it('takes what costs more than it ever holds from a full bucket', () => {
    const { budget } = rig();
    budget.terms = { ...SMALLEST_TIER, write: { refillPerS: 1, tokensMax: 5 } };
    expect([budget.takeOrder(0), budget.takeOrder(0) > 0]).toEqual([0, true]);
  });

  it('never takes what the venue would refuse', () => {
    const step = fc.record({
      kind: fc.constantFrom('order', 'cancel', 'read'),
      pauseMs: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        const { timers, budget } = rig();
        const write = new TokenBucket(SMALLEST_TIER.write, timers.now());
        const read = new TokenBucket(SMALLEST_TIER.read, timers.now());
        for (const { kind, pauseMs } of steps) {
          timers.advance(pauseMs);
          if (kind === 'order' && budget.takeOrder(0) === 0) expect(write.take(10, timers.now())).toBe(true);
          if (kind === 'cancel' && budget.takeCancel(0, 0) === 0) expect(write.take(2, timers.now())).toBe(true);
          if (kind === 'read' && budget.takeRead('other', 0) === 0) expect(read.take(10, timers.now())).toBe(true);
        }
      }),
    );
  });
});

// The machine's clock was an hour ahead for three seconds, and was then set back. Tokens that were taken from venue B's budget meanwhile
// had that time. The gateway noticed the impossible time but kept it. So it refused reads and orders for an hour that the venue would have
// taken.
it('0008: a bucket has room again as soon as it fills up, also after the clock was set back', () => {
  const HOUR_MS = 3_600_000;
  let now = HOUR_MS * 400_000;
  const budget = new VenueBBudget(createBudgetMemory(), () => now as UnixMillis);
  const taken = () => [budget.takeRead('other', 0), budget.takeOrder(0)].map(waitMs => waitMs === 0);
  now += HOUR_MS;
  expect(taken()).toEqual([true, true]);
  now -= HOUR_MS;
  const later = times(10, () => {
    now += 1_000;
    return taken();
  });
  expect([0, 1].map(kind => later.some(it => it[kind]))).toEqual([true, true]);
});

// Cancels beyond a second's tokens looked each order up first, by a budget of their own, and then waited ever longer. A cancel of 300
// orders in the smallest tier took eleven seconds, though the venue allows it in five. Most cancels were reported as not sent.
describe('0181: more cancels than a second has', () => {
  const MOMENT_MS = 10;
  /** The tokens of a second in the smallest tier, which are also the tokens of a full bucket. */
  const PER_S = 50;

  function rig() {
    const timers = new VirtualTimers();
    const sentAt: number[] = [];
    const cancelled = async ({ method, body }: OutboundRequest) => {
      if (method !== 'DELETE') return answer(404, {});
      sentAt.push(timers.now());
      const [{ order_id }] = JSON.parse(body.toString()).orders;
      return answer(200, { orders: [{ order_id, reduced_by: '10.00' }] });
    };
    const outbound = outboundBy(cancelled);
    const privateKeyPem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const account = { keyId: 'key', privateKeyPem, restUrl: 'http://venue.test/v2', streamUrl: 'ws://venue.test/ws' };
    const connect = () => expect.fail('not listened to');
    const trading = createVenueBTrading(account, { outbound, connect, timers, random: () => 0, log: silentLog });
    const cancel = (number: number) => {
      const resting: Order = { ...orderOf(request()), status: 'OPEN', venueOrderId: `v-${number}` };
      return trading.cancel(resting, (timers.now() + limits.venueAnswerTimeoutMs) as UnixMillis);
    };
    const pass = async () => {
      for (let ms = 0; ms < limits.venueBCancelWaitMsMax; ms += MOMENT_MS) await timers.settle(MOMENT_MS);
    };
    return { timers, sentAt, cancel, pass };
  }

  it('cancels beyond the budget are made in their turn', async () => {
    const { timers, sentAt, cancel, pass } = rig();
    const startedAt = timers.now();
    const outcomes = Promise.all(Array.from({ length: 2 * PER_S }, (_, number) => cancel(number)));
    await pass();

    expect(new Set((await outcomes).map(({ type }) => type))).toEqual(new Set(['cancelled']));
    expect(sentAt.filter(at => at === startedAt)).toHaveLength(PER_S);
  });

  it('cancels that would wait for longer are not sent', async () => {
    const { cancel, pass } = rig();
    const count = PER_S + (limits.venueBCancelWaitMsMax * PER_S) / 1_000;
    const first = Array.from({ length: count }, (_, number) => cancel(number));
    expect(await cancel(count)).toMatchObject({ type: 'not-sent', message: expect.stringContaining('rate limit') });
    await pass();
    expect(new Set((await Promise.all(first)).map(({ type }) => type))).toEqual(new Set(['cancelled']));
  });
});
