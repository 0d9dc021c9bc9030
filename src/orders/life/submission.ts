// A submission, its deadlines, and the services it needs. Engine thread.

import { type Answer, type Refused, refused } from '../../core/domain/answer.ts';
import type { ActorLimits } from '../../core/domain/identity.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import type { FieldNames, NewOrderOperation } from '../../core/domain/operation.ts';
import type { Order, OrderId } from '../../core/domain/order.ts';
import { addressOf, directionOf } from '../../core/domain/order-frame.ts';
import type { Intent, OrderRequest } from '../../core/domain/order-request.ts';
import type { BestOf } from '../../core/domain/position.ts';
import type { Result } from '../../core/domain/result.ts';
import type { Stopwatch } from '../../core/runtime/clock.ts';
import type { EqualDelays, Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import type { LimitReads } from './actor-limits.ts';
import type { ActorRates, Halt } from './actor-rates.ts';
import type { Exposure } from './exposure.ts';
import type { Ledger } from './ledger.ts';
import type { UnderWay } from './under-way.ts';

/** A recorded order that is about to be sent. If its intent has a venue's id, the venue will have the order under that id. */
export interface Begun {
  readonly order: Order;
  readonly intent: Intent;
}

/** The callbacks of the request that brought one or several submissions. */
export interface SubmissionHooks {
  /** Called once, between the record and the send. Returns false if the caller already has the answer that nothing was sent. */
  claim(): boolean;
  /** Called right before orders are sent. */
  begun(orders: readonly Begun[]): void;
  /** Called once the order is recorded, if the caller asked for that. */
  recorded(orderId: OrderId): void;
}

/** Gets the answer to a submission. Exactly one of the two methods is called, once, and possibly at once. */
export interface Asker {
  answered(answer: Answer): void;
  /**
   * Called with an error. A StoreError means that nothing was sent, or that the intent is recorded and will be reconciled. Any other error
   * is a fault of the program.
   */
  failed(error: unknown): void;
}

/** A parsed and well-formed request. Neither its market nor its account is checked yet. */
export interface Submission {
  readonly podId: string;
  readonly actorId: string;
  readonly keyId: string;
  /** The id that follows from the key. A retry has the same id. */
  readonly orderId: OrderId;
  readonly request: OrderRequest;
  /** The market that the request trades. */
  readonly address: string;
  /** The direction that `directionOf` returns. */
  readonly direction: 1 | -1;
  /** Whether the caller gave `price` rather than `priceCents`. */
  readonly hasExactPrice: boolean;
  readonly idempotencyKey: string;
  readonly bodySha256Hex: string;
  /** Whether a new order may be made. Earlier orders are answered in any case (contract §4.7). */
  readonly isTradable: boolean;
  /** The limits of the actor when the request arrived. */
  readonly limits: ActorLimits;
  /** The latest time at which the order may be sent. */
  readonly notAfter: UnixMillis | null;
  readonly names: FieldNames;
  /** Whether the caller wants to hear that the order is recorded. */
  readonly isAckWanted: boolean;
  readonly hooks: SubmissionHooks;
  readonly asker: Asker;
  /** Measures the stages for `Server-Timing`. Null means that the caller did not ask for them. */
  readonly stopwatch: Pick<Stopwatch, 'passed'> | null;
}

/** A recorded order with its submission. */
export interface Sent extends Begun {
  readonly submission: Submission;
  readonly venue: VenueTrading;
}

/**
 * Returns why a loss limit refuses the order. Null means that no limit refuses it. `size` is the size of the order, or 0 if `reads` count
 * the order already. Limits that were reached before `since` do not refuse, because they have let the order pass.
 */
type LossHalt = (
  reads: LimitReads,
  sender: Pick<Submission, 'podId' | 'actorId' | 'request'>,
  size: MicroShares,
  since: number,
) => Halt | null;

export interface SubmitParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  /** Returns the account, or a refusal that says why the pod cannot trade at the venue now. */
  readonly tradingOf: (submission: Submission) => Result<VenueTrading, Refused>;
  readonly rates: Pick<ActorRates, 'countOrder' | 'checkOrder'>;
  /** Returns the best price of one side of a LIVE book, for collars. Null means that there is no such price. */
  readonly bestOf: BestOf;
  /** Returns why an operator lets the actor place no orders. Null means that no stop prevents it. */
  readonly stopProblem: (caller: Pick<Submission, 'podId' | 'actorId'>) => string | null;
  readonly lossHalt: LossHalt;
  readonly exposure: Exposure;
  readonly underWay: UnderWay;
  /** The orders whose callers still wait for the venue's answer alone. */
  readonly patience: EqualDelays;
  /** Returns the group at the venue for the order. Null means that the order goes without a group. */
  readonly groupOf: (order: Order) => string | null;
  /** Takes work that continues after the answer, and that may reject with a StoreError. It ends before the store closes. */
  readonly onLate: (work: Promise<unknown>) => void;
}

/** Returns the deadline of contract §4.7. By then the caller has an answer. */
export function answerDeadline({ sentAt, updatedAt }: Pick<Order, 'sentAt' | 'updatedAt'>): UnixMillis {
  return ((sentAt ?? updatedAt) + limits.venueAnswerTimeoutMs) as UnixMillis;
}

export function lateText(notAfter: UnixMillis, now: UnixMillis, names: FieldNames): string {
  return `${names.notAfter}: ${notAfter} has passed, it is ${now}: nothing was sent`;
}

/** Returns the refusal of a submission whose key belongs to another request. */
export function keyConflict({ names }: Pick<Submission, 'names'>): Refused {
  return refused('idempotencyConflict', `${names.idempotencyKey}: was used before with a different body`);
}

/** Returns the submission of an operation whose body is valid. */
export function submissionOf(
  operation: NewOrderOperation,
  request: OrderRequest,
  orderId: OrderId,
  { hooks, asker, stopwatch }: Pick<Submission, 'hooks' | 'asker' | 'stopwatch'>,
): Submission {
  const { caller, body } = operation;
  return {
    podId: caller.podId,
    actorId: caller.actorId,
    keyId: caller.keyId,
    orderId,
    request,
    address: addressOf(request),
    direction: directionOf(request),
    hasExactPrice: operation.name === 'submit' && body.ok && body.value.price !== undefined,
    idempotencyKey: operation.idempotencyKey,
    bodySha256Hex: operation.bodySha256Hex,
    isTradable: operation.isTradable,
    limits: operation.limits,
    notAfter: operation.notAfter as UnixMillis | null,
    names: operation.names,
    isAckWanted: operation.acknowledges,
    hooks,
    asker,
    stopwatch,
  };
}
