// Round trip of a message to another thread, as between main and engine. Threads that sleep between messages take turns with threads that
// poll without a pause (CROSSBOOK_SPIN). Each pair of threads has two cores if the machine is idle.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { spin } from '../src/core/runtime/timers.ts';
import { type BenchRow, type BenchSuite, median, percentile, row } from './harness.ts';

const ROUNDS = 10;
const HOPS = 1_000;
const SMOKE_HOPS = 20;
/** The pause between two messages, which is long enough for a thread to go to sleep. */
const PAUSE_MS = 1;

export const suite: BenchSuite = {
  name: 'threads/hop',
  runsMax: 1,
  async run({ smoke }) {
    const us = { asleep: [] as number[], spinning: [] as number[] };
    for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
      us.asleep.push(...(await hops(false, smoke)));
      us.spinning.push(...(await hops(true, smoke)));
    }
    const baseline = 'threads that sleep between messages';
    const ratioOf = (of: (values: number[]) => number) => of(us.asleep) / of(us.spinning);
    const p99 = (values: number[]): number => percentile(values, 0.99);
    return [
      row('threads/hop asleep p50', median(us.asleep), 'µs'),
      { name: 'threads/hop spinning p50', value: median(us.spinning), unit: 'µs', baseline, ratio: ratioOf(median) },
      row('threads/hop asleep p99', p99(us.asleep), 'µs'),
      { name: 'threads/hop spinning p99', value: p99(us.spinning), unit: 'µs', baseline, ratio: ratioOf(p99) },
    ] satisfies BenchRow[];
  },
};

async function hops(spins: boolean, smoke: boolean): Promise<number[]> {
  const worker = new Worker(new URL('./load/hop-worker.ts', import.meta.url), { workerData: { spins } });
  const rest = spins ? spin() : () => {};
  try {
    const us: number[] = [];
    for (let hop = 0; hop < (smoke ? SMOKE_HOPS : HOPS); hop++) {
      const began = performance.now();
      worker.postMessage(hop);
      await once(worker, 'message');
      us.push((performance.now() - began) * 1e3);
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
    // The first round trips compile the code.
    return us.slice(us.length / 10);
  } finally {
    rest();
    await worker.terminate();
  }
}
