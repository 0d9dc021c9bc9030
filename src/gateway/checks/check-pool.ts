// The check pool. check-threads.ts keeps the threads; this file gives the guarantees. Every check is answered exactly once, even when
// threads die. Checks beyond the bounds are refused at once. While all threads are busy, new checks are put together into tasks, because a
// task costs both threads about a quarter of a check. The first checks of a turn run on the main thread. Main thread.

import { isQuickList } from '../../catalog/catalog-lists.ts';
import type { SignatureCheck } from '../../core/auth/check.ts';
import { proveVerification } from '../../core/auth/ed25519.ts';
import { faultOf } from '../../core/domain/error-words.ts';
import type { CatalogListOperation, OperationReply } from '../../core/domain/operation.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Soon } from '../../core/domain/soon.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { monotonicUs } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import { limits } from '../../limits.ts';
import { THREADS } from '../../threads.ts';
import { type CheckLane, CheckQueue, type Urgency } from './check-queue.ts';
import { CheckThreads } from './check-threads.ts';
import { type CheckAnswers, Checker, type CheckTask, type HandedCheck } from './checker.ts';
import { TasksOfTurn } from './tasks-of-turn.ts';

export interface CheckPoolOptions {
  readonly threads: number;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly pageSecretHex: string;
  /** Whether the main thread performs the first tasks of a turn of its event loop. The default is true. */
  readonly usesMain?: boolean;
  /** The milliseconds that `close` waits for running tasks. The default is half of the shutdown time. */
  readonly drainMs?: number;
  /** The heartbeat interval of the threads. The default is `threadPulseMs`. */
  readonly pulseMs?: number;
  /** The module that runs instead of check-worker.ts, in tests of faults. */
  readonly workerUrl?: URL;
}

/** BUSY means that there was no room, and nothing was done. FAULT means that the task failed on two threads. */
export type PoolFailure = 'BUSY' | 'FAULT';

/** Resolves when every thread has started. Rejects if a thread cannot start. */
export async function createCheckPool(options: CheckPoolOptions): Promise<CheckPool> {
  const pool = new CheckPool(options);
  try {
    await pool.started();
  } catch (error) {
    await pool.close();
    throw error;
  }
  return pool;
}

interface PendingCheck {
  readonly handed: HandedCheck;
  readonly lane: CheckLane;
  readonly settle: (outcome: Result<boolean, PoolFailure>) => void;
}

export class CheckPool {
  readonly #options: CheckPoolOptions;
  readonly #counters: Readonly<
    Record<'tasks' | 'atOnce' | 'busy' | 'faults' | 'lost' | 'silent' | 'roundTrips', number>
  >;
  readonly #checks = new CheckQueue<PendingCheck>();
  readonly #mainChecker: Checker;
  #verifyTasks = 0;
  #lists = 0;
  #threads: CheckThreads;
  #restart: NodeJS.Timeout | null = null;
  /** Resolves when the thread pools that were replaced have ended. */
  #retired: Promise<unknown> = Promise.resolve();
  #state: 'open' | 'closing' | 'closed' = 'open';
  #onIdle: () => void = () => {};
  readonly #mainTasks = new TasksOfTurn(limits.mainTasksPerTurnMax);
  /** Whether checks are to be handed over at the end of this turn. */
  #isHandOverPlanned = false;

  constructor(options: CheckPoolOptions) {
    const { metrics, pageSecretHex } = options;
    this.#options = options;
    proveVerification();
    this.#mainChecker = new Checker({ metrics: metrics.shared, pageSecretHex });
    this.#counters = {
      tasks: metrics.counter('pool_tasks_total'),
      atOnce: metrics.counter('pool_at_once_total'),
      busy: metrics.counter('pool_busy_total'),
      faults: metrics.counter('pool_faults_total'),
      lost: metrics.counter('pool_workers_lost_total'),
      silent: metrics.counter('pool_workers_silent_total'),
      roundTrips: metrics.histogram('pool_round_trip_seconds'),
    };
    metrics.gauge('pool_tasks_in_flight', () => this.tasksInFlight);
    this.#threads = this.#start();
  }

  get tasksInFlight(): number {
    return this.#checks.inFlight + this.#lists;
  }

  /** Rejects if a thread cannot start. */
  async started(): Promise<void> {
    // Piscina gives a task to an idle thread first, so each thread gets one of these tasks.
    const greetings = Array.from({ length: this.#options.threads }, () => this.#run({ kind: 'verify', checks: [] }));
    const failed = (await Promise.all(greetings)).find(outcome => !outcome.ok);
    if (failed !== undefined && !failed.ok) throw new Error(`the check workers cannot start: ${failed.error}`);
  }

  /** Checks a signature. A check for a caller that has not proven its key never runs on the main thread. */
  verify(check: SignatureCheck, lane: CheckLane, urgency: Urgency = 'other'): Soon<Result<boolean, PoolFailure>> {
    const { metrics } = this.#options;
    if (this.#state !== 'open' || !this.#checks.hasPlace(lane, urgency)) {
      metrics.add(this.#counters.busy);
      return fail('BUSY');
    }
    metrics.add(this.#counters.tasks);
    if (lane !== null && this.#takeForMain()) {
      metrics.add(this.#counters.atOnce);
      return this.#verifyOnMain(check);
    }
    this.#checks.take(lane, urgency);
    return new Promise(settle => {
      this.#checks.push(lane, urgency, { handed: { check, acceptedAtUs: monotonicUs() }, lane, settle });
      this.#planHandOver();
    });
  }

  /** Checks a signature on this thread. The check takes no place in the queue, because it ends before another check arrives. */
  #verifyOnMain(check: SignatureCheck): Result<boolean, PoolFailure> {
    const beganUs = monotonicUs();
    let outcome: Result<boolean, 'FAULT'>;
    try {
      outcome = ok(this.#mainChecker.verify(check, 0, beganUs));
    } catch (error) {
      outcome = this.#failOnMain('verify', error);
    }
    this.#count(beganUs, outcome);
    return outcome;
  }

  /** Reads a page of the catalog. `timedFromUs` has the same meaning as in TimedOperation. */
  async list(
    operation: CatalogListOperation,
    timedFromUs: number | null,
  ): Promise<Result<OperationReply, PoolFailure>> {
    const { metrics } = this.#options;
    if (this.#state !== 'open') {
      metrics.add(this.#counters.busy);
      return fail('BUSY');
    }
    metrics.add(this.#counters.tasks);
    const isQuick = this.#runOnMain('catalog', () => isQuickList(operation, limits.mainListMarketsMax));
    if (isQuick.ok && isQuick.value && this.#takeForMain()) {
      metrics.add(this.#counters.atOnce);
      return this.#listed(this.#runOnMain('catalog', () => this.#mainChecker.list({ operation, timedFromUs })));
    }
    const task = { kind: 'catalog', operation, timedFromUs } as const;
    this.#lists += 1;
    let reply = await this.#run(task);
    if (!reply.ok) reply = await this.#run(task);
    this.#lists -= 1;
    if (this.tasksInFlight === 0) this.#onIdle();
    return this.#listed(reply);
  }

  /**
   * Accepts no more tasks. Resolves when the running tasks are answered and the threads have ended. Tasks that take too long are answered
   * with FAULT.
   */
  async close(): Promise<void> {
    if (this.#state !== 'open') return;
    const drainMs = this.#drainMs;
    this.#state = 'closing';
    if (this.tasksInFlight > 0) {
      await new Promise<void>(resolve => {
        const deadline = setTimeout(resolve, drainMs);
        this.#onIdle = () => {
          clearTimeout(deadline);
          resolve();
        };
      });
    }
    this.#state = 'closed';
    if (this.#restart !== null) clearTimeout(this.#restart);
    await Promise.all([this.#retired, this.#threads.end(drainMs / 2)]);
  }

  /** Kills the youngest thread. Only tests call this. */
  killOne(): Promise<void> {
    return this.#threads.killOne();
  }

  get #drainMs(): number {
    return this.#options.drainMs ?? limits.shutdownMs / 2;
  }

  /**
   * Hands tasks over after all sockets of this turn have been read. A message for each check would cost the main thread a quarter of the
   * check's time.
   */
  #planHandOver(): void {
    if (this.#isHandOverPlanned) return;
    this.#isHandOverPlanned = true;
    setImmediate(() => {
      this.#isHandOverPlanned = false;
      this.#handOver();
    });
  }

  #handOver(): void {
    const { threads } = this.#options;
    while (this.#verifyTasks < threads * limits.checkTasksPerThreadMax) {
      const { waiting } = this.#checks;
      if (waiting === 0) return;
      const size = Math.min(limits.checksPerTaskMax, Math.ceil(waiting / threads));
      void this.#verifyAll(Array.from({ length: size }, () => this.#checks.shift()!));
    }
  }

  async #verifyAll(batch: readonly PendingCheck[]): Promise<void> {
    const task = { kind: 'verify', checks: batch.map(it => it.handed) } as const;
    this.#verifyTasks += 1;
    let answers = await this.#run(task);
    // A check has no side effects, so a second thread may repeat it.
    if (!answers.ok) answers = await this.#run(task);
    this.#verifyTasks -= 1;
    this.#handOver();
    for (const [index, it] of batch.entries()) this.#settle(it, answers.ok ? ok(answers.value[index]!) : fail('FAULT'));
  }

  #settle({ lane, settle, handed }: PendingCheck, outcome: Result<boolean, PoolFailure>): void {
    settle(outcome);
    this.#count(handed.acceptedAtUs, outcome);
    this.#checks.giveBack(lane);
    if (this.tasksInFlight === 0) this.#onIdle();
  }

  #count(acceptedAtUs: number, { ok: isChecked }: Result<boolean, PoolFailure>): void {
    const { metrics } = this.#options;
    metrics.observe(this.#counters.roundTrips, monotonicUs() - acceptedAtUs);
    if (!isChecked) metrics.add(this.#counters.faults);
  }

  #listed(reply: Result<OperationReply, string>): Result<OperationReply, PoolFailure> {
    const { metrics } = this.#options;
    if (reply.ok) return reply;
    metrics.add(this.#counters.faults);
    return fail('FAULT');
  }

  /** Performs a task on this thread. If the task throws, only this task fails, as on a thread of the pool. */
  #runOnMain<T>(kind: CheckTask['kind'], work: () => T): Result<T, 'FAULT'> {
    try {
      return ok(work());
    } catch (error) {
      return this.#failOnMain(kind, error);
    }
  }

  #failOnMain(kind: CheckTask['kind'], error: unknown): Result<never, 'FAULT'> {
    this.#options.log.warn('check task failed', { kind, ...faultOf(error) });
    return fail('FAULT');
  }

  #takeForMain(): boolean {
    const { usesMain = true } = this.#options;
    return usesMain && this.#mainTasks.take();
  }

  #run<T extends CheckTask>(task: T): Promise<Result<CheckAnswers[T['kind']], string>> {
    return this.#state === 'closed' ? Promise.resolve(fail('the pool is closed')) : this.#threads.run(task);
  }

  #start(): CheckThreads {
    const { threads, metrics, log, pageSecretHex, pulseMs = limits.threadPulseMs } = this.#options;
    const { workerUrl = THREADS.check.entry } = this.#options;
    const data = { metrics: metrics.shared, pageSecretHex };
    const started: CheckThreads = new CheckThreads({
      threads,
      workerUrl,
      data,
      pulseMs,
      log,
      onLost: () => this.#lost(started),
      onSilent: () => metrics.add(this.#counters.silent),
    });
    return started;
  }

  #lost(from: CheckThreads): void {
    const { metrics, log, threads } = this.#options;
    metrics.add(this.#counters.lost);
    log.warn('check worker lost');
    if (from !== this.#threads || this.#state === 'closed') return;
    this.#restart ??= setTimeout(() => {
      this.#restart = null;
      if (from.size === threads) return;
      log.warn('check pool restarted');
      this.#threads = this.#start();
      this.#retired = Promise.all([this.#retired, from.end(this.#drainMs / 2)]);
    }, limits.poolRestartMs);
  }
}
