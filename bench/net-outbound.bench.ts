// The cost of a request to a venue, beside undici. Bare uWebSockets.js in its own process answers at once. The caller has a thread of its own, as
// the engine has. Measured in a closed loop over one connection, and at 1 000 requests a second.

import type { BenchRow, BenchSuite } from './harness.ts';
import { Latencies } from './load/latencies.ts';
import type { BareBodies, OutboundAnswer, OutboundClient, OutboundQuestion } from './load/messages.ts';
import { Peer } from './load/peer.ts';
import { alternateTurns, percentileMeasure, rowPair, type Turns } from './load/turns.ts';

const PATH = '/portfolio/events/orders';
/** Bodies with the length of a real answer. */
const BODIES: BareBodies = {
  [PATH]: JSON.stringify({ order_id: '0'.repeat(36), client_order_id: '0'.repeat(36), ts_ms: 0 }),
};
const ROUNDS = 9;

export const suite: BenchSuite = {
  name: 'net/outbound',
  runsMax: 1,
  async run({ smoke }) {
    const server = Peer.process(new URL('baselines/bare-http-process.ts', import.meta.url), 'bare server');
    const port = await server.ask<number>(BODIES);
    const caller = Peer.thread(new URL('load/outbound-worker.ts', import.meta.url), 'caller', { port, path: PATH });
    const turn = (client: OutboundClient, loop: OutboundQuestion['loop']) => async () => {
      const question: OutboundQuestion = { client, loop, count: smoke ? 50 : loop === 'open' ? 2_000 : 4_000 };
      const { counts } = await caller.ask<OutboundAnswer>(question);
      const latencies = Latencies.of(counts);
      return { latencies, deliveries: latencies.count, lost: 0, elapsedMs: 0, cpuPercent: 0 };
    };
    const turns = (loop: OutboundQuestion['loop']): Promise<Turns> =>
      alternateTurns(smoke ? 1 : ROUNDS, 'undici', turn('pool', loop), turn('undici', loop));
    try {
      for (const client of ['pool', 'undici'] as const) await turn(client, 'closed')();
      const rows: BenchRow[] = [];
      for (const [loop, words] of [
        ['closed', 'one connection'],
        ['open', 'at 1000 a second'],
      ] as const) {
        const measured = await turns(loop);
        for (const percent of [50, 99]) {
          const name = `net/outbound ${words} p${percent}`;
          rows.push(...rowPair(name, `${name} undici`, measured, percentileMeasure(percent / 100)));
        }
      }
      return rows;
    } finally {
      await caller.kill();
      await server.kill();
    }
  },
};
