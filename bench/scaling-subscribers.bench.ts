// The cost of a delta with one to two thousand subscribers, each on its own socket. Measures the processor time of the whole gateway until all
// subscribers have the delta, and their wait. Each number of subscribers has its own gateway, so that none pays for another's subscribers.

import { type BenchOptions, type BenchRow, type BenchSuite, closing } from './harness.ts';
import { Rig } from './load/rig.ts';
import { scalingRow } from './scaling-measures.ts';

const COUNTS = [1, 10, 100, 500, 1_000, 2_000];
const SMOKE_COUNTS = [1, 10];
/** The deltas a second. They make at most 100 000 deliveries a second, half of the gateway's maximum with a core. */
const PER_SECOND = 50;
const FRAMES = 150;
const SMOKE_FRAMES = 10;

export const suite: BenchSuite = {
  name: 'scaling/subscribers',
  runsMax: 1,
  async run(options) {
    const rows: BenchRow[] = [];
    for (const count of options.smoke ? SMOKE_COUNTS : COUNTS) rows.push(...(await rowsOf(count, options)));
    return rows;
  },
};

async function rowsOf(count: number, { smoke }: BenchOptions): Promise<BenchRow[]> {
  const frames = smoke ? SMOKE_FRAMES : FRAMES;
  return closing(await Rig.start(), async rig => {
    const path = await rig.throughGateway(count);
    await path.play(PER_SECOND, frames);
    const { lost, elapsedMs, cpuPercent, latencies } = await path.play(PER_SECOND, frames);
    if (lost > 0) throw new Error(`${lost} deliveries to ${count} subscribers were lost`);
    return [
      scalingRow('subscribers-cpu', count, (10 * cpuPercent * elapsedMs) / frames),
      scalingRow('subscribers-p50', count, latencies.percentileUs(0.5)),
      scalingRow('subscribers-p99', count, latencies.percentileUs(0.99)),
    ];
  });
}
