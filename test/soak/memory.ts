// `npm run soak:memory`: the gateway's process under a load that stays the same, and whether its memory does. Exit code 1 if that grows,
// or if it cannot be said that it does not.
//
// Two things are held against bounds. The first is what is left on the heap of each thread, and outside of it, after a full collection
// (collect.ts). A leak shows there at once, and where. The second is the anonymous memory of the process (RssAnon), in which everything
// else is. It has what native code has allocated, and what heaps and allocators keep to spare. It comes and goes with bursts, so only the
// lowest of each half minute counts. V8's young generations, which are up to 48 MiB a thread, are kept at three. The pages of the stores'
// files are in neither: they grow with what is stored, and the system takes them back when it wants them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Resident, residentOf } from '../../src/core/metrics/process-figures.ts';
import { Random } from '../../src/core/runtime/random.ts';
import { runnerOptions } from '../support/runner-options.ts';
import { EmbeddedGateway } from './embedded-gateway.ts';
import { flood } from './flood.ts';
import { type Actor, GatewayProcess } from './gateway-process.ts';
import { heapLinesIn, pointsByThread } from './heaps.ts';
import { marketsToTrade, type SoakMarket } from './markets.ts';
import { PaperProcess } from './paper-process.ts';
import { SteadyLoad } from './steady-load.ts';
import { steadyPort } from './steady-port.ts';
import { floorsOf, type GrowthBounds, growthOf, type Point, trendOf } from './trend.ts';

const USAGE = `npm run soak:memory -- [options]

  --minutes M         of the load (default 60); the last two thirds of them count
  --rate N            orders a second of all actors (default 20)
  --warm-up-orders N  before it, as fast as they go (default 20 000): until then hot code is still being compiled
  --flood N           and requests that are refused (default 30 000)
  --paper WHERE       the exchanges: apart, in a process of their own (default), or inside, on a thread of the gateway's
  --seed S            of what is drawn (default 1)`;
const values = runnerOptions(USAGE, {
  minutes: { type: 'string', default: '60' },
  rate: { type: 'string', default: '20' },
  'warm-up-orders': { type: 'string', default: '20000' },
  flood: { type: 'string', default: '30000' },
  paper: { type: 'string', default: 'apart' },
  seed: { type: 'string', default: '1' },
});
const [minutes, ordersPerS, warmUpOrders, floodRequests, seed] = [
  values.minutes,
  values.rate,
  values['warm-up-orders'],
  values.flood,
  values.seed,
].map(Number) as [number, number, number, number, number];
if (!(minutes >= 3 && ordersPerS > 0 && warmUpOrders >= 0 && floodRequests >= 0 && Number.isInteger(seed))) {
  console.error('--minutes must be 3 at least, --rate more than 0, the others not negative, --seed a whole number');
  process.exit(2);
}
if (!['apart', 'inside'].includes(values.paper)) {
  console.error('--paper must be apart or inside');
  process.exit(2);
}

// The child processes end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** The limit of growth in MiB an hour, for a thread's heap and its memory outside of the heap together. */
const THREAD_MAX = 5;
/** The bounds in MiB an hour. The known growth is the spare memory of ten threads' allocators, which approaches its maximum ever more slowly. */
const ANONYMOUS: GrowthBounds = { known: 15, most: 60 };
/** A rate that is higher than the callers can reach: each sends its next order as soon as it has the answer. */
const WARM_UP_ORDERS_PER_S = 10_000;
const COUNTED_SHARE = 2 / 3;
/** Threads that start after this share of the counted run are not judged. */
const LATE_SHARE = 0.1;
const SAMPLE_MS = 1_000;
const FLOOR_HOURS = 1 / 120;
const SUBSCRIBERS = 12;
/** A factor on the recorded pace of the market flow. */
const INTENSITY = 1;
const MIB = 1_024 * 1_024;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

interface Sample extends Resident {
  /** The time in milliseconds of the epoch. */
  readonly at: number;
}

interface Stage {
  readonly gateway: Pick<EmbeddedGateway, 'url' | 'pid' | 'failed'> & { stop(): Promise<unknown> };
  readonly actors: readonly Actor[];
  readonly markets: readonly SoakMarket[];
  endPaper(): Promise<unknown>;
}

async function stageOf(folder: string, heaps: string): Promise<Stage> {
  const nodeArgs = ['--expose-gc', '--max-semi-space-size=1', '--import', './test/soak/collect.ts'];
  const environment = { SOAK_HEAPS: heaps };
  const port = await steadyPort();
  if (values.paper === 'inside') {
    const gateway = await EmbeddedGateway.start({ folder, port, nodeArgs, environment });
    const markets = await marketsToTrade(gateway.urls);
    // The number of callers is the same as with separate processes.
    return { gateway, actors: Array(3).fill(gateway.actor), markets, endPaper: async () => {} };
  }
  const paper = await PaperProcess.start({ folder, seed, intensity: INTENSITY });
  const gateway = new GatewayProcess({ folder, paper, port, durability: 'process-safe', nodeArgs, environment });
  const [actors, markets] = await Promise.all([gateway.makeActors(), marketsToTrade(paper.urls)]);
  await gateway.start();
  return { gateway, actors, markets, endPaper: () => paper.end() };
}

async function measured(): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const begin = Date.now();
  const end = begin + minutes * MINUTE_MS;
  let reported = -1;
  for (let at = begin; at < end; at = Date.now()) {
    const sample = { at, ...residentOf(stage.gateway.pid) };
    const minute = Math.floor((at - begin) / MINUTE_MS);
    if (minute > reported) print(minute, sample);
    reported = minute;
    samples.push(sample);
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

/** Runs the task under a load of this many orders a second. A load or a gateway that ends by itself ends the run. */
async function under<T>(rate: number, task: (load: SteadyLoad) => Promise<T>): Promise<T> {
  const { gateway, actors, markets } = stage;
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

/**
 * The sum of a thread counts; each part is printed, to show where memory grows. A part that took the place of another late in the run
 * still compiles its code: it is printed and not judged.
 */
function areThreadsFlat(from: number): boolean {
  const lines = heapLinesIn(heaps, from);
  const external = pointsByThread(lines, 'externalBytes');
  const verdicts = [...pointsByThread(lines, 'heapBytes')].map(([thread, heap]) => {
    const outside = external.get(thread)!;
    if (heap[0]!.x * HOUR_MS > from + LATE_SHARE * minutes * MINUTE_MS) {
      console.log(`${thread}: started during the run: not judged`);
      return true;
    }
    const { slope, from: low, to: high } = trendOf(inMib(heap.map(({ x, y }, at) => ({ x, y: y + outside[at]!.y }))));
    const growth = slope > THREAD_MAX ? 'grows' : 'flat';
    console.log(`${thread}: heap ${amountOf(heap)}, external ${amountOf(outside)};`);
    console.log(
      `  ${slope.toFixed(2)} MiB an hour, between ${low.toFixed(2)} and ${high.toFixed(2)} (95 %): ${growth}`,
    );
    return growth === 'flat';
  });
  return verdicts.every(it => it);
}

function amountOf(points: readonly Point[]): string {
  return `${mib(points.at(-1)!.y)} MiB (${trendOf(inMib(points)).slope.toFixed(2)} an hour)`;
}

function isAnonymousFlat(samples: readonly Sample[]): boolean {
  const points = samples.map(({ at, anonymousBytes }) => ({ x: at / HOUR_MS, y: anonymousBytes / MIB }));
  const trend = trendOf(floorsOf(points, FLOOR_HOURS));
  const [slope, from, to] = [trend.slope, trend.from, trend.to].map(it => it.toFixed(2));
  const growth = growthOf(trend, ANONYMOUS);
  console.log(`anonymous memory: ${slope} MiB an hour, between ${from} and ${to} (95 %): ${growth}`);
  return growth === 'flat';
}

function inMib(points: readonly Point[]): readonly Point[] {
  return points.map(({ x, y }) => ({ x, y: y / MIB }));
}

const folder = mkdtempSync(join(tmpdir(), 'crossbook-memory-'));
const heaps = join(folder, 'heaps.jsonl');
const stage = await stageOf(folder, heaps);
// The folder is removed after the processes, which are killed at exit.
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
if (warmUpOrders > 0) await under(WARM_UP_ORDERS_PER_S, warmedUp);
const refused = await flood(stage.gateway.url, stage.actors[0]!, floodRequests);
console.log(`flooded: ${[...refused].map(([status, times]) => `${times} × ${status}`).join(', ')}`);
const { samples, counts } = await under(ordersPerS, async ({ counts }) => ({ samples: await measured(), counts }));
await stage.gateway.stop();
await stage.endPaper();

for (const [what, times] of [...counts].sort()) console.log(`${String(times).padStart(9)}  ${what}`);
const counted = samples.at(-1)!.at - COUNTED_SHARE * minutes * MINUTE_MS;
console.log(`of the last ${(COUNTED_SHARE * minutes).toFixed(0)} minutes, after all garbage was collected:`);
const verdicts = [areThreadsFlat(counted), isAnonymousFlat(samples.filter(({ at }) => at >= counted))];
process.exit(verdicts.every(it => it) ? 0 : 1);
