// How long a signed request takes for one caller on one connection. The baseline is the sum of two unavoidable parts, measured in turns with it:
// the same bytes to bare uWebSockets.js and back, and one verification. The rest is the gateway's own work. A round trip to the pool, which a lone
// caller avoids (ADR 0020), is measured beside them.

import { type BenchSuite, closing, median, row } from './harness.ts';
import { HttpRig } from './load/http-rig.ts';
import type { HopAnswer } from './load/messages.ts';

const PATH = '/v1/time';
const DURATION_MS = 800;
const HOPS = 3_000;
const VERIFICATIONS = 3_000;
const ROUNDS = 9;

/** The microseconds of one round. */
interface Round {
  readonly p50: number;
  readonly p99: number;
  readonly bare: number;
  readonly hop: number;
  readonly verification: number;
}

export const suite: BenchSuite = {
  name: 'http/time-signed',
  runsMax: 1,
  async run(options) {
    const { smoke } = options;
    return closing(await HttpRig.start(options), async rig => {
      const bare = await rig.bareServer([PATH]);
      const parts = rig.process('http-pool-hop-process.ts');
      const shape = { target: PATH, connections: 1, durationMs: smoke ? 30 : DURATION_MS };
      const round = async (): Promise<Round> => {
        const signed = (await rig.load(rig.gateway, shape)).latencies;
        const bareLatencies = (await rig.load(bare, shape)).latencies;
        const hop = await parts.ask<HopAnswer>({ op: 'hops', count: smoke ? 10 : HOPS });
        const verification = await parts.ask<HopAnswer>({ op: 'verifications', count: smoke ? 10 : VERIFICATIONS });
        return {
          p50: signed.percentileUs(0.5),
          p99: signed.percentileUs(0.99),
          bare: bareLatencies.percentileUs(0.5),
          hop: hop.p50Us,
          verification: verification.p50Us,
        };
      };
      await round();
      const rounds: Round[] = [];
      for (let index = 0; index < (smoke ? 1 : ROUNDS); index++) rounds.push(await round());
      return rowsOf(rounds);
    });
  },
};

function rowsOf(rounds: readonly Round[]) {
  const figure = (name: string, of: (round: Round) => number) => row(`http/time-signed ${name}`, rounds.map(of), 'µs');
  const ratio = median(rounds.map(({ p50, bare, verification }) => (bare + verification) / p50));
  return [
    { ...figure('p50', it => it.p50), baseline: 'bare uWebSockets.js + one verification', ratio },
    figure('p99', it => it.p99),
    figure('bare p50', it => it.bare),
    figure('hop p50', it => it.hop),
    figure('verify p50', it => it.verification),
  ];
}
