// A replace request (docs/PROTOCOL.md), and its record before anything is sent. One step records the new order. At a venue that does not
// amend, the same step records the cancel request of the old order. Engine thread.

import { type Refused, refused } from '../../core/domain/answer.ts';
import { formatMicroShares, type MicroShares, type Ticks } from '../../core/domain/numbers.ts';
import { isTerminal, type Order, type OrderId } from '../../core/domain/order.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import { canRest, traded } from '../../core/domain/order-sums.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { LiveReads } from '../../core/store/order-records.ts';
import { endedRefusal } from './cancel.ts';
import { recordCancelRequest } from './cancel-requests.ts';
import { type Admitted, putOrderAndKey, putPending, type Recorded, recordOrRefuse } from './intents.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { readsWithout } from './replaced-reads.ts';
import { tradedBefore } from './replacement-chain.ts';
import type { SubmitParts } from './submission.ts';

/** The new terms of the order. Null keeps a term. `total` is the size over both orders. */
export interface ReplaceTerms {
  readonly price: Ticks | null;
  readonly total: MicroShares | null;
}

interface NewRequest {
  readonly request: OrderRequest;
  readonly total: MicroShares;
}

/** Returns the request of the new order, by the present state of the old order. A refusal says why nothing is done. */
export function newRequestOf(old: Order, terms: ReplaceTerms): Result<NewRequest, Refused> {
  const { orderId, request, cancelRequestedAt } = old;
  if (isTerminal(old.status) || !('price' in request) || !canRest(request)) return fail(endedRefusal(old));
  if (cancelRequestedAt !== null) return fail(refused('notCancellable', `order ${orderId} is being cancelled`));
  if (old.status !== 'OPEN') return fail(refused('unavailable', `order ${orderId} is ${old.status}: nothing was done`));
  const total = terms.total ?? request.size;
  const { size: filled } = traded(old);
  const left = (total - filled) as MicroShares;
  if (left > 0) return ok({ request: { ...request, size: left, price: terms.price ?? request.price }, total });
  return fail(refused('notCancellable', `${nothingLeftText(old, filled)}: nothing was done`));
}

export function nothingLeftText({ orderId }: Pick<Order, 'orderId'>, filled: MicroShares): string {
  return `order ${orderId} has filled ${formatMicroShares(filled)}, and nothing of the new total is left`;
}

interface Replacement extends Admitted {
  readonly oldId: OrderId;
  readonly total: MicroShares;
  /** The new size of the venue's order, if it is amended in place. Null means that the venue amends no orders. */
  readonly venueTotal: MicroShares | null;
}

/**
 * Records the new order. At a venue that amends, it is SUBMITTED. Elsewhere it is PENDING, and the cancel of the old order is requested.
 */
export function recordReplacement(
  parts: Pick<SubmitParts, 'stopProblem' | 'lossHalt' | 'rates' | 'exposure'>,
  replacement: Replacement,
  entry: LedgerEntry,
): Recorded {
  const { oldId, total, venueTotal } = replacement;
  const old = entry.order(oldId);
  // The old order may have changed since the request was read.
  const wanted = newRequestOf(old, { price: null, total });
  const problem = wanted.ok ? replaceConflict(entry.transaction, old) : wanted.error;
  const unless = { problem, reads: readsWithout(entry.transaction, old) };
  return recordOrRefuse(parts, replacement, unless, entry, pending => {
    const before = tradedBefore(entry.transaction, old);
    const order = { ...pending, replaces: { orderId: oldId, total, venueTotal: venueTotal ?? total, before } };
    if (venueTotal !== null) return putPending(entry, replacement, order);
    recordCancelRequest(entry, oldId, 'REPLACED');
    return putOrderAndKey(entry, replacement, order);
  });
}

/** Returns the refusal of an order that is being replaced already. A replacement in place is in flight until it is confirmed. */
function replaceConflict(reads: Pick<LiveReads, 'unclearOrders'>, { podId, orderId, request }: Order): Refused | null {
  for (const { order } of reads.unclearOrders({ podId, venue: request.venue })) {
    const isIts = order.replaces?.orderId === orderId;
    if (isIts) return refused('notCancellable', `order ${orderId} is being replaced by order ${order.orderId}`);
  }
  return null;
}
