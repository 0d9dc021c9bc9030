// Answers to operations during which the order store failed. Engine thread.

import { type Answer, unavailable, unknownOutcome } from '../../core/domain/answer.ts';
import {
  type EngineOperation,
  isCancel,
  type OperationReply,
  type SubmitOperation,
} from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';
import { answerReply, errorReply, refusedReply, unavailableReply } from '../../core/wire/replies.ts';

/** The parts of a submission from which the id of its order derives. */
export type Keyed = Pick<SubmitOperation, 'caller' | 'venue' | 'idempotencyKey'>;

export interface FaultParts {
  readonly store: Pick<LedgerStore, 'order'>;
  readonly orderIdOf: (keyed: Keyed) => OrderId;
  readonly log: Log;
}

const UNUSABLE = 'the order store cannot be used';
const PROTECTION_UNRECORDED = 'the protection could not be recorded: read what stands, and ask again';
const LOSS_LIMIT_UNRECORDED = 'the loss limit could not be recorded: list what stands, and ask again';
const CANCELS_UNKNOWN = `${UNUSABLE}: what was cancelled is not known: cancel again`;

/** Logs a StoreError. Throws any other error again, because it is a program fault. */
export function logFault({ log }: Pick<FaultParts, 'log'>, operation: EngineOperation['name'], error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
  log.warn('the order store failed', { operation, error: error.message });
}

export function faultReply(parts: FaultParts, operation: EngineOperation): OperationReply {
  switch (operation.name) {
    case 'submit':
    case 'replace':
      return operation.body.ok ? answerReply(answerAfterFault(parts, operation)) : errorReply('fault', UNUSABLE);
    case 'cancel':
      return cancelReplyAfterFault(operation.orderId);
    case 'protection':
      return unavailableReply(PROTECTION_UNRECORDED);
    case 'loss-limit':
      return unavailableReply(LOSS_LIMIT_UNRECORDED);
    default:
      return isCancel(operation) ? unavailableReply(CANCELS_UNKNOWN) : errorReply('fault', UNUSABLE);
  }
}

/**
 * Returns the answer to a submission after a fault. Without a record nothing was sent. With a record, or if the store cannot be read, the
 * order may have been sent.
 */
export function answerAfterFault({ store, orderIdOf }: FaultParts, keyed: Keyed): Answer {
  const orderId = orderIdOf(keyed);
  try {
    const order = store.order(orderId)?.order ?? null;
    // The record of a released key belongs to an earlier attempt.
    if (order === null || order.isReleased) return unavailable('the order could not be recorded: nothing was sent');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  return unknownOutcome('unknownOutcome', orderId, 'a fault of the gateway: the order may have been sent');
}

/**
 * Returns the reply to a cancel after a fault. A cancel needs no record, so the fault was in reading the order, either before the cancel
 * was sent or afterwards.
 */
export function cancelReplyAfterFault(text: string): OperationReply {
  const orderId = readOrderId(text);
  if (orderId === null) return errorReply('fault', UNUSABLE);
  const message = 'a fault of the gateway: the cancel may have been made: read the order, and cancel again';
  return refusedReply(unknownOutcome('unknownOutcome', orderId, message));
}
