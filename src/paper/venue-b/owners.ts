// Owners on venue B: users and their subaccounts. Thread of the paper exchanges.

import type { MicroDollars, UnixMillis } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { Young } from '../record-ring.ts';
import type { Owner } from './records.ts';
import { OwnerAccount, type ShardAccount, User } from './venue-b-order.ts';

export class Owners {
  readonly #engine: Engine;
  readonly #young: Young;
  readonly #users = new Map<string, User>();

  constructor(engine: Engine, young: Young) {
    this.#engine = engine;
    this.#young = young;
  }

  user(userId: string): User | undefined {
    return this.#users.get(userId);
  }

  find({ userId, subaccount }: Owner): OwnerAccount | undefined {
    return this.#users.get(userId)?.accounts[subaccount];
  }

  /** Makes the account if absent; null with too many accounts, or for an invalid number. */
  open(owner: Owner, now: UnixMillis): OwnerAccount | null {
    const { userId, subaccount } = owner;
    if (!Number.isInteger(subaccount) || subaccount < 0 || subaccount >= limits.paperSubaccountsMax) return null;
    const known = this.#users.get(userId);
    if (known === undefined && this.#users.size >= limits.paperUsersMax) return null;
    const user = known ?? new User(userId);
    this.#users.set(userId, user);
    const account = user.accounts[subaccount] ?? new OwnerAccount(user, { userId, subaccount }, this.#young);
    user.accounts[subaccount] = account;
    this.fund(account, 0, now);
    return account;
  }

  /** The owner's money on a shard; none if the shard was never funded. */
  fund(account: OwnerAccount, shard: number, now: UnixMillis): ShardAccount {
    return account.shards[shard] ?? account.fund(shard, this.#engine.addAccount(0 as MicroDollars), now);
  }
}
