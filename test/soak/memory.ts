// `npm run soak:memory`: the gateway's process under a load that stays the same, and whether its memory does. Exit code 1 if that grows,
// or if it cannot be said that it does not.
//
//   --minutes M    of measuring (default 20)
//   --warm-up M    minutes before it (default 5): code is compiled, heaps and pools get the size that they keep
//   --rate N       orders a second of all actors (default 20)
//   --seed S       (default 1)
//
// What is held against the bound is anonymous memory (RssAnon): the pages of the stores' files grow with what is stored, and the system
// takes them back when it wants them. And it is what is still reachable: threads with heaps of 20 MB have little reason to collect
// what is old, and quiet ones collect nothing for minutes. So the gateway runs with V8's --gc-global, which makes every collection a whole
// one, and a young generation that is soon full; and of every half minute the lowest counts. Without them it grew by 2 MiB a minute for a
// quarter of an hour, and one collection on every thread gave all of it back.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../../src/runtime/random.ts';
import { GatewayProcess } from './gateway-process.ts';
import { marketsToTrade } from './markets.ts';
import { PaperProcess } from './paper-process.ts';
import { type Resident, residentOf } from './resident.ts';
import { SteadyLoad } from './steady-load.ts';
import { steadyPort } from './steady-port.ts';
import { floorsOf, type Point, trendOf } from './trend.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    'warm-up': { type: 'string', default: '5' },
    rate: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const [minutes, warmUp, ordersPerS, seed] = [values.minutes, values['warm-up'], values.rate, values.seed].map(
  Number,
) as [number, number, number, number];
if (!(minutes >= 2 && warmUp >= 0 && ordersPerS > 0 && Number.isInteger(seed))) {
  console.error('--minutes must be 2 at least, --warm-up not negative, --rate more than 0, --seed a whole number');
  process.exit(2);
}

// Its processes end with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Of anonymous memory, surely less than this: 1.4 GB a day, and a soak of 20 minutes can tell it from noise. */
const GROWTH_MIB_PER_MINUTE_MAX = 1;
const SAMPLE_MS = 1_000;
const FLOOR_MINUTES = 0.5;
const SUBSCRIBERS = 12;
/** Times the recorded pace of the market flow. */
const INTENSITY = 2;
const MIB = 1_024 * 1_024;
const MINUTE_MS = 60_000;

interface Sample extends Resident {
  readonly minute: number;
}

async function measured(gateway: GatewayProcess): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  for (let minute = 0; minute < warmUp + minutes; minute = (performance.now() - startedAt) / MINUTE_MS) {
    const sample = { minute, ...residentOf(gateway.pid) };
    if (Math.floor(minute) > Math.floor(samples.at(-1)?.minute ?? -1)) print(sample);
    samples.push(sample);
    await pause(SAMPLE_MS);
  }
  return samples.filter(({ minute }) => minute >= warmUp);
}

function print({ minute, anonymousBytes, fileBytes, sharedBytes }: Sample): void {
  const [anonymous, file, shared] = [anonymousBytes, fileBytes, sharedBytes].map(mib);
  console.log(`minute ${Math.floor(minute)}: ${anonymous} MiB anonymous, ${file} MiB of files, ${shared} MiB shared`);
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

const folder = mkdtempSync(join(tmpdir(), 'crossbook-memory-'));
const paper = await PaperProcess.start({ folder, seed, intensity: INTENSITY });
const gateway = new GatewayProcess({
  folder,
  paper,
  port: await steadyPort(),
  durability: 'process-safe',
  nodeArgs: ['--gc-global', '--max-semi-space-size=1'],
});
const over = new AbortController();
const [actors, markets] = await Promise.all([gateway.makeActors(), marketsToTrade(paper.urls)]);
await gateway.start();
const load = new SteadyLoad({
  url: gateway.url,
  actors,
  markets,
  random: new Random(seed),
  ordersPerS,
  subscribers: SUBSCRIBERS,
  over: over.signal,
});
const running = load.run();
const samples = await Promise.race([measured(gateway), gateway.failed, running.then(() => [])]);
over.abort();
await running;
await gateway.stop();
await paper.end();
rmSync(folder, { recursive: true });

const points: Point[] = samples.map(({ minute, anonymousBytes }) => ({ x: minute - warmUp, y: anonymousBytes / MIB }));
const { slope, from, to } = trendOf(floorsOf(points, FLOOR_MINUTES));
for (const [what, times] of [...load.counts].sort()) console.log(`${String(times).padStart(9)}  ${what}`);
console.log(
  `anonymous memory: ${slope.toFixed(2)} MiB a minute, between ${from.toFixed(2)} and ${to.toFixed(2)} (95 %), over ${minutes} minutes`,
);
const isFlat = to < GROWTH_MIB_PER_MINUTE_MAX;
console.log(isFlat ? 'flat' : `not shown to be flat: it may grow by ${GROWTH_MIB_PER_MINUTE_MAX} MiB a minute or more`);
process.exit(isFlat ? 0 : 1);
