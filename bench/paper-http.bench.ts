// Cost of an order at venue B's paper exchange for the caller, over one connection: it shows the simulator's small share of
// the gateway's latency. The baseline is bare uWebSockets.js with the same answer.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, type BenchSuite, median, row } from './harness.ts';
import { Latencies } from './load/latencies.ts';
import { type BareBodies, type LoadAnswer, ORDERS_PATH, type PaperCallerData } from './load/messages.ts';
import { type PaperMode, PaperService } from './load/paper-service.ts';
import { Peer } from './load/peer.ts';

const ORDERS = 3_000;
const ROUNDS = 9;
/** An answer with the length of a real answer. */
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
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
    const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
    const start = async (mode: PaperMode): Promise<PaperService> => {
      const paper = await PaperService.start(mode, join(folder, mode));
      ends.push(() => paper.close());
      return paper;
    };
    try {
      const [exactVenue, instantVenue] = [await start('exact'), await start('instant')];
      const account = await exactVenue.venueBAccount('ed25519');
      const { ticker } = await exactVenue.venueBMarket();
      const [exact, instant] = [exactVenue, instantVenue].map(it => Number(new URL(it.url('venue B')).port));
      const server = Peer.process(new URL('baselines/bare-http-process.ts', import.meta.url), 'bare server');
      ends.push(() => server.kill());
      const bare = await server.ask<number>({ [ORDERS_PATH]: JSON.stringify(CREATED) } satisfies BareBodies);
      const data: PaperCallerData = { ...account, ticker };
      const callers = Peer.thread(new URL('load/paper-caller-worker.ts', import.meta.url), 'orders', data);
      ends.push(() => callers.kill());
      const turn = async (port: number): Promise<Latencies> => {
        const answer = await callers.ask<LoadAnswer>({ port, count: smoke ? 20 : ORDERS });
        return Latencies.of(answer.latencies);
      };
      const round = async () => ({
        exact: await turn(exact!),
        bare: await turn(bare),
        instant: await turn(instant!),
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
      for (const end of ends.reverse()) await end();
    }
  },
};
