// The threads of the check pool as piscina keeps them: started, replaced when they die, and watched. Main thread.

import { faultOf, wordsOf } from '../domain/error-words.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import { endByForce } from '../runtime/process-end.ts';
import { PULSE_WORDS, type PulseNews } from '../runtime/pulse.ts';
import { PulseBoard } from '../runtime/pulse-board.ts';
import type { CheckAnswers, CheckData, CheckTask, CheckWorkerData } from './check-tasks.ts';
import { createThreadPool, type ThreadPool } from './thread-pool.ts';

interface CheckThreadsOptions {
  readonly threads: number;
  readonly workerUrl: URL;
  readonly data: CheckData;
  readonly pulseMs: number;
  readonly log: Log;
  /** A thread has died. */
  readonly onLost: () => void;
  /** A thread hangs. */
  readonly onSilent: () => void;
}

export class CheckThreads {
  readonly #log: Log;
  readonly #pool: ThreadPool;
  readonly #pulses: PulseBoard;
  readonly #looks: NodeJS.Timeout;
  readonly #onSilent: () => void;
  #tasks = 0;
  #isEnded = false;
  #onIdle: () => void = () => {};

  constructor({ threads, workerUrl, data, pulseMs, log, onLost, onSilent }: CheckThreadsOptions) {
    this.#log = log;
    this.#pulses = PulseBoard.for(threads);
    this.#onSilent = onSilent;
    this.#pool = createThreadPool({
      url: workerUrl,
      workerData: { ...data, pulses: this.#pulses.memory, pulseMs } satisfies CheckWorkerData,
      threads,
      tasksPerThreadMax: limits.poolTasksPerWorkerMax,
      tasksWaitingMax: limits.poolTasksMax,
    });
    this.#pool.on('error', error => log.warn('check worker failed', faultOf(error)));
    this.#pool.on('workerDestroy', () => {
      if (!this.#isEnded) onLost();
    });
    this.#looks = setInterval(() => this.#look(), pulseMs).unref();
  }

  /** Fewer than were asked for, for good, once one has died while it started: piscina replaces none after that. */
  get size(): number {
    return this.#pool.threads.length;
  }

  /** Fails when the thread dies, or cannot do it. */
  async run<T extends CheckTask>(task: T): Promise<Result<CheckAnswers[T['kind']], string>> {
    this.#tasks += 1;
    try {
      return ok(await this.#pool.run(task, { name: task.kind }));
    } catch (error) {
      return failedTask(this.#log, task, error);
    } finally {
      this.#tasks -= 1;
      if (this.#tasks === 0) this.#onIdle();
    }
  }

  /** Lets tasks come to their end; waits for so long at most. */
  async end(patienceMs: number): Promise<void> {
    // Where all have died, tasks wait for nobody.
    if (this.size > 0) await this.#idle(patienceMs);
    this.#isEnded = true;
    clearInterval(this.#looks);
    await this.#pool.destroy();
  }

  /** Ends the youngest thread from outside: for tests. */
  async killOne(): Promise<void> {
    const [youngest] = this.#pool.threads.toSorted((one, other) => other.threadId - one.threadId);
    await youngest?.terminate();
  }

  #look(): void {
    const threadIds = this.#pool.threads.map(it => it.threadId);
    for (const news of this.#pulses.look(threadIds)) this.#hear(news);
  }

  #hear(news: PulseNews): void {
    this.#log.warn(`check worker ${PULSE_WORDS[news]}`);
    if (news === 'silent') this.#onSilent();
    if (news === 'gone') endByForce(this.#log);
  }

  #idle(patienceMs: number): Promise<void> {
    if (this.#tasks === 0) return Promise.resolve();
    return new Promise(resolve => {
      const deadline = setTimeout(resolve, patienceMs);
      this.#onIdle = () => {
        clearTimeout(deadline);
        resolve();
      };
    });
  }
}

/** Says so; in words. */
function failedTask(log: Log, { kind }: CheckTask, error: unknown): Result<never, string> {
  log.warn('check task failed', { kind, ...faultOf(error) });
  return fail(wordsOf(error));
}
