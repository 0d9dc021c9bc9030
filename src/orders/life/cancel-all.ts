// Cancels all open orders of an actor, or those of one market (contract §4.11). It first records all cancel requests, then sends a few at
// a time. A request that is not confirmed in time stays. Cancels go out even if nothing can be recorded. Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { CancelReason, Order, OrderId } from '../../core/domain/order.ts';
import { turn } from '../../core/runtime/timers.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import { type CancelAnswer, type CancelParts, carryOut, isRequestKept } from './cancel.ts';
import { openOrderPages, recordCancelRequest, type Selection } from './cancel-requests.ts';
import type { Ledger } from './ledger.ts';

export interface CancelResult {
  readonly orderId: OrderId;
  readonly outcome: 'CANCELLED' | 'NOT_CANCELLABLE' | 'RECONCILE';
}

interface Wanted extends Selection {
  /** The reason of the cancels. The default is REQUESTED. */
  readonly reason?: CancelReason | undefined;
}

interface CancelResults {
  readonly results: readonly CancelResult[];
  /** Whether all cancel requests and their results are recorded. */
  readonly isRecorded: boolean;
}

export async function cancelAll(
  parts: CancelParts,
  venue: VenueTrading,
  meant: Wanted,
  deadline: UnixMillis,
): Promise<CancelResults> {
  const { timers } = parts;
  const ledger = parts.ledger.lenient();
  const orders = await requestCancels({ ledger, timers }, meant);
  const request = { deadline, isNew: false, isKept: ledger.isRecorded };
  let isRecorded = ledger.isRecorded;
  const results: CancelResult[] = orders.map(({ orderId }) => ({ orderId, outcome: 'RECONCILE' }));
  let next = 0;
  const run = async (): Promise<void> => {
    for (let index = next++; index < orders.length && timers.now() < deadline; index = next++) {
      const { orderId, status } = orders[index]!;
      const stored = ledger.store.order(orderId);
      // The order was never sent, and never will be.
      if (status === 'CANCELLED') results[index] = { orderId, outcome: 'CANCELLED' };
      else if (stored !== null) {
        // Each order has its own ledger: if the record of one order is missing, the other orders are still recorded.
        const one = { ledger: parts.ledger.lenient(), timers };
        results[index] = {
          orderId,
          outcome: await carryOut(one, venue, stored.order, request).then(outcomeOf, outcomeAfterFault),
        };
        isRecorded &&= one.ledger.isRecorded;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limits.cancelsInFlightMax, orders.length) }, run));
  // Orders without a confirmed cancel are cancelled later, which needs their recorded requests.
  if (results.some(({ outcome }) => outcome === 'RECONCILE')) isRecorded &&= await isRequestKept({ ledger, timers });
  return { results, isRecorded };
}

/** Returns the open orders with their cancel requests. Resting orders come first, because others may need a wait. */
async function requestCancels({ ledger, timers }: CancelParts, meant: Wanted): Promise<readonly Order[]> {
  const orders = new Map<OrderId, Order>();
  for (const page of openOrderPages(ledger.store, meant)) {
    if (orders.size > 0) await turn(timers);
    const pageOrders = ledger.change(entry => page.map(orderId => recordCancelRequest(entry, orderId, meant.reason)));
    // Without a record, the cancel request has not withdrawn the order, so the order is still as the store has it.
    for (const order of pageOrders) orders.set(order.orderId, ledger.isRecorded ? order : currentOrder(ledger, order));
  }
  const restRank = ({ status }: Order): number => (status === 'OPEN' ? 1 : 0);
  return [...orders.values()].toSorted((one, other) => restRank(other) - restRank(one));
}

function currentOrder({ store }: Ledger, order: Order): Order {
  return store.order(order.orderId)?.order ?? order;
}

function outcomeOf(answer: CancelAnswer): CancelResult['outcome'] {
  if (answer.type === 'cancelled') return 'CANCELLED';
  return answer.kind === 'notCancellable' ? 'NOT_CANCELLABLE' : 'RECONCILE';
}

/** The result for an order after a fault of the store: the cancel request holds, and the cancel may have been sent. */
function outcomeAfterFault(error: unknown): CancelResult['outcome'] {
  if (!(error instanceof StoreError)) throw error;
  return 'RECONCILE';
}
