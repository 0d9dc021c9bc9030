// How much of our code one order runs: files, functions and calls, by V8's own count in each thread that handles orders. Orders are warm
// and come one by one. A window without an order follows each window with one. A function's calls are the median of windows with an
// order, minus that of windows without.

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../src/limits.ts';
import { THREADS } from '../src/threads.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, closing, median, row } from './harness.ts';
import { type ThreadCalls, takeCalls } from './load/coverage.ts';
import { OneByOne } from './load/one-by-one.ts';
import { type Desk, OrderRig } from './load/order-rig.ts';
import { openTaker } from './load/order-takers.ts';

const NAME = 'order/coverage';
const DESKS: readonly Desk[] = [
  { name: 'venue-b', venue: 'venue_b' },
  { name: 'venue-a', venue: 'venue_a' },
];
/** The other threads handle market data, with or without an order. */
const COUNTED = ['main', THREADS.engine.name, THREADS.history.name, THREADS.check.name];
/** Of any order. The check pool has no part in an order that comes alone: main checks its signature (ADR 0020). */
const NEEDED = COUNTED.filter(thread => thread !== THREADS.check.name);
const WARM_ORDERS = 300;
const SMOKE_WARM_ORDERS = 5;
const SAMPLES = 31;
const SMOKE_SAMPLES = 1;
/** From the order to the end of its window: by then venue, private stream and history have finished it. */
const WINDOW_MS = limits.historyFollowMs + 200;
const SOCKET = 'coverage.sock';

/** Calls of one thread for an order, by `file name`. */
type Calls = ReadonlyMap<string, number>;

export const suite: BenchSuite = {
  name: NAME,
  runsMax: 1,
  async run(options) {
    return closing(
      await OrderRig.start({
        desks: DESKS,
        durability: 'process-safe',
        paperMode: 'exact',
        coverage: SOCKET,
      }),
      async rig => {
        const rows: BenchRow[] = [];
        for (const desk of DESKS) rows.push(...rowsOf(desk, await windowsOf(rig, desk, options)));
        return rows;
      },
    );
  },
};

type Window = readonly ThreadCalls[];

interface Windows {
  readonly withOrder: readonly Window[];
  readonly without: readonly Window[];
}

async function windowsOf(rig: OrderRig, desk: Desk, { smoke }: BenchOptions): Promise<Windows> {
  const taker = openTaker(rig.waysOf(desk).gateway);
  const caller = await OneByOne.open(taker.port);
  const order = async (): Promise<void> => {
    const { status, answer } = await caller.ask(await taker.order());
    if (status !== taker.madeStatus) throw new Error(`not ${taker.madeStatus}: ${answer.toString('latin1')}`);
  };
  const socket = join(rig.folder, SOCKET);
  const window = async (work: () => Promise<void>): Promise<Window> => {
    await takeCalls(socket);
    await Promise.all([work(), pause(WINDOW_MS)]);
    return takeCalls(socket);
  };
  for (let warm = 0; warm < (smoke ? SMOKE_WARM_ORDERS : WARM_ORDERS); warm++) await order();
  const [withOrder, without]: [Window[], Window[]] = [[], []];
  while (withOrder.length < (smoke ? SMOKE_SAMPLES : SAMPLES)) {
    withOrder.push(await window(order));
    without.push(await window(async () => {}));
  }
  caller.close();
  return { withOrder, without };
}

/** For all threads together, then for each. A file or function that two threads call counts once. */
function rowsOf({ name }: Desk, windows: Windows): BenchRow[] {
  const ofThreads = COUNTED.map(thread => [thread, callsOf(thread, windows)] as const);
  for (const [thread, calls] of ofThreads)
    if (calls.size === 0 && NEEDED.includes(thread)) throw new Error(`no call of the thread ${thread} was counted`);
  const all = ofThreads.flatMap(([, calls]) => [...calls]);
  return [
    ...threeRows(`${NAME} ${name}`, all),
    ...ofThreads.flatMap(([thread, calls]) => threeRows(`${NAME} ${name} ${thread}`, [...calls])),
  ];
}

function callsOf(thread: string, { withOrder, without }: Windows): Calls {
  const [ours, others] = [withOrder, without].map(windows => windows.map(window => countsOf(thread, window)));
  const functions = new Set(ours!.flatMap(counts => [...counts.keys()]));
  const medianOf = (windows: readonly Calls[], key: string) => median(windows.map(counts => counts.get(key) ?? 0));
  const calls = [...functions].map(key => [key, medianOf(ours!, key) - medianOf(others!, key)] as const);
  return new Map(calls.filter(([, more]) => more > 0));
}

/** Joins threads of the same kind. */
function countsOf(thread: string, window: Window): Calls {
  const counts = new Map<string, number>();
  for (const { functions } of window.filter(it => it.thread === thread)) {
    for (const { file, name, calls } of functions) {
      const key = `${file} ${name}`;
      counts.set(key, (counts.get(key) ?? 0) + calls);
    }
  }
  return counts;
}

function threeRows(name: string, functions: readonly (readonly [key: string, calls: number])[]): BenchRow[] {
  const keys = new Set(functions.map(([key]) => key));
  const files = new Set([...keys].map(key => key.slice(0, key.indexOf(' '))));
  const calls = functions.reduce((sum, [, more]) => sum + more, 0);
  return [
    row(`${name} files`, files.size, 'files'),
    row(`${name} functions`, keys.size, 'functions'),
    row(`${name} calls`, calls, 'calls'),
  ];
}
