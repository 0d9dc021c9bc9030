// The cost of signed requests for other work on the gateway's main thread, above all books. The measure is how late a 1 ms timer is at half of
// the gateway's maximum rate. The same timer in an idle process shows the machine's share. The same load on bare uWebSockets.js shows the
// callers' share of the latencies.

import { type BenchRow, type BenchSuite, closing, overRounds, row, timesLess } from './harness.ts';
import { HttpRig, latenessDuring } from './load/http-rig.ts';
import type { Lateness } from './load/messages.ts';
import type { Turn } from './load/rig.ts';
import {
  alternateTurns,
  percentileMeasure,
  perRequestMeasure,
  requestRateMeasure,
  rowPair,
  turnsRow,
} from './load/turns.ts';

const TARGET = '/v1/whoami';
const REQUEST = 'http/main-loop-delay request';
const CONNECTIONS = 64;
const MAXIMUM_MS = 2_000;
const DURATION_MS = 3_000;
const ROUNDS = 5;

export const suite: BenchSuite = {
  name: 'http/main-loop-delay',
  runsMax: 1,
  async run(options) {
    const { smoke } = options;
    return closing(await HttpRig.start(options), async rig => {
      const idle = rig.process('http-idle-process.ts');
      await idle.ask({});
      const bare = await rig.bareServer([TARGET]);
      const shape = { target: TARGET, connections: CONNECTIONS };
      const flat = { ...shape, durationMs: smoke ? 50 : MAXIMUM_MS };
      await rig.load(rig.gateway, flat);
      const requestsPerSecond = requestRateMeasure.of(await rig.load(rig.gateway, flat)) / 2;
      const steady = { ...shape, durationMs: smoke ? 50 : DURATION_MS, requestsPerSecond };
      const pairs: (readonly Lateness[])[] = [];
      const ours = async (): Promise<Turn> => {
        const load = () => rig.load(rig.gateway, steady);
        const { result, lateness } = await latenessDuring([rig.gateway.process, idle], load);
        pairs.push(lateness);
        return result;
      };
      const words = 'bare uWebSockets.js, same body, rate and callers';
      const turns = await alternateTurns(smoke ? 1 : ROUNDS, words, ours, () => rig.load(bare, steady));
      return [
        ...latenessRows(pairs),
        turnsRow('http/main-loop-delay rate', turns.ours, requestRateMeasure),
        turnsRow('http/main-loop-delay cpu', turns.ours, perRequestMeasure),
        ...rowPair(`${REQUEST} p50`, `${REQUEST} bare p50`, turns, percentileMeasure(0.5)),
        ...rowPair(`${REQUEST} p99`, `${REQUEST} bare p99`, turns, percentileMeasure(0.99)),
      ];
    });
  },
};

/** Makes the rows. `pairs` has the lateness of the gateway and of the idle process in each turn. */
function latenessRows(pairs: readonly (readonly Lateness[])[]): BenchRow[] {
  const [own, other] = [pairs.map(([it]) => it!.p99Us), pairs.map(([, it]) => it!.p99Us)];
  const ratio = timesLess(own, other);
  const baseline = 'idle process at the same time';
  return [
    { name: 'http/main-loop-delay p99', ...overRounds(own), unit: 'µs', baseline, ratio },
    row('http/main-loop-delay idle p99', other, 'µs'),
  ];
}
