// The thread that engines run on, one after the other: a piscina pool of one thread, with its heartbeat. Code that was compiled for one
// engine stays compiled for the next. Main thread.

import type { MessagePort } from 'node:worker_threads';
import { nameThreads } from '../../core/metrics/process-figures.ts';
import { Pulse } from '../../core/runtime/pulse.ts';
import { createThreadPool, type ThreadPool } from '../../core/runtime/thread-pool.ts';
import { THREADS } from '../../threads.ts';
import type { EngineData, EngineTask } from './engine-messages.ts';

export class EngineThread {
  readonly pulse = new Pulse();
  readonly #pool: ThreadPool;
  #isClosed = false;

  /** Starts the thread, which begins to load the engine's code. */
  constructor() {
    this.#pool = createThreadPool({
      url: THREADS.engine.entry,
      workerData: { pulse: this.pulse.memory },
      threads: 1,
      tasksPerThreadMax: 1,
    });
    nameThreads(this.#pool.threads, THREADS.engine.name);
  }

  /**
   * Runs an engine; only one may run at a time. Resolves when the engine has closed. Rejects if the engine fails or the thread has ended.
   */
  run(data: EngineData, port: MessagePort): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error('the thread of the engine has ended'));
    return this.#pool.run({ data, port } satisfies EngineTask, { name: 'engine', transferList: [port] });
  }

  /** Ends the thread at once. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#pool.destroy();
  }
}
