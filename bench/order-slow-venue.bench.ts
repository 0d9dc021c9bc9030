// The cost of a slow venue for other callers. A thousand orders a second are due, answered or not, while the venue answers at once, after 50 ms, or
// after 500 ms. Venue B comes first, then venue A. Meanwhile another caller requests `whoami`. Neither the gateway's own time of an order nor the
// other caller's time may grow with the venue's. After each turn the orders are counted at the venue, and cancelled.

import { type BenchOptions, type BenchRow, type BenchSuite, closing, percentile, row, timesLess } from './harness.ts';
import { Latencies } from './load/latencies.ts';
import type { LoadAnswer, LoadRequest } from './load/messages.ts';
import { OrderLoad, warmUp } from './load/order-load.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import type { Peer } from './load/peer.ts';
import { insideUs } from './load/server-timing.ts';

const NAME = 'order/submit-slow-venue';

/** A desk of the bench. `newOrder` is the slow operation of the venue. */
interface Place extends Desk {
  readonly newOrder: string;
  readonly rows: string;
}

const PLACES: readonly Place[] = [
  { name: 'venue-b', venue: 'venue_b', newOrder: 'POST /portfolio/events/orders', rows: NAME },
  { name: 'venue-a', venue: 'venue_a', newOrder: 'POST /order', rows: `${NAME} venue-a` },
];
const DELAYS_MS = [0, 50, 500] as const;
const ORDERS_PER_SECOND = 1_000;
/** The number of connections: half as many again as the orders that wait for the slowest venue. */
const CONNECTIONS = 750;
const ORDERS = 3_000;
const SMOKE_ORDERS = 100;
const WHOAMI_PER_SECOND = 200;
const WHOAMI_CONNECTIONS = 4;
const ROUNDS = 3;

/** The microseconds of one turn. */
interface Figures {
  readonly insideP50: number;
  readonly insideP99: number;
  readonly whoamiP50: number;
  readonly whoamiP99: number;
}

export const suite: BenchSuite = {
  name: NAME,
  runsMax: 1,
  async run(options) {
    return closing(
      await OrderRig.start({ desks: PLACES, durability: 'process-safe', paperMode: 'exact' }),
      async rig => {
        const rows: BenchRow[] = [];
        for (const place of PLACES) rows.push(...rowsOf(place.rows, await turnsAt(place, rig, options)));
        return rows;
      },
    );
  },
};

/** Returns the turns by delay. */
async function turnsAt(place: Place, rig: OrderRig, options: BenchOptions): Promise<readonly (readonly Figures[])[]> {
  const { gateway } = rig.waysOf(place);
  const orders = new OrderLoad(gateway);
  const bystanders = rig.thread('http-load-worker.ts', { keys: [gateway.key] });
  const turns = DELAYS_MS.map((): Figures[] => []);
  try {
    await warmUp(orders, options);
    for (let round = 0; round < (options.smoke ? 1 : ROUNDS); round++) {
      for (const [index, delayMs] of DELAYS_MS.entries()) {
        turns[index]!.push(await turn({ place, rig, orders, bystanders }, delayMs, options));
      }
    }
    return turns;
  } finally {
    await orders.close();
  }
}

interface Parts {
  readonly place: Place;
  readonly rig: OrderRig;
  readonly orders: OrderLoad;
  readonly bystanders: Peer;
}

async function turn(parts: Parts, delayMs: number, { smoke }: BenchOptions): Promise<Figures> {
  const { place, rig, orders, bystanders } = parts;
  const count = smoke ? SMOKE_ORDERS : ORDERS;
  const durationMs = (1_000 * count) / ORDERS_PER_SECOND + delayMs;
  if (delayMs > 0) {
    const fault = { kind: 'delay', beforeMs: delayMs };
    await rig.paper.control('POST', '/faults', { venue: place.venue, operation: place.newOrder, fault });
  }
  const plan = {
    port: rig.gateway.port,
    target: '/v1/whoami',
    isSigned: true,
    connections: WHOAMI_CONNECTIONS,
    requestsPerSecond: WHOAMI_PER_SECOND,
    durationMs,
  };
  await bystanders.ask({ op: 'prepare', plan } satisfies LoadRequest);
  const [turn, asked] = await Promise.all([
    orders.turn({ count, connections: CONNECTIONS, ordersPerSecond: ORDERS_PER_SECOND }),
    bystanders.ask<LoadAnswer>({ op: 'run' } satisfies LoadRequest),
  ]);
  await rig.paper.control('DELETE', '/faults');
  await rig.expectResting(place, count);
  await rig.cancelAll(place);
  await rig.expectResting(place, 0);
  const whoami = Latencies.of(asked.latencies);
  const inside = turn.stages.map(insideUs);
  return {
    insideP50: percentile(inside, 0.5),
    insideP99: percentile(inside, 0.99),
    whoamiP50: whoami.percentileUs(0.5),
    whoamiP99: whoami.percentileUs(0.99),
  };
}

/** Makes the rows. `turns` is by delay. */
function rowsOf(name: string, turns: readonly (readonly Figures[])[]): BenchRow[] {
  const [prompt] = turns as [readonly Figures[]];
  return DELAYS_MS.flatMap((delayMs, index) => {
    const rowOf = (words: string, figure: keyof Figures): BenchRow => {
      const own = turns[index]!.map(it => it[figure]);
      const plain = row(`${name} ${delayMs}ms ${words}`, own, 'µs');
      if (delayMs === 0) return plain;
      const ratio = timesLess(
        own,
        prompt.map(it => it[figure]),
      );
      return { ...plain, baseline: `the same load, venue not slowed; ${RATE_PROFILE}`, ratio };
    };
    return [
      rowOf('inside p50', 'insideP50'),
      rowOf('inside p99', 'insideP99'),
      rowOf('whoami p50', 'whoamiP50'),
      rowOf('whoami p99', 'whoamiP99'),
    ];
  });
}
