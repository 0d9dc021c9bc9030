// Counts the work of each operation in a gateway as an operator starts it, whose venues are a process of their own. Operations are warm and
// come alone, and the history follows after each. A window has many operations. Its figures are those of an operation, without those of a
// window that has none and is as long. The median of several windows has no part of what happens rarely.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../../bench/harness.ts';
import { OrderRig } from '../../bench/load/order-rig.ts';
import type { ActorLimits } from '../../src/core/domain/identity.ts';
import { THREADS } from '../../src/threads.ts';
import { type CountedThread, type Counting, type Counts, openThreads, type Tally } from './counted-threads.ts';
import { DESKS, type Operation } from './operations.ts';

export interface Sizes {
  readonly warm: number;
  readonly windows: number;
  /** Operations of a window. */
  readonly count: number;
}

export const SIZES: Sizes = { warm: 600, windows: 5, count: 40 };

/** Each is that of one operation. */
export type Figures = Readonly<Record<FigureName, number>>;
/** Counted while V8 compiles as ever, since they depend on it. */
const BY_BYTES: ReadonlySet<string> = new Set(['bytes', 'buffers', 'reads', 'writes']);
const TALLIES = [
  ...(['bytes', 'buffers', 'promises', 'messages', 'wakes'] as const),
  ...(['reads', 'writes', 'journalWrites', 'journalBytes'] as const),
];
export const FIGURES = ['calls', 'functions', 'files', 'puts', ...TALLIES] as const;
export type FigureName = (typeof FIGURES)[number];

/** By thread, and of all together. */
export type Budget = Readonly<Record<string, Figures>>;

/** Calls or bytes of one operation, by function. */
export type Shares = ReadonlyMap<string, number>;

/** The other threads handle market data, with or without an order. */
export const COUNTED = ['main', THREADS.engine.name, THREADS.history.name, THREADS.check.name] as const;

export const TOGETHER = 'together';
const SETTLE_MS = 5;
const LAST_SETTLE_MS = 30;
const QUIET_TIMES = 3;
/** A function that most operations do not call has no part in their number of functions and files. */
const CALLED = 0.5;
const PUT = /^core\/store\/lmdb\.ts:@\d+ (put|remove)$/;

/**
 * V8 collects no young objects in a window, which would hide how many there were. It compiles on the thread itself, so that the same calls
 * lead to the same code.
 */
const NODE_ARGUMENTS = [
  ...['--min-semi-space-size=32', '--max-semi-space-size=32'],
  '--no-concurrent-recompilation',
  ...['--import', './test/budget/hook.ts'],
];

class BudgetRig {
  readonly rig: OrderRig;
  readonly #threads: readonly CountedThread[];
  readonly #folder: string;

  static async start(actorLimits: ActorLimits): Promise<BudgetRig> {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-budget-'));
    const rig = await OrderRig.start({
      desks: Object.values(DESKS),
      durability: 'process-safe',
      paperMode: 'exact',
      hasDoor: true,
      actorLimits,
      warmsUp: false,
      environment: { BUDGET_FOLDER: folder },
      nodeArguments: NODE_ARGUMENTS,
    });
    const threads = await openThreads(folder);
    return new BudgetRig(rig, threads, folder);
  }

  private constructor(rig: OrderRig, threads: readonly CountedThread[], folder: string) {
    this.rig = rig;
    this.#threads = threads.filter(({ name }) => COUNTED.some(it => it === name));
    this.#folder = folder;
  }

  async warm({ warm }: Sizes, perform: () => Promise<void>): Promise<void> {
    for (let done = 0; done < warm; done++) await this.#one(perform, 0);
  }

  /** By thread; of all operations of the window. */
  async window(counting: Counting, count: number, perform: () => Promise<void>, restMs = SETTLE_MS): Promise<Window> {
    await this.ask(counting);
    const begun = performance.now();
    for (let done = 0; done < count; done++) await this.#one(perform, restMs);
    const ms = performance.now() - begun;
    await pause(LAST_SETTLE_MS);
    await this.#settleOnce();
    await pause(LAST_SETTLE_MS);
    const counts = await this.ask('end');
    return { ms: ms / count, counts: counts as readonly Counts[] };
  }

  /** Waits until nothing comes any more of the operations so far. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TIMES; quiet++) {
      await pause(LAST_SETTLE_MS);
      if (await this.#settleOnce()) quiet = 0;
    }
  }

  async ask(command: Counting | 'end'): Promise<readonly unknown[]> {
    return Promise.all(this.#threads.map(it => it.ask(command)));
  }

  get threads(): readonly string[] {
    return this.#threads.map(({ name }) => name);
  }

  async close(): Promise<void> {
    for (const thread of this.#threads) thread.close();
    await this.rig.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #one(perform: () => Promise<void>, restMs: number): Promise<void> {
    await perform();
    await pause(restMs);
    await this.#settleOnce();
  }

  /** Whether the history had something to follow. */
  async #settleOnce(): Promise<boolean> {
    await this.#threadOf(THREADS.engine.name).ask('settle');
    return this.#threadOf(THREADS.history.name).ask<boolean>('settle');
  }

  #threadOf(name: string): CountedThread {
    return this.#threads.find(it => it.name === name)!;
  }
}

interface Window {
  /** The time of an operation. */
  readonly ms: number;
  /** By thread. */
  readonly counts: readonly Counts[];
}

interface Windows {
  readonly busy: readonly Window[];
  readonly idle: readonly Window[];
}

export type Progress = (words: string) => void;

/** By operation. */
export async function measureBudgets(
  operations: readonly Operation[],
  sizes: Sizes,
  report: Progress,
  actorLimits: ActorLimits,
): Promise<Record<string, Budget>> {
  const rig = await BudgetRig.start(actorLimits);
  try {
    const bytes = await windowsOfEach(rig, 'bytes', operations, { sizes, report });
    const calls = await windowsOfEach(rig, 'calls', operations, { sizes: { ...sizes, warm: sizes.warm / 10 }, report });
    return Object.fromEntries(
      operations.map(({ name }, index) => [name, budgetOf(rig.threads, sizes, bytes[index]!, calls[index]!)]),
    );
  } finally {
    await rig.close();
  }
}

/** Calls and allocated bytes of one operation on one thread, by function. */
export async function measureShares(
  operation: Operation,
  thread: string,
  sizes: Sizes,
  report: Progress,
  actorLimits: ActorLimits,
): Promise<{ readonly calls: Shares; readonly bytes: Shares }> {
  const rig = await BudgetRig.start(actorLimits);
  try {
    const [bytes] = await windowsOfEach(rig, 'samples', [operation], { sizes, report });
    const [calls] = await windowsOfEach(rig, 'calls', [operation], { sizes: { ...sizes, warm: 20 }, report });
    const index = rig.threads.indexOf(thread);
    return { calls: sharesOf(calls!, [index], sizes.count), bytes: sharesOf(bytes!, [index], sizes.count) };
  } finally {
    await rig.close();
  }
}

async function windowsOfEach(
  rig: BudgetRig,
  counting: Counting,
  operations: readonly Operation[],
  { sizes, report }: { readonly sizes: Sizes; readonly report: Progress },
): Promise<Windows[]> {
  const all: Windows[] = [];
  for (const operation of operations) {
    report(`${counting} of ${operation.name}`);
    const [busy, idle]: [Window[], Window[]] = [[], []];
    const withOpened = async <T>(count: number, work: (perform: () => Promise<void>) => Promise<T>): Promise<T> => {
      // The gateway closes connections that are idle for long.
      const { perform, close } = await operation.open(rig.rig, count);
      await rig.settle();
      const result = await work(perform);
      close();
      return result;
    };
    await withOpened(sizes.warm, perform => rig.warm(sizes, perform));
    for (let window = 0; window < sizes.windows; window++) {
      const filled = await withOpened(sizes.count, perform => rig.window(counting, sizes.count, perform));
      busy.push(filled);
      idle.push(await rig.window(counting, sizes.count, async () => {}, filled.ms));
    }
    await rig.rig.cancelAll(operation.desk);
    await rig.settle();
    all.push({ busy, idle });
  }
  return all;
}

function budgetOf(threads: readonly string[], { count }: Sizes, bytes: Windows, calls: Windows): Budget {
  const budget: Record<string, Figures> = {};
  const everywhere: Shares[] = [];
  for (const name of COUNTED) {
    const indexes = threads.flatMap((thread, index) => (thread === name ? [index] : []));
    const shares = sharesOf(calls, indexes, count);
    const tally = (of: keyof Tally): number => {
      const windows = BY_BYTES.has(of) ? bytes : calls;
      return Math.max(
        0,
        medianOf(windows, indexes, count, it => it[of]),
      );
    };
    const tallies = Object.fromEntries(TALLIES.map(of => [of, tally(of)])) as Record<keyof Tally, number>;
    everywhere.push(shares);
    budget[name] = { ...callFigures(shares), ...tallies };
  }
  const parts = Object.values(budget);
  const sums = FIGURES.map(name => [name, parts.reduce((sum, it) => sum + it[name], 0)] as const);
  // A function that two threads call counts once.
  const { functions, files } = callFigures(new Map(everywhere.flatMap(it => [...it])));
  budget[TOGETHER] = { ...(Object.fromEntries(sums) as Figures), functions, files };
  return Object.fromEntries(Object.entries(budget).filter(([, { calls }]) => calls >= 1));
}

function callFigures(shares: Shares): Pick<Figures, 'calls' | 'functions' | 'files' | 'puts'> {
  const called = [...shares].filter(([, more]) => more >= CALLED).map(([at]) => at);
  const sum = (of: readonly (readonly [at: string, more: number])[]): number =>
    of.reduce((total, [, more]) => total + more, 0);
  return {
    calls: sum([...shares]),
    functions: called.length,
    files: new Set(called.map(at => at.slice(0, at.indexOf(':')))).size,
    puts: sum([...shares].filter(([at]) => PUT.test(at))),
  };
}

/** The median for one operation, less the work of the same time without an operation. */
function medianOf(
  { busy, idle }: Windows,
  indexes: readonly number[],
  count: number,
  of: (counts: Counts) => number,
): number {
  const sums = (windows: readonly Window[]): number[] =>
    windows.map(({ counts }) => indexes.reduce((sum, index) => sum + of(counts[index]!), 0));
  return (median(sums(busy)) - median(sums(idle))) / count;
}

function sharesOf(windows: Windows, indexes: readonly number[], count: number): Shares {
  const sums = new Map<Counts, ReadonlyMap<string, number>>();
  for (const { counts } of [...windows.busy, ...windows.idle])
    for (const index of indexes) sums.set(counts[index]!, byPlace(counts[index]!));
  const places = new Set([...sums.values()].flatMap(it => [...it.keys()]));
  const shares = [...places].map(
    at => [at, medianOf(windows, indexes, count, it => sums.get(it)!.get(at) ?? 0)] as const,
  );
  return new Map(shares.filter(([, more]) => more > 0));
}

function byPlace({ functions }: Counts): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { at, count } of functions) sums.set(at, (sums.get(at) ?? 0) + count);
  return sums;
}
