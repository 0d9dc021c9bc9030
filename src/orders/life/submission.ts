// A submission, its deadlines, and the services it needs. Engine thread.

import { type Refused, refused } from '../../core/domain/answer.ts';
import type { ActorLimits } from '../../core/domain/identity.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { FieldNames, ReplaceOperation, SubmitOperation } from '../../core/domain/operation.ts';
import type { Order, OrderId } from '../../core/domain/order.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import type { Result } from '../../core/domain/result.ts';
import type { Stopwatch } from '../../core/runtime/clock.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import type { Ledger } from './ledger.ts';
import type { UnderWay } from './under-way.ts';

/** Reports a recorded order that may be at its venue from now on, under `venueOrderId` if that is not null. */
export interface Begun {
  readonly order: Order;
  readonly venueOrderId: string | null;
}

export interface SubmissionHooks {
  /** Called once, between record and send. False if the caller already has the answer that nothing was sent. */
  readonly claim: () => boolean;
  /** Called right before orders are sent. */
  readonly begun: (orders: readonly Begun[]) => void;
  /** Called once the order is recorded, if the caller asked for that. */
  readonly recorded: ((orderId: OrderId) => void) | null;
}

/** A parsed and well-formed request; neither market nor account is checked yet. */
export interface Submission extends SubmissionHooks {
  readonly podId: string;
  readonly actorId: string;
  readonly keyId: string;
  /** The id that the key gives: a retry has the same id. */
  readonly orderId: OrderId;
  readonly request: OrderRequest;
  /** True if the caller gave `price`, not `priceCents`. */
  readonly hasExactPrice?: boolean;
  readonly idempotencyKey: string;
  readonly bodySha256Hex: string;
  /** Whether a new order may be made; earlier orders are answered in any case (contract §4.7). */
  readonly isTradable: boolean;
  /** The actor's limits when the request arrived. */
  readonly limits: ActorLimits;
  /** The latest time at which the order may be sent. */
  readonly notAfter: UnixMillis | null;
  readonly names: FieldNames;
  /** Called as the submission passes a stage, for `Server-Timing`. */
  readonly passed: (stage: 'admit' | 'store' | 'venue' | 'settle') => void;
}

export interface SubmitParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  /** The account, or a refusal that says why the pod cannot trade there now. */
  readonly tradingOf: (submission: Submission) => Result<VenueTrading, Refused>;
  /** Why an operator lets the actor place no orders; null if nothing prevents it. */
  readonly stopProblem: (caller: Pick<Submission, 'podId' | 'actorId'>) => string | null;
  readonly underWay: UnderWay;
  /** The group at the venue for the order; null if there is none. */
  readonly groupOf: (order: Order) => string | null;
  /** Work that continues after the answer; may reject with a StoreError. Ends before the store closes. */
  readonly late: (work: Promise<unknown>) => void;
}

/** The time-out of contract §4.7: the caller has an answer by then. */
export function answerDeadline({ sentAt, updatedAt }: Pick<Order, 'sentAt' | 'updatedAt'>): UnixMillis {
  return ((sentAt ?? updatedAt) + limits.venueAnswerTimeoutMs) as UnixMillis;
}

export function tooLate(notAfter: UnixMillis, now: UnixMillis, names: FieldNames): string {
  return `${names.notAfter}: ${notAfter} has passed, it is ${now}: nothing was sent`;
}

/** The key of the submission belongs to another request. */
export function usedOtherwise({ names }: Pick<Submission, 'names'>): Refused {
  return refused('idempotencyConflict', `${names.idempotencyKey}: was used before with a different body`);
}

/** The submission of an operation whose body is valid. */
export function submissionOf(
  operation: SubmitOperation | ReplaceOperation,
  request: OrderRequest,
  orderId: OrderId,
  stopwatch: Stopwatch,
  { claim, begun, recorded }: SubmissionHooks,
): Submission {
  const { caller, idempotencyKey, bodySha256Hex, isTradable, limits, notAfter, names } = operation;
  return {
    ...caller,
    orderId,
    request,
    idempotencyKey,
    bodySha256Hex,
    isTradable,
    limits,
    names,
    claim,
    begun,
    notAfter: notAfter as UnixMillis | null,
    recorded: operation.acknowledges ? recorded : null,
    passed: stage => stopwatch.passed(stage === 'settle' ? 'store' : stage),
  };
}
