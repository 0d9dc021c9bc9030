// Piscina's pools, as this program uses them: the only importer of the package. Threads that are there for good, each of which serves
// its timers and sockets between tasks. Main thread.

import { Piscina } from 'piscina';

interface ThreadPoolOptions {
  /** Of the file that exports a function for each kind of task. */
  readonly url: URL;
  readonly workerData: object;
  readonly threads: number;
  /** Tasks that one thread has under way. */
  readonly tasksPerThreadMax: number;
  /** Tasks that wait for a thread; none by default. */
  readonly tasksWaitingMax?: number;
}

export type ThreadPool = Piscina;

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { url, workerData, threads, tasksPerThreadMax, tasksWaitingMax = 0 } = options;
  return new Piscina({
    filename: url.href,
    workerData,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: tasksPerThreadMax,
    maxQueue: tasksWaitingMax,
    // A worker that waits for tasks by Atomics.wait, the default, serves no timers and sockets meanwhile.
    atomics: 'disabled',
    recordTiming: false,
  });
}
