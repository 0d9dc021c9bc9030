// The first order after a start beside later orders, and the duration of the start. The real program starts many times, with warm paper exchanges.
// One caller uses one connection, which is opened in advance. Some starts skip the warm-up, for comparison. The last order follows a rest as long
// as the rest before the first order. It shows the cost of the rest alone.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Venue } from '../src/core/domain/market.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, median, overRounds, row } from './harness.ts';
import { GatewayService } from './load/gateway-service.ts';
import { OneByOne } from './load/one-by-one.ts';
import type { OrderTaker, VenueData } from './load/order-taker.ts';
import { openTaker } from './load/order-takers.ts';
import { PaperService } from './load/paper-service.ts';

const NAME = 'start/first-order';
const VENUES: readonly Venue[] = ['venue_a', 'venue_b'];
const WORDS: Readonly<Record<Venue, string>> = { venue_a: 'venue-a', venue_b: 'venue-b' };
const STARTS = 12;
/** One start in this many skips the warm-up. */
const COLD_EVERY = 3;
/** The orders of the first start, which is not counted: it strips types, and its orders compile caller and exchange. */
const UNCOUNTED_ORDERS = 1_000;
const STEADY_ORDERS = 300;
const SMOKE_STEADY_ORDERS = 10;
/** The rest from `ready` to the first order, while feeds and catalog are still being read. The rest before the last order is as long. */
const REST_MS = 2_000;
const HTTP_CREATED = 201;

interface StartPlan {
  readonly venue: Venue;
  /** Orders after the first. */
  readonly steadyOrders: number;
  readonly warmsUp: boolean;
}

interface Start {
  readonly readyMs: number;
  /** The round trips in µs of each order, the first order first. */
  readonly us: readonly number[];
  /** The latency of one more order, after a rest. */
  readonly restedUs: number;
}

export const suite: BenchSuite = {
  name: NAME,
  runsMax: 1,
  async run({ smoke }: BenchOptions) {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
    const paper = await PaperService.start('exact', folder);
    try {
      const rows: BenchRow[] = [];
      for (const venue of VENUES) rows.push(...(await rowsOf(venue, smoke, plan => started(folder, paper, plan))));
      return rows;
    } finally {
      await paper.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function rowsOf(venue: Venue, smoke: boolean, start: (plan: StartPlan) => Promise<Start>): Promise<BenchRow[]> {
  const [warm, cold]: [Start[], Start[]] = [[], []];
  const [starts, steadyOrders] = smoke ? [1, SMOKE_STEADY_ORDERS] : [STARTS, STEADY_ORDERS];
  if (!smoke) await start({ venue, steadyOrders: UNCOUNTED_ORDERS, warmsUp: true });
  for (let number = 0; number < starts; number++) {
    if (number % COLD_EVERY === 0) cold.push(await start({ venue, steadyOrders, warmsUp: false }));
    warm.push(await start({ venue, steadyOrders, warmsUp: true }));
  }
  const name = `${NAME} ${WORDS[venue]}`;
  return [...rowsOfStarts(name, warm), ...rowsOfStarts(`${name} cold`, cold)];
}

/** Makes the rows. `steady` has the median of the orders after the first for each start. */
function rowsOfStarts(name: string, starts: readonly Start[]): BenchRow[] {
  const first = overRounds(starts.map(({ us }) => us[0]!));
  const steady = overRounds(starts.map(({ us }) => median(us.slice(1))));
  return [
    { name, unit: 'µs', ...first, baseline: 'the orders behind it', ratio: steady.value / first.value },
    row(`${name} steady`, steady.rounds, 'µs'),
    row(
      `${name} rested`,
      starts.map(it => it.restedUs),
      'µs',
    ),
    row(
      `${name} ready`,
      starts.map(it => it.readyMs),
      'ms',
    ),
  ];
}

/** Starts the gateway with a data directory of its own. */
async function started(
  parent: string,
  paper: PaperService,
  { venue, steadyOrders, warmsUp }: StartPlan,
): Promise<Start> {
  const folder = mkdtempSync(join(parent, 'data-'));
  const data = await accountOf(paper, venue);
  const pod = {
    podId: 'bench',
    venueA: data.taker === 'venue_a' ? data.account : null,
    venueB: data.taker === 'venue_b' ? data.account : null,
  };
  const beganMs = performance.now();
  const gateway = await GatewayService.start({ folder, durability: 'process-safe', paper, pods: [pod], warmsUp });
  const readyMs = performance.now() - beganMs;
  try {
    const { port } = gateway;
    await pause(REST_MS);
    const taker = openTaker({ taker: 'gateway', port, key: gateway.keys.get('bench')!, market: data.market });
    return { readyMs, ...(await roundTrips(taker, 1 + steadyOrders)) };
  } finally {
    await gateway.close();
  }
}

async function accountOf(paper: PaperService, venue: Venue): Promise<VenueData> {
  if (venue === 'venue_a')
    return { taker: venue, account: await paper.venueAAccount(), market: await paper.venueAMarket() };
  return { taker: venue, account: await paper.venueBAccount('ed25519'), market: await paper.venueBMarket() };
}

/** Sends the orders. All are signed before the first is sent, so that caller and gateway are idle by then. */
async function roundTrips(taker: OrderTaker, count: number): Promise<Pick<Start, 'us' | 'restedUs'>> {
  const requests: Buffer[] = [];
  while (requests.length < count) requests.push(await taker.order());
  const last = await taker.order();
  const caller = await OneByOne.open(taker.port);
  const us: number[] = [];
  for (const request of requests) us.push(await roundTrip(caller, request));
  await pause(REST_MS);
  const restedUs = await roundTrip(caller, last);
  caller.close();
  return { us, restedUs };
}

async function roundTrip(caller: OneByOne, request: Buffer): Promise<number> {
  const answered = await caller.ask(request);
  if (answered.status !== HTTP_CREATED) throw new Error(answered.answer.toString('latin1'));
  return answered.us;
}
