// What the main thread asks of an order worker, and what it hears. A kind of task is one line in each of the two and a case
// in order-worker.ts.

import type { SignatureCheck } from '../auth/check.ts';
import type { MetricsParts } from '../runtime/metrics.ts';

export type OrderTask = VerifyTask;

/** Answers by the kind of task. */
export interface OrderAnswers {
  /** In the order of the checks. */
  readonly verify: readonly boolean[];
}
export type OrderAnswer = OrderAnswers[OrderTask['kind']];

/** Several checks at once: they share the cost of crossing to another thread and back. */
export interface VerifyTask {
  readonly kind: 'verify';
  readonly checks: readonly HandedCheck[];
}

export interface HandedCheck {
  /** Its signature should have memory of its own: a message to a thread takes the whole buffer behind a view along. */
  readonly check: SignatureCheck;
  /** By monotonicUs(): when the pool accepted it. */
  readonly acceptedAtUs: number;
}

/** What an order worker is started with. */
export interface OrderWorkerData {
  readonly metrics: MetricsParts;
}
