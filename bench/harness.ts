// Common parts of all benchmarks: their rows, and small works that tinybench times in alternation with a baseline. So a busy
// neighbour slows both alike and their ratio stays valid. Suite processes.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Bench, hrtimeNow } from 'tinybench';
import { Random } from '../src/core/runtime/random.ts';

export interface BenchRow {
  /** `area/what`, as in the tables of targets. */
  name: string;
  value: number;
  /** Lowest value of a search. A row of zero failed even there, and reads as less than this. */
  lowest?: number;
  /** Values of the suite's own rounds, if it has any; after a single run they give the spread. */
  rounds?: readonly number[];
  unit: string;
  /** The value that `ratio` compares with; empty without a baseline. */
  baseline: string;
  /** How many times better than the baseline: above 1 is faster, or smaller. Null without a baseline. */
  ratio: number | null;
}

export interface BenchOptions {
  /** Run everything once and tiny: a test that it works, not a measurement. */
  smoke: boolean;
  /** Also run parts that take many minutes. */
  isLong?: boolean;
}

/** A file `bench/<something>.bench.ts` exports one as `suite`; it runs in its own process. */
export interface BenchSuite {
  name: string;
  /** Prefixes of its row names, if they do not start with its own name. */
  rowNames?: readonly string[];
  /** The largest useful number of fresh processes, for a suite that takes minutes or has its own rounds. */
  runsMax?: number;
  run(options: BenchOptions): Promise<BenchRow[]>;
}

/** Repeats an operation `times` times and returns a number that depends on all results. */
export type Work = (times: number) => number;

export interface Comparison {
  /** Nanoseconds of one operation, median over the rounds. */
  readonly ns: number;
  readonly baselineNs: number;
  /** Median over the rounds of (baseline / work), each pair measured side by side. */
  readonly ratio: number;
}

const ROUNDS = 15;
const ROUND_MS = 100;
const SMOKE_ROUNDS = 3;
const SMOKE_ROUND_MS = 2;
/** A sample of tinybench: long beside the clock, short beside a round. */
const SAMPLE_MS = 1;

/** Nanoseconds per operation: the median of several rounds after a warm-up. */
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

/** Nanoseconds per operation of each work in each round; the order reverses from round to round. */
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

/** A figure without a baseline. Of rounds it shows the median. */
export function row(name: string, value: number | readonly number[], unit: string): BenchRow {
  const figure = typeof value === 'number' ? { value } : overRounds(value);
  return { name, ...figure, unit, baseline: '', ratio: null };
}

/** How many times less each round took than the baseline's round at its side: the median. */
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

/** The value that a `fraction` of all values do not exceed (nearest rank); NaN of nothing. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN;
}

const sink = new Float64Array(1);

/** A first call of each task, and so its compilation, is not timed. */
const TIMED = { iterations: 1, warmup: true, warmupIterations: 1, throws: true, now: hrtimeNow } as const;

function meanMs(bench: Bench, name: string): number {
  const result = bench.getTask(name)?.result;
  if (result?.state !== 'completed') throw new Error(`a benchmark has the state ${result?.state}`);
  return result.latency.mean;
}

/** How many operations make a sample; the search warms them up. */
function timesFor(work: Work): number {
  for (let times = 1; ; times *= 2) {
    const startMs = performance.now();
    consume(work(times));
    const ms = performance.now() - startMs;
    if (ms >= SAMPLE_MS / 2) return Math.max(1, Math.round((times * SAMPLE_MS) / ms));
  }
}

/** Returns a function that gives the next number, uniform in [0, 1); every run does the same work with it. */
export function randomNumbers(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}

/** A buffer is freed by a collection after the one that found it unused. */
const COLLECTIONS = 4;

/** Collects all garbage of the process, so that the rest can be measured. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < COLLECTIONS; time++) collect();
}
