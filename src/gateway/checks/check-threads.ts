// The threads of the check pool, run by piscina: starts, replaces and watches them. Main thread.

import { faultOf, wordsOf } from '../../core/domain/error-words.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Log } from '../../core/runtime/log.ts';
import { endByForce } from '../../core/runtime/process-life.ts';
import { PULSE_WORDS, PulseBoard, type PulseNews } from '../../core/runtime/pulse.ts';
import { createThreadPool, type ThreadPool } from '../../core/runtime/thread-pool.ts';
import { limits } from '../../limits.ts';
import type { CheckAnswers, CheckData, CheckTask, CheckWorkerData } from './checker.ts';

interface CheckThreadsOptions {
  readonly threads: number;
  readonly workerUrl: URL;
  readonly data: CheckData;
  readonly pulseMs: number;
  readonly log: Log;
  /** Is called when a thread has died. */
  readonly onLost: () => void;
  /** Is called when a thread hangs. */
  readonly onSilent: () => void;
}

export class CheckThreads {
  readonly #log: Log;
  readonly #pool: ThreadPool;
  readonly #pulses: PulseBoard;
  readonly #pulseTimer: NodeJS.Timeout;
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
    this.#pulseTimer = setInterval(() => this.#checkPulses(), pulseMs).unref();
  }

  /**
   * The number of running threads. It stays below the configured number if a thread dies while it starts, because piscina does not replace
   * such a thread.
   */
  get size(): number {
    return this.#pool.threads.length;
  }

  /** Runs a task on a thread. Fails if the thread dies or the task throws. */
  async run<T extends CheckTask>(task: T): Promise<Result<CheckAnswers[T['kind']], string>> {
    this.#tasks += 1;
    try {
      return ok(await this.#pool.run(task, { name: task.kind }));
    } catch (error) {
      return logFailedTask(this.#log, task, error);
    } finally {
      this.#tasks -= 1;
      if (this.#tasks === 0) this.#onIdle();
    }
  }

  /** Ends the threads. Running tasks may finish first, within `patienceMs` milliseconds. */
  async end(patienceMs: number): Promise<void> {
    // Without a living thread no task can finish.
    if (this.size > 0) await this.#waitUntilIdle(patienceMs);
    this.#isEnded = true;
    clearInterval(this.#pulseTimer);
    await this.#pool.destroy();
  }

  /** Kills the youngest thread. Only tests call this. */
  async killOne(): Promise<void> {
    const [youngest] = this.#pool.threads.toSorted((one, other) => other.threadId - one.threadId);
    await youngest?.terminate();
  }

  #checkPulses(): void {
    const threadIds = this.#pool.threads.map(it => it.threadId);
    for (const news of this.#pulses.look(threadIds)) this.#handlePulseNews(news);
  }

  #handlePulseNews(news: PulseNews): void {
    this.#log.warn(`check worker ${PULSE_WORDS[news]}`);
    if (news === 'silent') this.#onSilent();
    if (news === 'gone') endByForce(this.#log);
  }

  #waitUntilIdle(patienceMs: number): Promise<void> {
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

/** Logs the fault and returns its message as the failure. */
function logFailedTask(log: Log, { kind }: CheckTask, error: unknown): Result<never, string> {
  log.warn('check task failed', { kind, ...faultOf(error) });
  return fail(wordsOf(error));
}
