// Whether a thread runs, or waits in the kernel for a disk, as on a frozen file system. Such a wait is no program fault, and no signal ends
// it. Known on Linux only. Any thread.

import { readFileSync, readlinkSync } from 'node:fs';

/** The calling thread, for the functions below; null if the system does not say. */
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

/** Whether the thread runs, or waits for a core. */
export function isRunnable(thread: string | null): boolean {
  return stateOf(thread) === 'R';
}

/** State letter of `man proc_pid_stat`; null if the system does not say. */
function stateOf(thread: string | null): string | null {
  if (thread === null) return null;
  try {
    const stat = readFileSync(`/proc/${thread}/stat`, 'latin1');
    // The state comes after the thread's name, which may contain a parenthesis.
    return stat[stat.lastIndexOf(')') + 2] ?? null;
  } catch {
    return null;
  }
}
