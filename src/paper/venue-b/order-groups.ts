// Order groups: a limit on the matches of several orders together. Beyond it all of them are cancelled, and the group takes no order until
// it is reset. Thread of the paper exchanges.

import type { MicroShares } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { Uuids } from '../ids.ts';
import type { Journal } from './journal.ts';
import type { Owners } from './owners.ts';
import type { OrderGroupRecord, Owner, VenueBEvent } from './records.ts';
import type { Requests } from './requests.ts';
import { OrderGroup } from './venue-b-order.ts';

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

  /** Null if the owner has no account, or too many groups. */
  create(owner: Owner, limit: MicroShares, shard = 0): OrderGroupRecord | null {
    const account = this.#parts.owners.find(owner);
    if (account === undefined || account.groups.size >= limits.paperOrderGroupsMax) return null;
    const group = new OrderGroup(this.#parts.uuids.next(), account, limit, shard);
    account.groups.set(group.groupId, group);
    this.#change(group, 'created', () => {});
    return group.record();
  }

  /** A group of an earlier run; its orders follow. */
  takeUp({ groupId, owner, limit, shard, isTriggered }: OrderGroupRecord): void {
    const account = this.#parts.owners.find(owner);
    if (account === undefined) return;
    const group = new OrderGroup(groupId, account, limit, shard);
    group.isTriggered = isTriggered;
    account.groups.set(groupId, group);
  }

  /** Groups of an owner, oldest first. */
  *of(owner: Owner): Iterable<OrderGroupRecord> {
    for (const group of this.#parts.owners.find(owner)?.groups.values() ?? []) yield group.record();
  }

  find(owner: Owner, groupId: string): OrderGroupRecord | null {
    return this.#find(owner, groupId)?.record() ?? null;
  }

  /** False for an unknown group, as in the next methods. */
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

  /** Triggers groups that exceed their limits. */
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
      this.#parts.journal.say({ type: 'group', group: group.record(), change, at });
    });
  }

  #cancelOrders({ resting }: OrderGroup): void {
    const { engine, journal } = this.#parts;
    for (const { accountId, engineId } of [...resting]) {
      if (engineId !== null) engine.cancel(accountId, engineId, journal.now);
    }
  }
}
