// Cancels that callers of the simulated gateway ask for: of one order, of several, and of all.

import { refused, unknownOutcome } from '../../src/core/domain/answer.ts';
import type { OrderId } from '../../src/core/domain/order.ts';
import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import type { Account, StoredOrder } from '../../src/core/store/order-records.ts';
import { type BatchCancel, cancel, cancelBatch, cancelDeadline, isRecordKept } from '../../src/orders/life/cancel.ts';
import { type CancelResult, cancelAll } from '../../src/orders/life/cancel-all.ts';
import type { SubmitParts } from '../../src/orders/life/submission.ts';
import type { VenueTrading } from '../../src/venues/venue.ts';
import type { CheckedRates } from './rates.ts';

export type Cancelled = BatchCancel;

interface CancelsParts extends Pick<SubmitParts, 'ledger' | 'timers'> {
  readonly rates: Pick<CheckedRates, 'cancel'>;
  readonly trading: VenueTrading;
  readonly account: Account;
}

export class Cancels {
  readonly #given: CancelsParts;

  constructor(given: CancelsParts) {
    this.#given = given;
  }

  async one(orderId: OrderId): Promise<Cancelled | 'unknown-order'> {
    const { ledger, timers, trading } = this.#given;
    const stored = ledger.store.order(orderId);
    if (stored === null) return 'unknown-order';
    const allowed = this.#allowed(stored);
    if (!allowed.ok) return allowed.error;
    const parts = { ledger: ledger.lenient(), timers };
    const answer = await cancel(parts, trading, stored, cancelDeadline(parts));
    return { answer, isRecorded: await isRecordKept(parts, answer) };
  }

  /** Cancels the orders that are known. */
  async several(orderIds: readonly OrderId[]): Promise<readonly (readonly [OrderId, Cancelled])[]> {
    const parts = this.#given;
    const known = orderIds.flatMap(orderId => parts.ledger.store.order(orderId) ?? []);
    const asked = known.map(stored => this.#allowed(stored));
    const allowed = asked.flatMap(it => (it.ok ? [it.value] : []));
    const answers = await Promise.all(cancelBatch(parts, parts.trading, allowed, cancelDeadline(parts)));
    return known.map(({ order }, index) => {
      const its = asked[index]!;
      return [order.orderId, its.ok ? answers[allowed.indexOf(its.value)]! : its.error];
    });
  }

  /** Cancels the orders of all markets. Cancels that are recorded and not confirmed stay requested. */
  async all(actorId: string): Promise<readonly CancelResult[]> {
    const parts = this.#given;
    const meant = { actorId, venue: parts.account.venue, address: null, keyId: null };
    const { results, isRecorded } = await cancelAll(parts, parts.trading, meant, cancelDeadline(parts));
    return isRecorded ? results : [];
  }

  /** Returns the answer for an order if the store fails. */
  afterFault(orderId: OrderId): Cancelled {
    return { answer: unknownOutcome('unknownOutcome', orderId, 'a fault of the gateway'), isRecorded: false };
  }

  #allowed(stored: StoredOrder): Result<StoredOrder, Cancelled> {
    const halt = this.#given.rates.cancel(stored.order.actorId);
    if (halt === null) return ok(stored);
    return fail({ answer: { ...refused('limited', halt.message), retryAfterS: halt.retryAfterS }, isRecorded: true });
  }
}
