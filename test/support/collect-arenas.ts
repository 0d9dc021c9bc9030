// Frees the arenas that earlier tests of this process have left. Each reserves half a GiB of address space, and the collector takes its
// time. Linux refuses to fork a process that has reserved more in one piece than the machine has memory.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const RESERVED_BYTES_MAX = 4 * 1_024 ** 3;

/** The bytes that the last collection has not freed: a test file keeps its variables, and so its arenas, until the process ends. */
let keptBytes = 0;

/** Does so for every 4 GiB that are new only: to free arenas means to go through the whole heap. */
export function collectArenas(): void {
  if (process.memoryUsage().arrayBuffers - keptBytes <= RESERVED_BYTES_MAX) return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // A collection sweeps beside the program, and the next waits for that: after the first alone, the freed arenas may still count.
  collect();
  collect();
  keptBytes = process.memoryUsage().arrayBuffers;
}
