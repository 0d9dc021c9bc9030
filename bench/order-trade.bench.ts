// Orders over /v1/trade beside the same orders over REST, in turns. Measures the time that the gateway adds to a lone order. Also measures the rate
// of one connection with 64 orders in flight, beside 64 connections of REST. /v1/trade checks no signature for each order. Lone orders also go
// through the door on the engine's thread, and through the least gateway, which checks a signature for each order.

import { type BenchRow, type BenchSuite, median, overRounds, percentile, row, timesLess } from './harness.ts';
import { startLeastGateway } from './load/least-gateways.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';
import type { LoneWay, TradeAnswer, TradeData, TradeRequest } from './load/trade-messages.ts';

const DESK: Desk = { name: 'venue-b', venue: 'venue_b' };
const WIDTH = 64;
/** Rounds of each way, and orders in a round. The warm rounds compile code. */
const SIZES = { warmRounds: 4, rounds: 7, lone: 400, block: 50, flood: 3_000 };
const SMOKE = { warmRounds: 0, rounds: 1, lone: 20, block: 10, flood: 80 };

export const suite: BenchSuite = {
  name: 'order/trade',
  rowNames: ['order/trade-added', 'order/trade-throughput'],
  runsMax: 1,
  async run({ smoke }) {
    const { warmRounds, rounds, lone, block, flood } = smoke ? SMOKE : SIZES;
    const rig = await OrderRig.start({ desks: [DESK], durability: 'process-safe', paperMode: 'exact', hasDoor: true });
    try {
      const { way: least } = await startLeastGateway(rig, DESK, 'journal');
      const ways = rig.waysOf(DESK);
      const door = { ...ways.gateway, port: rig.gateway.doorPort };
      const caller = rig.thread('trade-worker.ts', { ...ways, door, least } satisfies TradeData);
      const ask = (request: TradeRequest) => caller.ask<TradeAnswer>(request);
      const [alone, trade, rest]: TradeAnswer[][] = [[], [], []];
      for (let round = 0; round < warmRounds + rounds; round++) {
        alone!.push(await ask({ op: 'lone', count: lone, block }));
        const isEven = round % 2 === 0;
        for (const op of isEven ? (['flood-trade', 'flood-rest'] as const) : (['flood-rest', 'flood-trade'] as const)) {
          (op === 'flood-trade' ? trade! : rest!).push(await ask({ op, count: flood, width: WIDTH }));
        }
        await rig.expectResting(DESK, 4 * lone + 2 * flood);
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
  const added = (way: LoneWay, fraction: number) =>
    alone.map(({ us }) => percentile(us[way], fraction) - percentile(us.venue, fraction));
  const beside = (name: string, own: LoneWay, other: LoneWay, words: string): BenchRow => {
    const ours = added(own, 0.5);
    return {
      ...row(name, ours, 'µs'),
      baseline: `${words}, in the same turns; ${RATE_PROFILE}`,
      ratio: timesLess(ours, added(other, 0.5)),
    };
  };
  const perSecond = (floods: readonly TradeAnswer[]) => floods.map(({ seconds }) => flood / seconds);
  const [fast, slow] = [perSecond(trade), perSecond(rest)];
  return [
    beside('order/trade-added lone p50', 'trade', 'rest', 'the same over REST'),
    row('order/trade-added lone rest p50', added('rest', 0.5), 'µs'),
    row('order/trade-added lone p99', added('trade', 0.99), 'µs'),
    beside('order/trade-added door p50', 'door trade', 'least', 'the least gateway with all its steps'),
    row('order/trade-added door least p50', added('least', 0.5), 'µs'),
    row('order/trade-added door p99', added('door trade', 0.99), 'µs'),
    beside('order/trade-added door rest p50', 'door rest', 'rest', 'REST by the usual door'),
    {
      name: `order/trade-throughput ${WIDTH} in flight`,
      ...overRounds(fast),
      unit: 'orders/s',
      baseline: `REST on ${WIDTH} connections, in the same turns; ${RATE_PROFILE}`,
      ratio: median(fast.map((rate, round) => rate / slow[round]!)),
    },
  ];
}
