// Frees the arenas that earlier tests of this process have left. Each arena reserves half a GiB of address space, and the garbage collector
// takes its time. Linux refuses to fork a process that has reserved more memory in one piece than the machine has.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const RESERVED_BYTES_MAX = 4 * 1_024 ** 3;

/** The bytes that the last collection did not free: a test file keeps its variables, and so its arenas, until the process ends. */
let keptBytes = 0;

/** Collects only after every 4 GiB of new arenas, because a collection goes through the whole heap. */
export function collectArenas(): void {
  if (process.memoryUsage().arrayBuffers - keptBytes <= RESERVED_BYTES_MAX) return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // A collection sweeps beside the program, and the next collection waits for that sweep. After the first collection alone, the freed
  // arenas may still count.
  collect();
  collect();
  keptBytes = process.memoryUsage().arrayBuffers;
}
