// The thread that engines run on, one after the other: a piscina pool of one thread, and its signs of life. What one engine has had
// compiled the next one finds compiled. Main thread.

import type { MessagePort } from 'node:worker_threads';
import { Pulse } from '../runtime/pulse.ts';
import { nameThreads } from '../runtime/thread-memory.ts';
import type { EngineData, EngineTask } from './engine-worker.ts';
import { createThreadPool, type ThreadPool } from './thread-pool.ts';

export class EngineThread {
  readonly pulse = new Pulse();
  readonly #pool: ThreadPool;
  #isClosed = false;

  /** It loads its code from now on. */
  constructor() {
    const url = new URL('./engine-worker.ts', import.meta.url);
    this.#pool = createThreadPool({
      url,
      workerData: { pulse: this.pulse.memory },
      threads: 1,
      tasksPerThreadMax: 1,
    });
    nameThreads(this.#pool.threads, 'engine');
  }

  /** Resolves when the engine has been closed; rejects if it fails, or the thread has ended. One at a time. */
  run(data: EngineData, port: MessagePort): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error('the thread of the engine has ended'));
    return this.#pool.run({ data, port } satisfies EngineTask, { name: 'engine', transferList: [port] });
  }

  /** Ends the thread, whatever it does. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#pool.destroy();
  }
}
