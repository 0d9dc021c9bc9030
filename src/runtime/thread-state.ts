// Whether a thread runs, or waits within the system for a disk, as on a file system that is frozen: then it is no fault of the program,
// and no signal ends it. As Linux says it; elsewhere nobody can tell. Any thread.

import { readFileSync, readlinkSync } from 'node:fs';

/** The calling thread, for the questions below; null where the system does not tell. */
export function ownThread(): string | null {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return null;
  }
}

export function waitsForDisk(thread: string | null): boolean {
  return stateOf(thread) === 'D';
}

/** It runs, or waits for a core to run on. */
export function isRunnable(thread: string | null): boolean {
  return stateOf(thread) === 'R';
}

/** As `man proc_pid_stat` has it; null where the system does not tell. */
function stateOf(thread: string | null): string | null {
  if (thread === null) return null;
  try {
    const stat = readFileSync(`/proc/${thread}/stat`, 'latin1');
    // After the name, in which a parenthesis may stand.
    return stat[stat.lastIndexOf(')') + 2] ?? null;
  } catch {
    return null;
  }
}
