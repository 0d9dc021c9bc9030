// Which thread of the pool gets a task. Checks go to whoever has least to do, and so do operations on orders where there is a core
// for each thread. Where the threads share cores with the main thread, operations are kept together as long as they are few: one thread's
// transactions and messages carry several at once, and nobody waits for the store's lock. What waits for a venue's answer is nothing to do,
// until it is a lot. Each is closed once. Main thread.

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

/** `atVenues`: requests of a thread that venues have yet to answer. */
export function balanceOf(threads: number, atVenues: (id: number) => number, cores = availableParallelism()): Balance {
  const isTogether = threads >= cores;
  const closed = new Set<number>();
  const tasksOf = ({ currentUsage }: Busy): number => currentUsage;
  // An operation may have several requests under way.
  const loadOf = ({ id, currentUsage }: Busy): number => Math.max(0, currentUsage - atVenues(id));
  return ({ name }, candidates) => {
    if (name === ('close' satisfies OrderTask['kind'])) return oneBeside(closed, candidates);
    const open = candidates.filter(it => it.currentUsage < limits.poolTasksPerWorkerMax);
    if (name !== ('operate' satisfies OrderTask['kind'])) return least(open, loadOf);
    const few = isTogether ? open.filter(it => loadOf(it) < limits.operationsTogetherMax) : [];
    return busiest(few.filter(it => it.currentUsage < limits.operationsWaitingTogetherMax)) ?? least(open, tasksOf);
  };
}

/** Notes it. */
function oneBeside<Thread extends Busy>(noted: Set<number>, candidates: readonly Thread[]): Thread | null {
  const found = candidates.find(({ id }) => !noted.has(id)) ?? null;
  if (found !== null) noted.add(found.id);
  return found;
}

/** With what waits, so that operations stay where they are. */
function busiest<Thread extends Busy>(threads: readonly Thread[]): Thread | null {
  return threads.reduce<Thread | null>((most, it) => (it.currentUsage > (most?.currentUsage ?? -1) ? it : most), null);
}

function least<Thread extends Busy>(threads: readonly Thread[], measure: (thread: Busy) => number): Thread | null {
  return threads.reduce<Thread | null>((best, it) => (best === null || measure(it) < measure(best) ? it : best), null);
}
