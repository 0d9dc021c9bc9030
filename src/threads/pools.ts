// The pool of order workers: order-threads.ts keeps the threads, this file what the gateway promises of them. Every check is answered
// once, also when threads die; more than the bounds are refused at once; and while all threads are busy the checks that come
// in are collected into shared tasks, since a task costs both threads about a quarter of a check. Operations on orders are tasks
// of their own, which wait for venues without keeping the thread from anything. What comes while nothing else is under way is done on
// the main thread. Main thread.

import type { SignatureCheck } from '../auth/check.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { monotonicUs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { OrderEventRecord } from '../store/order-records.ts';
import { type CheckLane, CheckQueue, type Urgency } from './check-queue.ts';
import { type MainDesk, type MainDeskBounds, openMainDesk } from './main-desk.ts';
import { OperationShares } from './operation-shares.ts';
import type { OrderDeskData } from './order-desk.ts';
import type {
  HandedCheck,
  OperateTask,
  OperationReply,
  OrderAnswers,
  OrderOperation,
  OrderTask,
} from './order-tasks.ts';
import { failedTask, OrderThreads } from './order-threads.ts';

export interface OrderPoolOptions {
  readonly threads: number;
  readonly metrics: Metrics;
  readonly log: Log;
  /** What its threads trade with; null: they only check signatures. */
  readonly desk?: OrderDeskData | null;
  /** If this thread has a desk too, for what comes while nothing else is under way; null by default. */
  readonly mainDesk?: MainDeskBounds | null;
  /** Of committed changes: in their order, those of one thread. */
  readonly onOrderEvents?: (events: readonly OrderEventRecord[]) => void;
  /** How long `close` waits for tasks that run; half of what the whole shutdown has by default. */
  readonly drainMs?: number;
  /** How often threads say that they live; `threadPulseMs` by default. */
  readonly pulseMs?: number;
  /** Runs in place of order-worker.ts: for tests of faults. */
  readonly workerUrl?: URL;
}

const US_PER_S = 1_000_000;

/** BUSY: there was no room for it, and nothing was done. FAULT: two workers failed at it. */
export type PoolFailure = 'BUSY' | 'FAULT';

/** Resolves when every thread has started; rejects if one cannot. */
export async function createOrderPool(options: OrderPoolOptions): Promise<OrderPool> {
  const pool = new OrderPool(options);
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

export class OrderPool {
  readonly #options: OrderPoolOptions;
  readonly #counters: Readonly<
    Record<'tasks' | 'atOnce' | 'busy' | 'faults' | 'lost' | 'silent' | 'roundTrips', number>
  >;
  readonly #checks = new CheckQueue<PendingCheck>();
  #verifyTasks = 0;
  readonly #operations: OperationShares;
  /** The oldest one first. */
  readonly #underWay = new Set<OperateTask>();
  #threads: OrderThreads;
  /** Null: every task is given to another thread. */
  #mainDesk: MainDesk | null = null;
  #restart: NodeJS.Timeout | null = null;
  /** Of threads that others have taken the place of. */
  #retired: Promise<unknown> = Promise.resolve();
  #state: 'open' | 'closing' | 'closed' = 'open';
  #onIdle: () => void = () => {};

  constructor(options: OrderPoolOptions) {
    const { metrics, threads } = options;
    this.#options = options;
    this.#operations = new OperationShares(threads * limits.operationsPerWorkerMax);
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
    metrics.gauge('pool_oldest_operation_seconds', () => this.#oldestOperationUs / US_PER_S);
    this.#threads = this.#start();
  }

  get tasksInFlight(): number {
    return this.#checks.inFlight + this.#operations.inFlight;
  }

  /** Rejects if a thread cannot start. */
  async started(): Promise<void> {
    // An idle thread comes first, so that each thread gets one.
    const greetings = Array.from({ length: this.#options.threads }, () => this.#run({ kind: 'verify', checks: [] }));
    const [greeted] = await Promise.all([Promise.all(greetings), this.#openMainDesk()]);
    const failed = greeted.find(outcome => !outcome.ok);
    if (failed !== undefined && !failed.ok) throw new Error(`the order workers cannot start: ${failed.error}`);
  }

  /** A check of a caller that has proven nothing is never done on the main thread. */
  verify(check: SignatureCheck, lane: CheckLane, urgency: Urgency = 'other'): Promise<Result<boolean, PoolFailure>> {
    const { metrics } = this.#options;
    if (this.#state !== 'open' || !this.#checks.take(lane, urgency)) {
      metrics.add(this.#counters.busy);
      return Promise.resolve(fail('BUSY'));
    }
    metrics.add(this.#counters.tasks);
    return new Promise(settle => {
      const handed = { check, acceptedAtUs: monotonicUs() };
      const pending = { handed, lane, settle };
      const desk = this.#deskForOne(handed.acceptedAtUs) ?? this.#deskBesideOperations();
      if (desk !== null && lane !== null) {
        metrics.add(this.#counters.atOnce);
        this.#settle(pending, ok(desk.verify({ kind: 'verify', checks: [handed] })[0]!));
        return;
      }
      this.#checks.push(lane, urgency, pending);
      this.#handOver();
    });
  }

  /**
   * Does an operation, and first checks the signature of the request for it, unless `check` is null; null if it is wrong. When
   * the thread dies the operation is given to another: it must be one that may be repeated.
   */
  operate(operation: OrderOperation, check: null, startedAtUs: number): Promise<Result<OperationReply, PoolFailure>>;
  operate(
    operation: OrderOperation,
    check: SignatureCheck,
    startedAtUs: number,
  ): Promise<Result<OperationReply | null, PoolFailure>>;
  async operate(
    operation: OrderOperation,
    check: SignatureCheck | null,
    startedAtUs: number,
  ): Promise<Result<OperationReply | null, PoolFailure>> {
    const { metrics } = this.#options;
    if (this.#state !== 'open' || !this.#operations.take(operation)) {
      metrics.add(this.#counters.busy);
      return fail('BUSY');
    }
    metrics.add(this.#counters.tasks);
    const handed = check === null ? null : { check, acceptedAtUs: monotonicUs() };
    const triedAt = Date.now() as UnixMillis;
    const task = { kind: 'operate', handed, operation, startedAtUs, triedAt: null } as const;
    this.#underWay.add(task);
    let reply = await this.#operateWhereItIsQuicker(task);
    if (!reply.ok) reply = await this.#run<OperateTask>({ ...task, triedAt });
    this.#underWay.delete(task);
    this.#operations.giveBack(operation);
    if (!reply.ok) metrics.add(this.#counters.faults);
    if (this.tasksInFlight === 0) this.#onIdle();
    return reply.ok ? reply : fail('FAULT');
  }

  /** Takes no more tasks; resolves when those it took are answered, the last ones FAULT, and the threads have ended. */
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
    await this.#mainDesk?.close();
  }

  /** Ends the youngest thread from outside: for tests in which nothing commits meanwhile. */
  killOne(): Promise<void> {
    return this.#threads.killOne();
  }

  /** 0 if there is none. */
  get #oldestOperationUs(): number {
    const [oldest] = this.#underWay;
    return oldest === undefined ? 0 : monotonicUs() - oldest.startedAtUs;
  }

  get #drainMs(): number {
    return this.#options.drainMs ?? limits.shutdownMs / 2;
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
    // A check leaves nothing behind, so that what a dying thread has done of the task does not matter.
    if (!answers.ok) answers = await this.#run(task);
    this.#verifyTasks -= 1;
    this.#handOver();
    for (const [index, it] of batch.entries()) this.#settle(it, answers.ok ? ok(answers.value[index]!) : fail('FAULT'));
  }

  #settle({ lane, settle, handed }: PendingCheck, outcome: Result<boolean, PoolFailure>): void {
    const { metrics } = this.#options;
    metrics.observe(this.#counters.roundTrips, monotonicUs() - handed.acceptedAtUs);
    if (!outcome.ok) metrics.add(this.#counters.faults);
    this.#checks.giveBack(lane);
    settle(outcome);
    if (this.tasksInFlight === 0) this.#onIdle();
  }

  /** On this thread while nothing else is under way, in the pool as soon as there is. */
  #operateWhereItIsQuicker(task: OperateTask): Promise<Result<OperationReply | null, string>> {
    const desk = this.#deskForOne(monotonicUs());
    if (desk === null || !desk.takes(task.operation)) return this.#run(task);
    this.#options.metrics.add(this.#counters.atOnce);
    return this.#operateAt(desk, task);
  }

  async #operateAt(desk: MainDesk, task: OperateTask): Promise<Result<OperationReply | null, string>> {
    try {
      return ok(await desk.operate(task));
    } catch (error) {
      return failedTask(this.#options.log, task, error);
    }
  }

  /** This thread's desk, for a task that was accepted just now, if that is quicker. Asked once for every task. */
  #deskForOne(nowUs: number): MainDesk | null {
    const desk = this.#mainDesk;
    desk?.noteLoad(this.tasksInFlight, nowUs);
    return desk?.isForOne(nowUs) ? desk : null;
  }

  /**
   * This thread's desk, for the only check beside operations: those may keep the workers busy, and a mere read would wait for them. One in
   * a turn of the loop.
   */
  #deskBesideOperations(): MainDesk | null {
    const isLone = this.#operations.inFlight > 0 && this.#checks.inFlight === 1;
    return isLone && this.#mainDesk?.hasChecked === false ? this.#mainDesk : null;
  }

  #run<T extends OrderTask>(task: T): Promise<Result<OrderAnswers[T['kind']], string>> {
    return this.#state === 'closed' ? Promise.resolve(fail('the pool is closed')) : this.#threads.run(task);
  }

  async #openMainDesk(): Promise<void> {
    const { metrics, log, desk = null, mainDesk: bounds = null, onOrderEvents: tell = () => {} } = this.#options;
    if (bounds === null) return;
    this.#mainDesk = await openMainDesk(bounds, { metrics: metrics.shared, desk }, { log, tell });
  }

  #start(): OrderThreads {
    const {
      threads,
      metrics,
      log,
      desk = null,
      onOrderEvents = () => {},
      pulseMs = limits.threadPulseMs,
    } = this.#options;
    const { workerUrl = new URL('./order-worker.ts', import.meta.url) } = this.#options;
    const data = { metrics: metrics.shared, desk };
    const started: OrderThreads = new OrderThreads({
      ...{ threads, workerUrl, data, pulseMs, log, onOrderEvents },
      onLost: () => this.#lost(started),
      onSilent: () => metrics.add(this.#counters.silent),
    });
    return started;
  }

  #lost(from: OrderThreads): void {
    const { metrics, log, threads } = this.#options;
    metrics.add(this.#counters.lost);
    log.warn('order worker lost');
    if (from !== this.#threads || this.#state === 'closed') return;
    this.#restart ??= setTimeout(() => {
      this.#restart = null;
      if (from.size === threads) return;
      log.warn('order pool started anew');
      this.#threads = this.#start();
      this.#retired = Promise.all([this.#retired, from.end(this.#drainMs / 2)]);
    }, limits.poolRestartMs);
  }
}
