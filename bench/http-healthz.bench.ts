// The minimal request: sockets, routing, reply. The baseline sends the same bytes with bare uWebSockets.js. The callers
// may limit both, so the processor time per request is shown beside the rate.

import { type BenchSuite, closing } from './harness.ts';
import { HttpRig } from './load/http-rig.ts';
import { alternateTurns, perRequestMeasure, requestRateMeasure, rowPair } from './load/turns.ts';

const PATH = '/healthz';
const CONNECTIONS = 32;
const DURATION_MS = 2_000;
const ROUNDS = 5;

export const suite: BenchSuite = {
  name: 'http/healthz',
  runsMax: 1,
  async run(options) {
    return closing(await HttpRig.start(options), async rig => {
      const bare = await rig.bareServer([PATH]);
      const durationMs = options.smoke ? 50 : DURATION_MS;
      const shape = { target: PATH, connections: CONNECTIONS, durationMs, isSigned: false };
      for (const server of [rig.gateway, bare]) await rig.load(server, shape);
      const turns = await alternateTurns(
        options.smoke ? 1 : ROUNDS,
        'bare uWebSockets.js, same body',
        () => rig.load(rig.gateway, shape),
        () => rig.load(bare, shape),
      );
      return [
        ...rowPair('http/healthz', 'http/healthz bare', turns, requestRateMeasure),
        ...rowPair('http/healthz cpu', 'http/healthz bare cpu', turns, perRequestMeasure),
      ];
    });
  },
};
