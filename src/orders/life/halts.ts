// Why no order of an actor may be sent now, valid or not: an operator's stop, or a triggered protection. The order has no record, or a
// record that it was not sent. So its key stays free. Engine thread.

import { type Refused, unavailable } from '../../core/domain/answer.ts';
import type { MicroShares } from '../../core/domain/numbers.ts';
import { covers } from '../../core/domain/protection.ts';
import type { LiveReads } from '../../core/store/order-records.ts';
import type { Halt } from './actor-rates.ts';
import type { Sent, Submission, SubmitParts } from './submission.ts';

/** No further size, because the store counts the order already. */
const COUNTED = 0 as MicroShares;

type Sender = Pick<Submission, 'podId' | 'actorId' | 'request' | 'address'>;

/** The pause before a retry during a stop. An operator ends a stop by hand, so a retry every second would be useless. */
const STOP_RETRY_AFTER_S = 10;
const PROTECTION_RETRY_AFTER_S = 1;

export function stopHalt({ stopProblem }: Pick<SubmitParts, 'stopProblem'>, sender: Sender): Halt | null {
  const message = stopProblem(sender);
  return message === null ? null : { message, retryAfterS: STOP_RETRY_AFTER_S };
}

export function haltOf(
  parts: Pick<SubmitParts, 'stopProblem'>,
  reads: Pick<LiveReads, 'protections'>,
  sender: Sender,
): Halt | null {
  return stopHalt(parts, sender) ?? protectionHalt(reads, sender);
}

/** Returns why an order may not leave although it is recorded: a protection or a loss limit was triggered after that. */
export function haltBeforeSend({ ledger: { store }, lossHalt }: SubmitParts, { order, submission }: Sent): Halt | null {
  return protectionHalt(store, submission) ?? lossHalt(store, submission, COUNTED, order.createdAt);
}

export function haltRefusal({ message, retryAfterS }: Halt): Refused {
  return unavailable(`${message}: nothing was sent`, retryAfterS);
}

export function protectionHalt(
  reads: Pick<LiveReads, 'protections'>,
  { actorId, request, address: market }: Pick<Sender, 'actorId' | 'request' | 'address'>,
): Halt | null {
  const triggered = reads.protections(actorId).find(it => it.triggered !== null && covers(it, request.venue, market));
  if (triggered === undefined) return null;
  const { venue, address } = triggered;
  const place = address === null ? venue : `${venue} ${address}`;
  const message = `the protection of ${place} is triggered, and must be reset first (POST /v1/orders/protection/reset)`;
  return { message, retryAfterS: PROTECTION_RETRY_AFTER_S };
}
