// The cost of bad input for other callers. Measures the latency of one well-behaved caller, alone and beside a steady stream of bad requests. Bad
// requests are malformed or wrongly signed, some of them under that caller's own key.

import { type BenchSuite, closing, row } from './harness.ts';
import { HttpRig } from './load/http-rig.ts';
import type { BadInputAnswer } from './load/messages.ts';
import type { Turn } from './load/rig.ts';
import { alternateTurns, percentileMeasure, rowPair } from './load/turns.ts';

const DURATION_MS = 1_500;
const ROUNDS = 5;

export const suite: BenchSuite = {
  name: 'http/bad-input',
  runsMax: 1,
  async run(options) {
    const { smoke } = options;
    return closing(await HttpRig.start(options), async rig => {
      const bad = rig.thread('http-bad-input-worker.ts', { keyId: rig.keys[0]!.keyId });
      const shape = { target: '/v1/time', connections: 1, durationMs: smoke ? 50 : DURATION_MS };
      const badPerSecond: number[] = [];
      const alone = () => rig.load(rig.gateway, shape);
      const beside = async (): Promise<Turn> => {
        await bad.ask({ op: 'begin', port: rig.gateway.port });
        const turn = await alone();
        const { sent, elapsedMs } = await bad.ask<BadInputAnswer>({ op: 'end' });
        badPerSecond.push((1_000 * sent) / elapsedMs);
        return turn;
      };
      await alone();
      const turns = await alternateTurns(smoke ? 1 : ROUNDS, 'the same caller alone', beside, alone);
      return [
        ...rowPair('http/bad-input p50', 'http/bad-input alone p50', turns, percentileMeasure(0.5)),
        ...rowPair('http/bad-input p99', 'http/bad-input alone p99', turns, percentileMeasure(0.99)),
        row('http/bad-input rate', badPerSecond, 'bad/s'),
      ];
    });
  },
};
