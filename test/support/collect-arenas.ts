// Before every test file: frees the arenas that earlier files of this process have left. Each reserves half a GiB of address space, the
// collector takes its time, and Linux refuses to fork a process that has reserved more in one piece than the machine has memory.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const RESERVED_BYTES_MAX = 4 * 1_024 ** 3;

/** For a file that makes many arenas, too. */
export function collectArenas(): void {
  if (process.memoryUsage().arrayBuffers <= RESERVED_BYTES_MAX) return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

collectArenas();
