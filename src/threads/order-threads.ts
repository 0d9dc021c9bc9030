// The threads of the pool as piscina keeps them: started, replaced when they die, told of when they hang, and closed before they are
// ended. One that is ended from outside in the midst of a transaction never lets go of the store's lock, and every thread would wait for it
// for ever; so one that hangs for good takes the process along. Main thread.

import { Piscina } from 'piscina';
import { faultOf, wordsOf } from '../domain/error-words.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import { endByForce } from '../runtime/process-end.ts';
import { PULSE_WORDS, type PulseNews } from '../runtime/pulse.ts';
import { PulseBoard } from '../runtime/pulse-board.ts';
import type { OrderEventRecord } from '../store/order-records.ts';
import type { OrderAnswers, OrderTask, OrderWorkerData, TaskRunnerData } from './order-tasks.ts';
import { balanceOf } from './pool-balance.ts';

interface OrderThreadsOptions {
  readonly threads: number;
  readonly workerUrl: URL;
  readonly data: TaskRunnerData;
  readonly pulseMs: number;
  readonly log: Log;
  /** Of committed changes: in their order, those of one thread. */
  readonly onOrderEvents: (events: readonly OrderEventRecord[]) => void;
  /** A thread has died. */
  readonly onLost: () => void;
  /** A thread hangs. */
  readonly onSilent: () => void;
}

export class OrderThreads {
  readonly #log: Log;
  readonly #piscina: Piscina;
  readonly #pulses: PulseBoard;
  readonly #looks: NodeJS.Timeout;
  readonly #onSilent: () => void;
  #tasks = 0;
  #isEnded = false;
  #onIdle: () => void = () => {};

  constructor({ threads, workerUrl, data, pulseMs, log, onOrderEvents, onLost, onSilent }: OrderThreadsOptions) {
    this.#log = log;
    this.#pulses = PulseBoard.for(threads);
    this.#onSilent = onSilent;
    this.#piscina = new Piscina({
      filename: workerUrl.href,
      workerData: { ...data, pulses: this.#pulses.memory, pulseMs } satisfies OrderWorkerData,
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: limits.poolTasksPerWorkerMax,
      maxQueue: limits.poolTasksMax,
      // A worker that waits for tasks by Atomics.wait, the default, serves no timers and sockets meanwhile.
      atomics: 'disabled',
      recordTiming: false,
      loadBalancer: balanceOf(threads),
    });
    this.#piscina.on('message', onOrderEvents);
    this.#piscina.on('error', error => log.warn('order worker failed', faultOf(error)));
    this.#piscina.on('workerDestroy', () => {
      if (!this.#isEnded) onLost();
    });
    this.#looks = setInterval(() => this.#look(), pulseMs).unref();
  }

  /** Fewer than were asked for, for good, once one has died while it started: piscina replaces none after that. */
  get size(): number {
    return this.#piscina.threads.length;
  }

  /** Fails when the thread dies, or cannot do it. */
  async run<T extends OrderTask>(task: T): Promise<Result<OrderAnswers[T['kind']], string>> {
    this.#tasks += 1;
    try {
      return ok(await this.#piscina.run(task, { name: task.kind }));
    } catch (error) {
      return failedTask(this.#log, task, error);
    } finally {
      this.#tasks -= 1;
      if (this.#tasks === 0) this.#onIdle();
    }
  }

  /** Lets tasks come to their end, and each thread close what it has open; waits for so long at most for either. */
  async end(patienceMs: number): Promise<void> {
    // Where all have died, tasks wait for nobody.
    if (this.size > 0) {
      await this.#idle(patienceMs);
      for (let asked = 0; asked < this.size; asked += 1) void this.run({ kind: 'close' });
      await this.#idle(patienceMs);
    }
    this.#isEnded = true;
    clearInterval(this.#looks);
    await this.#piscina.destroy();
  }

  /** Ends the youngest thread from outside: for tests in which nothing commits meanwhile. */
  async killOne(): Promise<void> {
    const [youngest] = this.#piscina.threads.toSorted((one, other) => other.threadId - one.threadId);
    await youngest?.terminate();
  }

  #look(): void {
    const threadIds = this.#piscina.threads.map(it => it.threadId);
    for (const news of this.#pulses.look(threadIds)) this.#hear(news);
  }

  #hear(news: PulseNews): void {
    this.#log.warn(`order worker ${PULSE_WORDS[news]}`);
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
export function failedTask(log: Log, { kind }: OrderTask, error: unknown): Result<never, string> {
  log.warn('order task failed', { kind, ...faultOf(error) });
  return fail(wordsOf(error));
}
