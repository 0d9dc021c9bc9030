// Applies to the ledger everything that venues report about our accounts: private streams, readings after gaps, look-ups of unknown orders,
// and requested cancels. Owns no sockets. Engine thread.

import type { OrderId } from '../../core/domain/order.ts';
import { assert } from '../../core/domain/result.ts';
import { Background } from '../../core/runtime/background.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { type Account, accountName } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { PrivateEvent, VenueTrading } from '../../venues/venue.ts';
import { AccountExecutions } from './account-executions.ts';
import type { AccountParts } from './account-parts.ts';
import type { ActorOfTag } from './adoption.ts';
import type { Ledger } from './ledger.ts';

interface ExecutionsParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly accounts: readonly { readonly account: Account; readonly trading: VenueTrading }[];
  /** Returns the actor with a tag (core/domain/actor-tag.ts). */
  readonly actorOfTag: ActorOfTag;
  readonly actorsOf: (podId: string) => readonly string[];
  readonly announce: AccountParts['announce'];
  readonly storeFailed: AccountParts['storeFailed'];
}

export class Executions {
  readonly #timers: Timers;
  readonly #accounts: ReadonlyMap<string, AccountExecutions>;
  readonly #background: Background;
  #cancelTimer: () => void = () => {};

  constructor({ accounts, ...parts }: ExecutionsParts) {
    this.#timers = parts.timers;
    this.#background = new Background(parts.storeFailed);
    const common = { ...parts, background: this.#background };
    this.#accounts = new Map(
      accounts.map(({ account, trading }) => [
        accountName(account),
        new AccountExecutions({ ...common, account, trading }),
      ]),
    );
  }

  /** Starts to listen to the venues, to read the accounts, and to look up unknown orders. */
  start(): void {
    for (const account of this.#accounts.values()) account.start();
    this.#sweepLater();
  }

  /** Stops. Resolves when all requests to the venues are answered and no work is left. */
  async stop(): Promise<void> {
    this.#cancelTimer();
    for (const account of this.#accounts.values()) account.stop();
    await this.#background.end();
  }

  /** Whether the account was read at least once. Until then it takes no orders (contract §4.7). */
  isRead(account: Account): boolean {
    return this.#executionsOf(account).isRead;
  }

  /** Whether reads of the account may lack news of the venue. False if the pod has no such account. */
  isBehind(account: Account): boolean {
    return this.#accounts.get(accountName(account))?.isBehind === true;
  }

  handle(account: Account, event: PrivateEvent): void {
    this.#executionsOf(account).handle(event);
  }

  /** Sends requested cancels at once, ahead of all look-ups. */
  cancelNow(account: Account, orderIds: readonly OrderId[], isRecorded = true): void {
    this.#executionsOf(account).cancelNow(orderIds, isRecorded);
  }

  /** Does all due work once. */
  async sweep(): Promise<void> {
    await Promise.all([...this.#accounts.values()].map(account => account.sweep()));
  }

  #sweepLater(): void {
    this.#cancelTimer = this.#timers.after(limits.sweepMs, () => {
      this.#background.begin(() => this.sweep());
      this.#sweepLater();
    });
  }

  #executionsOf(account: Account): AccountExecutions {
    const executions = this.#accounts.get(accountName(account));
    assert(executions !== undefined, 'only configured accounts have executions');
    return executions;
  }
}
