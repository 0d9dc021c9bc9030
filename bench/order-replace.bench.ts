// The replace of an order, beside a single order, and beside a cancel and a new order in two requests. All three take turns on exact paper
// exchanges. Measures the gateway's processor time, and how long the caller waits. One caller sends one request at a time.

import { textOf } from '../src/core/domain/json.ts';
import { UuidV7Source } from '../src/tools/client/uuid-v7.ts';
import { type BenchRow, type BenchSuite, percentile, row, timesLess } from './harness.ts';
import { OneByOne } from './load/one-by-one.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import { bodyOf, type GatewayData } from './load/order-taker.ts';
import { openTaker, requestsTo } from './load/order-takers.ts';

const DESKS: readonly (Desk & { readonly words: string })[] = [
  { name: 'venue-b', venue: 'venue_b', words: 'venue B' },
  { name: 'venue-a', venue: 'venue_a', words: 'venue A' },
];
/** Rounds of each way, and steps in a round. The warm rounds compile code. */
const SIZES = { warmRounds: 3, rounds: 7, steps: 300 };
const SMOKE = { warmRounds: 0, rounds: 1, steps: 2 };
const PRICES = ['0.02', '0.01'];

interface Turn {
  /** The processor time of a step in µs. */
  readonly cpu: number;
  /** The µs until each step is answered. */
  readonly us: readonly number[];
}

/** Performs one step; returns the µs that its caller has waited. */
type Step = (index: number) => Promise<number>;

export const suite: BenchSuite = {
  name: 'order/replace',
  rowNames: ['order/replace-cpu', 'order/replace-wait'],
  runsMax: 1,
  async run({ smoke }) {
    const rows: BenchRow[] = [];
    for (const desk of DESKS) rows.push(...(await rowsAt(desk, smoke ? SMOKE : SIZES)));
    return rows;
  },
};

async function rowsAt(desk: (typeof DESKS)[number], { warmRounds, rounds, steps }: typeof SIZES): Promise<BenchRow[]> {
  const rig = await OrderRig.start({ desks: [desk], durability: 'process-safe', paperMode: 'exact' });
  const { gateway } = rig.waysOf(desk);
  const connection = await OneByOne.open(gateway.port);
  try {
    const ways = [replaces, singles, cancelsAndSubmits];
    const turns: Turn[][] = ways.map(() => []);
    for (let round = 0; round < warmRounds + rounds; round++) {
      for (let turn = 0; turn < ways.length; turn++) {
        const way = (round + turn) % ways.length;
        turns[way]!.push(await measured(rig, steps, await ways[way]!(gateway, connection)));
      }
      // One order remains of each of the two ways that keep one order, and all single orders remain.
      await rig.expectResting(desk, steps + 2);
      await rig.cancelAll(desk);
    }
    const [replaced, single, twice] = turns.map(it => it.slice(warmRounds)) as [Turn[], Turn[], Turn[]];
    return rowsOf(desk.words, replaced, single, twice);
  } finally {
    connection.close();
    await rig.close();
  }
}

async function measured(rig: OrderRig, steps: number, step: Step): Promise<Turn> {
  const us: number[] = [];
  const before = rig.gateway.cpuMs();
  for (let index = 0; index < steps; index++) us.push(await step(index));
  return { cpu: ((rig.gateway.cpuMs() - before) * 1_000) / steps, us };
}

const keys = new UuidV7Source(Date.now);

async function replaces(gateway: GatewayData, connection: OneByOne): Promise<Step> {
  const submit = submitOf(gateway, connection);
  const signed = requestsTo(gateway);
  const path = gateway.market.venue === 'venue_b' ? '/v1/venue-b/orders' : '/v1/venue-a/orders';
  let { orderId } = await submit();
  return async index => {
    const body = new TextEncoder().encode(JSON.stringify({ price: PRICES[index % PRICES.length] }));
    const target = `${path}/${orderId}/replace`;
    const request = await signed('POST', { target, body, idempotencyKey: keys.next() });
    const replaced = await asked(connection, request, 201);
    orderId = replaced.orderId;
    return replaced.us;
  };
}

async function singles(gateway: GatewayData, connection: OneByOne): Promise<Step> {
  const submit = submitOf(gateway, connection);
  return async () => (await submit()).us;
}

async function cancelsAndSubmits(gateway: GatewayData, connection: OneByOne): Promise<Step> {
  const taker = openTaker(gateway);
  const submit = submitOf(gateway, connection);
  let { orderId } = await submit();
  return async () => {
    const cancelled = await asked(connection, await taker.cancel({ orderId }), 200);
    const made = await submit();
    orderId = made.orderId;
    return cancelled.us + made.us;
  };
}

function submitOf(gateway: GatewayData, connection: OneByOne) {
  const taker = openTaker(gateway);
  return async () => asked(connection, await taker.order(), taker.madeStatus);
}

async function asked(
  connection: OneByOne,
  request: Buffer,
  status: number,
): Promise<{ readonly us: number; readonly orderId: string }> {
  const answered = await connection.ask(request);
  if (answered.status !== status) throw new Error(`not made: ${answered.answer.toString('latin1')}`);
  return { us: answered.us, orderId: textOf(bodyOf(answered.answer).orderId) };
}

function rowsOf(words: string, replaced: readonly Turn[], single: readonly Turn[], twice: readonly Turn[]): BenchRow[] {
  const baseline = `a cancel and a new order, one after the other over REST, in the same turns; ${RATE_PROFILE}`;
  const cpu = (turns: readonly Turn[]) => turns.map(it => it.cpu);
  const wait = (turns: readonly Turn[]) => turns.map(({ us }) => percentile(us, 0.5));
  const rows = (name: string, of: (turns: readonly Turn[]) => number[], unit: string): BenchRow[] => [
    { ...row(`${name} ${words}`, of(replaced), unit), baseline, ratio: timesLess(of(replaced), of(twice)) },
    row(`${name} ${words} cancel and order`, of(twice), unit),
    row(`${name} ${words} single`, of(single), unit),
  ];
  return [...rows('order/replace-cpu', cpu, 'µs'), ...rows('order/replace-wait p50', wait, 'µs')];
}
