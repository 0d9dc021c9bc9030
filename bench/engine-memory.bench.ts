// Memory of the engine's state for an open order, for its idempotency key, and for an ended order in the history. Each count runs on its
// own thread, as the engine does.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EngineMemory } from './engine-memory-worker.ts';
import { type BenchRow, type BenchSuite, row } from './harness.ts';

const NAME = 'engine/memory';
const COUNT = 1_000_000;
const LONG_COUNT = 10_000_000;
const SMOKE_COUNT = 10_000;
/** The heap limit of a thread. V8's own limit is 4 GiB, which the long count exceeds. */
const HEAP_MB = 20_000;

export const suite: BenchSuite = {
  name: NAME,
  runsMax: 1,
  async run({ smoke, isLong = false }) {
    const rows: BenchRow[] = [];
    for (const count of smoke ? [SMOKE_COUNT] : isLong ? [COUNT, LONG_COUNT] : [COUNT]) {
      rows.push(...rowsOf(count, await measured(count)));
    }
    return rows;
  },
};

async function measured(count: number): Promise<EngineMemory> {
  const worker = new Worker(new URL('engine-memory-worker.ts', import.meta.url), {
    workerData: count,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  const [memory] = (await once(worker, 'message')) as [EngineMemory];
  await worker.terminate();
  return memory;
}

function rowsOf(count: number, { openOrder, key, endedOrder }: EngineMemory): BenchRow[] {
  return [
    row(`${NAME} open-order-${count}`, openOrder, 'B each'),
    row(`${NAME} remembered-key-${count}`, key, 'B each'),
    row(`${NAME} ended-order-${count}`, endedOrder, 'B each'),
  ];
}
