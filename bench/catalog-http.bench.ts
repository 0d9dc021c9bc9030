// Signed requests while the catalog is refreshed without a pause, beside the same requests without that, in turns: one caller, one
// connection. And a page of the markets that the gateway's own catalog has, which is that of a bench: none; what is timed is the way
// there and back.

import { type BenchRow, type BenchSuite, median } from './harness.ts';
import type { RefreshQuestion } from './load/catalog-refresh-process.ts';
import { HttpRig } from './load/http-rig.ts';
import type { Turn } from './load/rig.ts';

const GAMES = 10_000;
const DURATION_MS = 2_000;
const ROUNDS = 7;

export const suite: BenchSuite = {
  name: 'catalog/http',
  async run(options): Promise<BenchRow[]> {
    const { smoke } = options;
    const rig = await HttpRig.start(options);
    try {
      const catalog = rig.process('catalog-refresh-process.ts');
      const ask = (question: RefreshQuestion): Promise<unknown> => catalog.ask(question);
      await ask({ op: 'make', games: smoke ? 50 : GAMES });
      const shape = { connections: 1, durationMs: smoke ? 30 : DURATION_MS };
      const load = (target: string): Promise<Turn> => rig.load(rig.gateway, { ...shape, target });
      const [quiet, busy, pages]: [number[], number[], number[]] = [[], [], []];
      await load('/v1/time');
      for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
        quiet.push((await load('/v1/time')).latencies.percentileUs(0.99));
        pages.push((await load('/v1/markets')).latencies.percentileUs(0.5));
        await ask({ op: 'begin' });
        busy.push((await load('/v1/time')).latencies.percentileUs(0.99));
        await ask({ op: 'end' });
      }
      const ratio = median(quiet.map((us, round) => us / busy[round]!));
      const baseline = 'p99 without a refresh';
      return [
        { name: 'catalog/http-refresh p99', value: median(busy), unit: 'µs', baseline, ratio },
        { name: 'catalog/http-markets p50', value: median(pages), unit: 'µs', baseline: '', ratio: null },
      ];
    } finally {
      await rig.close();
    }
  },
};
