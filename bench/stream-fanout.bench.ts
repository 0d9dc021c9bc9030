// One book to a hundred subscribers, each on its own socket. First the book changes 2 000 times a second, then as fast as the gateway takes the
// deltas. The number in flight is bounded, so that no subscriber is closed as too slow. The subscribers are raw sockets on one thread that only
// check numbers: a hundred real clients would need more processor time than the gateway. The baseline is bare uWebSockets.js that sends the same
// bytes to the same subscribers.

import { type BenchSuite, closing } from './harness.ts';
import { Rig } from './load/rig.ts';
import { alternateTurns, cpuMeasure, lostRow, percentileMeasure, rateMeasure, rowPair } from './load/turns.ts';

const SUBSCRIBERS = 100;
const PER_SECOND = 2_000;
const FRAMES = 6_000;
const SATURATED_MS = 3_000;
/** The deltas in flight: about a quarter of a second's backlog at the target rate, far from the gateway's streamLagBytes. */
const WINDOW = 512;
const WORDS = 'bare uWebSockets.js relay of the same bytes';

export const suite: BenchSuite = {
  name: 'stream/fanout',
  runsMax: 1,
  async run({ smoke }) {
    const rounds = smoke ? 1 : 3;
    const frames = smoke ? 50 : FRAMES;
    const saturatedMs = smoke ? 100 : SATURATED_MS;
    const subscribers = smoke ? 5 : SUBSCRIBERS;
    return closing(await Rig.start(), async rig => {
      const gateway = await rig.throughGateway(subscribers);
      const relay = await rig.throughRelay(subscribers);
      for (const path of [gateway, relay]) await path.play(PER_SECOND, frames);
      const steady = await alternateTurns(
        rounds,
        WORDS,
        () => gateway.play(PER_SECOND, frames),
        () => relay.play(PER_SECOND, frames),
      );
      const saturated = await alternateTurns(
        rounds,
        WORDS,
        () => gateway.flood(saturatedMs, WINDOW),
        () => relay.flood(saturatedMs, WINDOW),
      );
      return [
        ...rowPair('stream/fanout', 'stream/fanout relay', steady, rateMeasure),
        lostRow('stream/fanout lost', steady),
        ...rowPair('stream/fanout p50', 'stream/fanout relay p50', steady, percentileMeasure(0.5)),
        ...rowPair('stream/fanout p99', 'stream/fanout relay p99', steady, percentileMeasure(0.99)),
        ...rowPair('stream/fanout cpu', 'stream/fanout relay cpu', steady, cpuMeasure),
        ...rowPair('stream/fanout-saturated', 'stream/fanout-saturated relay', saturated, rateMeasure),
        lostRow('stream/fanout-saturated lost', saturated),
      ];
    });
  },
};
