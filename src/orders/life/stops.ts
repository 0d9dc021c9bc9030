// Stops of operators: no new orders of an actor, of a pod, or of all pods, until the scope is resumed. The ledger keeps a stop over a
// restart. While the journal takes no records, memory keeps the stop, which is recorded later. Engine thread.

import { EVERY_POD, isInScope, isOfPod, type StopScope } from '../../core/domain/operation.ts';
import type { Order } from '../../core/domain/order.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { type Account, accountName, STOPS_MARK } from '../../core/store/order-records.ts';
import { leftOf, type ResumeReport, type StopReport } from '../../core/wire/reports.ts';
import type { TradedAccount } from '../../venues/pod-trading.ts';
import { cancelDeadline } from './cancel.ts';
import { cancelAll } from './cancel-all.ts';
import type { Ledger } from './ledger.ts';

interface StopsParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly accounts: readonly TradedAccount[];
  /** Returns whether all open orders of the account are known. */
  readonly isRead: (account: Account) => boolean;
  /** Called with all stopped scopes, at each change. */
  readonly changed: (scopes: readonly StopScope[]) => void;
  /** Handles a StoreError. Throws any other error. */
  readonly storeFailed: (error: unknown) => void;
}

interface Carried<Report> {
  readonly report: Report;
  /** Whether the stops are recorded. Stops that are kept in memory only are lost if the process ends. */
  readonly isRecorded: boolean;
}

export class Stops {
  readonly #parts: StopsParts;
  #scopes: ReadonlySet<StopScope>;
  #isRecorded = true;

  constructor(parts: StopsParts) {
    this.#parts = parts;
    const kept = parts.ledger.store.mark(STOPS_MARK) ?? '';
    this.#scopes = new Set(kept === '' ? [] : kept.split('\n'));
  }

  get scopes(): readonly StopScope[] {
    return [...this.#scopes];
  }

  /** Returns why the actor may place no orders. Null means that it may. */
  problem({ podId, actorId }: Pick<Order, 'podId' | 'actorId'>): string | null {
    if (this.#scopes.size === 0) return null;
    const stopped = [EVERY_POD, podId, actorId].find(scope => this.#scopes.has(scope));
    if (stopped === undefined) return null;
    return `the operator has stopped ${stopped === EVERY_POD ? 'all pods' : stopped}`;
  }

  /**
   * Stops the scope and cancels its orders. Rejects with a StoreError if orders cannot be read. The stop holds all the same, but it is not
   * known what was cancelled.
   */
  async stop(scope: StopScope): Promise<Carried<StopReport>> {
    this.#set([...this.#scopes, scope]);
    const done = await this.#cancelOpen(scope);
    return { report: { stopped: this.scopes, ...done }, isRecorded: this.#isRecorded };
  }

  /** Ends the stop of exactly this scope. A stop of a wider scope goes on. */
  resume(scope: StopScope): Carried<ResumeReport> {
    const wasStopped = this.#scopes.has(scope);
    if (wasStopped) this.#set([...this.#scopes].filter(it => it !== scope));
    return { report: { stopped: this.scopes, wasStopped }, isRecorded: this.#isRecorded };
  }

  /** Records the stops unless they are recorded. */
  record(): void {
    if (this.#isRecorded) return;
    const { ledger, storeFailed } = this.#parts;
    try {
      ledger.change(({ transaction }) => transaction.putMark(STOPS_MARK, this.scopes.join('\n')));
      this.#isRecorded = true;
    } catch (error) {
      storeFailed(error);
    }
  }

  #set(scopes: readonly StopScope[]): void {
    this.#scopes = new Set(scopes);
    this.#isRecorded = false;
    this.record();
    this.#parts.changed(this.scopes);
  }

  /** Cancels all open orders in the scope, for all actors at the same time. */
  async #cancelOpen(scope: StopScope): Promise<Omit<StopReport, 'stopped'>> {
    const { accounts, isRead } = this.#parts;
    const deadline = cancelDeadline(this.#parts);
    const asked = accounts.flatMap(account => {
      const actorIds = new Set(this.#openIn(scope, account).map(({ actorId }) => actorId));
      const meant = { venue: account.venue, address: null, keyId: null, reason: 'STOP' } as const;
      return [...actorIds].map(actorId => cancelAll(this.#parts, account.trading, { ...meant, actorId }, deadline));
    });
    const results = (await Promise.all(asked)).flatMap(it => it.results);
    // An order whose cancel could not be recorded still looks open in the ledger.
    const over = new Set(results.filter(({ outcome }) => outcome !== 'RECONCILE').map(({ orderId }) => orderId));
    const open = accounts.flatMap(account => this.#openIn(scope, account));
    const unread = accounts.filter(account => isOfPod(scope, account.podId) && !isRead(account));
    return {
      cancelled: results.filter(({ outcome }) => outcome === 'CANCELLED').length,
      ...leftOf(open.filter(({ orderId }) => !over.has(orderId))),
      unread: unread.map(accountName),
    };
  }

  #openIn(scope: StopScope, account: Account): readonly Order[] {
    const orders = Array.from(this.#parts.ledger.store.openOrders(account), ({ order }) => order);
    return orders.filter(order => isInScope(scope, order));
  }
}
