// A thread whose heap runs full ends itself between two pieces of its work, and is started anew. V8 would end it in the midst of one, which may
// be a transaction (process-end.ts). Threads that have a store.

import { getHeapStatistics } from 'node:v8';
import { resourceLimits } from 'node:worker_threads';
import { limits } from '../limits.ts';

const BYTES_PER_MB = 1024 * 1024;
/** Counted in what V8 lets the whole heap have; what is kept has the rest of it. */
const YOUNG_BYTES = (resourceLimits.maxYoungGenerationSizeMb ?? 0) * BYTES_PER_MB;

/** Called once. */
export function guardHeap(lookMs: number = limits.heapLookMs): void {
  setInterval(() => {
    const { used_heap_size: used, heap_size_limit: size } = getHeapStatistics();
    const keptMax = size - YOUNG_BYTES;
    if (used > limits.heapShareMax * keptMax) throw new Error(`its heap has ${used} bytes of ${keptMax}`);
  }, lookMs).unref();
}
