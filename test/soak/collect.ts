// Loaded by every thread of a gateway whose memory is measured (`--expose-gc --import`): four times a minute all threads collect all
// their garbage, at the same moment, and append what is left to the file that SOAK_HEAPS names. Left to themselves quiet threads
// collect nothing for minutes, which looks like growth.

import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { threadId } from 'node:worker_threads';
import { COLLECT_EVERY_MS, type HeapLine } from './heaps.ts';

const path = process.env.SOAK_HEAPS!;
/** Machine code, and the bytecode and tables that go with it. */
const CODE_SPACE = /^(code|trusted)_/;

function collectLater(): void {
  const now = Date.now();
  // Not the one just past, should a timer be a little early.
  const at = Math.ceil((now + 1_000) / COLLECT_EVERY_MS) * COLLECT_EVERY_MS;
  const collect = (): void => {
    gc!();
    // What the first one's finalizers have let go.
    gc!();
    const line: HeapLine = { thread: `${threadId} ${entryOf(process.argv[1])}`, at, bytes: bytesLeft() };
    appendFileSync(path, `${JSON.stringify(line)}\n`);
    collectLater();
  };
  setTimeout(collect, at - now).unref();
}

/** Objects, and buffers that are this thread's; not code, which V8 compiles and drops as it likes. */
function bytesLeft(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => !CODE_SPACE.test(space_name));
  const { external_memory } = getHeapStatistics();
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, external_memory);
}

/** Workers of the pool begin in a file of piscina's. */
function entryOf(file = ''): string {
  return file.includes('piscina') ? 'order-worker' : basename(file, '.ts');
}

collectLater();
