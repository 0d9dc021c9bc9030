// Which thread of the pool gets a task. Checks go to whoever has least to do, and so do operations on orders where there is a core
// for each thread. Where the threads share cores with the main thread, operations are kept together as long as they are few: one thread's
// transactions and messages carry several at once, and nobody waits for the store's lock. Each is closed once. Main thread.

import { availableParallelism } from 'node:os';
import { limits } from '../limits.ts';
import type { OrderTask } from './order-tasks.ts';

/** As piscina tells of a thread: which one it is, and how many tasks it has. */
interface Busy {
  readonly id: number;
  readonly currentUsage: number;
}

/** By the kind of task, which is its name. Null: nobody has room. */
type Balance = <Thread extends Busy>(task: { readonly name: string }, threads: readonly Thread[]) => Thread | null;

export function balanceOf(threads: number, cores = availableParallelism()): Balance {
  const togetherMax = threads < cores ? 0 : limits.operationsTogetherMax;
  const closed = new Set<number>();
  return ({ name }, candidates) => {
    if (name === ('close' satisfies OrderTask['kind'])) return oneBeside(closed, candidates);
    const isKeptTogether = name === ('operate' satisfies OrderTask['kind']);
    return (isKeptTogether ? busiestBelow(togetherMax, candidates) : null) ?? leastBusy(candidates);
  };
}

/** Notes it. */
function oneBeside<Thread extends Busy>(noted: Set<number>, candidates: readonly Thread[]): Thread | null {
  const found = candidates.find(({ id }) => !noted.has(id)) ?? null;
  if (found !== null) noted.add(found.id);
  return found;
}

function busiestBelow<Thread extends Busy>(usage: number, threads: readonly Thread[]): Thread | null {
  let busiest: Thread | null = null;
  for (const it of threads) {
    if (it.currentUsage < usage && it.currentUsage > (busiest?.currentUsage ?? -1)) busiest = it;
  }
  return busiest;
}

function leastBusy<Thread extends Busy>(threads: readonly Thread[]): Thread | null {
  let least: Thread | null = null;
  for (const it of threads) {
    if (it.currentUsage < (least?.currentUsage ?? limits.poolTasksPerWorkerMax)) least = it;
  }
  return least;
}
