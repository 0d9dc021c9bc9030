// Checks signatures and reads pages of the catalog. This runs in the check pool, and on the main thread when that is quicker. A kind of
// task has an entry in CheckTask, an entry in CheckAnswers, and a case in check-worker.ts.

import { listEventMarkets, listEvents, listMarkets } from '../../catalog/catalog-lists.ts';
import type { SignatureCheck } from '../../core/auth/check.ts';
import { verifySignature } from '../../core/auth/ed25519.ts';
import type { CatalogListOperation, OperationReply } from '../../core/domain/operation.ts';
import { Metrics, type MetricsParts } from '../../core/metrics/metrics.ts';
import { monotonicUs, Stopwatch } from '../../core/runtime/clock.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import type { PageScope } from '../../core/wire/page-token.ts';
import { timed } from '../../core/wire/replies.ts';

export type CheckTask = VerifyTask | CatalogTask;

/** The answers by kind of task. */
export interface CheckAnswers {
  /** The results, in the order of the checks. */
  readonly verify: readonly boolean[];
  readonly catalog: OperationReply;
}
export type CheckAnswer = CheckAnswers[CheckTask['kind']];

/** Several checks in one task. They share the cost of the hop to another thread and back. */
interface VerifyTask {
  readonly kind: 'verify';
  readonly checks: readonly HandedCheck[];
}

export interface HandedCheck {
  readonly check: SignatureCheck;
  /** The time by monotonicUs() at which the pool accepted the check. */
  readonly acceptedAtUs: number;
}

/** A page of the catalog, read from shared memory. */
interface CatalogTask {
  readonly kind: 'catalog';
  readonly operation: CatalogListOperation;
  /** Has the same meaning as in TimedOperation. */
  readonly timedFromUs: number | null;
}

/** The data that the tasks need on every thread. */
export interface CheckData {
  readonly metrics: MetricsParts;
  /** The secret that signs the page tokens of the catalog. */
  readonly pageSecretHex: string;
}

/** The start data of a thread of the check pool. */
export interface CheckWorkerData extends CheckData {
  /** The buffer of a PulseBoard. The thread takes a place on it. */
  readonly pulses: SharedArrayBuffer;
  readonly pulseMs: number;
}

export class Checker {
  readonly #metrics: Metrics;
  readonly #waitTimes: number;
  readonly #verifyTimes: number;
  readonly #pageSecret: Uint8Array;

  constructor({ metrics, pageSecretHex }: CheckData) {
    this.#metrics = new Metrics(metrics);
    this.#waitTimes = this.#metrics.histogram('pool_wait_seconds');
    this.#verifyTimes = this.#metrics.histogram('auth_verify_seconds');
    this.#pageSecret = Buffer.from(pageSecretHex, 'hex');
  }

  verifyAll({ checks }: VerifyTask): boolean[] {
    let beganUs = monotonicUs();
    return checks.map(({ check, acceptedAtUs }) => {
      const isRight = this.verify(check, beganUs - acceptedAtUs, beganUs);
      beganUs = monotonicUs();
      return isRight;
    });
  }

  list({ operation, timedFromUs }: Pick<CatalogTask, 'operation' | 'timedFromUs'>): OperationReply {
    const stopwatch = new Stopwatch(timedFromUs);
    return timed(this.#readPage(operation), stopwatch.text());
  }

  #readPage(operation: CatalogListOperation): OperationReply {
    const now = wallTimers.now();
    if (operation.name === 'event-markets') return listEventMarkets(operation, now);
    const { caller, path } = operation;
    const scope: PageScope = { secret: this.#pageSecret, actorId: caller.actorId, path };
    return operation.name === 'markets' ? listMarkets(scope, operation, now) : listEvents(scope, operation, now);
  }

  /** Checks one signature. `waitedUs` is how long the check waited for a thread. `beganUs` is the present time by monotonicUs(). */
  verify(check: SignatureCheck, waitedUs: number, beganUs: number): boolean {
    this.#metrics.observe(this.#waitTimes, waitedUs);
    const isRight = verifySignature(check);
    this.#metrics.observe(this.#verifyTimes, monotonicUs() - beganUs);
    return isRight;
  }
}
