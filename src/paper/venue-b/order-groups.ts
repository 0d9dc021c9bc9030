// Order groups: a limit on the matches of several orders together. Beyond it all of them are cancelled, and the group takes no order until
// it is reset. Thread of the paper exchanges.

import type { MicroShares } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { Journal } from './journal.ts';
import { OrderGroup } from './order-group.ts';
import type { OrderGroupRecord, VenueBEvent } from './records.ts';
import type { Requests } from './requests.ts';
import type { Uuids } from './uuids.ts';
import type { OwnerAccount } from './venue-b-order.ts';

interface OrderGroupsParts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly requests: Requests;
  readonly uuids: Uuids;
}

type GroupChange = Extract<VenueBEvent, { type: 'group' }>['change'];

export class OrderGroups {
  readonly #parts: OrderGroupsParts;

  constructor(parts: OrderGroupsParts) {
    this.#parts = parts;
  }

  create(account: OwnerAccount, limit: MicroShares): OrderGroupRecord | null {
    if (account.groups.size >= limits.paperOrderGroupsMax) return null;
    const group = new OrderGroup(this.#parts.uuids.next(), account, limit);
    account.groups.set(group.groupId, group);
    this.#change(group, 'created', () => {});
    return group.record();
  }

  reset(group: OrderGroup): void {
    this.#change(group, 'reset', () => group.reset());
  }

  trigger(group: OrderGroup): void {
    this.#change(group, 'triggered', () => {
      group.isTriggered = true;
      this.#cancelOrders(group);
    });
  }

  setLimit(group: OrderGroup, limit: MicroShares): void {
    this.#change(group, 'limit_updated', () => {
      group.limit = limit;
    });
    this.enforce([group]);
  }

  delete(group: OrderGroup): void {
    this.#change(group, 'deleted', () => {
      this.#cancelOrders(group);
      group.account.groups.delete(group.groupId);
    });
  }

  /** Triggers groups that exceed their limits. */
  enforce(groups: readonly OrderGroup[]): void {
    for (const group of groups) {
      if (!group.isTriggered && group.isOverLimit(this.#parts.journal.now)) this.trigger(group);
    }
  }

  #change(group: OrderGroup, change: GroupChange, work: () => void): void {
    this.#parts.requests.run(null, at => {
      work();
      this.#parts.journal.say({ type: 'group', group: group.record(), change, at });
    });
  }

  #cancelOrders({ resting, account }: OrderGroup): void {
    const { engine, journal } = this.#parts;
    for (const { engineId } of [...resting]) {
      if (engineId !== null) engine.cancel(account.id, engineId, journal.now);
    }
  }
}
