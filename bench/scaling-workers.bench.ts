// How many orders a second the gateway takes with one check worker, two, and more if the machine has cores for them. 64 connections send orders to
// a venue that answers at once and keeps nothing. Callers and venue share the cores.

import { availableParallelism } from 'node:os';
import { type BenchOptions, type BenchRow, type BenchSuite, median } from './harness.ts';
import { OrderLoad } from './load/order-load.ts';
import { type Desk, OrderRig } from './load/order-rig.ts';
import { requestRateMeasure } from './load/turns.ts';
import { scalingRow } from './scaling-measures.ts';

const DESK: Desk = { name: 'venue-b', venue: 'venue_b' };
const COUNTS = [1, 2, 4, 8];
const SMOKE_COUNTS = [1];
const CONNECTIONS = 64;
const ORDERS = 8_000;
const SMOKE_ORDERS = 100;
const ROUNDS = 3;

export const suite: BenchSuite = {
  name: 'scaling/workers',
  runsMax: 1,
  async run(options) {
    const rows: BenchRow[] = [];
    for (const count of options.smoke ? SMOKE_COUNTS : COUNTS.filter(it => it <= availableParallelism())) {
      rows.push(scalingRow('workers-rate', count, await rateWith(count, options)));
    }
    return rows;
  },
};

async function rateWith(poolThreads: number, { smoke }: BenchOptions): Promise<number> {
  const rig = await OrderRig.start({ desks: [DESK], durability: 'process-safe', paperMode: 'instant', poolThreads });
  const load = new OrderLoad(rig.waysOf(DESK).gateway);
  try {
    const plan = { count: smoke ? SMOKE_ORDERS : ORDERS, connections: CONNECTIONS, ordersPerSecond: null };
    // The first turn compiles the code.
    if (!smoke) await load.turn(plan);
    const rates: number[] = [];
    while (rates.length < (smoke ? 1 : ROUNDS)) rates.push(requestRateMeasure.of(await load.turn(plan)));
    return median(rates);
  } finally {
    await load.close();
    await rig.close();
  }
}
