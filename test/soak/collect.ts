// Loaded by every thread of a gateway whose memory is measured (`--expose-gc --import`). Four times a minute all threads collect all their
// garbage, at the same moment. They append what is left to the file that SOAK_HEAPS names. Left to themselves quiet threads collect nothing
// for minutes, which looks like growth.

import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { threadId, workerData } from 'node:worker_threads';
import { COLLECT_EVERY_MS, type HeapLine } from './heaps.ts';

const path = process.env.SOAK_HEAPS!;

function collectLater(): void {
  const now = Date.now();
  // Not the one just past, should a timer be a little early.
  const at = Math.ceil((now + 1_000) / COLLECT_EVERY_MS) * COLLECT_EVERY_MS;
  const collect = (): void => {
    gc!();
    // Collects what the finalizers of the first collection have let go.
    gc!();
    const { used_heap_size: heapBytes, external_memory: externalBytes } = getHeapStatistics();
    const line: HeapLine = { thread: `${threadId} ${entryOf(process.argv[1])}`, at, heapBytes, externalBytes };
    appendFileSync(path, `${JSON.stringify(line)}\n`);
    collectLater();
  };
  setTimeout(collect, at - now).unref();
}

/** Engine and check workers begin in a file of piscina's. */
function entryOf(file = ''): string {
  return file.includes('piscina') ? ('positions' in workerData ? 'engine' : 'check-worker') : basename(file, '.ts');
}

collectLater();
