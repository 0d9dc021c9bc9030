// Orders of all users, by the venue's id and by the engine's, with the last ended ones. House orders are not in it. Thread of the paper
// exchanges.

import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { OrderId } from '../engine/engine-types.ts';
import { RecordRing, type Young } from '../record-ring.ts';
import type { UpdateReason } from './records.ts';
import type { VenueBOrder } from './venue-b-order.ts';

export class OrderLedger {
  readonly #byId = new Map<string, VenueBOrder>();
  readonly #open = new Map<OrderId, VenueBOrder>();
  readonly #ended: RecordRing<VenueBOrder>;
  #count = 0;

  constructor(young: Young) {
    this.#ended = new RecordRing(limits.paperOrderRecordsMax, young);
  }

  find(orderId: string): VenueBOrder | undefined {
    return this.#byId.get(orderId);
  }

  /** Orders that have not ended. */
  open(engineId: OrderId): VenueBOrder | undefined {
    return this.#open.get(engineId);
  }

  allOpen(): readonly VenueBOrder[] {
    return [...this.#open.values()];
  }

  /** Call when the engine has accepted it. */
  accept(order: VenueBOrder, engineId: OrderId): void {
    this.#add(order);
    order.engineId = engineId;
    this.#open.set(engineId, order);
    order.account.openOrders.add(order);
    order.account.user.openOrders += 1;
    order.group?.resting.add(order);
  }

  /** The engine refused it, but a record remains (venue-b.md §5.1). */
  addKilled(order: VenueBOrder, reason: UpdateReason | null): void {
    order.end('canceled', reason);
    this.addEnded(order);
  }

  /** Adds an order that has ended before. */
  addEnded(order: VenueBOrder): void {
    this.#add(order);
    this.#retire(order);
  }

  end(order: VenueBOrder, status: 'canceled' | 'executed', reason: UpdateReason | null): void {
    assert(order.engineId !== null && this.#open.delete(order.engineId), 'an order ends twice');
    order.end(status, reason);
    order.account.openOrders.delete(order);
    order.account.user.openOrders -= 1;
    order.group?.resting.delete(order);
    this.#retire(order);
  }

  #add(order: VenueBOrder): void {
    const { account } = order;
    // An order of an earlier run has its number, and later orders go on from it.
    this.#count = Math.max(this.#count, order.number) + 1;
    order.number = this.#count - 1;
    this.#byId.set(order.orderId, order);
    order.older = account.newestOrder;
    if (order.older !== null) order.older.newer = order;
    account.newestOrder = order;
  }

  #retire(order: VenueBOrder): void {
    for (const gone of this.#ended.push(order)) this.#forget(gone);
  }

  #forget(gone: VenueBOrder): void {
    const { account, older, newer } = gone;
    this.#byId.delete(gone.orderId);
    if (older !== null) older.newer = newer;
    if (newer !== null) newer.older = older;
    else account.newestOrder = older;
    gone.older = null;
    gone.newer = null;
  }
}
