// Sets, resets and ends the protections of actors, and cancels the orders of triggered protections. The ledger keeps protections over a
// restart. After a restart, a triggered protection still refuses orders, and the remaining cancels are made. Engine thread.

import type { OrderId } from '../../core/domain/order.ts';
import {
  type Protection,
  type ProtectionChange,
  type ProtectionScope,
  type ProtectionTerms,
  protectionLimits,
  windowAt,
} from '../../core/domain/protection.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { ActorEventRecord, LedgerTransaction } from '../../core/store/order-records.ts';
import type { Ledger } from './ledger.ts';
import { StandingCancels } from './standing-cancels.ts';

interface ProtectionWatchParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  /** Called with each page of the orders to cancel, and with whether their cancel requests are recorded. */
  readonly onUnwanted: (protection: Protection, orderIds: readonly OrderId[], isRecorded: boolean) => void;
  /** Called after each change of a protection. */
  readonly onChange: (change: ProtectionChange) => void;
  readonly storeFailed: (error: unknown) => void;
}

type Owner = Pick<Protection, 'podId' | 'actorId'>;

export class ProtectionWatch {
  readonly #parts: ProtectionWatchParts;
  /** The triggers that were reported. Each trigger makes another object. */
  readonly #reportedTriggers = new WeakSet<object>();
  readonly #cancels: StandingCancels;
  #cancelTimer: () => void = () => {};

  constructor(parts: ProtectionWatchParts) {
    this.#parts = parts;
    this.#cancels = new StandingCancels({ ...parts, reason: 'PROTECTION' });
  }

  start(): void {
    const all = this.#parts.ledger.store.protections(null);
    this.#report(all);
    for (const protection of all) if (protection.triggered !== null) this.#cancelAll(protection);
    this.#cancelTimer = this.#parts.timers.after(protectionLimits.protectionCheckMs, () => this.start());
  }

  stop(): void {
    this.#cancels.stop();
    this.#cancelTimer();
  }

  /** Reports and acts on protections that fills have triggered. To be called with the events of each completed step. */
  handle(events: readonly ActorEventRecord[]): void {
    for (const { event, actorId } of events) if (event === 'FILL') this.#cancelTriggered(actorId);
  }

  /**
   * Triggers a protection whose group at the venue has triggered. A protection that is triggered already stays as it is. Throws a
   * StoreError if the trigger cannot be recorded.
   */
  trigger(scope: ProtectionScope): void {
    this.#parts.ledger.change(({ transaction, at }) => {
      const before = transaction.protection(scope);
      if (before === null || before.triggered !== null) return;
      transaction.putProtection({ ...before, triggered: { at, ...windowAt(before, at) }, counted: [] });
    });
    this.#cancelTriggered(scope.actorId);
  }

  /**
   * Sets a protection. Returns null if the actor has too many protections. An existing protection keeps its count and stays triggered.
   * Throws a StoreError if the setting cannot be recorded.
   */
  set({ podId, actorId }: Owner, place: Omit<ProtectionScope, 'actorId'>, terms: ProtectionTerms): Protection | null {
    const protection = this.#parts.ledger.change(({ transaction, at }) => {
      const scope = { actorId, ...place };
      const before = transaction.protection(scope);
      const isOneMore = before === null;
      if (isOneMore && transaction.protections(actorId).length >= protectionLimits.protectionsPerActorMax) return null;
      const { triggered = null, counted = [] } = before ?? {};
      const after: Protection = { ...scope, podId, ...terms, setAt: at, triggered, counted };
      transaction.putProtection(after);
      return after;
    });
    if (protection !== null) this.#parts.onChange({ event: 'SET', protection });
    return protection;
  }

  /**
   * Arms the protection again, with a count of 0. Returns null if there is no such protection. Throws a StoreError if the reset cannot be
   * recorded.
   */
  reset(scope: ProtectionScope): Protection | null {
    return this.#change(scope, 'RESET', (transaction, before) => {
      const after: Protection = { ...before, triggered: null, counted: [] };
      transaction.putProtection(after);
      return after;
    });
  }

  /**
   * Ends the protection and returns its last state. Returns null if there is no such protection. Throws a StoreError if the end cannot be
   * recorded.
   */
  end(scope: ProtectionScope): Protection | null {
    return this.#change(scope, 'ENDED', (transaction, before) => {
      transaction.deleteProtection(scope);
      return before;
    });
  }

  #change(
    scope: ProtectionScope,
    event: ProtectionChange['event'],
    work: (transaction: Writes, before: Protection) => Protection,
  ): Protection | null {
    const protection = this.#parts.ledger.change(({ transaction }) => {
      const before = transaction.protection(scope);
      return before === null ? null : work(transaction, before);
    });
    if (protection !== null) this.#parts.onChange({ event, protection });
    return protection;
  }

  #cancelTriggered(actorId: string): void {
    const triggered = this.#report(this.#parts.ledger.store.protections(actorId));
    for (const protection of triggered) this.#cancelAll(protection);
  }

  /** Reports the triggered protections that were not reported before, and returns them. */
  #report(protections: readonly Protection[]): readonly Protection[] {
    const fresh = protections.filter(({ triggered }) => triggered !== null && !this.#reportedTriggers.has(triggered));
    for (const protection of fresh) {
      this.#reportedTriggers.add(protection.triggered!);
      this.#parts.onChange({ event: 'TRIGGERED', protection });
    }
    return fresh;
  }

  /** Cancels the open orders that the protection covers, as long as it is triggered. */
  #cancelAll(protection: Protection): void {
    const { ledger, onUnwanted } = this.#parts;
    void this.#cancels.cancel({
      ...protection,
      keyId: null,
      isUnwanted: () => ledger.store.protection(protection)?.triggered != null,
      onUnwanted: (orderIds, isRecorded) => onUnwanted(protection, orderIds, isRecorded),
    });
  }
}

type Writes = Pick<LedgerTransaction, 'putProtection' | 'deleteProtection'>;
