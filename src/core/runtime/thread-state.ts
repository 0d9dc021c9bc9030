// The state of a thread: it runs, or it waits in the kernel for a disk, as on a frozen file system. This wait is no program fault, and no
// signal ends it. Also the priority of a thread, and the guard of its heap. States and priorities are known on Linux only. Any thread.

import { readFileSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { resourceLimits } from 'node:worker_threads';
import { limits } from '../../limits.ts';

/** Returns the calling thread, as the functions below take it, or null if the system does not say. */
export function ownThreadId(): string | null {
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

/** Returns the state letter of `man proc_pid_stat`, or null if the system does not say. */
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

// Priority. If cores are scarce, threads that take requests, trade and keep books go first.

const OWN = 0;

/** Makes the calling thread give way to the other threads, unless the whole process was started with a lower priority. */
export function lowerPriority(): void {
  // Other systems would lower the priority of the whole process.
  if (process.platform !== 'linux') return;
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    if (getPriority(OWN) < PRIORITY_BELOW_NORMAL) setPriority(OWN, PRIORITY_BELOW_NORMAL);
  } catch {
    // The system forbids the change: the thread keeps its priority.
  }
}

// Ends a thread whose heap is nearly full, between two pieces of its work; the thread is then restarted. V8 would end the thread in the
// middle of a piece, perhaps of a transaction (process-life.ts). For threads with a store.

const BYTES_PER_MB = 1024 * 1024;
/** The size of the young generation. V8's limit of the whole heap includes it; old objects get the rest. */
const YOUNG_BYTES = (resourceLimits.maxYoungGenerationSizeMb ?? 0) * BYTES_PER_MB;

/** Guards the heap of the calling thread. Call this once. */
export function guardHeap(lookMs: number = limits.heapLookMs): void {
  setInterval(() => {
    const { used_heap_size: used, heap_size_limit: size } = getHeapStatistics();
    const keptMax = size - YOUNG_BYTES;
    if (used > limits.heapShareMax * keptMax) throw new Error(`its heap has ${used} bytes of ${keptMax}`);
  }, lookMs).unref();
}
