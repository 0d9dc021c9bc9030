// What the main thread asks of the check pool. A kind of task is one line in each of the two types and a case in check-worker.ts.

import type { SignatureCheck } from '../auth/check.ts';
import type { MetricsParts } from '../runtime/metrics.ts';
import type { CatalogListOperation, OperationReply } from './order-tasks.ts';

export type CheckTask = VerifyTask | CatalogTask;

/** Answers by the kind of task. */
export interface CheckAnswers {
  /** In the order of the checks. */
  readonly verify: readonly boolean[];
  readonly catalog: OperationReply;
}
export type CheckAnswer = CheckAnswers[CheckTask['kind']];

/** Several checks at once: they share the cost of crossing to another thread and back. */
export interface VerifyTask {
  readonly kind: 'verify';
  readonly checks: readonly HandedCheck[];
}

export interface HandedCheck {
  /** Its signature has memory of its own: a message to a thread copies the whole buffer behind a view. */
  readonly check: SignatureCheck;
  /** By monotonicUs(): when the pool accepted it. */
  readonly acceptedAtUs: number;
}

/** A page of the catalog, read from shared memory. */
export interface CatalogTask {
  readonly kind: 'catalog';
  readonly operation: CatalogListOperation;
  /** By monotonicUs(): when the request was there. */
  readonly startedAtUs: number;
}

/** What tasks are done with, on any thread. */
export interface CheckData {
  readonly metrics: MetricsParts;
  /** Signs page tokens of the catalog. */
  readonly pageSecretHex: string;
}

/** What a check worker is started with. */
export interface CheckWorkerData extends CheckData {
  /** Of a PulseBoard: it takes a place there. */
  readonly pulses: SharedArrayBuffer;
  readonly pulseMs: number;
}
