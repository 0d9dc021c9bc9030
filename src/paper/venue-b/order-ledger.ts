// The orders of all users, by the venue's id and by the engine's id. It also has the orders that ended last, but no house orders. Thread of
// the paper exchanges.

import type { MicroShares } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { OrderId } from '../engine/engine-types.ts';
import type { Uuids } from '../ids.ts';
import { RecordRing, type Young } from '../record-ring.ts';
import type { Journal, Requests } from './journal.ts';
import type { OrderGroupRecord, Owner, UpdateReason, VenueBEvent } from './records.ts';
import { OrderGroup, type Owners, type VenueBOrder } from './venue-b-order.ts';

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

  /** Returns the order, if it has not ended. */
  open(engineId: OrderId): VenueBOrder | undefined {
    return this.#open.get(engineId);
  }

  allOpen(): readonly VenueBOrder[] {
    return [...this.#open.values()];
  }

  /** Notes that the engine has accepted the order. */
  accept(order: VenueBOrder, engineId: OrderId): void {
    this.#add(order);
    order.engineId = engineId;
    this.#open.set(engineId, order);
    order.account.openOrders.add(order);
    order.account.user.openOrders += 1;
    order.group?.resting.add(order);
  }

  /** Adds an order that the engine has refused, but of which a record remains (venue-b.md §5.1). */
  addKilled(order: VenueBOrder, reason: UpdateReason | null): void {
    order.end('canceled', reason);
    this.addEnded(order);
  }

  /** Adds an order of an earlier run that has ended. */
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
    // An order of an earlier run has a number already. Later orders continue from it.
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

interface OrderGroupsParts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly requests: Requests;
  readonly owners: Owners;
  readonly uuids: Uuids;
}

type GroupChange = Extract<VenueBEvent, { type: 'group' }>['change'];

export class OrderGroups {
  readonly #parts: OrderGroupsParts;

  constructor(parts: OrderGroupsParts) {
    this.#parts = parts;
  }

  /** Makes a group. Returns null if the owner has no account, or too many groups. */
  create(owner: Owner, limit: MicroShares, shard = 0): OrderGroupRecord | null {
    const account = this.#parts.owners.find(owner);
    if (account === undefined || account.groups.size >= limits.paperOrderGroupsMax) return null;
    const group = new OrderGroup(this.#parts.uuids.next(), account, limit, shard);
    account.groups.set(group.groupId, group);
    this.#change(group, 'created', () => {});
    return group.record();
  }

  /** Takes up a group of an earlier run. Its orders follow. */
  takeUp({ groupId, owner, limit, shard, isTriggered }: OrderGroupRecord): void {
    const account = this.#parts.owners.find(owner);
    if (account === undefined) return;
    const group = new OrderGroup(groupId, account, limit, shard);
    group.isTriggered = isTriggered;
    account.groups.set(groupId, group);
  }

  /** Yields the groups of an owner, oldest first. */
  *of(owner: Owner): Iterable<OrderGroupRecord> {
    for (const group of this.#parts.owners.find(owner)?.groups.values() ?? []) yield group.record();
  }

  find(owner: Owner, groupId: string): OrderGroupRecord | null {
    return this.#find(owner, groupId)?.record() ?? null;
  }

  /** Resets a group. Like the methods below, it returns false for an unknown group. */
  reset(owner: Owner, groupId: string): boolean {
    return this.#with(owner, groupId, group => this.#change(group, 'reset', () => group.reset()));
  }

  trigger(owner: Owner, groupId: string): boolean {
    return this.#with(owner, groupId, group => this.#trigger(group));
  }

  setLimit(owner: Owner, groupId: string, limit: MicroShares): boolean {
    return this.#with(owner, groupId, group => {
      this.#change(group, 'limit_updated', () => {
        group.limit = limit;
      });
      this.enforce([group]);
    });
  }

  /** Deletes the group and cancels its orders. */
  delete(owner: Owner, groupId: string): boolean {
    return this.#with(owner, groupId, group =>
      this.#change(group, 'deleted', () => {
        this.#cancelOrders(group);
        group.account.groups.delete(group.groupId);
      }),
    );
  }

  /** Triggers the groups that exceed their limits. */
  enforce(groups: readonly OrderGroup[]): void {
    for (const group of groups) {
      if (!group.isTriggered && group.isOverLimit(this.#parts.journal.now)) this.#trigger(group);
    }
  }

  #trigger(group: OrderGroup): void {
    this.#change(group, 'triggered', () => {
      group.isTriggered = true;
      this.#cancelOrders(group);
    });
  }

  #find(owner: Owner, groupId: string): OrderGroup | undefined {
    return this.#parts.owners.find(owner)?.groups.get(groupId);
  }

  #with(owner: Owner, groupId: string, work: (group: OrderGroup) => void): boolean {
    const group = this.#find(owner, groupId);
    if (group !== undefined) work(group);
    return group !== undefined;
  }

  #change(group: OrderGroup, change: GroupChange, work: () => void): void {
    this.#parts.requests.run(null, at => {
      work();
      this.#parts.journal.emit({ type: 'group', group: group.record(), change, at });
    });
  }

  #cancelOrders({ resting }: OrderGroup): void {
    const { engine, journal } = this.#parts;
    for (const { accountId, engineId } of [...resting]) {
      if (engineId !== null) engine.cancel(accountId, engineId, journal.now);
    }
  }
}
