// From a venue's frame to a subscriber's message: a venue B delta through the real gateway, with process, threads and sockets. The load is an open
// loop at a constant rate. Latency counts from the time at which the frame was due, so that a stall is charged to every frame that it delays. The
// same subscriber also uses the venue's own socket: the difference is the gateway's time. Beside a relay of the same bytes, the difference is the
// gateway's work on them.

import { type BenchOptions, type BenchRow, type BenchSuite, closing } from './harness.ts';
import { type Path, Rig } from './load/rig.ts';
import { alternateTurns, maxMeasure, percentileMeasure, rowPair } from './load/turns.ts';

const WARM_UP_PER_SECOND = 2_000;
const RATES = [
  { perSecond: 2_000, frames: 6_000 },
  { perSecond: 200, frames: 800 },
] as const;
const MEASURES = [
  { word: 'p50', measure: percentileMeasure(0.5) },
  { word: 'p90', measure: percentileMeasure(0.9) },
  { word: 'p99', measure: percentileMeasure(0.99) },
  { word: 'max', measure: maxMeasure },
];

export const suite: BenchSuite = {
  name: 'stream/wire-to-wire',
  runsMax: 1,
  async run(options) {
    return closing(await Rig.start(), async rig => {
      const [gateway, direct, relay] = [await rig.throughGateway(1), await rig.direct(), await rig.throughRelay(1)];
      for (const path of [gateway, direct, relay]) await path.play(WARM_UP_PER_SECOND, options.smoke ? 50 : 6_000);
      const rows: BenchRow[] = [];
      for (const { perSecond, frames } of RATES) {
        rows.push(...(await rowsAt(perSecond, options.smoke ? 20 : frames, gateway, direct, options)));
      }
      rows.push(...(await rowsBesideRelay(gateway, relay, options)));
      return rows;
    });
  },
};

async function rowsAt(
  perSecond: number,
  frames: number,
  gateway: Path,
  direct: Path,
  { smoke }: BenchOptions,
): Promise<BenchRow[]> {
  const turns = await alternateTurns(
    smoke ? 1 : 3,
    'subscriber on the venue socket',
    () => gateway.play(perSecond, frames),
    () => direct.play(perSecond, frames),
  );
  const name = `stream/wire-to-wire@${perSecond}`;
  return MEASURES.flatMap(({ word, measure }) => rowPair(`${name} ${word}`, `${name} direct ${word}`, turns, measure));
}

/** Makes rows at the first rate, in turns of their own. */
async function rowsBesideRelay(gateway: Path, relay: Path, { smoke }: BenchOptions): Promise<BenchRow[]> {
  const [{ perSecond, frames }] = RATES;
  const turns = await alternateTurns(
    smoke ? 1 : 3,
    'relay of the same bytes',
    () => gateway.play(perSecond, smoke ? 20 : frames),
    () => relay.play(perSecond, smoke ? 20 : frames),
  );
  const name = `stream/wire-to-wire-beside-relay@${perSecond}`;
  return MEASURES.flatMap(({ word, measure }) => rowPair(`${name} ${word}`, `${name} relay ${word}`, turns, measure));
}
