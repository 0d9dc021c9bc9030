// `npm run soak:memory`: the gateway's process under a load that stays the same, and whether its memory does. Exit code 1 if that grows,
// or if it cannot be said that it does not.
//
// Two things are held against bounds. The objects that are left on the heaps of all threads after each has collected all of its garbage
// (collect.ts): a leak shows there at once. And the anonymous memory of the process (RssAnon), in which everything else is: code, what
// native code has allocated, and what heaps and allocators keep to spare. It comes and goes with bursts, so that of each half minute the
// lowest counts, and V8's young generations, which are up to 48 MiB a thread, are kept at three. The pages of the stores' files are in
// neither: they grow with what is stored, and the system takes them back when it wants them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../src/runtime/random.ts';
import { runnerOptions } from '../support/runner-options.ts';
import { GatewayProcess } from './gateway-process.ts';
import { heapLinesIn, pointsByThread, pointsOfAll } from './heaps.ts';
import { marketsToTrade } from './markets.ts';
import { PaperProcess } from './paper-process.ts';
import { type Resident, residentOf } from './resident.ts';
import { SteadyLoad } from './steady-load.ts';
import { steadyPort } from './steady-port.ts';
import { floorsOf, type GrowthBounds, growthOf, type Point, trendOf } from './trend.ts';

const USAGE = `npm run soak:memory -- [options]

  --minutes M         of measuring (default 20)
  --rate N            orders a second of all actors (default 20)
  --warm-up-orders N  before it, as fast as they go (default 20 000): until then hot code is still being compiled
  --warm-up M         and minutes at the measured rate (default 2)
  --seed S            of what is drawn (default 1)`;
const values = runnerOptions(USAGE, {
  minutes: { type: 'string', default: '20' },
  rate: { type: 'string', default: '20' },
  'warm-up-orders': { type: 'string', default: '20000' },
  'warm-up': { type: 'string', default: '2' },
  seed: { type: 'string', default: '1' },
});
const [minutes, ordersPerS, warmUpOrders, warmUp, seed] = [
  values.minutes,
  values.rate,
  values['warm-up-orders'],
  values['warm-up'],
  values.seed,
].map(Number) as [number, number, number, number, number];
if (!(minutes >= 2 && ordersPerS > 0 && warmUpOrders >= 0 && warmUp >= 0 && Number.isInteger(seed))) {
  console.error(
    '--minutes must be 2 at least, --rate more than 0, --warm-up-orders and --warm-up not negative, --seed a whole number',
  );
  process.exit(2);
}

// Its processes end with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** MiB a minute. Known are tables that are not full yet, and what V8 notes of code that is compiled late. */
const HEAPS: GrowthBounds = { known: 0.1, most: 0.25 };
/** Known is what the allocators of eight threads keep to spare: it approaches its most ever more slowly. */
const ANONYMOUS: GrowthBounds = { known: 0.25, most: 1 };
/** More than the callers can make: each sends its next order as soon as it has the answer. */
const WARM_UP_ORDERS_PER_S = 10_000;
const SAMPLE_MS = 1_000;
const FLOOR_MINUTES = 0.5;
const SUBSCRIBERS = 12;
/** Times the recorded pace of the market flow. */
const INTENSITY = 2;
const MIB = 1_024 * 1_024;
const MINUTE_MS = 60_000;

interface Sample extends Resident {
  /** Milliseconds of the epoch. */
  readonly at: number;
}

/** From the end of the warm-up on. */
async function measured(): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const begin = Date.now() + warmUp * MINUTE_MS;
  const end = begin + minutes * MINUTE_MS;
  let told = Number.NEGATIVE_INFINITY;
  for (let at = Date.now(); at < end; at = Date.now()) {
    const sample = { at, ...residentOf(gateway.pid) };
    const minute = Math.floor((at - begin) / MINUTE_MS);
    if (minute > told) print(minute, sample);
    told = minute;
    if (at >= begin) samples.push(sample);
    await pause(SAMPLE_MS);
  }
  return samples;
}

function print(minute: number, { anonymousBytes, fileBytes, sharedBytes }: Resident): void {
  const [anonymous, file, shared] = [anonymousBytes, fileBytes, sharedBytes].map(mib);
  console.log(`minute ${minute}: ${anonymous} MiB anonymous, ${file} MiB of files, ${shared} MiB shared`);
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

/** Under a load of so many orders a second; a load or a gateway that ends by itself ends it all. */
async function under<T>(rate: number, task: (load: SteadyLoad) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const load = new SteadyLoad({
    url: gateway.url,
    actors,
    markets,
    random: new Random(seed),
    ordersPerS: rate,
    subscribers: SUBSCRIBERS,
    over: over.signal,
  });
  const running = load.run();
  const ended = running.then(() => {
    throw new Error('the load has ended by itself');
  });
  const done = await Promise.race([task(load), gateway.failed, ended]);
  over.abort();
  await running;
  return done;
}

async function warmedUp({ counts }: SteadyLoad): Promise<void> {
  const done = (): number => counts.get('submit done') ?? 0;
  for (let second = 0; done() < warmUpOrders; second += 1) {
    if (second % 60 === 0) console.log(`warming up: ${done()} of ${warmUpOrders} orders`);
    await pause(SAMPLE_MS);
  }
}

function isFlat(what: string, points: readonly Point[], bounds: GrowthBounds): boolean {
  const trend = trendOf(points);
  const [slope, from, to] = [trend.slope, trend.from, trend.to].map(it => it.toFixed(3));
  const growth = growthOf(trend, bounds);
  console.log(`${what}: ${slope} MiB a minute, between ${from} and ${to} (95 %): ${growth}`);
  return growth === 'flat';
}

function inMib(points: readonly Point[]): readonly Point[] {
  return points.map(({ x, y }) => ({ x, y: y / MIB }));
}

const folder = mkdtempSync(join(tmpdir(), 'crossbook-memory-'));
const heaps = join(folder, 'heaps.jsonl');
const paper = await PaperProcess.start({ folder, seed, intensity: INTENSITY });
const gateway = new GatewayProcess({
  folder,
  paper,
  port: await steadyPort(),
  durability: 'process-safe',
  nodeArgs: ['--expose-gc', '--max-semi-space-size=1', '--import', './test/soak/collect.ts'],
  environment: { SOAK_HEAPS: heaps },
});
const [actors, markets] = await Promise.all([gateway.makeActors(), marketsToTrade(paper.urls)]);
await gateway.start();
// After its processes, which are killed as it exits.
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
if (warmUpOrders > 0) await under(WARM_UP_ORDERS_PER_S, warmedUp);
const { samples, counts } = await under(ordersPerS, async ({ counts }) => {
  return { samples: await measured(), counts };
});
const lines = heapLinesIn(heaps, samples[0]!.at);
await gateway.stop();
await paper.end();

for (const [what, times] of [...counts].sort()) console.log(`${String(times).padStart(9)}  ${what}`);
for (const [thread, points] of pointsByThread(lines)) {
  const { slope } = trendOf(inMib(points));
  console.log(`objects of ${thread}: ${mib(points.at(-1)!.y)} MiB, ${slope.toFixed(3)} a minute`);
}
const anonymous = samples.map(({ at, anonymousBytes }) => ({ x: at / MINUTE_MS, y: anonymousBytes / MIB }));
const verdicts = [
  isFlat('objects', inMib(pointsOfAll(lines)), HEAPS),
  isFlat('anonymous memory', floorsOf(anonymous, FLOOR_MINUTES), ANONYMOUS),
];
process.exit(verdicts.every(it => it) ? 0 : 1);
