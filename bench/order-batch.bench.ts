// A batch of 15 orders beside 15 single orders in flight at once, in turns, on exact paper exchanges. Measures the gateway's processor time of an
// order, and how long the caller waits until all 15 are answered.

import { limits } from '../src/limits.ts';
import { UuidV7Source } from '../src/tools/client/uuid-v7.ts';
import { type BenchRow, type BenchSuite, percentile, row, timesLess } from './harness.ts';
import { OneByOne } from './load/one-by-one.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import type { GatewayData } from './load/order-taker.ts';
import { openTaker, requestsTo } from './load/order-takers.ts';

const DESKS: readonly (Desk & { readonly words: string })[] = [
  { name: 'venue-b', venue: 'venue_b', words: 'venue B' },
  { name: 'venue-a', venue: 'venue_a', words: 'venue A' },
];
const WIDTH = limits.batchOrdersMax;
/** Rounds of each way, and groups of `WIDTH` orders in a round. The warm rounds compile code. */
const SIZES = { warmRounds: 3, rounds: 7, groups: 150 };
const SMOKE = { warmRounds: 0, rounds: 1, groups: 2 };
const MADE = '"status":201';

interface Turn {
  /** The processor time of an order in µs. */
  readonly cpu: number;
  /** The µs until all orders of a group are answered. */
  readonly us: readonly number[];
}

export const suite: BenchSuite = {
  name: 'order/batch',
  rowNames: ['order/batch-cpu', 'order/batch-wait'],
  runsMax: 1,
  async run({ smoke }) {
    const sizes = smoke ? SMOKE : SIZES;
    const rows: BenchRow[] = [];
    for (const desk of DESKS) rows.push(...(await rowsAt(desk, sizes)));
    return rows;
  },
};

async function rowsAt(desk: (typeof DESKS)[number], { warmRounds, rounds, groups }: typeof SIZES): Promise<BenchRow[]> {
  const rig = await OrderRig.start({ desks: [desk], durability: 'process-safe', paperMode: 'exact' });
  const { gateway } = rig.waysOf(desk);
  try {
    const [batches, singles]: Turn[][] = [[], []];
    for (let round = 0; round < warmRounds + rounds; round++) {
      const ways = [
        async () => batches!.push(await turn(rig, groups, () => batchOf(gateway), 1)),
        async () => singles!.push(await turn(rig, groups, () => singlesOf(gateway), WIDTH)),
      ];
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) await way();
      await rig.expectResting(desk, 2 * groups * WIDTH);
      await rig.cancelAll(desk);
    }
    return rowsOf(desk.words, batches!.slice(warmRounds), singles!.slice(warmRounds));
  } finally {
    await rig.close();
  }
}

/**
 * Sends groups one after the other. The requests of a group are sent at once, each on its connection. The gateway would close an idle connection.
 */
async function turn(
  rig: OrderRig,
  groups: number,
  group: () => Promise<readonly Buffer[]>,
  width: number,
): Promise<Turn> {
  const requests = [];
  for (let made = 0; made < groups; made++) requests.push(await group());
  const { port } = rig.gateway;
  const connections = await Promise.all(Array.from({ length: width }, () => OneByOne.open(port)));
  const us: number[] = [];
  const before = rig.gateway.cpuMs();
  for (const group of requests) {
    const answers = await Promise.all(group.map((request, index) => connections[index]!.ask(request)));
    us.push(Math.max(...answers.map(answer => answer.us)));
    for (const { status, answer } of answers) expectMade(status, answer);
  }
  const cpu = ((rig.gateway.cpuMs() - before) * 1_000) / (groups * WIDTH);
  for (const connection of connections) connection.close();
  return { cpu, us };
}

function expectMade(status: number, answer: Buffer): void {
  const text = answer.toString('latin1');
  const isMade = status === 201 || (status === 200 && text.split(MADE).length === WIDTH + 1);
  if (!isMade) throw new Error(`not made: ${text}`);
}

function singlesOf(gateway: GatewayData): Promise<readonly Buffer[]> {
  const taker = openTaker(gateway);
  return Promise.all(Array.from({ length: WIDTH }, () => taker.order()));
}

const keys = new UuidV7Source(Date.now);

async function batchOf(gateway: GatewayData): Promise<readonly Buffer[]> {
  const { market } = gateway;
  const [target, order] =
    market.venue === 'venue_b'
      ? ([
          '/v1/venue-b/orders/batch',
          { ticker: market.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 },
        ] as const)
      : ([
          '/v1/venue-a/orders/batch',
          { tokenId: market.tokenId, side: 'BUY', type: 'LIMIT', size: '20', price: '0.01' },
        ] as const);
  const orders = Array.from({ length: WIDTH }, () => ({ idempotencyKey: keys.next(), ...order }));
  const body = new TextEncoder().encode(JSON.stringify({ orders }));
  return [await requestsTo(gateway)('POST', { target, body })];
}

function rowsOf(words: string, batches: readonly Turn[], singles: readonly Turn[]): BenchRow[] {
  const baseline = `${WIDTH} single orders at once over REST, in the same turns; ${RATE_PROFILE}`;
  const cpu = (turns: readonly Turn[]) => turns.map(it => it.cpu);
  const wait = (turns: readonly Turn[]) => turns.map(({ us }) => percentile(us, 0.5));
  const rows = (name: string, of: (turns: readonly Turn[]) => number[], unit: string): BenchRow[] => [
    { ...row(`${name} ${words}`, of(batches), unit), baseline, ratio: timesLess(of(batches), of(singles)) },
    row(`${name} ${words} singles`, of(singles), unit),
  ];
  return [...rows('order/batch-cpu', cpu, 'µs/order'), ...rows('order/batch-wait p50', wait, 'µs')];
}
