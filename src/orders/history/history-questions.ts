// Questions of the main thread to the history, and their answers: lists and pages for callers, and events and orders for streams. The code
// runs on the history thread. Both threads use the types.

import { noAccount } from '../../core/domain/answer.ts';
import type { FillsOperation, HistoryOperation, OperationReply } from '../../core/domain/operation.ts';
import { unreachable } from '../../core/domain/result.ts';
import { Stopwatch } from '../../core/runtime/clock.ts';
import type { HistoryReads, OrderQuery } from '../../core/store/order-records.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';
import type { PageScope } from '../../core/wire/page-token.ts';
import { notFound, refusedReply, timed } from '../../core/wire/replies.ts';
import { listOlderOrders } from './older-orders.ts';
import { listActions, listFills, listOrders } from './order-lists.ts';

export type HistoryQuestion =
  | { readonly type: 'operate'; readonly operation: HistoryOperation; readonly timedFromUs: number | null }
  | { readonly type: 'events'; readonly actorId: string; readonly after: number; readonly rowsMax: number }
  | { readonly type: 'last-cursor'; readonly actorId: string }
  | { readonly type: 'orders'; readonly query: OrderQuery };

/** A question with the number by which its answer is matched to it. */
export type NumberedQuestion = HistoryQuestion & { readonly number: number };
/** All questions of one turn of the event loop. */
export type ToHistory = readonly NumberedQuestion[] | 'close';

/** The answer to a question. `fault` says why the history cannot be read. */
export type HistoryAnswer =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly fault: string };
export type FromHistory = readonly HistoryAnswer[];

/** The secrets of pods, by pod id. */
type PodSecrets = ReadonlyMap<string, Uint8Array>;

export function answerQuestion(reads: HistoryReads, secrets: PodSecrets, question: HistoryQuestion): unknown {
  switch (question.type) {
    case 'operate': {
      const stopwatch = new Stopwatch(question.timedFromUs);
      return timed(perform(reads, secrets, question.operation), stopwatch.text());
    }
    case 'events':
      return reads.events(question.actorId, question.after, question.rowsMax);
    case 'last-cursor':
      return reads.lastCursor(question.actorId);
    case 'orders':
      return reads.orders(question.query);
    default:
      return unreachable(question);
  }
}

function perform(reads: HistoryReads, secrets: PodSecrets, operation: HistoryOperation): OperationReply {
  const { caller, path } = operation;
  const secret = secrets.get(caller.podId);
  if (secret === undefined) return refusedReply(noAccount(caller.podId, 'any venue'));
  const scope: PageScope = { secret, actorId: caller.actorId, path };
  switch (operation.name) {
    case 'list':
      return listOrders(reads, scope, operation);
    case 'older-orders':
      return listOlderOrders(reads, scope, operation);
    case 'list-actions':
      return listActions(reads, scope, operation.query);
    case 'fills':
      return fillsOfOwnOrder(reads, scope, operation);
    default:
      return unreachable(operation);
  }
}

/** Answers about an order of the caller. An unknown order, another actor's order and an order at the other venue are all not found. */
function fillsOfOwnOrder(reads: HistoryReads, scope: PageScope, operation: FillsOperation): OperationReply {
  const { caller, venue, query } = operation;
  const orderId = readOrderId(operation.orderId);
  const order = orderId === null ? undefined : reads.order(orderId)?.order;
  const isOwn = order?.podId === caller.podId && order.actorId === caller.actorId && order.request.venue === venue;
  return isOwn ? listFills(reads, scope, query, order.orderId) : notFound();
}
