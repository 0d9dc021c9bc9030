// Which threads go first where cores are scarce: those that take requests, trade and keep books. On Linux only; elsewhere all are equal.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const OWN = 0;
/** Threads of this process; Linux has it. */
const TASKS = '/proc/self/task';
/** Names of the threads that write to disks and wait for them. Orders wait for those in the mode `power-safe`. */
const POOL = 'libuv-worker\n';

/** The calling thread gives way to the others. */
export function giveWay(): void {
  // Other systems would lower the whole process.
  if (process.platform === 'linux') lower(OWN);
}

/**
 * V8's helper threads give way: they mark garbage on all cores at once, for 50 ms and more. With two cores and 1 000 orders a second,
 * the p99 of an order was 39 ms without this and 9 to 16 with it. Main thread, before it starts others.
 */
export function helpersGiveWay(): void {
  // Elsewhere there is no such folder, and all stay equal.
  if (!existsSync(TASKS)) return;
  for (const thread of readdirSync(TASKS)) {
    if (Number(thread) !== process.pid && nameOf(thread) !== POOL) lower(Number(thread));
  }
}

/** Unless the whole process has been started with a lower priority. */
function lower(thread: number): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    if (getPriority(thread) < PRIORITY_BELOW_NORMAL) setPriority(thread, PRIORITY_BELOW_NORMAL);
  } catch {
    // The thread has just ended, or the system forbids it: it stays as it is.
  }
}

/** Null: it has just ended. */
function nameOf(thread: string): string | null {
  try {
    return readFileSync(`${TASKS}/${thread}/comm`, 'latin1');
  } catch {
    return null;
  }
}
