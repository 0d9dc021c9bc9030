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
  // This skips the moment that is just past, in case a timer is a little early.
  const at = Math.ceil((now + 1_000) / COLLECT_EVERY_MS) * COLLECT_EVERY_MS;
  const collect = (): void => {
    gc!();
    // The second collection frees what the finalizers of the first collection have released.
    gc!();
    const { used_heap_size: heapBytes, external_memory: externalBytes } = getHeapStatistics();
    const line: HeapLine = { thread: `${threadId} ${entryOf(process.argv[1])}`, at, heapBytes, externalBytes };
    appendFileSync(path, `${JSON.stringify(line)}\n`);
    collectLater();
  };
  setTimeout(collect, at - now).unref();
}

/** Returns the entry file of the thread. Engine and check workers start in a file of piscina. */
function entryOf(file = ''): string {
  return file.includes('piscina') ? ('positions' in workerData ? 'engine' : 'check-worker') : basename(file, '.ts');
}

collectLater();
