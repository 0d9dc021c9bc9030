// The order groups of one account, which back up its protections (ADR 0026). Each protection in shares has one group for each shard of its
// markets. This file compares the wanted groups with those at the venue, and makes one request at a time for each group. The ledger keeps
// the groups over a restart. An order without a ready group is sent without a group. Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import {
  backUpLimit,
  covers,
  type ProtectionChange,
  type ProtectionScope,
  protectionLimits,
} from '../../core/domain/protection.ts';
import { ok, type Result } from '../../core/domain/result.ts';
import type { Background } from '../../core/runtime/background.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { Account } from '../../core/store/order-records.ts';
import type { GroupEvent, GroupRefusal, PrivateEvent, VenueGroups, VenueTrading } from '../../venues/venue.ts';
import { openOrderPages } from './cancel-requests.ts';
import type { Ledger } from './ledger.ts';

/** The most requests in flight at a time. Orders need the other connections. */
const REQUESTS_MAX = 2;

/** The group of one protection on one shard. */
interface BackUp {
  readonly actorId: string;
  readonly address: string | null;
  readonly shard: number;
  /** The venue's id of the group. Null means that the group is not made yet. */
  readonly groupId: string | null;
  /** The limit that the group has at the venue. */
  readonly sharesMax: number;
  /** Whether the group needs a reset: it may have triggered, or counts fills that its protection no longer counts. */
  readonly isSpent: boolean;
}

type Step = () => Promise<Result<Partial<BackUp> | 'forget', GroupRefusal>>;

export interface AccountGroupsParts extends Account {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly trading: VenueTrading;
  readonly groups: VenueGroups;
  readonly background: Background;
  /** Triggers the protection whose group has triggered. May throw a StoreError. */
  readonly onTrigger: (scope: ProtectionScope) => void;
  /** Called when the venue refuses a request for a group. Orders go without a group meanwhile. */
  readonly onRefused: (account: Account, message: string) => void;
  readonly storeFailed: (error: unknown) => void;
}

export class AccountGroups {
  readonly podId: string;
  readonly venue: Account['venue'];
  readonly #parts: AccountGroupsParts;
  readonly #mark: string;
  /** The groups by name. */
  readonly #backUps = new Map<string, BackUp>();
  /** The names of groups with a request in flight. */
  readonly #inFlight = new Set<string>();
  /** The names of groups that have triggered, but whose protections could not be recorded as triggered yet. */
  readonly #unrecordedTriggers = new Set<string>();
  /** The names of groups whose reset the stream has not confirmed. Until then the stream may still report the earlier trigger. */
  readonly #unconfirmedResets = new Set<string>();
  /**
   * The time of the last reset that the venue has answered, by name. Orders that were sent before that time say nothing about the group
   * now.
   */
  readonly #resetAt = new Map<string, UnixMillis>();
  /** The time by `elapsed` at which a refused request may be made again, by name. */
  readonly #retryAt = new Map<string, number>();
  #stopListening: () => void = () => {};

  constructor(parts: AccountGroupsParts) {
    this.podId = parts.podId;
    this.venue = parts.venue;
    this.#parts = parts;
    this.#mark = `order groups ${parts.podId} ${parts.venue}`;
    const kept: readonly BackUp[] = JSON.parse(parts.ledger.store.mark(this.#mark) ?? '[]');
    for (const backUp of kept) this.#backUps.set(nameOf(backUp), backUp);
  }

  start(): void {
    this.#stopListening = this.#parts.trading.listen(
      event => this.#handle(event),
      () => false,
    );
    // A group that triggered right before the last process ended may not be marked as spent.
    for (const protection of this.#parts.ledger.store.protections(null)) {
      if (protection.podId !== this.podId || protection.venue !== this.venue) continue;
      if (protection.triggered !== null) this.#markSpent(protection);
    }
  }

  stop(): void {
    this.#stopListening();
  }

  change({ event, protection }: ProtectionChange): void {
    if (event === 'TRIGGERED' || event === 'RESET') this.#markSpent(protection);
    if (event === 'SET') this.#parts.background.begin(() => this.#begin(protection));
    this.startDue();
  }

  /** Returns the group for an order, as `ProtectionGroups.groupOf` describes it. */
  groupOf(actorId: string, address: string): string | null {
    const { ledger, groups } = this.#parts;
    const covering = ledger.store.protections(actorId).filter(it => covers(it, this.venue, address));
    // An order is in one group only. The group of the order's market takes precedence over a group of all markets.
    covering.sort((one, other) => Number(one.address === null) - Number(other.address === null));
    for (const protection of covering) {
      const limit = backUpLimit(protection, groups.window);
      if (limit === null) continue;
      const shard = groups.shardOf(address);
      const name = nameOf({ ...protection, shard });
      const backUp = this.#backUps.get(name);
      if (backUp === undefined) this.#addGroup(protection, shard);
      else if (backUp.sharesMax === limit && !backUp.isSpent && !this.#inFlight.has(name)) return backUp.groupId;
    }
    return null;
  }

  /** Starts the requests that are due. */
  startDue(): void {
    const { background, timers } = this.#parts;
    this.#triggerProtections();
    for (const [name, backUp] of [...this.#backUps]) {
      if (this.#inFlight.size >= REQUESTS_MAX) break;
      if (this.#inFlight.has(name) || (this.#retryAt.get(name) ?? 0) > timers.elapsed()) continue;
      const step = this.#nextStep(backUp);
      if (step === null) continue;
      this.#inFlight.add(name);
      background.begin(async () => {
        const outcome = await step();
        this.#inFlight.delete(name);
        this.#finishStep(name, outcome);
      });
    }
  }

  /** Returns the next request that brings the group to its wanted state. Null means that no request is needed. */
  #nextStep(backUp: BackUp): Step | null {
    const { groups, ledger } = this.#parts;
    const { groupId, shard } = backUp;
    const scope = { ...backUp, venue: this.venue };
    const limit = this.#limitOf(scope);
    if (limit === null) return this.#endingStep(backUp);
    if (groupId === null) {
      const made = (id: string) => ({ groupId: id, sharesMax: limit, isSpent: false });
      return async () => mapOutcome(await groups.make(shard, limit), made);
    }
    if (backUp.sharesMax !== limit)
      return async () => mapOutcome(await groups.setLimit(shard, groupId, limit), () => ({ sharesMax: limit }));
    const isArmed = ledger.store.protection(scope)?.triggered === null && !this.#unrecordedTriggers.has(nameOf(backUp));
    if (!backUp.isSpent || !isArmed) return null;
    return () => this.#resetStep(nameOf(backUp), shard, groupId);
  }

  /**
   * Returns the next request for a group whose protection has ended. Removing the group would cancel its resting orders. So while the actor
   * has open orders, the group gets a limit that never triggers.
   */
  #endingStep(backUp: BackUp): Step | null {
    const { groups, ledger } = this.#parts;
    const { groupId, shard } = backUp;
    if (groupId === null) return async () => ok('forget');
    const [firstPage] = openOrderPages(ledger.store, { ...backUp, venue: this.venue, keyId: null });
    if (firstPage === undefined) return async () => mapOutcome(await groups.remove(shard, groupId), () => 'forget');
    const { sharesMax } = groups.window;
    if (backUp.sharesMax === sharesMax) return null;
    return async () => mapOutcome(await groups.setLimit(shard, groupId, sharesMax), () => ({ sharesMax }));
  }

  async #resetStep(name: string, shard: number, groupId: string): ReturnType<Step> {
    const { groups, timers } = this.#parts;
    this.#unconfirmedResets.add(name);
    const outcome = await groups.reset(shard, groupId);
    if (outcome.ok) this.#resetAt.set(name, timers.now());
    return mapOutcome(outcome, () => ({ isSpent: false }));
  }

  #finishStep(name: string, outcome: Result<Partial<BackUp> | 'forget', GroupRefusal>): void {
    const { onRefused, timers } = this.#parts;
    const backUp = this.#backUps.get(name);
    if (backUp === undefined) return;
    if (outcome.ok) {
      this.#retryAt.delete(name);
      this.#put(name, outcome.value === 'forget' ? null : { ...backUp, ...outcome.value });
      this.startDue();
    } else if (outcome.error.isGone && backUp.groupId !== null) {
      this.#put(name, { ...backUp, groupId: null });
      this.startDue();
    } else {
      this.#retryAt.set(name, timers.elapsed() + protectionLimits.protectionGroupRetryMs);
      onRefused(this, outcome.error.message);
    }
  }

  #handle(event: PrivateEvent): void {
    // On a new connection the stream reports only new triggers.
    if (event.type === 'up') this.#unconfirmedResets.clear();
    if (event.type !== 'group') return;
    const found = [...this.#backUps].find(([, { groupId }]) => groupId === event.groupId);
    if (found === undefined) return;
    const [name, backUp] = found;
    if (event.change === 'reset') this.#unconfirmedResets.delete(name);
    else if (event.change === 'gone') this.#put(name, { ...backUp, groupId: null });
    else if (!backUp.isSpent && this.#isNew(name, event)) {
      this.#unrecordedTriggers.add(name);
      this.#put(name, { ...backUp, isSpent: true });
    }
    this.startDue();
  }

  /** Whether the reported trigger came after the last reset of the group. */
  #isNew(name: string, { sentAt }: GroupEvent): boolean {
    return sentAt === null ? !this.#unconfirmedResets.has(name) : sentAt >= (this.#resetAt.get(name) ?? 0);
  }

  /** Triggers the protections of groups that have triggered. */
  #triggerProtections(): void {
    for (const name of [...this.#unrecordedTriggers]) {
      const backUp = this.#backUps.get(name);
      this.#unrecordedTriggers.delete(name);
      if (backUp === undefined) continue;
      const scope = { ...backUp, venue: this.venue };
      try {
        if (this.#limitOf(scope) !== null) this.#parts.onTrigger(scope);
      } catch (error) {
        this.#unrecordedTriggers.add(name);
        this.#parts.storeFailed(error);
      }
    }
  }

  /** Requests a group for coming orders, in the shard of the market. A protection of all markets begins with the first shard. */
  async #begin(scope: ProtectionScope): Promise<void> {
    const { trading, groups } = this.#parts;
    if (this.#limitOf(scope) === null) return;
    if (scope.address !== null) await trading.facts(scope.address);
    this.#addGroup(scope, scope.address === null ? 0 : groups.shardOf(scope.address));
  }

  #addGroup({ actorId, address }: ProtectionScope, shard: number): void {
    const backUp: BackUp = { actorId, address, shard, groupId: null, sharesMax: 0, isSpent: false };
    const name = nameOf(backUp);
    if (this.#backUps.has(name) || this.#backUps.size >= protectionLimits.protectionGroupsMax) return;
    this.#backUps.set(name, backUp);
    this.startDue();
  }

  #limitOf(scope: ProtectionScope): number | null {
    const { ledger, groups } = this.#parts;
    const protection = ledger.store.protection(scope);
    return protection === null ? null : backUpLimit(protection, groups.window);
  }

  #markSpent({ actorId, address }: Pick<ProtectionScope, 'actorId' | 'address'>): void {
    for (const [name, backUp] of this.#backUps) {
      const isIts = backUp.actorId === actorId && backUp.address === address;
      if (isIts && backUp.groupId !== null && !backUp.isSpent) this.#put(name, { ...backUp, isSpent: true });
    }
  }

  /**
   * Keeps the group in memory and in the ledger; null forgets it. While the journal takes no records, only memory has the group. If it is
   * lost then, it holds no order.
   */
  #put(name: string, backUp: BackUp | null): void {
    if (backUp === null) this.#backUps.delete(name);
    else this.#backUps.set(name, backUp);
    const { ledger, storeFailed } = this.#parts;
    const made = [...this.#backUps.values()].filter(({ groupId }) => groupId !== null);
    try {
      ledger.change(({ transaction }) => transaction.putMark(this.#mark, JSON.stringify(made)));
    } catch (error) {
      storeFailed(error);
    }
  }
}

function nameOf({ actorId, address, shard }: Pick<BackUp, 'actorId' | 'address' | 'shard'>): string {
  return `${actorId} ${address ?? ''} ${shard}`;
}

function mapOutcome<T>(
  outcome: Result<T, GroupRefusal>,
  work: (value: T) => Partial<BackUp> | 'forget',
): Result<Partial<BackUp> | 'forget', GroupRefusal> {
  return outcome.ok ? ok(work(outcome.value)) : outcome;
}
