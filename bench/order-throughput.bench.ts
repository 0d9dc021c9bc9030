// How many orders a second the gateway takes from 64 connections, and their latency at a thousand a second. The same callers are measured at the
// venue beside it. The venue answers at once and keeps nothing, so that only the gateway is measured. Rows with `exact` use a venue that checks,
// books and reports all orders. Every answered order is counted there.

import type { BenchOptions, BenchRow, BenchSuite } from './harness.ts';
import { OrderLoad, warmUp } from './load/order-load.ts';
import type { OrderLoadPlan } from './load/order-messages.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import type { Turn } from './load/rig.ts';
import {
  alternateTurns,
  type Measure,
  percentileMeasure,
  perRequestMeasure,
  requestRateMeasure,
  rowPair,
  turnsRow,
} from './load/turns.ts';

const NAME = 'order/submit-throughput';
const DESK: Desk = { name: 'venue-b', venue: 'venue_b' };
const DESK_A: Desk = { name: 'venue-a', venue: 'venue_a' };
const CONNECTIONS = 64;
const ORDERS = 15_000;
/** The number of orders of a turn, which stay in the venue's book. Venue A lists at most 10 000 orders of all turns together. */
const EXACT_ORDERS = 4_000;
const EXACT_ORDERS_A = 2_000;
const SMOKE_ORDERS = 200;
const PER_SECOND = 1_000;
const PACED_ORDERS = 3_000;
const ROUNDS = 3;
const RATE: Measure = { ...requestRateMeasure, unit: 'orders/s' };

export const suite: BenchSuite = {
  name: NAME,
  runsMax: 1,
  run: async options => [
    ...(await withInstantVenue(options)),
    ...(await withExactVenue(DESK, 'exact', EXACT_ORDERS, options)),
    ...(await withExactVenue(DESK_A, 'exact-venue-a', EXACT_ORDERS_A, options)),
  ],
};

async function withInstantVenue({ smoke }: BenchOptions): Promise<BenchRow[]> {
  const rig = await OrderRig.start({ desks: [DESK], durability: 'process-safe', paperMode: 'instant' });
  const { gateway, venue } = rig.waysOf(DESK);
  const [through, direct] = [new OrderLoad(gateway, () => rig.gateway.cpuMs()), new OrderLoad(venue)];
  try {
    const flood = planOf(smoke ? SMOKE_ORDERS : ORDERS, null);
    const paced = planOf(smoke ? SMOKE_ORDERS : PACED_ORDERS, PER_SECOND);
    const rounds = smoke ? 1 : ROUNDS;
    const words = `the same callers straight to the venue; ${RATE_PROFILE}`;
    const compare = async (plan: OrderLoadPlan) => {
      const [ours, baseline] = [() => through.turn(plan), () => direct.turn(plan)];
      return alternateTurns(rounds, words, ours, baseline);
    };
    for (const load of [through, direct]) await load.turn(flood);
    const flooded = await compare(flood);
    const pacedTurns = await compare(paced);
    return [
      ...rowPair(NAME, `${NAME} direct`, flooded, RATE),
      ...cpuRows(`${NAME} cpu`, flooded.ours),
      ...rowPair(`${NAME} p50`, `${NAME} direct p50`, flooded, percentileMeasure(0.5)),
      ...rowPair(`${NAME} p99`, `${NAME} direct p99`, flooded, percentileMeasure(0.99)),
      ...rowPair(`${NAME}@1000 p50`, `${NAME}@1000 direct p50`, pacedTurns, percentileMeasure(0.5)),
      ...rowPair(`${NAME}@1000 p99`, `${NAME}@1000 direct p99`, pacedTurns, percentileMeasure(0.99)),
    ];
  } finally {
    await Promise.all([through.close(), direct.close()]);
    await rig.close();
  }
}

async function withExactVenue(desk: Desk, words: string, orders: number, options: BenchOptions): Promise<BenchRow[]> {
  const { smoke } = options;
  const name = `${NAME} ${words}`;
  const rig = await OrderRig.start({ desks: [desk], durability: 'process-safe', paperMode: 'exact' });
  const load = new OrderLoad(rig.waysOf(desk).gateway, () => rig.gateway.cpuMs());
  try {
    const plan = planOf(smoke ? SMOKE_ORDERS : orders, null);
    await warmUp(load, options);
    const turns: Turn[] = [];
    while (turns.length < (smoke ? 1 : ROUNDS)) turns.push(await load.turn(plan));
    await rig.expectResting(desk, turns.length * plan.count);
    return [
      turnsRow(name, turns, RATE),
      ...cpuRows(`${name} cpu`, turns),
      turnsRow(`${name} p50`, turns, percentileMeasure(0.5)),
      turnsRow(`${name} p99`, turns, percentileMeasure(0.99)),
    ];
  } finally {
    await load.close();
    await rig.close();
  }
}

/** Makes the rows of processor time. Empty if the system does not report it. */
function cpuRows(name: string, turns: readonly Turn[]): BenchRow[] {
  return [turnsRow(name, turns, { ...perRequestMeasure, unit: 'µs/order' })].filter(({ value }) =>
    Number.isFinite(value),
  );
}

function planOf(count: number, ordersPerSecond: number | null): OrderLoadPlan {
  return { count, connections: CONNECTIONS, ordersPerSecond };
}
