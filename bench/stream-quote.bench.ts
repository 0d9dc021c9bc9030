// Two thousand subscribers of one market's quotes, with at most one quote in 100 ms. The market's book changes 2 000 times a second, and one change
// in eight is of a best level. Age is the time since the change that a quote shows: a queue would make it grow.

import { type BenchSuite, closing } from './harness.ts';
import { quotesEvery, Rig } from './load/rig.ts';
import { cpuMeasure, percentileMeasure, rateMeasure, turnsRow } from './load/turns.ts';

const SUBSCRIBERS = 2_000;
const INTERVAL_MS = 100;
const PER_SECOND = 2_000;
const FRAMES = 6_000;

export const suite: BenchSuite = {
  name: 'stream/quote',
  runsMax: 1,
  async run({ smoke }) {
    const subscribers = smoke ? 5 : SUBSCRIBERS;
    const frames = smoke ? 400 : FRAMES;
    return closing(await Rig.start(), async rig => {
      const path = await rig.throughGateway(subscribers, quotesEvery(INTERVAL_MS));
      await path.play(PER_SECOND, frames);
      const turns = [];
      for (let round = 0; round < (smoke ? 1 : 3); round++) turns.push(await path.play(PER_SECOND, frames));
      return [
        turnsRow('stream/quote', turns, { ...rateMeasure, unit: 'quotes/s' }),
        turnsRow('stream/quote cpu', turns, cpuMeasure),
        turnsRow('stream/quote age p50', turns, percentileMeasure(0.5)),
        turnsRow('stream/quote age p99', turns, percentileMeasure(0.99)),
      ];
    });
  },
};
