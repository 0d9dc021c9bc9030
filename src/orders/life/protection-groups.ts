// Order groups at the venue that back up protections (ADR 0026), for all accounts whose venue has groups. They are brought up to date at
// each change of a protection, and every second. Engine thread.

import type { Order } from '../../core/domain/order.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { type ProtectionChange, protectionLimits } from '../../core/domain/protection.ts';
import { Background } from '../../core/runtime/background.ts';
import type { Account } from '../../core/store/order-records.ts';
import type { TradedAccount } from '../../venues/pod-trading.ts';
import { AccountGroups, type AccountGroupsParts } from './account-groups.ts';

type Shared = 'ledger' | 'timers' | 'onTrigger' | 'onRefused' | 'storeFailed';

interface ProtectionGroupsParts extends Pick<AccountGroupsParts, Shared> {
  readonly accounts: readonly TradedAccount[];
}

export class ProtectionGroups {
  readonly #accounts: readonly AccountGroups[];
  readonly #timers: ProtectionGroupsParts['timers'];
  readonly #background: Background;
  #cancelTimer: () => void = () => {};

  constructor({ accounts, ...parts }: ProtectionGroupsParts) {
    this.#timers = parts.timers;
    this.#background = new Background(parts.storeFailed);
    const background = this.#background;
    this.#accounts = accounts.flatMap(({ podId, venue, trading }) => {
      const { groups } = trading;
      return groups === undefined ? [] : [new AccountGroups({ ...parts, podId, venue, trading, groups, background })];
    });
  }

  start(): void {
    for (const account of this.#accounts) account.start();
    this.#check();
  }

  /** Resolves when all requests in flight are answered. */
  stop(): Promise<void> {
    this.#cancelTimer();
    for (const account of this.#accounts) account.stop();
    return this.#background.end();
  }

  /** Brings the groups up to date. To be called after each change of a protection. */
  changed(change: ProtectionChange): void {
    const { podId, venue } = change.protection;
    this.#groupsOf({ podId, venue })?.change(change);
  }

  /** Returns the group for a new order, the facts of whose market were read before. Null means that the order goes without a group. */
  groupOf({ podId, actorId, request }: Pick<Order, 'podId' | 'actorId' | 'request'>): string | null {
    return this.#groupsOf({ podId, venue: request.venue })?.groupOf(actorId, addressOf(request)) ?? null;
  }

  #check(): void {
    for (const account of this.#accounts) account.startDue();
    this.#cancelTimer = this.#timers.after(protectionLimits.protectionCheckMs, () => this.#check());
  }

  #groupsOf({ podId, venue }: Account): AccountGroups | undefined {
    return this.#accounts.find(it => it.podId === podId && it.venue === venue);
  }
}
