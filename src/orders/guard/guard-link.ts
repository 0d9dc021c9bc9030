// The main thread's end of the guard thread. Main thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { LastingThread } from '../../core/runtime/lasting-thread.ts';
import type { Log } from '../../core/runtime/log.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import { THREADS } from '../../threads.ts';
import type { OpenOrder } from '../engine/engine-messages.ts';
import { undecidedRefusal } from '../life/cancel.ts';
import type { CarriedOut, GuardedCancel } from './guard-cancel.ts';
import type { FromGuard, GuardThreadData } from './guard-worker.ts';

interface Waiting {
  readonly order: OpenOrder;
  readonly resolve: (outcome: CarriedOut) => void;
}

export class GuardLink {
  readonly #thread: LastingThread;
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;

  constructor(workerData: GuardThreadData, metrics: Metrics, log: Log) {
    this.#thread = new LastingThread({
      ...THREADS.guard,
      workerData,
      log,
      onMessage: message => this.#settle((message as FromGuard).number, (message as FromGuard).outcome),
      onLost: () => this.#giveUp(),
    }).countLosses(metrics, 'guard');
  }

  /**
   * Has the guard thread cancel an order. Never rejects: a cancel that the venue has not confirmed by `deadline` is undecided, also if the
   * thread dies.
   */
  carryOut(order: OpenOrder, deadline: UnixMillis): Promise<CarriedOut> {
    this.#number += 1;
    const number = this.#number;
    return new Promise(resolve => {
      const cancelTimer = wallTimers.after(deadline - wallTimers.now() + limits.guardGraceMs, () =>
        this.#settle(number, undecidedRefusal(order, false)),
      );
      this.#waiting.set(number, {
        order,
        resolve: outcome => {
          cancelTimer();
          resolve(outcome);
        },
      });
      this.#thread.send({ number, order, deadline } satisfies GuardedCancel);
    });
  }

  async close(): Promise<void> {
    await this.#thread.close();
    this.#giveUp();
  }

  /** Kills the thread, as a fault would. For tests and fault campaigns. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  #settle(number: number, outcome: CarriedOut): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    waiting?.resolve(outcome);
  }

  #giveUp(): void {
    for (const [number, { order }] of this.#waiting) this.#settle(number, undecidedRefusal(order, false));
  }
}
