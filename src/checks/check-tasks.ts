// What the main thread asks of the check pool. A kind of task is one line in each of the two types and a case in check-worker.ts.

import type { SignatureCheck } from '../auth/check.ts';
import type { CatalogListOperation, OperationReply } from '../domain/operation.ts';
import type { MetricsParts } from '../metrics/metrics.ts';

export type CheckTask = VerifyTask | CatalogTask;

/** Answers by the kind of task. */
export interface CheckAnswers {
  /** In the order of the checks. */
  readonly verify: readonly boolean[];
  readonly catalog: OperationReply;
}
export type CheckAnswer = CheckAnswers[CheckTask['kind']];

/** Several checks at once: they share the cost of the hop to another thread and back. */
export interface VerifyTask {
  readonly kind: 'verify';
  readonly checks: readonly HandedCheck[];
}

export interface HandedCheck {
  /** Its signature owns its buffer: a message to a thread copies the whole buffer behind a view. */
  readonly check: SignatureCheck;
  /** When the pool accepted it, by monotonicUs(). */
  readonly acceptedAtUs: number;
}

/** A page of the catalog, read from shared memory. */
export interface CatalogTask {
  readonly kind: 'catalog';
  readonly operation: CatalogListOperation;
  /** Arrival of the request, by monotonicUs(). */
  readonly startedAtUs: number;
}

/** What tasks need on any thread. */
export interface CheckData {
  readonly metrics: MetricsParts;
  /** Signs page tokens of the catalog. */
  readonly pageSecretHex: string;
}

/** Start data of a check worker. */
export interface CheckWorkerData extends CheckData {
  /** Buffer of a PulseBoard, where the worker takes a place. */
  readonly pulses: SharedArrayBuffer;
  readonly pulseMs: number;
}
