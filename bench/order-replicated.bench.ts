// The time that a replicated gateway adds to an order for one caller who waits for each answer, in turns with an embedded gateway. One NATS server
// runs on this machine. It writes each record to its file without a sync. An order waits for two acknowledgements.

import { NatsServer } from '../test/support/nats-server.ts';
import { type BenchRow, type BenchSuite, row, timesLess } from './harness.ts';
import { added, PERCENTILES } from './load/added-time.ts';
import type { OneCallerAnswer, OneCallerRequest } from './load/order-messages.ts';
import { type Desk, OrderRig, RATE_PROFILE } from './load/order-rig.ts';

const DESK: Desk = { name: 'venue-b', venue: 'venue_b' };
const SIZES = { warmRounds: 4, rounds: 7, count: 500, block: 50 };
const SMOKE = { warmRounds: 0, rounds: 1, count: 20, block: 10 };
/** An address that no client uses. */
const PUBLIC_URL = 'http://127.0.0.1:8080';

type Ask = () => Promise<OneCallerAnswer>;

export const suite: BenchSuite = {
  name: 'order/replicated',
  rowNames: ['order/replicated-added'],
  runsMax: 1,
  async run({ smoke }) {
    const sizes = smoke ? SMOKE : SIZES;
    const nats = await NatsServer.start();
    const environment = { CROSSBOOK_NATS: nats.url, CROSSBOOK_PUBLIC_URL: PUBLIC_URL };
    const rigs = [
      await OrderRig.start({ desks: [DESK], durability: 'process-safe', paperMode: 'exact' }),
      await OrderRig.start({ desks: [DESK], durability: 'replicated', paperMode: 'exact', environment }),
    ];
    try {
      const [embedded, replicated] = rigs.map(rig => submissions(rig, sizes)) as [Ask, Ask];
      const [alone, streamed]: OneCallerAnswer[][] = [[], []];
      for (let round = 0; round < sizes.warmRounds + sizes.rounds; round++) {
        alone!.push(await embedded());
        streamed!.push(await replicated());
      }
      return rowsOf(alone!.slice(sizes.warmRounds), streamed!.slice(sizes.warmRounds));
    } finally {
      for (const rig of rigs) await rig.close();
      await nats.close();
    }
  },
};

function submissions(rig: OrderRig, { count, block }: typeof SIZES): Ask {
  const caller = rig.thread('one-caller-worker.ts', rig.waysOf(DESK));
  const ask = (request: OneCallerRequest) => caller.ask<OneCallerAnswer>(request);
  return async () => {
    const submitted = await ask({ op: 'submit', count, block });
    await rig.expectResting(DESK, count);
    await ask({ op: 'cancel', block });
    await rig.expectResting(DESK, 0);
    return submitted;
  };
}

function rowsOf(alone: readonly OneCallerAnswer[], streamed: readonly OneCallerAnswer[]): BenchRow[] {
  return PERCENTILES.flatMap(([words, fraction]) => {
    const [embedded, replicated] = [alone, streamed].map(rounds => added(rounds, 'gateway', fraction)) as [
      number[],
      number[],
    ];
    const baseline = `an embedded gateway, in turns; ${RATE_PROFILE}`;
    return [
      {
        ...row(`order/replicated-added venue-b ${words}`, replicated, 'µs'),
        baseline,
        ratio: timesLess(replicated, embedded),
      },
      row(`order/replicated-added embedded ${words}`, embedded, 'µs'),
    ];
  });
}
