// How many signed requests a second the gateway answers at most, each with a checked signature, and the processor time
// of each over all threads.

import { type BenchSuite, closing } from './harness.ts';
import { HttpRig } from './load/http-rig.ts';
import type { Turn } from './load/rig.ts';
import { percentileMeasure, perRequestMeasure, requestRateMeasure, turnsRow } from './load/turns.ts';

const CONNECTIONS = 64;
const DURATION_MS = 4_000;
const ROUNDS = 5;

export const suite: BenchSuite = {
  name: 'http/whoami-throughput',
  runsMax: 1,
  async run(options) {
    return closing(await HttpRig.start(options), async rig => {
      const shape = { target: '/v1/whoami', connections: CONNECTIONS, durationMs: options.smoke ? 50 : DURATION_MS };
      const turns: Turn[] = [];
      await rig.load(rig.gateway, shape);
      for (let round = 0; round < (options.smoke ? 1 : ROUNDS); round++) {
        turns.push(await rig.load(rig.gateway, shape));
      }
      return [
        turnsRow('http/whoami-throughput', turns, requestRateMeasure),
        turnsRow('http/whoami-throughput cpu', turns, perRequestMeasure),
        turnsRow('http/whoami-throughput p50', turns, percentileMeasure(0.5)),
        turnsRow('http/whoami-throughput p99', turns, percentileMeasure(0.99)),
      ];
    });
  },
};
