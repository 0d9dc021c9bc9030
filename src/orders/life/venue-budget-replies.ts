// Adds the rest of a venue's rate limits to answers to orders and cancels. Engine thread.

import { textOf } from '../../core/domain/json.ts';
import type {
  CancelAllOperation,
  CancelBatchOperation,
  EngineOperation,
  OneOrderOperation,
  OperationReply,
  ReplaceOperation,
  SubmitBatchOperation,
  SubmitOperation,
} from '../../core/domain/operation.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';
import { budgetReply } from '../../core/wire/replies.ts';
import type { PodTrading } from '../../venues/pod-trading.ts';

interface BudgetedParts {
  readonly store: LedgerStore;
  readonly trading: PodTrading;
}

/** Operations that spend a venue's rate limits for orders or cancels. */
type PacedOperation =
  | SubmitOperation
  | SubmitBatchOperation
  | ReplaceOperation
  | CancelBatchOperation
  | CancelAllOperation
  | (OneOrderOperation & { readonly name: 'cancel' });

const PACED: readonly EngineOperation['name'][] = [
  ...(['submit', 'submit-batch', 'replace', 'cancel', 'cancel-batch', 'cancel-all'] as const),
];

/** The reply to any other operation stays as it is. */
export function budgeted(parts: BudgetedParts, operation: EngineOperation, reply: OperationReply): OperationReply {
  if (!isPaced(operation)) return reply;
  const trading = parts.trading.of(operation.caller.podId, operation.venue);
  return trading === null ? reply : budgetReply(reply, trading.budget(marketOf(parts.store, operation)));
}

function isPaced(operation: EngineOperation): operation is PacedOperation {
  return PACED.includes(operation.name);
}

/** Null if the operation names no market. */
function marketOf(store: LedgerStore, operation: PacedOperation): string | null {
  switch (operation.name) {
    case 'submit':
      return operation.body.ok ? textOf(operation.body.value.ticker) : null;
    case 'replace':
    case 'cancel': {
      const orderId = readOrderId(operation.orderId);
      const stored = orderId === null ? null : store.order(orderId);
      return stored === null ? null : addressOf(stored.order.request);
    }
    case 'cancel-all':
      return operation.address;
    default:
      return null;
  }
}
