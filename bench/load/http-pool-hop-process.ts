// The parts of a signed request other than HTTP, each alone. They are a round trip to a piscina pool with the gateway's settings, and a
// verification by the gateway's check. This process does one thing at a time, and ends with its parent.

import { Piscina } from 'piscina';
import { verifySignature } from '../../src/core/auth/ed25519.ts';
import { limits } from '../../src/limits.ts';
import { monotonicMs } from './clock.ts';
import { readyChecks, signedOrders } from './http-signed-orders.ts';
import { Latencies } from './latencies.ts';
import type { HopAnswer, HopQuestion } from './messages.ts';

const POOL_THREADS = 2;
const KEYS = 64;

const pool = new Piscina({
  filename: new URL('./http-empty-task.ts', import.meta.url).href,
  name: 'runTask',
  minThreads: POOL_THREADS,
  maxThreads: POOL_THREADS,
  concurrentTasksPerWorker: limits.poolTasksPerWorkerMax,
  maxQueue: limits.poolTasksMax,
  atomics: 'disabled',
  recordTiming: false,
});
const checks = readyChecks(signedOrders(KEYS, KEYS));

process.on('message', async ({ op, count }: HopQuestion) => {
  const latencies = new Latencies();
  for (let index = 0; index < count; index++) {
    const startMs = monotonicMs();
    if (op === 'hops') await pool.run({ kind: 'verify', checks: [] });
    else if (!verifySignature(checks[index % checks.length]!)) throw new Error('a right signature was found wrong');
    latencies.add((monotonicMs() - startMs) * 1_000);
  }
  process.send?.({ p50Us: latencies.percentileUs(0.5) } satisfies HopAnswer);
});
process.once('disconnect', () => process.exit(0));
