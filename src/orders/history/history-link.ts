// The main thread's end of the history thread. It sends one message per turn of the event loop, and waits for an answer no longer than a
// caller would. Main thread.

import type { HistoryOperation, OperationReply } from '../../core/domain/operation.ts';
import type { Order } from '../../core/domain/order.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { LastingThread } from '../../core/runtime/lasting-thread.ts';
import type { Log } from '../../core/runtime/log.ts';
import { type Timers, wallTimers } from '../../core/runtime/timers.ts';
import type { ActorEventRecord, OrderQuery } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { unavailableReply } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import { THREADS } from '../../threads.ts';
import type { JournalPositions } from '../journal/positions.ts';
import type { FromHistory, HistoryQuestion, NumberedQuestion, ToHistory } from './history-questions.ts';
import type { HistoryThreadData } from './history-worker.ts';

interface HistoryLinkOptions extends Pick<HistoryThreadData, 'folder' | 'pods'> {
  /** The path of the audit log. Null means that no audit log is written. */
  readonly auditLog?: string | null;
  readonly positions: JournalPositions;
  readonly metrics: Metrics;
  readonly log: Log;
  /** The timers. The default is `wallTimers`. */
  readonly timers?: Timers;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: StoreError): void;
  readonly cancelDeadline: () => void;
}

export class HistoryLink {
  readonly #thread: LastingThread;
  readonly #timers: Timers;
  readonly #log: Log;
  readonly #waiting = new Map<number, Waiting>();
  #unsent: NumberedQuestion[] = [];
  #number = 0;
  /** Whether a thread has died and the next thread does not run yet. */
  #isLost = false;

  constructor({ folder, pods, auditLog = null, positions, metrics, log, timers = wallTimers }: HistoryLinkOptions) {
    this.#timers = timers;
    this.#log = log;
    const workerData: HistoryThreadData = {
      folder,
      pods: pods.map(({ podId, secretHex }) => ({ podId, secretHex })),
      positions: positions.memory,
      auditLog: auditLog === null ? null : { path: auditLog, after: positions.appended },
      metrics: metrics.shared,
      logLevel: log.level,
    };
    this.#thread = new LastingThread({
      ...THREADS.history,
      workerData,
      log,
      onMessage: message => this.#handle(message as FromHistory),
      onLost: () => this.#handleLoss(),
      onRestart: () => {
        this.#isLost = false;
      },
    }).countLosses(metrics, 'history');
  }

  /**
   * Answers a read of the history. Never rejects: a read that fails is answered as unavailable. `timedFromUs` is that of `TimedOperation`.
   */
  async operate(operation: HistoryOperation, timedFromUs: number | null): Promise<OperationReply> {
    try {
      return await this.#ask<OperationReply>({ type: 'operate', operation, timedFromUs });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#log.warn('the history cannot be read', { operation: operation.name, error: error.message });
      return unavailableReply('the history of orders cannot be read now');
    }
  }

  /** Like `HistoryReads.events`. Rejects with a StoreError if the events cannot be read. */
  events(actorId: string, after: number, rowsMax: number): Promise<readonly ActorEventRecord[] | null> {
    return this.#ask({ type: 'events', actorId, after, rowsMax });
  }

  /** Returns the cursor of the actor's latest event. 0 means that there was no event. Rejects with a StoreError if it cannot be read. */
  lastCursor(actorId: string): Promise<number> {
    return this.#ask({ type: 'last-cursor', actorId });
  }

  /** Like `HistoryReads.orders`. Rejects with a StoreError if the orders cannot be read. */
  orders(query: OrderQuery): Promise<readonly Order[]> {
    return this.#ask({ type: 'orders', query });
  }

  /**
   * Closes the thread. The history first takes in the rest of the journal and answers all questions. Resolves when the thread has ended.
   */
  async close(): Promise<void> {
    await this.#thread.close();
    this.#rejectAll('is closed');
  }

  /** Kills the thread, as a fault would. For tests and fault campaigns. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  #ask<T>(question: HistoryQuestion): Promise<T> {
    if (this.#isLost) return Promise.reject(new StoreError('history: its thread is being restarted'));
    this.#number += 1;
    const number = this.#number;
    return new Promise<T>((resolve, reject) => {
      const cancelDeadline = this.#timers.after(limits.historyAnswerMs, () => {
        this.#waiting.delete(number);
        reject(new StoreError(`history: no answer within ${limits.historyAnswerMs} ms (historyAnswerMs)`));
      });
      this.#waiting.set(number, { resolve: value => resolve(value as T), reject, cancelDeadline });
      if (this.#unsent.length === 0) queueMicrotask(() => this.#send());
      this.#unsent.push({ number, ...question });
    });
  }

  #send(): void {
    const asked: ToHistory = this.#unsent;
    this.#unsent = [];
    this.#thread.send(asked);
  }

  #handle(answers: FromHistory): void {
    for (const answer of answers) {
      const waiting = this.#waiting.get(answer.number);
      // The question was answered already, because its deadline has passed.
      if (waiting === undefined) continue;
      this.#waiting.delete(answer.number);
      waiting.cancelDeadline();
      if ('fault' in answer) waiting.reject(new StoreError(answer.fault));
      else waiting.resolve(answer.value);
    }
  }

  #handleLoss(): void {
    this.#isLost = true;
    this.#rejectAll('its thread has ended');
  }

  #rejectAll(why: string): void {
    for (const { reject, cancelDeadline } of this.#waiting.values()) {
      cancelDeadline();
      reject(new StoreError(`history: ${why}`));
    }
    this.#waiting.clear();
  }
}
