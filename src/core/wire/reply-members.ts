// Writes a reply as members of a JSON object: a result on /v1/trade, or one order of a batch. Headers of REST become members, too. Any
// thread.

import type { OperationReply } from '../domain/operation.ts';
import { textReply, VENUE_BUDGET } from './replies.ts';

const BUDGET_PART = /;(\w+)=(\d+);\1-ps=([\d.]+)/g;

/** The answer to a batch: the replies to its items, in their order. */
export function batchReply(replies: readonly OperationReply[]): OperationReply {
  return textReply(200, `{"results":[${replies.map(reply => `{${replyMembers(reply, isMade(reply))}}`).join(',')}]}`);
}

/** `isOrder`: the body is an order, which stands under `order`; else its members stand beside the status. */
export function replyMembers({ status, body, headers }: OperationReply, isOrder: boolean): string {
  const members = isOrder ? `"order":${body}` : body.slice(1, -1);
  return `"status":${status},${members}${headers.map(memberOf).join('')}`;
}

function isMade({ status }: OperationReply): boolean {
  return status < 400;
}

/** The member for a header of the REST answer; empty if the header says nothing about this order. */
function memberOf([name, value]: readonly [string, string]): string {
  switch (name) {
    case 'Idempotency-Replayed':
      return ',"replayed":true';
    case 'SVC-Recorded':
      return ',"recorded":false';
    case 'Retry-After':
      return `,"retryAfterS":${value}`;
    case VENUE_BUDGET:
      // `venue_b;orders=7;orders-ps=10;…`
      return `,"venueBudget":{"venue":"${value.replace(BUDGET_PART, ',"$1":{"left":$2,"perSecond":$3}').replace(',', '",')}}`;
    case 'Server-Timing':
      // `admit;dur=0.1, store;dur=0.2`: milliseconds by stage.
      return `,"timing":{"${value.replaceAll(';dur=', '":').replaceAll(', ', ',"')}}`;
    default:
      return '';
  }
}
