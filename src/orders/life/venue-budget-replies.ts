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
import type { OrderId } from '../../core/domain/order.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';
import { budgetReply } from '../../core/wire/replies.ts';
import type { PodTrading } from '../../venues/pod-trading.ts';

export interface BudgetedParts {
  readonly store: Pick<LedgerStore, 'order'>;
  readonly trading: Pick<PodTrading, 'of'>;
}

/** Operations that spend the venue's rate limits for orders or for cancels. */
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

/** Adds the rest of the rate limits to the reply. The reply to an operation that spends none stays as it is. */
export function withBudget(parts: BudgetedParts, operation: EngineOperation, reply: OperationReply): OperationReply {
  if (!isPaced(operation)) return reply;
  const trading = parts.trading.of(operation.caller.podId, operation.venue);
  return trading === null ? reply : budgetReply(reply, trading.budget(marketOf(parts.store, operation)));
}

function isPaced(operation: EngineOperation): operation is PacedOperation {
  return PACED.includes(operation.name);
}

/** Returns the market of the operation. Null means that the operation names no market. */
function marketOf(store: BudgetedParts['store'], operation: PacedOperation): string | null {
  switch (operation.name) {
    case 'submit':
      return operation.body.ok ? textOf(operation.body.value.ticker) : null;
    case 'replace':
    case 'cancel': {
      const orderId = readOrderId(operation.orderId);
      return orderId === null ? null : marketOfOrder(store, orderId);
    }
    case 'cancel-all':
      return operation.address;
    default:
      return null;
  }
}

/**
 * Returns the market of the order. Null means that there is no such order, or that its record cannot be read. The answer then lacks the
 * rest of the budget.
 */
function marketOfOrder(store: BudgetedParts['store'], orderId: OrderId): string | null {
  try {
    const stored = store.order(orderId);
    return stored === null ? null : addressOf(stored.order.request);
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
