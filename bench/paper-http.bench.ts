// Cost of an order at venue B's paper exchange for the caller, over one connection: it shows the simulator's small share of
// the gateway's latency. The baseline is bare uWebSockets.js with the same answer.

import { type BenchRow, type BenchSuite, median, row } from './harness.ts';
import { Latencies } from './load/latencies.ts';
import { type BareBodies, type LoadAnswer, ORDERS_PATH, type PaperStart, type PaperStarted } from './load/messages.ts';
import { Peer } from './load/peer.ts';

const ORDERS = 3_000;
const ROUNDS = 9;
/** As long as a real answer. */
const CREATED = {
  client_order_id: '000000000001',
  fill_count: '0.00',
  order_id: '00000000-0000-0000-0000-000000000000',
  remaining_count: '1.00',
  ts_ms: 1_790_000_000_000,
};

export const suite: BenchSuite = {
  name: 'paper/http',
  runsMax: 1,
  async run({ smoke }) {
    const peers: Peer[] = [];
    const process = (file: string): Peer => {
      const peer = Peer.process(new URL(file, import.meta.url), file);
      peers.push(peer);
      return peer;
    };
    try {
      const start = (mode: PaperStart['mode']) =>
        process('load/paper-process.ts').ask<PaperStarted>({ mode } satisfies PaperStart);
      const [exact, instant] = [await start('exact'), await start('instant')];
      const bodies: BareBodies = { [ORDERS_PATH]: JSON.stringify(CREATED) };
      const bare = await process('baselines/bare-http-process.ts').ask<number>(bodies);
      const callers = Peer.thread(new URL('load/paper-caller-worker.ts', import.meta.url), 'orders', exact);
      peers.push(callers);
      const turn = async (port: number): Promise<Latencies> => {
        const answer = await callers.ask<LoadAnswer>({ port, count: smoke ? 20 : ORDERS });
        const latencies = new Latencies();
        latencies.merge(answer.latencies);
        return latencies;
      };
      const round = async () => ({
        exact: await turn(exact.port),
        bare: await turn(bare),
        instant: await turn(instant.port),
      });
      await round();
      const rounds: Awaited<ReturnType<typeof round>>[] = [];
      for (let index = 0; index < (smoke ? 1 : ROUNDS); index++) rounds.push(await round());
      const figure = (name: string, of: (it: (typeof rounds)[number]) => number): BenchRow => {
        return row(name, rounds.map(of), 'µs');
      };
      const compared = (name: string, of: (it: (typeof rounds)[number]) => number): BenchRow => {
        const ratio = median(rounds.map(it => it.bare.percentileUs(0.5) / of(it)));
        return { ...figure(name, of), baseline: 'bare uWebSockets.js', ratio };
      };
      return [
        compared('paper/http-order p50', it => it.exact.percentileUs(0.5)),
        figure('paper/http-order p99', it => it.exact.percentileUs(0.99)),
        compared('paper/http-instant p50', it => it.instant.percentileUs(0.5)),
        figure('paper/http-instant p99', it => it.instant.percentileUs(0.99)),
        figure('paper/http bare p50', it => it.bare.percentileUs(0.5)),
      ];
    } finally {
      for (const peer of peers) await peer.kill();
    }
  },
};
