// Ends a thread whose heap is nearly full, between two pieces of its work; it is then restarted. V8 would end it in the middle of one,
// perhaps of a transaction (process-end.ts). For threads with a store.

import { getHeapStatistics } from 'node:v8';
import { resourceLimits } from 'node:worker_threads';
import { limits } from '../../limits.ts';

const BYTES_PER_MB = 1024 * 1024;
/** V8's limit of the whole heap includes the young generation; old objects get the rest. */
const YOUNG_BYTES = (resourceLimits.maxYoungGenerationSizeMb ?? 0) * BYTES_PER_MB;

/** Call this once. */
export function guardHeap(lookMs: number = limits.heapLookMs): void {
  setInterval(() => {
    const { used_heap_size: used, heap_size_limit: size } = getHeapStatistics();
    const keptMax = size - YOUNG_BYTES;
    if (used > limits.heapShareMax * keptMax) throw new Error(`its heap has ${used} bytes of ${keptMax}`);
  }, lookMs).unref();
}
