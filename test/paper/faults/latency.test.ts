// Latencies of the paper exchanges: the requests that they delay, and by how much. The same seed gives the same delays.

import { expect, it } from 'vitest';
import { NO_LATENCY } from '../../../src/core/runtime/paper-terms.ts';
import { FaultPlan } from '../../../src/paper/faults/fault-plan.ts';
import { latencyAt, RequestLatency } from '../../../src/paper/faults/latency.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const LATENCY = { feed: [5], order: [20, 30], cancel: [1] };

const delays = (latency: RequestLatency, operations: readonly string[]) =>
  operations.map(operation => {
    const fault = latency.of(operation);
    return fault?.kind === 'delay' ? fault.beforeMs : 0;
  });

it('delays orders and cancels of both venues by their way there and by that of the book, and nothing else', () => {
  const latency = new RequestLatency({ ...LATENCY, order: [20] }, 1);
  const orders = [
    'POST /order',
    'POST /orders',
    'POST /portfolio/events/orders',
    'POST /portfolio/events/orders/:order_id/amend',
  ];
  const cancels = ['DELETE /order', 'DELETE /cancel-all', 'DELETE /portfolio/events/orders/:order_id'];
  const others = ['GET /data/orders', 'POST /auth/api-key', 'DELETE /api_keys/:api_key'];
  const near = ['POST /orders-scoring', 'POST /portfolio/order_groups/create'];
  expect(delays(latency, [...orders, ...cancels, ...others, ...near])).toEqual([
    25, 25, 25, 25, 6, 6, 6, 0, 0, 0, 0, 0,
  ]);
});

it('draws the same sequence from the same seed', () => {
  const drawn = (seed: number) => delays(new RequestLatency(LATENCY, seed), new Array<string>(40).fill('POST /order'));
  expect(drawn(3)).toEqual(drawn(3));
  expect([...new Set(drawn(3))].sort()).toEqual([25, 35]);
});

it('counts in the time of a recording', () => {
  expect(latencyAt(10, LATENCY)).toEqual({ feed: [1], order: [2, 3], cancel: [1] });
});

it('gives way to a fault that was asked for', () => {
  const latency = new RequestLatency(LATENCY, 1);
  const plan = new FaultPlan({ seed: 1, timers: new VirtualTimers(), latency });
  const asked = { venue: 'venue_a', key: '', operation: 'DELETE /order' } as const;
  const lost = { kind: 'lost', isApplied: false } as const;
  const before = plan.ofRequest(asked);
  plan.add({ venue: null, key: null, operation: null, fault: lost, probability: 1, countMax: 1, lastsMs: null });
  expect([before, plan.ofRequest(asked)]).toEqual([{ kind: 'delay', beforeMs: 6, afterMs: 0 }, lost]);
  expect(new RequestLatency(NO_LATENCY, 1).of('POST /order')).toBeNull();
});
