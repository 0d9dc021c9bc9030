// Orders before those that are measured: code is compiled by its use, that of an order worker by some ten thousand orders that come
// together, that of the main thread's desk by as many that come alone (ADR 0015).

import type { BenchOptions } from '../harness.ts';
import type { OrderLoad } from './order-load.ts';
import type { OrderLoadPlan } from './order-messages.ts';

const TOGETHER: OrderLoadPlan = { count: 3_000, connections: 64, ordersPerSecond: null };
const ALONE: OrderLoadPlan = { count: 1_500, connections: 1, ordersPerSecond: null };
const TURNS = [TOGETHER, ALONE, TOGETHER, ALONE, TOGETHER, ALONE, TOGETHER, ALONE];
const SMOKE: OrderLoadPlan = { count: 50, connections: 64, ordersPerSecond: null };

/** None of them rests when it resolves. */
export async function warmUp(load: OrderLoad, { smoke }: BenchOptions): Promise<void> {
  for (const plan of smoke ? [SMOKE] : TURNS) {
    await load.turn(plan);
    await load.cancel();
  }
}
