// Sends orders before the measured ones: use compiles code. A start compiles the path with a few hundred orders (ADR 0021); V8
// optimizes it over some ten thousand. Parallel and single orders take turns: a signature that comes alone is checked on the main
// thread, others in the check pool (ADR 0020).

import type { BenchOptions } from '../harness.ts';
import type { OrderLoad } from './order-load.ts';
import type { OrderLoadPlan } from './order-messages.ts';

const TOGETHER: OrderLoadPlan = { count: 3_000, connections: 64, ordersPerSecond: null };
const ALONE: OrderLoadPlan = { count: 1_500, connections: 1, ordersPerSecond: null };
const TURNS = [TOGETHER, ALONE, TOGETHER, ALONE, TOGETHER, ALONE, TOGETHER, ALONE];
const SMOKE: OrderLoadPlan = { count: 50, connections: 64, ordersPerSecond: null };

/** No order rests when it resolves. */
export async function warmUp(load: OrderLoad, { smoke }: BenchOptions): Promise<void> {
  for (const plan of smoke ? [SMOKE] : TURNS) {
    await load.turn(plan);
    await load.cancel();
  }
}
