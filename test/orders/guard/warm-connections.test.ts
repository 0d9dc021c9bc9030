// The guard's connections, open before anything is frozen: in virtual time, and while no name can be looked up.

import { expect, it, onTestFinished } from 'vitest';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { limits } from '../../../src/limits.ts';
import { createArena } from '../../../src/market-data/book/memory.ts';
import { GuardLink } from '../../../src/orders/guard/guard-link.ts';
import { keepWarm } from '../../../src/orders/guard/warm-connections.ts';
import { demoPod } from '../../../src/paper/demo-pod.ts';
import { createPodBudgets } from '../../../src/venues/pod-budgets.ts';
import { accounts, atVenueB, folder, paper, tradingRig } from '../../gateway/trading/trading-rig.ts';
import { hangThreads } from '../../support/hanging-threads.ts';
import { someTicker, VenueBTrader } from '../../support/paper-traders.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

tradingRig();

it('4010: each account is asked several times before a connection counts as idle, one request at a time, until the end', async () => {
  const timers = new VirtualTimers();
  const asked = { quick: 0, silent: 0 };
  const quick = async (): Promise<void> => {
    asked.quick += 1;
  };
  const silent = (): Promise<void> => {
    asked.silent += 1;
    return new Promise(() => {});
  };
  const stop = keepWarm([{ keepWarm: quick }, { keepWarm: silent }], timers);
  await timers.settle();
  for (let passedMs = 0; passedMs < limits.orderConnectionIdleMs; passedMs += 100) await timers.settle(100);
  expect(asked.quick).toBeGreaterThan(2);
  expect(asked.silent).toBe(1);
  stop();
  const before = asked.quick;
  await timers.settle(10 * limits.orderConnectionIdleMs);
  expect([asked.quick, timers.pending]).toEqual([before, 0]);
});

it('4010: the first cancel of a freeze is made, though every look-up of a name hangs', async () => {
  const [metrics, trader] = [new Metrics({ operations: [] }), new VenueBTrader(paper.urls.venueB.rest, accounts)];
  const pod = demoPod(accounts, paper.urls);
  const named = (url: string): string => url.replace('127.0.0.1', 'localhost');
  const [venueA, venueB] = [pod.venueA!, pod.venueB!];
  const atNames = {
    ...pod,
    secretHex: '00'.repeat(32),
    venueA: { ...venueA, restUrl: named(venueA.restUrl) },
    venueB: { ...venueB, restUrl: named(venueB.restUrl) },
    budgets: createPodBudgets(),
  };
  const data = { arena: createArena(), pods: [atNames], metrics: metrics.shared, logLevel: silentLog.level };
  const link = new GuardLink(data, metrics, silentLog);
  onTestFinished(() => link.close());
  const opened = (upstream: 'venue_a' | 'venue_b') =>
    metrics.read(metrics.counter('upstream_connections_total', upstream, 'opened'));
  await expect.poll(() => Math.min(opened('venue_a'), opened('venue_b'))).toBeGreaterThan(0);

  const ticker = await someTicker(paper.urls.venueB.rest);
  const made = await trader.order(ticker, 'bid', '2.00', '0.0100');
  expect(await atVenueB(), JSON.stringify(made)).toBe(1);
  const goOn = hangThreads(folder);
  const open = {
    ...{ orderId: 'o' as OrderId, podId: pod.podId, actorId: 'demo', keyId: 'key' },
    ...{ createdAt: Date.now() as UnixMillis, traded: 0 as MicroShares, cost: 0n },
    status: 'OPEN',
    venueOrderId: (made.body as { readonly order_id: string }).order_id,
    request: {
      venue: 'venue_b',
      ticker,
      side: 'YES',
      action: 'BUY',
      size: 2_000_000 as MicroShares,
      price: 100 as Ticks,
    },
  } as const;
  const deadline = (Date.now() + limits.venueAnswerTimeoutMs) as UnixMillis;
  try {
    expect(await link.carryOut(open, deadline)).toEqual({ type: 'cancelled' });
  } finally {
    await goOn();
  }
  expect(await atVenueB()).toBe(0);
});
