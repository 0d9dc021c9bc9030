// What the gateway adds to an order's way while it is busy: new orders due at a steady rate, whatever becomes of them, through the
// gateway and straight to the venue, in turns; meanwhile a book changes 2 000 times a second and ten subscribers hear of it, in both.
// The gateway is `src/main.ts`, the venue the exact paper exchange, each a process of its own. Latencies count from the moment when
// an order was due, so that a stall is charged with every order that it delays. After each turn the venue's own list is counted. At venue
// B all rates are tried, at venue A one.

import { type BenchOptions, type BenchRow, type BenchSuite, percentile } from './harness.ts';
import { highestHeld } from './load/held-rate.ts';
import { Latencies } from './load/latencies.ts';
import { OrderLoad, type OrderTurn } from './load/order-load.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import { type Path, Rig } from './load/rig.ts';
import type { Stages } from './load/server-timing.ts';
import { warmUp } from './load/warm-up.ts';

const NAME = 'order/under-load';
const VENUE_B: Desk = { name: 'venue-b', venue: 'venue_b' };
const VENUE_A: Desk = { name: 'venue-a', venue: 'venue_a' };
/** Of every turn; a slow rate needs a longer one for as many orders. */
const RATES_B = [
  { perSecond: 100, orders: 500 },
  { perSecond: 1_000, orders: 3_000 },
  { perSecond: 2_000, orders: 4_000 },
];
const RATE_A = { perSecond: 1_000, orders: 3_000 };
const ROUNDS = 3;
/** The first ones of a gateway that has just started, before its code is compiled. */
const COLD = { perSecond: 100, orders: 500 };
const SMOKE_ORDERS = 50;
/** More than are ever on their way below the rate that is held. */
const CONNECTIONS = 64;

const DELTAS_PER_SECOND = 2_000;
const SUBSCRIBERS = 10;

const HELD_P99_US = 5_000;
const HELD_SEARCH = { low: 200, high: 6_400, steps: 5 };
const HELD_MS = 2_500;
/** They are signed before, and a signature is good for some seconds. */
const HELD_ORDERS_MAX = 6_000;
/** One stall of the machine is one percent of a short turn: a rate has failed if it fails twice. */
const HELD_TRIES = 2;

const PERCENTILES = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['p99.9', 0.999],
] as const;

export const suite: BenchSuite = {
  name: NAME,
  runsMax: 1,
  async run(options) {
    const books = await Rig.start({ spinMs: 0 });
    const rig = await OrderRig.start({
      desks: [VENUE_B, VENUE_A],
      durability: 'process-safe',
      paperMode: 'exact',
      venueBFeed: books.venueBFeed,
    });
    const { gateway } = rig.waysOf(VENUE_B);
    try {
      const common = { rig, path: books.throughOther(gateway, SUBSCRIBERS) };
      const ofB = await withLoads(
        { ...common, desk: VENUE_B },
        async parts => {
          const rows: BenchRow[] = [];
          for (const rate of RATES_B) rows.push(...(await measured(parts, `${NAME}@${rate.perSecond}`, rate, options)));
          return [...rows, await heldRow(parts, options)];
        },
        options,
      );
      const nameA = `${NAME}@${RATE_A.perSecond} ${VENUE_A.name}`;
      const ofA = await withLoads(
        { ...common, desk: VENUE_A },
        parts => measured(parts, nameA, RATE_A, options),
        options,
      );
      return [...ofB, ...ofA];
    } finally {
      // Subscribers before their gateway.
      await books.close();
      await rig.close();
    }
  },
};

interface Place {
  readonly rig: OrderRig;
  readonly desk: Desk;
  /** Of the books. */
  readonly path: Path;
}

interface Parts extends Place {
  readonly through: OrderLoad;
  readonly direct: OrderLoad;
}

/** Callers of both ways, warmed up, and ended. */
async function withLoads(
  place: Place,
  work: (parts: Parts) => Promise<BenchRow[]>,
  options: BenchOptions,
): Promise<BenchRow[]> {
  const { gateway, venue } = place.rig.waysOf(place.desk);
  const [through, direct] = [new OrderLoad(gateway), new OrderLoad(venue)];
  const parts = { ...place, through, direct };
  try {
    const cold = place.desk === VENUE_B ? await coldRows(parts, options) : [];
    for (const load of [through, direct]) await warmUp(load, options);
    return [...cold, ...(await work(parts))];
  } finally {
    await Promise.all([through.close(), direct.close()]);
  }
}

/** From due to answered. */
async function coldRows(parts: Parts, { smoke }: BenchOptions): Promise<BenchRow[]> {
  const count = smoke ? SMOKE_ORDERS : COLD.orders;
  const { orders } = await loaded(parts, parts.through, COLD.perSecond, count);
  await emptied(parts, count);
  return [PERCENTILES[0], PERCENTILES[2]].map(([words, fraction]) => ({
    name: `${NAME}@${COLD.perSecond} first-${COLD.orders} ${words}`,
    value: orders.latencies.percentileUs(fraction),
    unit: 'µs',
    baseline: '',
    ratio: null,
  }));
}

async function measured(
  parts: Parts,
  name: string,
  { perSecond, orders }: typeof RATE_A,
  { smoke }: BenchOptions,
): Promise<BenchRow[]> {
  const [ours, baseline] = [new Side(), new Side()];
  const count = smoke ? SMOKE_ORDERS : orders;
  for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
    if (round % 2 === 1) baseline.add(await loaded(parts, parts.direct, perSecond, count));
    ours.add(await loaded(parts, parts.through, perSecond, count));
    await emptied(parts, count);
    if (round % 2 === 0) baseline.add(await loaded(parts, parts.direct, perSecond, count));
  }
  return rowsOf(name, ours, baseline);
}

/** What all turns of one way have brought, together. */
class Side {
  readonly orders = new Latencies();
  readonly books = new Latencies();
  readonly stages: Stages[] = [];

  add({ orders, books }: Loaded): void {
    this.orders.merge(orders.latencies.toCounts());
    this.books.merge(books.toCounts());
    for (const stages of orders.stages) this.stages.push(stages);
  }
}

interface Loaded {
  readonly orders: OrderTurn;
  readonly books: Latencies;
}

/** Orders while the books change: both begin together and last as long. */
async function loaded({ path }: Parts, load: OrderLoad, perSecond: number, count: number): Promise<Loaded> {
  await load.prepare({ count, connections: CONNECTIONS, ordersPerSecond: perSecond });
  const frames = Math.ceil((DELTAS_PER_SECOND * count) / perSecond);
  const [orders, { latencies: books, lost }] = await Promise.all([load.run(), path.play(DELTAS_PER_SECOND, frames)]);
  if (lost > 0) throw new Error(`${lost} changes of a book were lost`);
  return { orders, books };
}

/** As many orders as were answered are at the venue; then none. */
async function emptied({ rig, desk, through }: Parts, count: number): Promise<void> {
  await rig.expectResting(desk, count);
  await through.cancel();
  await rig.expectResting(desk, 0);
}

function rowsOf(name: string, ours: Side, direct: Side): BenchRow[] {
  const plain = { unit: 'µs', baseline: '', ratio: null };
  const baseline = `the same orders straight to the venue; ${RATE_PROFILE}`;
  const pair = (words: string, of: (latencies: Latencies) => number): BenchRow[] => {
    const [through, venue] = [of(ours.orders), of(direct.orders)];
    return [
      { ...plain, name: `${name} added ${words}`, value: through - venue, baseline, ratio: venue / through },
      { ...plain, name: `${name} direct ${words}`, value: venue },
    ];
  };
  const names = Object.keys(ours.stages[0] ?? {}).filter(stage => stage !== 'total');
  const stageRow = (stage: string, words: string, fraction: number): BenchRow => {
    const us = ours.stages.map(stages => stages[stage] ?? 0);
    return { ...plain, name: `${name} ${stage} ${words}`, value: percentile(us, fraction) };
  };
  return [
    ...PERCENTILES.flatMap(([words, fraction]) => pair(words, it => it.percentileUs(fraction))),
    ...pair('max', it => it.maxUs),
    ...names.flatMap(stage => PERCENTILES.map(([words, fraction]) => stageRow(stage, words, fraction))),
    ...PERCENTILES.map(([words, fraction]) => ({
      ...plain,
      name: `${name} book ${words}`,
      value: ours.books.percentileUs(fraction),
    })),
  ];
}

/** The highest rate whose p99, from due to answered, stays below 5 ms. */
async function heldRow(parts: Parts, { smoke }: BenchOptions): Promise<BenchRow> {
  const holds = async (perSecond: number): Promise<boolean> => {
    const count = smoke ? SMOKE_ORDERS : Math.min(HELD_ORDERS_MAX, Math.ceil((perSecond * HELD_MS) / 1_000));
    for (let tried = 0; tried < HELD_TRIES; tried++) {
      const { orders } = await loaded(parts, parts.through, perSecond, count);
      await emptied(parts, count);
      if (orders.latencies.percentileUs(0.99) < HELD_P99_US) return true;
    }
    return false;
  };
  const value = await highestHeld(smoke ? { ...HELD_SEARCH, steps: 1 } : HELD_SEARCH, holds);
  return { name: `${NAME} held`, value, lowest: HELD_SEARCH.low, unit: 'orders/s', baseline: '', ratio: null };
}
