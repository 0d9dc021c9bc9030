// Which threads go first where cores are scarce: those that take requests, trade and keep books. On Linux only; elsewhere all are equal.

import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const OWN = 0;
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
  if (process.platform !== 'linux') return;
  const tasks = '/proc/self/task';
  for (const thread of readdirSync(tasks)) {
    try {
      const isHelper = Number(thread) !== process.pid && readFileSync(`${tasks}/${thread}/comm`, 'latin1') !== POOL;
      if (isHelper) lower(Number(thread));
    } catch {
      // It has just ended, or the system forbids it: then the thread is as it was.
    }
  }
}

/** Unless the whole process has been started with a lower priority. */
function lower(thread: number): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  if (getPriority(thread) < PRIORITY_BELOW_NORMAL) setPriority(thread, PRIORITY_BELOW_NORMAL);
}
