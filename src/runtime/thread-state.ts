// Whether a thread waits within the system for a disk, as on a file system that is frozen: then it is no fault of the program, and no
// signal ends it. As Linux says it; elsewhere nobody can tell. Any thread.

import { readFileSync, readlinkSync } from 'node:fs';

/** Of the calling thread, for `waitsForDisk`; null where the system does not tell. */
export function ownThread(): string | null {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return null;
  }
}

export function waitsForDisk(thread: string | null): boolean {
  if (thread === null) return false;
  try {
    const stat = readFileSync(`/proc/${thread}/stat`, 'latin1');
    // After the name, in which a parenthesis may stand.
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('D');
  } catch {
    return false;
  }
}
