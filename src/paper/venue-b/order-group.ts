// One order group (venue-b.md §5.7): its orders are cancelled together when more than its limit is matched within 15 seconds.
// Thread of the paper exchanges.

import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { AccountId, OrderId } from '../engine/engine-types.ts';
import type { OrderGroupRecord, Owner } from './records.ts';

/** The account that the group belongs to. */
interface GroupAccount {
  readonly owner: Owner;
  readonly groups: Map<string, OrderGroup>;
}

/** An order of the group. */
interface GroupOrder {
  readonly orderId: string;
  readonly accountId: AccountId;
  readonly engineId: OrderId | null;
}

interface Matched {
  readonly at: UnixMillis;
  size: MicroShares;
}

export class OrderGroup {
  readonly groupId: string;
  readonly account: GroupAccount;
  /** The only shard whose markets' orders the group takes. */
  readonly shard: number;
  readonly resting = new Set<GroupOrder>();
  limit: MicroShares;
  isTriggered = false;
  /** Matches of the last 15 seconds, one entry per millisecond. */
  #window: Matched[] = [];
  #matched = 0 as MicroShares;

  constructor(groupId: string, account: GroupAccount, limit: MicroShares, shard: number) {
    this.groupId = groupId;
    this.account = account;
    this.limit = limit;
    this.shard = shard;
  }

  addMatch(size: MicroShares, now: UnixMillis): void {
    const last = this.#window.at(-1);
    if (last?.at === now) last.size = (last.size + size) as MicroShares;
    else this.#window.push({ at: now, size });
    this.#matched = (this.#matched + size) as MicroShares;
  }

  isOverLimit(now: UnixMillis): boolean {
    const left = this.#window.findIndex(({ at }) => at > now - limits.paperGroupWindowMs);
    const gone = this.#window.splice(0, left === -1 ? this.#window.length : left);
    for (const { size } of gone) this.#matched = (this.#matched - size) as MicroShares;
    return this.#matched > this.limit;
  }

  /** The group's orders may trade again; earlier matches no longer count. */
  reset(): void {
    this.isTriggered = false;
    this.#window = [];
    this.#matched = 0 as MicroShares;
  }

  record(): OrderGroupRecord {
    return {
      groupId: this.groupId,
      owner: this.account.owner,
      shard: this.shard,
      limit: this.limit,
      isTriggered: this.isTriggered,
      orderIds: Array.from(this.resting, order => order.orderId),
    };
  }
}
