// What every benchmark is made of: the rows it answers with, and loops that time some work in alternation with a
// baseline, so that a busy neighbour on the machine slows both alike and their ratio stays honest. Suite processes.

export interface BenchRow {
  /** `area/what`, as in the tables that name the targets. */
  name: string;
  value: number;
  /** Of a value that was searched for from here upwards, and is zero where not even this held: it is read as less than this. */
  lowest?: number;
  /** What each of its rounds has read, if the suite has rounds of its own: after a single run the spread is theirs. */
  rounds?: readonly number[];
  unit: string;
  /** What `ratio` compares with, in words; empty if nothing. */
  baseline: string;
  /** How many times better than the baseline: above 1 is faster, or smaller. Null without a baseline. */
  ratio: number | null;
}

export interface BenchOptions {
  /** Run everything once and tiny: to see that it works, not how fast it is. */
  smoke: boolean;
  /** Also what takes many minutes by itself. */
  isLong?: boolean;
}

/** A file `bench/<something>.bench.ts` exports one as `suite`; it runs in a process of its own. */
export interface BenchSuite {
  name: string;
  /** How the names of its rows begin, where they do not begin with its own. */
  rowNames?: readonly string[];
  /** More fresh processes than that are not worth their time: it takes minutes, or has rounds of its own. */
  runsMax?: number;
  run(options: BenchOptions): Promise<BenchRow[]>;
}

/** Does an operation `times` times and returns a number that depends on all of them. */
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
    ratio: median(ns.map((own, round) => baselineNs[round]! / own)),
  };
}

/** Nanoseconds per operation of each work in each round; the order turns around from round to round. */
export function alternate(works: readonly Work[], { smoke }: BenchOptions): number[][] {
  const roundMs = smoke ? SMOKE_ROUND_MS : ROUND_MS;
  const times = works.map(work => timesFor(work, roundMs));
  const samples: number[][] = works.map(() => []);
  for (let round = 0; round < (smoke ? SMOKE_ROUNDS : ROUNDS); round++) {
    for (let turn = 0; turn < works.length; turn++) {
      const index = round % 2 === 0 ? turn : works.length - 1 - turn;
      samples[index]!.push(elapsedNs(works[index]!, times[index]!) / times[index]!);
    }
  }
  return samples;
}

/** Takes a result, so that the work behind it cannot be optimised away. */
export function consume(value: number): void {
  sink[0] = sink[0]! + value;
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

/** How often the work fits into `roundMs`; finding out warms it up for as long as one round. */
function timesFor(work: Work, roundMs: number): number {
  let times = 1;
  for (;;) {
    const ns = elapsedNs(work, times);
    if (ns >= (roundMs * 1e6) / 2) return Math.max(1, Math.round((times * roundMs * 1e6) / ns));
    times *= 2;
  }
}

function elapsedNs(work: Work, times: number): number {
  const start = process.hrtime.bigint();
  const result = work(times);
  const elapsed = Number(process.hrtime.bigint() - start);
  consume(result);
  return elapsed;
}
