// Piscina's pools as this program uses them; the only importer of the package. Threads stay alive and serve timers and sockets
// between tasks. Main thread.

import { Piscina } from 'piscina';

interface ThreadPoolOptions {
  /** File that exports a function for each kind of task. */
  readonly url: URL;
  readonly workerData: object;
  readonly threads: number;
  /** Tasks under way on one thread. */
  readonly tasksPerThreadMax: number;
  /** Tasks that wait for a thread; 0 by default. */
  readonly tasksWaitingMax?: number;
}

export type ThreadPool = Piscina;

/**
 * Piscina requires a task's file, and imports it if that fails. A thread that ends while Node instantiates ES modules for `require` aborts
 * the process (`v8::Module::IsGraphAsync`), so that none is required.
 */
const IMPORTED = '--no-experimental-require-module';

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { url, workerData, threads, tasksPerThreadMax, tasksWaitingMax = 0 } = options;
  return new Piscina({
    filename: url.href,
    workerData,
    // Flags of the process are inherited; as arguments of a thread Node would refuse some of them.
    env: { ...process.env, NODE_OPTIONS: IMPORTED },
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: tasksPerThreadMax,
    maxQueue: tasksWaitingMax,
    // An idle worker would block in Atomics.wait by default, and serve no timers or sockets.
    atomics: 'disabled',
    recordTiming: false,
  });
}
