// All open orders of an actor cancelled, or those of one market (contract §4.11): wanted durably together, then made a few at a time.
// What is not confirmed in time stays wanted. Order worker.

import type { OrderId } from '../domain/order.ts';
import { limits } from '../limits.ts';
import type { VenueTrading } from '../venues/venue.ts';
import { type CancelAnswer, type CancelParts, cancel } from './cancel.ts';
import { type Meant, wantAllCancelled } from './cancel-wishes.ts';

export interface CancelResult {
  readonly orderId: OrderId;
  readonly outcome: 'CANCELLED' | 'NOT_CANCELLABLE' | 'RECONCILE';
}

export async function cancelAll(
  parts: CancelParts,
  venue: VenueTrading,
  meant: Meant,
): Promise<readonly CancelResult[]> {
  const { ledger, timers } = parts;
  const deadline = timers.now() + limits.venueAnswerTimeoutMs;
  const orders = ledger.change(entry => wantAllCancelled(entry, meant));
  const results: CancelResult[] = orders.map(({ orderId }) => ({ orderId, outcome: 'RECONCILE' }));
  let next = 0;
  const run = async (): Promise<void> => {
    for (let index = next++; index < orders.length && timers.now() < deadline; index = next++) {
      const { orderId, status } = orders[index]!;
      const stored = ledger.store.order(orderId);
      // Nothing was sent, and nothing will be.
      if (status === 'CANCELLED') results[index] = { orderId, outcome: 'CANCELLED' };
      else if (stored !== null) results[index] = { orderId, outcome: outcomeOf(await cancel(parts, venue, stored)) };
    }
  };
  await Promise.all(Array.from({ length: Math.min(limits.cancelsInFlightMax, orders.length) }, run));
  return results;
}

function outcomeOf(answer: CancelAnswer): CancelResult['outcome'] {
  if (answer.type === 'cancelled') return 'CANCELLED';
  return answer.kind === 'notCancellable' ? 'NOT_CANCELLABLE' : 'RECONCILE';
}
