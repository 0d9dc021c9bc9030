// The gateway's time for an order beside the least that any gateway needs on the same machine. That least is to forward the order
// (`forward`), to check its signature (`check`), and to write it down (`journal`). A process of one thread does only that. One caller on
// one connection uses an exact venue B, and 64 connections use one that answers at once. All paths take turns, so that the machine is the
// same for all.

import { type BenchOptions, type BenchRow, type BenchSuite, closing, row, timesLess } from './harness.ts';
import { added, addedRow, PERCENTILES, roundTrips } from './load/added-time.ts';
import { startLeastGateways } from './load/least-gateways.ts';
import { OrderLoad } from './load/order-load.ts';
import type { OneCallerAnswer, OneCallerRequest, OrderLoadPlan } from './load/order-messages.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import type { Turn } from './load/rig.ts';
import { type Measure, perRequestMeasure, requestRateMeasure, rowPair, turnsRow } from './load/turns.ts';

const ADDED = 'order/least-added';
const THROUGHPUT = 'order/least-throughput';
const DESK: Desk = { name: 'venue-b', venue: 'venue_b' };
const STEPS = ['forward', 'check', 'journal'] as const;
/** The name of the least gateway with all its steps. */
const LEAST = 'journal';
const BESIDE = `the least gateway with all its steps, in the same turns; ${RATE_PROFILE}`;

/** One caller: the orders of a round, and of a turn. The first orders compile the code. */
const ORDERS = 400;
const SMOKE_ORDERS = 20;
const BLOCK = 50;
const WARM_ROUNDS = 8;
const ROUNDS = 5;

/** Many connections: the orders of a turn. */
const FLOOD: OrderLoadPlan = { count: 4_000, connections: 64, ordersPerSecond: null };
const SMOKE_FLOOD: OrderLoadPlan = { ...FLOOD, count: 200 };
/** The warm-up turns. The gateway has more threads to warm up. */
const WARM_TURNS = { least: 1, gateway: 3 };
const TURNS = 3;
const RATE: Measure = { ...requestRateMeasure, unit: 'orders/s' };
const CPU: Measure = { ...perRequestMeasure, unit: 'µs/order' };

export const suite: BenchSuite = {
  name: 'order/least',
  runsMax: 1,
  run: async options => [...(await addedRows(options)), ...(await throughputRows(options))],
};

async function addedRows({ smoke }: BenchOptions): Promise<BenchRow[]> {
  return closing(await OrderRig.start({ desks: [DESK], durability: 'process-safe', paperMode: 'exact' }), async rig => {
    const { forward, check, journal } = await startLeastGateways(rig, DESK);
    const least = { forward: forward.way, check: check.way, journal: journal.way };
    const caller = rig.thread('one-caller-worker.ts', { ...rig.waysOf(DESK), ...least });
    const [warmRounds, rounds, count] = smoke ? [0, 1, SMOKE_ORDERS] : [WARM_ROUNDS, ROUNDS, ORDERS];
    const answers: OneCallerAnswer[] = [];
    while (answers.length < warmRounds + rounds) {
      const request: OneCallerRequest = { op: 'submit', count, block: BLOCK };
      answers.push(await caller.ask<OneCallerAnswer>(request));
    }
    await rig.expectResting(DESK, answers.length * count);
    return rowsOf(answers.slice(warmRounds));
  });
}

function rowsOf(rounds: readonly OneCallerAnswer[]): BenchRow[] {
  const baseline = 'the same caller straight to the venue';
  return PERCENTILES.flatMap(([words, fraction]) => {
    const [ours, least] = [added(rounds, 'gateway', fraction), added(rounds, LEAST, fraction)];
    const ratio = timesLess(ours, least);
    return [
      ...STEPS.map(way => addedRow(`${ADDED} ${way} ${words}`, rounds, { way, fraction, baseline })),
      { ...row(`${ADDED} gateway ${words}`, ours, 'µs'), baseline: BESIDE, ratio },
      row(`${ADDED} direct ${words}`, roundTrips(rounds, 'venue', fraction), 'µs'),
    ];
  });
}

interface Flooded {
  readonly way: string;
  readonly load: OrderLoad;
  readonly warmTurns: number;
  readonly turns: Turn[];
}

async function throughputRows({ smoke }: BenchOptions): Promise<BenchRow[]> {
  const rig = await OrderRig.start({ desks: [DESK], durability: 'process-safe', paperMode: 'instant' });
  const all: Flooded[] = [];
  try {
    const least = await startLeastGateways(rig, DESK);
    for (const way of STEPS) {
      const load = new OrderLoad(least[way].way, () => least[way].cpuMs());
      all.push({ way, load, warmTurns: WARM_TURNS.least, turns: [] });
    }
    const load = new OrderLoad(rig.waysOf(DESK).gateway, () => rig.gateway.cpuMs());
    all.push({ way: 'gateway', load, warmTurns: WARM_TURNS.gateway, turns: [] });
    const plan = smoke ? SMOKE_FLOOD : FLOOD;
    for (const { load, warmTurns } of smoke ? [] : all) {
      for (let turn = 0; turn < warmTurns; turn++) await load.turn(plan);
    }
    for (let round = 0; round < (smoke ? 1 : TURNS); round++) {
      for (const { load, turns } of round % 2 === 0 ? all : all.toReversed()) turns.push(await load.turn(plan));
    }
    return floodRows(new Map(all.map(({ way, turns }) => [way, turns])));
  } finally {
    await Promise.all(all.map(({ load }) => load.close()));
    await rig.close();
  }
}

/** Makes the rows of a flood, without processor time if the system does not report it. */
function floodRows(turns: ReadonlyMap<string, readonly Turn[]>): BenchRow[] {
  const compared = { ours: turns.get('gateway')!, baseline: turns.get(LEAST)!, words: BESIDE };
  const rowsBy = (measure: Measure, words: string): BenchRow[] => [
    ...STEPS.filter(step => step !== LEAST).map(step =>
      turnsRow(`${THROUGHPUT} ${step}${words}`, turns.get(step)!, measure),
    ),
    ...rowPair(`${THROUGHPUT} gateway${words}`, `${THROUGHPUT} ${LEAST}${words}`, compared, measure).toReversed(),
  ];
  return [...rowsBy(RATE, ''), ...rowsBy(CPU, ' cpu')].filter(({ value }) => Number.isFinite(value));
}
