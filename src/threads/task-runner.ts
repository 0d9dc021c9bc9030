// What is done of a task: signatures checked, an operation on orders performed at this thread's desk. Order workers, and the main
// thread while nothing else is under way.

import { verifySignature } from '../auth/ed25519.ts';
import { assert, unreachable } from '../domain/result.ts';
import { monotonicUs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { Metrics } from '../runtime/metrics.ts';
import { type OrderDesk, type OrderDeskParts, openOrderDesk } from './order-desk.ts';
import type {
  HandedCheck,
  OperateTask,
  OperationReply,
  OrderAnswer,
  OrderTask,
  TaskRunnerData,
  VerifyTask,
} from './order-tasks.ts';
import { Stopwatch } from './stopwatch.ts';

export interface TaskRunnerParts {
  readonly isShared: OrderDeskParts['isShared'];
  readonly log: Log;
  /** Of committed changes, in their order. */
  readonly tell: OrderDeskParts['tell'];
}

/** Rejects with a StoreError if there is a desk and its store cannot be used. */
export async function openTaskRunner(
  data: TaskRunnerData,
  { isShared, log, tell }: TaskRunnerParts,
): Promise<TaskRunner> {
  const metrics = new Metrics(data.metrics);
  if (data.desk === null) return new TaskRunner(metrics, null);
  const desk = await openOrderDesk(data.desk, {
    isShared,
    log,
    metrics,
    tell,
    diverged: (kind, detail) => {
      metrics.add(metrics.counter('order_divergences_total', kind));
      log.warn('diverged', { kind, ...detail });
    },
  });
  return new TaskRunner(metrics, desk);
}

export class TaskRunner {
  readonly #metrics: Metrics;
  readonly #waitTimes: number;
  readonly #verifyTimes: number;
  /** Null: it only checks signatures. */
  readonly #desk: OrderDesk | null;

  constructor(metrics: Metrics, desk: OrderDesk | null) {
    this.#metrics = metrics;
    this.#waitTimes = metrics.histogram('pool_wait_seconds');
    this.#verifyTimes = metrics.histogram('auth_verify_seconds');
    this.#desk = desk;
  }

  run(task: OrderTask): OrderAnswer | Promise<OrderAnswer> {
    switch (task.kind) {
      case 'verify':
        return this.verifyAll(task);
      case 'operate':
        return this.operate(task, new Stopwatch(task.startedAtUs));
      case 'close':
        return this.close().then(() => null);
      default:
        return unreachable(task);
    }
  }

  verifyAll({ checks }: VerifyTask): boolean[] {
    let beganUs = monotonicUs();
    return checks.map(handed => {
      const isRight = this.#verify(handed, beganUs);
      beganUs = monotonicUs();
      return isRight;
    });
  }

  async operate({ handed, operation, triedAt }: OperateTask, stopwatch: Stopwatch): Promise<OperationReply | null> {
    stopwatch.passed('parse');
    if (handed !== null && !this.#verify(handed, monotonicUs())) return null;
    stopwatch.passed('auth');
    assert(this.#desk !== null, 'operations are for threads with a desk');
    return this.#desk.perform(operation, stopwatch, triedAt);
  }

  async close(): Promise<void> {
    await this.#desk?.close();
  }

  #verify({ check, acceptedAtUs }: HandedCheck, beganUs: number): boolean {
    this.#metrics.observe(this.#waitTimes, beganUs - acceptedAtUs);
    const isRight = verifySignature(check);
    this.#metrics.observe(this.#verifyTimes, monotonicUs() - beganUs);
    return isRight;
  }
}
