// The pools of Piscina as this program uses them; the only importer of the package. Threads stay alive between tasks, and serve timers and
// sockets. Main thread.

import { Piscina } from 'piscina';

interface ThreadPoolOptions {
  /** The file that exports a function for each kind of task. */
  readonly url: URL;
  readonly workerData: object;
  readonly threads: number;
  /** The largest number of tasks under way on one thread. */
  readonly tasksPerThreadMax: number;
  /** The largest number of tasks that wait for a thread. The default is 0. */
  readonly tasksWaitingMax?: number;
}

export type ThreadPool = Piscina;

/**
 * The flag that makes `require` of an ES module fail. Piscina requires a task's file, and imports the file if that fails. A thread that
 * ends while Node instantiates ES modules for `require` aborts the process (`v8::Module::IsGraphAsync`).
 */
const IMPORTED = '--no-experimental-require-module';

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { url, workerData, threads, tasksPerThreadMax, tasksWaitingMax = 0 } = options;
  return new Piscina({
    filename: url.href,
    workerData,
    // A thread inherits the flags of the process. Node would refuse some of these flags as arguments of a thread.
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
