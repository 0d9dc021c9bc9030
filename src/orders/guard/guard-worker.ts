// The guard thread: cancels orders at the venues over its own connections while the engine does not answer. After its start it does not
// touch the disk, so that a frozen file system cannot stop it. Its connections are open before they are needed.

import { parentPort, workerData } from 'node:worker_threads';
import { refused } from '../../core/domain/answer.ts';
import { assert } from '../../core/domain/result.ts';
import { Metrics, type MetricsParts } from '../../core/metrics/metrics.ts';
import { createLog, type Log } from '../../core/runtime/log.ts';
import { keepPulse, watchMainThread } from '../../core/runtime/pulse.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { LiveBooks } from '../../market-data/book/live-books.ts';
import type { Arena } from '../../market-data/book/memory.ts';
import type { BudgetedPod } from '../../venues/pod-budgets.ts';
import { PodTrading } from '../../venues/pod-trading.ts';
import { type CarriedOut, carryOut, type GuardedCancel, OpenList } from './guard-cancel.ts';
import { keepWarm } from './warm-connections.ts';

export interface GuardThreadData {
  readonly arena: Arena;
  readonly pods: readonly BudgetedPod[];
  readonly metrics: MetricsParts;
  readonly logLevel: Log['level'];
}

type ToGuard = GuardedCancel | 'close';

export interface FromGuard {
  readonly number: number;
  readonly outcome: CarriedOut;
}

const port = parentPort;
assert(port !== null, 'guard-worker.ts runs as a worker');
const { arena, pods, metrics, logLevel } = workerData as GuardThreadData;
const log = createLog('guard', { level: logLevel });
const books = new LiveBooks(arena);
const trading = new PodTrading(pods, {
  log,
  metrics: new Metrics(metrics),
  bookOf: tokenId => books.sides('venue_a', tokenId),
});
const lists = new Map(trading.accounts.map(({ trading }) => [trading, new OpenList(trading)]));
const stopWarming = keepWarm(
  trading.accounts.map(account => account.trading),
  wallTimers,
);
keepPulse();
watchMainThread();

port.on('message', (message: ToGuard) => {
  if (message === 'close') {
    stopWarming();
    void trading.close().then(() => port.close());
  } else void answer(message);
});

async function answer(cancel: GuardedCancel): Promise<void> {
  const outcome = await outcomeOf(cancel);
  port?.postMessage({ number: cancel.number, outcome } satisfies FromGuard);
}

async function outcomeOf({ order, deadline }: GuardedCancel): Promise<CarriedOut> {
  const { podId, request } = order;
  const venue = trading.of(podId, request.venue);
  if (venue === null) return refused('fault', `the pod ${podId} has no account at ${request.venue}`);
  return carryOut({ venue, list: lists.get(venue)!, timers: wallTimers }, order, deadline);
}
