// Orders over /v1/trade beside the same orders over REST, in turns: what the gateway adds to a lone one, and how many a second one
// connection with 64 under way makes beside 64 connections of REST. /v1/trade checks no signature for each order.

import { type BenchRow, type BenchSuite, median, overRounds, percentile, row, timesLess } from './harness.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import type { TradeAnswer, TradeRequest } from './load/trade-messages.ts';

const DESK: Desk = { name: 'venue-b', venue: 'venue_b' };
const WIDTH = 64;
/** Of each way and round. Use compiles code. */
const SIZES = { warmRounds: 4, rounds: 7, lone: 400, block: 50, flood: 3_000 };
const SMOKE = { warmRounds: 0, rounds: 1, lone: 20, block: 10, flood: 80 };
const OF_REST = `the same over REST, in the same turns; ${RATE_PROFILE}`;

export const suite: BenchSuite = {
  name: 'order/trade',
  rowNames: ['order/trade-added', 'order/trade-throughput'],
  runsMax: 1,
  async run({ smoke }) {
    const { warmRounds, rounds, lone, block, flood } = smoke ? SMOKE : SIZES;
    const rig = await OrderRig.start({ desks: [DESK], durability: 'process-safe', paperMode: 'exact' });
    try {
      const caller = rig.thread('trade-worker.ts', rig.waysOf(DESK));
      const ask = (request: TradeRequest) => caller.ask<TradeAnswer>(request);
      const [alone, trade, rest]: TradeAnswer[][] = [[], [], []];
      for (let round = 0; round < warmRounds + rounds; round++) {
        alone!.push(await ask({ op: 'lone', count: lone, block }));
        const isEven = round % 2 === 0;
        for (const op of isEven ? (['flood-trade', 'flood-rest'] as const) : (['flood-rest', 'flood-trade'] as const)) {
          (op === 'flood-trade' ? trade! : rest!).push(await ask({ op, count: flood, width: WIDTH }));
        }
        await rig.expectResting(DESK, 2 * (lone + flood));
        await rig.cancelAll(DESK);
      }
      return rowsOf(alone!.slice(warmRounds), trade!.slice(warmRounds), rest!.slice(warmRounds), flood);
    } finally {
      await rig.close();
    }
  },
};

function rowsOf(
  alone: readonly TradeAnswer[],
  trade: readonly TradeAnswer[],
  rest: readonly TradeAnswer[],
  flood: number,
): BenchRow[] {
  const added = (way: 'trade' | 'rest', fraction: number) =>
    alone.map(({ us }) => percentile(us[way], fraction) - percentile(us.venue, fraction));
  const [ours, theirs] = [added('trade', 0.5), added('rest', 0.5)];
  const perSecond = (floods: readonly TradeAnswer[]) => floods.map(({ seconds }) => flood / seconds);
  const [fast, slow] = [perSecond(trade), perSecond(rest)];
  return [
    {
      ...row('order/trade-added lone p50', ours, 'µs'),
      baseline: OF_REST,
      ratio: timesLess(ours, theirs),
    },
    row('order/trade-added lone rest p50', theirs, 'µs'),
    row('order/trade-added lone p99', added('trade', 0.99), 'µs'),
    {
      name: `order/trade-throughput ${WIDTH} in flight`,
      ...overRounds(fast),
      unit: 'orders/s',
      baseline: `REST on ${WIDTH} connections, in the same turns; ${RATE_PROFILE}`,
      ratio: median(fast.map((rate, round) => rate / slow[round]!)),
    },
  ];
}
