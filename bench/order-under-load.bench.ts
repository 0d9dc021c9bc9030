// The time that the gateway adds to an order while it is busy. Orders are due at a steady rate, in turns through the gateway, directly at the venue
// and, for venue B, through the complete least gateway. In every turn a book changes 2 000 times a second, with ten subscribers at the gateway. The
// gateway is `src/main.ts` and the venue is the exact paper exchange, each in its own process. Latency counts from the time at which an order was
// due, so that a stall is charged to every order that it delays. After each turn of the gateway the orders in the venue's list are counted. Venue B
// gets all rates, venue A one.

import { type BenchOptions, type BenchRow, type BenchSuite, median, percentile, row } from './harness.ts';
import { highestHeld } from './load/held-rate.ts';
import { Latencies } from './load/latencies.ts';
import { startLeastGateway } from './load/least-gateways.ts';
import { OrderLoad, type OrderTurn, warmUp } from './load/order-load.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import { type Path, Rig } from './load/rig.ts';
import type { Stages } from './load/server-timing.ts';
import { percentileMeasure, rowPair } from './load/turns.ts';

const NAME = 'order/under-load';
const VENUE_B: Desk = { name: 'venue-b', venue: 'venue_b' };
const VENUE_A: Desk = { name: 'venue-a', venue: 'venue_a' };
/** Rates of the turns; a slow rate needs a longer turn for as many orders. */
const RATES_B = [
  { perSecond: 100, orders: 500 },
  { perSecond: 1_000, orders: 3_000 },
  { perSecond: 2_000, orders: 4_000 },
];
const RATE_A = { perSecond: 1_000, orders: 3_000 };
const ROUNDS = 5;
/** The first orders of a new gateway, before its code is compiled. */
const COLD = { perSecond: 100, orders: 500 };
const SMOKE_ORDERS = 50;
/** The number of connections, which is more than the orders in flight at any rate below the held rate. */
const CONNECTIONS = 64;

const DELTAS_PER_SECOND = 2_000;
const SUBSCRIBERS = 10;

const HELD_P99_US = 5_000;
const HELD_SEARCH = { low: 200, high: 6_400, steps: 5 };
const HELD_MS = 2_500;
/** The most orders of a turn. They are signed in advance, and a signature is valid for some seconds. */
const HELD_ORDERS_MAX = 6_000;
/** The tries of a rate. One stall of the machine is one percent of a short turn, so a rate fails only if it fails twice. */
const HELD_TRIES = 2;
const HELD_ROUNDS = 3;

const PERCENTILES = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['p99.9', 0.999],
] as const;
const BESIDE_LEAST = `the least gateway with all its steps, in the same turns; ${RATE_PROFILE}`;

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
          return [...rows, ...(await heldRows(parts, options))];
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
      // The subscribers are closed before their gateway.
      await books.close();
      await rig.close();
    }
  },
};

interface Place {
  readonly rig: OrderRig;
  readonly desk: Desk;
  /** The path of the books. */
  readonly path: Path;
}

interface Parts extends Place {
  readonly through: OrderLoad;
  readonly direct: OrderLoad;
  /** The least gateway. Null for venue A, which it does not support. */
  readonly least: OrderLoad | null;
}

/** Starts, warms up and ends the callers of all paths. */
async function withLoads(
  place: Place,
  work: (parts: Parts) => Promise<BenchRow[]>,
  options: BenchOptions,
): Promise<BenchRow[]> {
  const { rig, desk } = place;
  const { gateway, venue } = rig.waysOf(desk);
  const isAtB = desk === VENUE_B;
  const least = isAtB ? new OrderLoad((await startLeastGateway(rig, desk, 'journal')).way) : null;
  const [through, direct] = [new OrderLoad(gateway), new OrderLoad(venue)];
  const loads = [through, direct, ...(least === null ? [] : [least])];
  const parts = { ...place, through, direct, least };
  try {
    const cold = isAtB ? await coldRows(parts, options) : [];
    for (const load of loads) await warmUp(load, options);
    return [...cold, ...(await work(parts))];
  } finally {
    await Promise.all(loads.map(load => load.close()));
  }
}

/** Measures the time from an order's due time to its answer. */
async function coldRows(parts: Parts, { smoke }: BenchOptions): Promise<BenchRow[]> {
  const count = smoke ? SMOKE_ORDERS : COLD.orders;
  const { orders } = await loaded(parts, parts.through, COLD.perSecond, count);
  await emptied(parts, parts.through, count);
  const name = `${NAME}@${COLD.perSecond} first-${COLD.orders}`;
  return [PERCENTILES[0], PERCENTILES[2]].map(([words, fraction]) =>
    row(`${name} ${words}`, orders.latencies.percentileUs(fraction), 'µs'),
  );
}

async function measured(
  parts: Parts,
  name: string,
  { perSecond, orders }: typeof RATE_A,
  { smoke }: BenchOptions,
): Promise<BenchRow[]> {
  const { through, direct, least } = parts;
  const count = smoke ? SMOKE_ORDERS : orders;
  const turnsOf = new Map<OrderLoad, Loaded[]>(
    [direct, through, ...(least === null ? [] : [least])].map(it => [it, []]),
  );
  const ways = [...turnsOf];
  for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
    for (const [load, turns] of round % 2 === 1 ? ways : ways.toReversed()) {
      turns.push(await loaded(parts, load, perSecond, count));
      if (load !== direct) await emptied(parts, load, count);
    }
  }
  const [ours, straight] = [turnsOf.get(through)!, turnsOf.get(direct)!];
  return [
    ...rowsOf(name, new Side(ours), new Side(straight)),
    ...(least === null ? [] : leastRows(name, ours, turnsOf.get(least)!)),
  ];
}

/** All turns of one path. */
class Side {
  readonly orders = new Latencies();
  readonly books = new Latencies();
  readonly stages: Stages[] = [];

  constructor(turns: readonly Loaded[]) {
    for (const { orders, books } of turns) {
      this.orders.merge(orders.latencies.toCounts());
      this.books.merge(books.toCounts());
      for (const stages of orders.stages) this.stages.push(stages);
    }
  }
}

interface Loaded {
  readonly orders: OrderTurn;
  readonly books: Latencies;
}

/** Sends orders during book changes. Both start together and last equally long. */
async function loaded({ path }: Parts, load: OrderLoad, perSecond: number, count: number): Promise<Loaded> {
  await load.prepare({ count, connections: CONNECTIONS, ordersPerSecond: perSecond });
  const frames = Math.ceil((DELTAS_PER_SECOND * count) / perSecond);
  const [orders, { latencies: books, lost }] = await Promise.all([load.run(), path.play(DELTAS_PER_SECOND, frames)]);
  if (lost > 0) throw new Error(`${lost} changes of a book were lost`);
  return { orders, books };
}

/** Cancels the orders of the last turn. The venue must list as many of the gateway's orders before as were answered, and none after. */
async function emptied({ rig, desk, through }: Parts, load: OrderLoad, count: number): Promise<void> {
  if (load === through) await rig.expectResting(desk, count);
  await load.cancel();
  if (load === through) await rig.expectResting(desk, 0);
}

function rowsOf(name: string, ours: Side, direct: Side): BenchRow[] {
  const baseline = `the same orders straight to the venue; ${RATE_PROFILE}`;
  const pair = (words: string, of: (latencies: Latencies) => number): BenchRow[] => {
    const [through, venue] = [of(ours.orders), of(direct.orders)];
    return [
      { ...row(`${name} added ${words}`, through - venue, 'µs'), baseline, ratio: venue / through },
      row(`${name} direct ${words}`, venue, 'µs'),
    ];
  };
  const names = Object.keys(ours.stages[0] ?? {}).filter(stage => stage !== 'total');
  const stageRow = (stage: string, words: string, fraction: number): BenchRow => {
    const us = ours.stages.map(stages => stages[stage] ?? 0);
    return row(`${name} ${stage} ${words}`, percentile(us, fraction), 'µs');
  };
  return [
    ...PERCENTILES.flatMap(([words, fraction]) => pair(words, it => it.percentileUs(fraction))),
    ...pair('max', it => it.maxUs),
    ...names.flatMap(stage => PERCENTILES.map(([words, fraction]) => stageRow(stage, words, fraction))),
    ...PERCENTILES.map(([words, fraction]) => row(`${name} book ${words}`, ours.books.percentileUs(fraction), 'µs')),
  ];
}

/** Makes the rows of the time from due to answered. Their ratios compare the turns side by side. */
function leastRows(name: string, ours: readonly Loaded[], least: readonly Loaded[]): BenchRow[] {
  const turns = { ours: ours.map(it => it.orders), baseline: least.map(it => it.orders), words: BESIDE_LEAST };
  return [PERCENTILES[0], PERCENTILES[2]].flatMap(([words, fraction]) =>
    rowPair(`${name} gateway ${words}`, `${name} least ${words}`, turns, percentileMeasure(fraction)),
  );
}

/** Searches the highest rates that the gateway and the least gateway hold, in turns. */
async function heldRows(parts: Parts, options: BenchOptions): Promise<BenchRow[]> {
  const [ours, least]: [number[], number[]] = [[], []];
  for (let round = 0; round < (options.smoke ? 1 : HELD_ROUNDS); round++) {
    if (round % 2 === 1) least.push(await heldRate(parts, parts.least!, options));
    ours.push(await heldRate(parts, parts.through, options));
    if (round % 2 === 0) least.push(await heldRate(parts, parts.least!, options));
  }
  return [{ ...heldRow('held', ours), ...besideLeast(ours, least) }, heldRow('least-held', least)];
}

function heldRow(words: string, rates: readonly number[]): BenchRow {
  return { ...row(`${NAME} ${words}`, rates, 'orders/s'), lowest: HELD_SEARCH.low };
}

/** Uses the rounds in which the least gateway held a rate. If our gateway held none, the ratio is an upper bound. */
function besideLeast(ours: readonly number[], least: readonly number[]): Partial<BenchRow> {
  const ratios = ours.map((rate, round) => (rate || HELD_SEARCH.low) / least[round]!).filter(Number.isFinite);
  return ratios.length === 0 ? {} : { baseline: BESIDE_LEAST, ratio: median(ratios) };
}

/** Returns the highest rate whose p99 from due to answered stays below 5 ms. */
async function heldRate(parts: Parts, load: OrderLoad, { smoke }: BenchOptions): Promise<number> {
  const holds = async (perSecond: number): Promise<boolean> => {
    const count = smoke ? SMOKE_ORDERS : Math.min(HELD_ORDERS_MAX, Math.ceil((perSecond * HELD_MS) / 1_000));
    for (let tried = 0; tried < HELD_TRIES; tried++) {
      const { orders } = await loaded(parts, load, perSecond, count);
      await emptied(parts, load, count);
      if (orders.latencies.percentileUs(0.99) < HELD_P99_US) return true;
    }
    return false;
  };
  return highestHeld(smoke ? { ...HELD_SEARCH, steps: 1 } : HELD_SEARCH, holds);
}
