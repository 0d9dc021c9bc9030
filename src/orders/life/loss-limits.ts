// Loss limits of actors and pods (beyond §12). A limit that is reached refuses orders that raise risk, until the day ends or an operator
// resets the limit. If set so, it also cancels such orders. Losses are evaluated after each movement of a position. They are also evaluated
// at intervals, since prices move too. The ledger keeps the limits, and the prices that count, over a restart and for a gateway that takes
// the pod over. Engine thread.

import {
  begunAt,
  type LossLimit,
  type LossLimitEvent,
  type LossTerms,
  lossLimitAt,
  lossLimitBounds,
  lossLimitsOf,
  lossLimitsText,
  lossOf,
} from '../../core/domain/loss-limit.ts';
import type { Venue } from '../../core/domain/market.ts';
import { formatMicroDollars, type MicroDollars, type MicroShares, type UnixMillis } from '../../core/domain/numbers.ts';
import { isInScope } from '../../core/domain/operation.ts';
import type { Order, OrderId } from '../../core/domain/order.ts';
import { addressOf, directionOf } from '../../core/domain/order-frame.ts';
import type { PricesOf } from '../../core/domain/position.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { type Account, LOSS_LIMITS_MARK } from '../../core/store/order-records.ts';
import type { LossLimitChange, LossLimitRow, LossLimitView } from '../../core/wire/reports.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import type { LimitReads } from './actor-limits.ts';
import type { Halt } from './actor-rates.ts';
import { unattributedOf } from './bookings.ts';
import type { Ledger } from './ledger.ts';
import { type LimitChange, putLimitChange } from './limit-changes.ts';
import { type Marks, type Place, Profits } from './profits.ts';
import { largerRests } from './replaced-reads.ts';
import { StandingCancels } from './standing-cancels.ts';

interface LossLimitsParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly accounts: readonly Account[];
  /** Returns the full ids of a pod's actors. Throws the StoreError of the key store. */
  readonly actorsOf: (podId: string) => readonly string[];
  readonly pricesOf: PricesOf;
  /** The time zone in which the pods' days begin. */
  readonly zone: string;
  /** Called after each change of a limit, and at the start for limits that are reached. */
  readonly onChange: (change: LossLimitChange) => void;
  /** Called with orders to cancel, and with whether their cancel requests are recorded. */
  readonly onUnwanted: (account: Account, actorId: string, orderIds: readonly OrderId[], isRecorded: boolean) => void;
  readonly storeFailed: (error: unknown) => void;
}

/** The name of the ledger's mark with the prices that count. */
const PRICES_MARK = 'loss-prices';

/** No further size, for an order that the reads count already. */
const COUNTED = 0 as MicroShares;

type Sender = Pick<Order, 'podId' | 'actorId' | 'request'>;

export class LossLimits {
  readonly #parts: LossLimitsParts;
  readonly #profits: Profits;
  readonly #cancels: StandingCancels;
  readonly #limits = new Map<string, LossLimit>();
  /** The owners in each scope. */
  #owners: ReadonlyMap<string, readonly string[]> = new Map();
  /** Positions that have moved since the last evaluation, by owner, venue and address. */
  readonly #moved = new Map<string, Place>();
  #isStopped = false;
  #isRecorded = true;
  #pricesKeptAt = 0;
  #cancelTimer: () => void = () => {};

  constructor(parts: LossLimitsParts) {
    const { store } = parts.ledger;
    this.#parts = parts;
    this.#profits = new Profits(store, parts.pricesOf);
    this.#cancels = new StandingCancels({ ...parts, reason: 'LOSS_LIMIT' });
    this.#profits.restorePrices(store.mark(PRICES_MARK) ?? '[]');
    for (const limit of lossLimitsOf(store.mark(LOSS_LIMITS_MARK) ?? '[]')) this.#limits.set(limit.scope, limit);
  }

  /** Starts to evaluate. To be called before the first order is taken. */
  start(): void {
    this.#reportFault(() => this.#keepProfits());
    for (const limit of this.#limits.values()) if (limit.reached !== null) this.#announce('REACHED', limit);
    this.#reportFault(() => this.#evaluate());
    this.#scheduleLook();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancels.stop();
    this.#cancelTimer();
    this.#parts.ledger.store.onPositionMoved = null;
  }

  /** Returns why a loss limit refuses the order, as `LossHalt` describes it. */
  haltOf(reads: LimitReads, sender: Sender, size: MicroShares, since: number): Halt | null {
    if (this.#limits.size === 0) return null;
    const now = this.#parts.timers.now();
    const reached = this.#reached(sender.actorId, now) ?? this.#reached(sender.podId, now);
    if (reached === null || reached.reached!.at < since || isRiskReducing(reads, sender, size)) return null;
    return this.#haltBy(reached, now);
  }

  /**
   * Returns the limit of the scope if it is reached. A movement of this turn counts already, although it is evaluated only after its step.
   */
  #reached(scope: string, now: UnixMillis): LossLimit | null {
    const limit = this.#limits.get(scope);
    if (limit === undefined) return null;
    const isAsKnown = (this.#moved.size === 0 && now < limit.until) || !this.#owners.has(scope);
    const current = isAsKnown ? limit : this.#current(scope, now);
    return current.reached === null ? null : current;
  }

  /** Returns the limit of the scope with the movements of this turn. */
  #current(scope: string, now: UnixMillis): LossLimit {
    const profit = this.#profitNow(scope);
    return lossLimitAt(this.#limits.get(scope)!, profit, now, this.#parts.zone);
  }

  /** Sets new terms. An existing limit keeps its base. Throws a StoreError if the terms cannot be recorded. */
  set(scope: string, terms: LossTerms): void {
    this.#keepProfits(scope);
    const [profit, now] = [this.#profitNow(scope), this.#parts.timers.now()];
    const before = this.#limits.get(scope) ?? begunAt({ scope, ...terms }, profit, now, this.#parts.zone);
    this.#change('SET', lossLimitAt({ ...before, ...terms, reached: null }, profit, now, this.#parts.zone));
  }

  /** Lets the limit count from now on. Returns false if the scope has no limit. Throws a StoreError if the reset cannot be recorded. */
  reset(scope: string): boolean {
    const limit = this.#limits.get(scope);
    if (limit === undefined) return false;
    const [profit, now] = [this.#profitNow(scope), this.#parts.timers.now()];
    this.#change('RESET', lossLimitAt(begunAt(limit, profit, now, this.#parts.zone), profit, now, this.#parts.zone));
    return true;
  }

  /** Ends the limit. Returns false if the scope has no limit. Throws a StoreError if the end cannot be recorded. */
  end(scope: string): boolean {
    const limit = this.#limits.get(scope);
    if (limit === undefined) return false;
    this.#change('ENDED', limit);
    this.#keepProfits();
    return true;
  }

  views(): readonly LossLimitRow[] {
    return [...this.#limits.values()].map(limit => ({ scope: limit.scope, ...this.#viewOf(limit) }));
  }

  #viewOf(limit: LossLimit): LossLimitView {
    const profit = this.#profitNow(limit.scope);
    const loss = lossOf(this.#limits.get(limit.scope) ?? limit, profit);
    const { held, stale } = this.#marksOf(limit.scope);
    return {
      lossMaxUsd: formatMicroDollars(limit.lossMax),
      lossUsd: formatMicroDollars(loss),
      leftUsd: formatMicroDollars(Math.max(0, limit.lossMax - loss) as MicroDollars),
      cancels: limit.cancels,
      since: formatTime(limit.since),
      until: formatTime(limit.until),
      reachedAt: limit.reached === null ? null : formatTime(limit.reached.at),
      positions: held,
      positionsWithOldPrices: stale,
    };
  }

  #announce(event: LossLimitEvent, limit: LossLimit): void {
    this.#parts.onChange({ event, scope: limit.scope, limit: this.#viewOf(limit) });
  }

  /** Records a change, and only then lets it count. */
  #change(event: 'SET' | 'RESET' | 'ENDED', limit: LossLimit): void {
    const { scope } = limit;
    const after = new Map(this.#limits);
    if (event === 'ENDED') after.delete(scope);
    else after.set(scope, limit);
    const changes = termChanges(this.#limits.get(scope), after.get(scope));
    this.#parts.ledger.change(entry => {
      entry.transaction.putMark(LOSS_LIMITS_MARK, lossLimitsText([...after.values()]));
      entry.transaction.putMark(PRICES_MARK, this.#profits.lastPrices());
      if (changes.length > 0) putLimitChange(entry, scope, changes);
    });
    const before = this.#limits.get(scope)?.reached ?? null;
    if (event === 'ENDED') this.#limits.delete(scope);
    else this.#limits.set(scope, limit);
    this.#noteRecorded();
    this.#announce(event, limit);
    if (event !== 'ENDED' && limit.reached !== null && before === null) this.#announce('REACHED', limit);
  }

  #scheduleLook(): void {
    if (this.#isStopped) return;
    this.#cancelTimer = this.#parts.timers.after(lossLimitBounds.lossLookMs, () => {
      const looked = this.#limits.size === 0 ? Promise.resolve() : this.#look();
      looked.catch(error => this.#parts.storeFailed(error)).finally(() => this.#scheduleLook());
    });
  }

  async #look(): Promise<void> {
    this.#keepProfits();
    await this.#profits.readPrices();
    this.#evaluate();
    for (const limit of this.#limits.values()) if (limit.reached !== null && limit.cancels) this.#cancelAll(limit);
  }

  /** Begins to keep the profits of all owners in the scopes of limits, and in the scope `more`. */
  #keepProfits(more: string | null = null): void {
    const { accounts, actorsOf, ledger } = this.#parts;
    const scopes = more === null ? [...this.#limits.keys()] : [...this.#limits.keys(), more];
    const owners = new Map<string, readonly string[]>();
    const pods = new Map<string, string>();
    for (const podId of new Set(accounts.map(it => it.podId))) {
      const actors = scopes.length === 0 ? [] : actorsOf(podId);
      for (const scope of scopes) {
        const its = scope === podId ? [...actors, unattributedOf(podId)] : actors.filter(it => it === scope);
        if (its.length > 0) owners.set(scope, its);
        for (const owner of its) pods.set(owner, podId);
      }
    }
    this.#owners = owners;
    this.#profits.keep(pods);
    ledger.store.onPositionMoved = pods.size === 0 ? null : this.#noteMovement;
  }

  /** Notes a movement. It is called within a step, which may be undone, so the position is read after the step. */
  readonly #noteMovement = (owner: string, venue: Venue, address: string): void => {
    if (this.#moved.size === 0) queueMicrotask(() => this.#reportFault(() => this.#evaluate()));
    this.#moved.set(`${owner} ${venue} ${address}`, [owner, venue, address]);
  };

  /** Evaluates all limits. Not to be called within a step. */
  #evaluate(): void {
    this.#takeMovements();
    this.#moved.clear();
    const now = this.#parts.timers.now();
    const changed: LossLimit[] = [];
    for (const [scope, limit] of this.#limits) {
      // A limit whose owners are not known stays as it is, for example while the keys cannot be read.
      if (!this.#owners.has(scope)) continue;
      const after = lossLimitAt(limit, this.#profitOf(scope), now, this.#parts.zone);
      if (after === limit) continue;
      this.#limits.set(scope, after);
      this.#isRecorded = false;
      changed.push(after);
    }
    try {
      this.#record(now);
    } finally {
      for (const limit of changed) this.#announce(limit.reached === null ? 'RENEWED' : 'REACHED', limit);
    }
  }

  #record(now: UnixMillis): void {
    const isDue = this.#profits.hasNewPrices && now - this.#pricesKeptAt >= lossLimitBounds.lossPricesKeptMs;
    if (this.#isRecorded && !isDue) return;
    this.#parts.ledger.change(({ transaction }) => {
      if (!this.#isRecorded) transaction.putMark(LOSS_LIMITS_MARK, lossLimitsText([...this.#limits.values()]));
      transaction.putMark(PRICES_MARK, this.#profits.lastPrices());
    });
    this.#noteRecorded();
  }

  #noteRecorded(): void {
    this.#isRecorded = true;
    this.#profits.hasNewPrices = false;
    this.#pricesKeptAt = this.#parts.timers.now();
  }

  #cancelAll(limit: LossLimit): void {
    const { accounts, ledger, onUnwanted } = this.#parts;
    const isStill = (): boolean => this.#limits.get(limit.scope) === limit;
    for (const account of accounts)
      for (const actorId of this.#owners.get(limit.scope) ?? []) {
        if (!isInScope(limit.scope, { podId: account.podId, actorId })) continue;
        void this.#cancels.cancel({
          actorId,
          venue: account.venue,
          address: null,
          keyId: null,
          isUnwanted: order => isStill() && !isRiskReducing(ledger.store, order, COUNTED),
          onUnwanted: (...unasked) => onUnwanted(account, actorId, ...unasked),
        });
      }
  }

  /** Returns the profit of the scope, with movements that are not evaluated yet. */
  #profitNow(scope: string): bigint {
    this.#takeMovements();
    return this.#profitOf(scope);
  }

  /** Takes in the movements. A windfall raises the base of its pod's limit, so that it makes up for no loss. */
  #takeMovements(): void {
    this.#profits.revalue(this.#moved.values());
    for (const [podId, gain] of this.#profits.takeWindfalls()) {
      const limit = this.#limits.get(podId);
      if (limit === undefined) continue;
      this.#limits.set(podId, { ...limit, base: limit.base + gain });
      this.#isRecorded = false;
    }
  }

  #profitOf(scope: string): bigint {
    let profit = 0n;
    for (const owner of this.#owners.get(scope) ?? []) profit += this.#profits.profitOf(owner);
    return profit;
  }

  #marksOf(scope: string): Marks {
    const all = (this.#owners.get(scope) ?? []).map(owner => this.#profits.marksOf(owner));
    return { held: all.reduce((sum, it) => sum + it.held, 0), stale: all.reduce((sum, it) => sum + it.stale, 0) };
  }

  #haltBy({ scope, lossMax, since, until, reached }: LossLimit, now: UnixMillis): Halt {
    const { held, stale } = this.#marksOf(scope);
    const most = `the loss limit of ${scope} (${formatMicroDollars(lossMax)} dollars) is reached`;
    const lost = `${formatMicroDollars(reached!.loss)} lost since ${formatTime(since)}`;
    const marks = stale === 0 ? '' : `, with the last known prices of ${stale} of ${held} positions`;
    const message = `${most}: ${lost}${marks}: orders that raise risk wait until ${formatTime(until)}, or for "crossbook loss reset ${scope}"`;
    return { message, retryAfterS: Math.ceil((until - now) / 1_000) };
  }

  #reportFault(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.storeFailed(error);
    }
  }
}

function termChanges(before: LossLimit | undefined, after: LossLimit | undefined): readonly LimitChange[] {
  const [from, to] = [before, after].map(it => ({
    lossMaxUsd: it === undefined ? null : formatMicroDollars(it.lossMax),
    cancels: it?.cancels ?? null,
  }));
  const names = ['lossMaxUsd', 'cancels'] as const;
  return names.map(limit => ({ limit, from: from![limit], to: to![limit] })).filter(it => it.from !== it.to);
}

/**
 * Whether the order can only make its actor's position smaller, even if everything that rests beside it is filled. When in doubt, the order
 * raises risk.
 */
function isRiskReducing(reads: LimitReads, sender: Sender, size: MicroShares): boolean {
  const { actorId, request } = sender;
  if ('dollars' in request) return false;
  const [address, direction] = [addressOf(request), directionOf(request)];
  const held = reads.position(actorId, request.venue, address)?.size ?? 0;
  const holds = largerRests(reads, sender).pending(actorId, request.venue, address);
  const isClosing = direction * held < 0 && holds.growth(direction) + size <= Math.abs(held);
  // A purchase in dollars may become a position of any size.
  return isClosing && !(direction > 0 && [...holds.immediate].some(it => 'dollars' in it.order.request));
}
