// Replies to cancels of single orders. Engine thread.

import { refused } from '../../core/domain/answer.ts';
import type { OperationReply } from '../../core/domain/operation.ts';
import { traded } from '../../core/domain/order-sums.ts';
import { cancelledView } from '../../core/wire/order-views.ts';
import { refusedReply, replyOf } from '../../core/wire/replies.ts';
import type { Halt } from './actor-rates.ts';
import type { CancelAnswer } from './cancel.ts';

export function limitedReply({ message, retryAfterS }: Halt): OperationReply {
  const words = `${message}: nothing was cancelled, and a cancel of all orders is allowed`;
  return refusedReply({ ...refused('limited', words), retryAfterS });
}

export function cancelReply(answer: CancelAnswer): OperationReply {
  if (answer.type === 'refused') return refusedReply(answer);
  const { order } = answer;
  return replyOf(200, cancelledView(order.orderId, order.request.venue, traded(order).size));
}
