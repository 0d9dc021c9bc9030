// The catalog built whole, from what both venues list of 10 000 games with 100 000 markets, beside putting the same markets in a map
// by their ids. Memory is what is held in the end, the venues' own objects included.

import { buildCatalog } from '../src/catalog/build-catalog.ts';
import { EventIds } from '../src/catalog/matching/event-ids.ts';
import { listedGames } from './catalog-workload.ts';
import { type BenchRow, type BenchSuite, median } from './harness.ts';

const GAMES = 10_000;
const ROUNDS = 5;
const MIB = 1_048_576;

export const suite: BenchSuite = {
  name: 'catalog/build',
  async run({ smoke }): Promise<BenchRow[]> {
    const before = usedMib();
    const listed = listedGames(smoke ? 200 : GAMES);
    const markets = listed.reduce((sum, event) => sum + event.markets.length, 0);
    const [built, plain]: [number[], number[]] = [[], []];
    let held = 0;
    for (let round = 0; round < (smoke ? 1 : ROUNDS); round += 1) {
      plain.push(elapsedMs(() => new Map(listed.flatMap(it => it.markets).map(it => [it.marketId, it]))));
      built.push(
        elapsedMs(() => {
          const catalog = buildCatalog(listed, new EventIds());
          held = usedMib() - before;
          return catalog;
        }),
      );
    }
    const [ms, baselineMs] = [median(built), median(plain)];
    return [
      { name: 'catalog/build', value: ms, unit: 'ms', baseline: 'a map of the markets by id', ratio: baselineMs / ms },
      { name: 'catalog/build markets', value: markets, unit: 'markets', baseline: '', ratio: null },
      { name: 'catalog/build memory', value: held, unit: 'MiB', baseline: '', ratio: null },
    ];
  },
};

function elapsedMs(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function usedMib(): number {
  return process.memoryUsage().heapUsed / MIB;
}
