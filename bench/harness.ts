// Common parts of all benchmarks: their rows, and small works that tinybench times in alternation with a baseline. So a busy neighbour slows both
// alike, and their ratio stays valid. Suite processes.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Bench, hrtimeNow } from 'tinybench';
import { Random } from '../src/core/runtime/random.ts';

export interface BenchRow {
  /** `area/what`, as in the tables of targets. */
  name: string;
  value: number;
  /** The lowest value that a search tries. A row of zero failed even there, and is shown as less than this value. */
  lowest?: number;
  /** The values of the suite's own rounds, if it has rounds. After a single run they give the spread. */
  rounds?: readonly number[];
  unit: string;
  /** The name of the value that `ratio` compares with. Empty without a baseline. */
  baseline: string;
  /** How many times better the value is than the baseline: above 1 is faster, or smaller. Null without a baseline. */
  ratio: number | null;
}

export interface BenchOptions {
  /** Whether to run everything once and tiny. This tests that the benchmark works, and measures nothing. */
  smoke: boolean;
  /** Whether to run parts that take many minutes, too. */
  isLong?: boolean;
}

/** A suite of benchmarks. A file `bench/<something>.bench.ts` exports its suite as `suite`, which runs in its own process. */
export interface BenchSuite {
  name: string;
  /** The prefixes of the suite's row names, if they do not start with its own name. */
  rowNames?: readonly string[];
  /** The largest useful number of fresh processes, for a suite that takes minutes or has its own rounds. */
  runsMax?: number;
  run(options: BenchOptions): Promise<BenchRow[]>;
}

/** Repeats an operation `times` times and returns a number that depends on all results. */
export type Work = (times: number) => number;

export interface Comparison {
  /** The nanoseconds of one operation, the median over the rounds. */
  readonly ns: number;
  readonly baselineNs: number;
  /** The median over the rounds of baseline divided by work. Each pair is measured side by side. */
  readonly ratio: number;
}

const ROUNDS = 15;
const ROUND_MS = 100;
const SMOKE_ROUNDS = 3;
const SMOKE_ROUND_MS = 2;
/** The length of a tinybench sample in ms: long beside the clock's resolution, short beside a round. */
const SAMPLE_MS = 1;

/** Returns the nanoseconds per operation: the median of several rounds after a warm-up. */
export function measure(work: Work, options: BenchOptions): number {
  const [ns] = alternate([work], options) as [number[]];
  return median(ns);
}

/** Measures `work` and `baseline` in alternation, in turns of about 100 ms. */
export function compare(work: Work, baseline: Work, options: BenchOptions): Comparison {
  const [ns, baselineNs] = alternate([work, baseline], options) as [number[], number[]];
  return {
    ns: median(ns),
    baselineNs: median(baselineNs),
    ratio: timesLess(ns, baselineNs),
  };
}

/** Returns the nanoseconds per operation of each work in each round. The order reverses from round to round. */
export function alternate(works: readonly Work[], { smoke }: BenchOptions): number[][] {
  const named = works.map((work, index) => ({
    work,
    name: String(index),
    times: timesFor(work),
    rounds: [] as number[],
  }));
  for (let round = 0; round < (smoke ? SMOKE_ROUNDS : ROUNDS); round++) {
    const bench = new Bench({ ...TIMED, time: smoke ? SMOKE_ROUND_MS : ROUND_MS, warmupTime: smoke ? 0 : SAMPLE_MS });
    const turns = round % 2 === 0 ? named : named.toReversed();
    for (const { work, name, times } of turns) bench.add(name, () => consume(work(times)));
    bench.runSync();
    for (const { name, times, rounds } of named) rounds.push((meanMs(bench, name) * 1e6) / times);
  }
  return named.map(({ rounds }) => rounds);
}

/** Closes a rig when its work has ended or failed. */
export async function closing<Rig extends { close(): Promise<void> | void }, T>(
  rig: Rig,
  work: (rig: Rig) => Promise<T>,
): Promise<T> {
  try {
    return await work(rig);
  } finally {
    await rig.close();
  }
}

/** Takes a result, so that the work behind it cannot be optimised away. */
export function consume(value: number): void {
  sink[0] = sink[0]! + value;
}

/** Makes a row without a baseline. If `value` has rounds, the row shows their median. */
export function row(name: string, value: number | readonly number[], unit: string): BenchRow {
  const figure = typeof value === 'number' ? { value } : overRounds(value);
  return { name, ...figure, unit, baseline: '', ratio: null };
}

/** Returns how many times less each round took than the baseline's round beside it, as the median. */
export function timesLess(own: readonly number[], baseline: readonly number[]): number {
  return median(own.map((value, round) => baseline[round]! / value));
}

/** The median over rounds, for a row. */
export function overRounds(rounds: readonly number[]): Pick<BenchRow, 'value'> & Required<Pick<BenchRow, 'rounds'>> {
  return { value: median(rounds), rounds };
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Returns the value that a `fraction` of all values do not exceed (nearest rank), or NaN without values. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN;
}

const sink = new Float64Array(1);

/** The first call of each task compiles it, and is not timed. */
const TIMED = { iterations: 1, warmup: true, warmupIterations: 1, throws: true, now: hrtimeNow } as const;

function meanMs(bench: Bench, name: string): number {
  const result = bench.getTask(name)?.result;
  if (result?.state !== 'completed') throw new Error(`a benchmark has the state ${result?.state}`);
  return result.latency.mean;
}

/** Returns how many operations make a sample. The search warms the operations up. */
function timesFor(work: Work): number {
  for (let times = 1; ; times *= 2) {
    const startMs = performance.now();
    consume(work(times));
    const ms = performance.now() - startMs;
    if (ms >= SAMPLE_MS / 2) return Math.max(1, Math.round((times * SAMPLE_MS) / ms));
  }
}

/** Returns a function that gives the next number, uniform in [0, 1). Every run gets the same numbers. */
export function randomNumbers(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}

/** The number of collections. A buffer is freed only by the collection after the one that found it unused. */
const COLLECTIONS = 4;

/** Collects all garbage of the process, so that the rest can be measured. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < COLLECTIONS; time++) collect();
}
