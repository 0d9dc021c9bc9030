// The engine: state, journal, venue accounts, and the operations on them. Engine thread.

import { actorTag } from '../../core/domain/actor-tag.ts';
import type { OperationReply, TimedOperation } from '../../core/domain/operation.ts';
import type { CancelReason, OrderId } from '../../core/domain/order.ts';
import type { PricesOf } from '../../core/domain/position.ts';
import type { VenueBudget } from '../../core/domain/venue-budget.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Log } from '../../core/runtime/log.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { type ActorsOf, type KeyStore, podActors } from '../../core/store/key-store.ts';
import { type Account, type ActorEventRecord, accountName } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import { LiveBooks } from '../../market-data/book/live-books.ts';
import { PodTrading } from '../../venues/pod-trading.ts';
import { CancelAfterWatch, type SwitchOwner, type SwitchSet } from '../life/cancel-after.ts';
import type { Diverged } from '../life/divergence.ts';
import { Executions } from '../life/executions.ts';
import { type EventOf, Exposure } from '../life/exposure.ts';
import { recordGuardReason } from '../life/guarded-ends.ts';
import { Ledger } from '../life/ledger.ts';
import { LimitChanges } from '../life/limit-changes.ts';
import { LossLimits } from '../life/loss-limits.ts';
import { type InUse, marketsInUse } from '../life/markets-in-use.ts';
import type { OperationHooks } from '../life/operation-in-flight.ts';
import { OrderIds } from '../life/order-ids.ts';
import { OrderService } from '../life/order-service.ts';
import { ProtectionGroups } from '../life/protection-groups.ts';
import { ProtectionWatch } from '../life/protection-watch.ts';
import { type Signed, SignedOperations } from '../life/signature-memory.ts';
import { Stops } from '../life/stops.ts';
import type { SubmissionHooks } from '../life/submission.ts';
import { WalletNews } from '../life/wallet-news.ts';
import { Wallets } from '../life/wallets.ts';
import { logHalt, logNews, logRedeem } from './account-log.ts';
import type { EngineDisk } from './engine-disk.ts';
import type { CancelledByGuard, EngineData, FromEngine } from './engine-messages.ts';
import type { HaltChange } from './halt-change.ts';
import { postOpenOrders } from './open-orders.ts';
import { RecordingProbe } from './recording-probe.ts';

interface EngineParts {
  readonly log: Log;
  readonly metrics: Metrics;
  /** The key store, which closes with the engine. */
  readonly keys: KeyStore;
  readonly eventOf: EventOf;
  readonly post: (message: FromEngine) => void;
  /** Gets the events of each change, after the change is made. */
  readonly onEvents: (events: readonly ActorEventRecord[]) => void;
  /** Gets a change of a halt, after the events of that change. */
  readonly onHalt: (change: HaltChange) => void;
}

interface OpenedParts {
  readonly disk: EngineDisk;
  readonly trading: PodTrading;
  readonly books: LiveBooks;
}

/** The hooks of an operation that makes no orders. */
const NO_ORDERS: SubmissionHooks = { claim: () => true, begun: () => {}, recorded: () => {} };

export class Engine {
  readonly #parts: EngineParts;
  readonly #disk: EngineDisk;
  readonly #trading: PodTrading;
  readonly #executions: Executions;
  readonly #switches: CancelAfterWatch;
  readonly #protections: ProtectionWatch;
  readonly #groups: ProtectionGroups;
  readonly #stops: Stops;
  readonly #losses: LossLimits;
  readonly #wallets: Wallets;
  readonly #ledger: Ledger;
  readonly #service: OrderService;
  readonly #probe: RecordingProbe;
  readonly #actorsOf: ActorsOf;
  readonly #signed: SignedOperations;
  /** The accounts whose first reading was reported to main. */
  readonly #reportedAccounts = new Set<string>();
  readonly #cancelTimers: (() => void)[] = [];
  #lastFault = { message: '', untilMs: 0 };

  /** Opens the engine on an opened disk. The engine runs for as long as this gateway owns the pod. The venues need not be reachable. */
  static async open(data: EngineData, disk: EngineDisk, parts: EngineParts): Promise<Engine> {
    const books = new LiveBooks(data.arena);
    const trading = new PodTrading(data.pods, {
      ...parts,
      bookOf: tokenId => books.sides('venue_a', tokenId),
      fence: () => disk.cancelFence(),
    });
    const engine = new Engine(data, parts, { disk, trading, books });
    await trading.warmUp();
    engine.#start();
    return engine;
  }

  private constructor(data: EngineData, parts: EngineParts, { disk, trading, books }: OpenedParts) {
    const { log, metrics, post, onEvents } = parts;
    this.#parts = parts;
    this.#disk = disk;
    this.#trading = trading;
    this.#actorsOf = podActors(parts.keys);
    this.#signed = new SignedOperations(() => metrics.count('signature_replays_total'));
    const diverged: Diverged = (kind, detail) => {
      metrics.count('order_divergences_total', kind);
      log.warn('diverged', { kind, ...detail });
    };
    const hear = (events: readonly ActorEventRecord[]): void => {
      disk.afterKept(() => onEvents(events));
      this.#protections.handle(events);
    };
    const ledger = new Ledger({ store: disk.store, now: wallTimers.now, publish: hear, diverged });
    this.#ledger = ledger;
    this.#executions = new Executions({
      ledger,
      timers: wallTimers,
      accounts: trading.accounts.map(({ podId, venue, trading }) => ({ account: { podId, venue }, trading })),
      actorOfTag: (podId, tag) => this.#actorsOf(podId).find(actorId => actorTag(actorId) === tag) ?? null,
      actorsOf: this.#actorsOf,
      announce: (account, news) => {
        logNews(log, account, news);
        post({ type: 'news', account, news });
      },
      storeFailed: this.#storeFailed,
    });
    this.#switches = this.#cancelAfterWatch(ledger);
    this.#protections = this.#protectionWatch(ledger);
    this.#groups = this.#protectionGroups(ledger);
    this.#probe = new RecordingProbe({ disk, log, timers: wallTimers, folder: data.folder, post });
    this.#stops = new Stops({
      ledger,
      timers: wallTimers,
      accounts: trading.accounts,
      storeFailed: this.#storeFailed,
      isRead: account => this.#executions.isRead(account),
      changed: scopes => post({ type: 'stops', scopes }),
    });
    this.#wallets = this.#openWallets(ledger, data.pods);
    const pricesOf: PricesOf = (venue, address) => books.prices(venue, address);
    this.#losses = this.#lossLimits(ledger, pricesOf, data.dayZone);
    this.#service = new OrderService({
      ledger,
      trading,
      log,
      pricesOf,
      bestOf: books.best,
      sidesOf: (venue, address) => books.sides(venue, address),
      switches: { set: (owner, timeoutMs) => this.#setSwitch(owner, timeoutMs) },
      protections: this.#protections,
      groupOf: order => this.#groups.groupOf(order),
      stops: this.#stops,
      losses: this.#losses,
      exposure: new Exposure({ store: disk.store, eventOf: parts.eventOf, actorsOf: this.#actorsOf }),
      wallets: this.#wallets,
      pods: data.pods,
      fence: () => disk.fence(),
    });
  }

  operate(timed: TimedOperation, hooks: OperationHooks): void {
    const { operation } = timed;
    if (operation.name !== 'cancel-all' || operation.signature === null) this.#service.perform(timed, hooks);
    else this.#performOnce(timed, { keyId: operation.caller.keyId, signature: operation.signature }, hooks);
  }

  #performOnce(timed: TimedOperation, signed: Signed, hooks: OperationHooks): void {
    const perform = (): Promise<OperationReply> =>
      new Promise((replied, failed) => this.#service.perform(timed, { ...NO_ORDERS, replied, failed }));
    this.#signed.performOnce(signed, perform).then(
      reply => hooks.replied(reply),
      error => hooks.failed(error),
    );
  }

  /** Whether the gateway knows every order that may have been open in the account at the start. */
  isTradable(account: Account): boolean {
    return this.#reportedAccounts.has(accountName(account));
  }

  /** Null, because this gateway owns the pod. */
  get ownerUrl(): null {
    return null;
  }

  /** Returns the rest of the venues' rate limits for the pod. */
  venueBudgets(podId: string): readonly VenueBudget[] {
    return this.#trading.ofPod(podId).map(({ trading }) => trading.budget(null));
  }

  /** Whether reads may lack news of the venue. They may while nothing is recorded, and until missed news is read. */
  isBehind(account: Account): boolean {
    return this.#disk.recording !== 'taken' || this.#executions.isBehind(account);
  }

  /** Records the cancel request of an order that the guard has cancelled: the guard itself records nothing. */
  cancelledByGuard(cancelled: CancelledByGuard): void {
    const { podId, request, orderId } = cancelled.order;
    const isRecorded = recordGuardReason(this.#ledger, { ...cancelled, orderId });
    if (isRecorded !== null) this.#executions.cancelNow({ podId, venue: request.venue }, [orderId], isRecorded);
  }

  /** Returns the markets in use. Null means that the holdings cannot be read. */
  async inUse(): Promise<InUse | null> {
    try {
      return await marketsInUse(this.#disk.store, this.#trading.accounts, this.#actorsOf);
    } catch (error) {
      this.#storeFailed(error);
      return null;
    }
  }

  /** Closes the engine. Waits for the answers to requests at the venues, and then for the journal to be on disk. */
  async close(): Promise<void> {
    for (const cancel of this.#cancelTimers) cancel();
    this.#switches.stop();
    this.#protections.stop();
    this.#losses.stop();
    this.#probe.close();
    const stopped = Promise.all([this.#executions.stop(), this.#groups.stop(), this.#wallets.stop()]);
    await this.#trading.close();
    await this.#service.close();
    await stopped;
    await this.#parts.keys.close();
    await this.#disk.close();
  }

  #start(): void {
    this.#losses.start();
    this.#executions.start();
    this.#switches.start();
    this.#protections.start();
    this.#groups.start();
    this.#wallets.start();
    this.#reportReadAccounts(this.#trading.accounts);
    this.#parts.post({ type: 'stops', scopes: this.#stops.scopes });
    const { store } = this.#disk;
    for (const setting of store.cancelAfters()) this.#parts.post({ type: 'switch', setting });
    const later = (task: () => void): unknown => this.#cancelTimers.push(wallTimers.after(0, task));
    postOpenOrders({ store, accounts: this.#trading.accounts, post: this.#parts.post, defer: later });
    const wallets = new WalletNews({
      accounts: this.#trading.accounts,
      openActions: podId => store.openActions(podId),
      announce: (account, news) => this.#parts.post({ type: 'news', account, news }),
    });
    this.#repeat(limits.sweepMs, () => wallets.announceChanges());
    const limitChanges = new LimitChanges({ ...this.#parts, ledger: this.#ledger });
    this.#repeat(limits.keyWatchMs, () => limitChanges.recordChanges());
    this.#repeat(limits.engineUpkeepMs, () => this.#disk.evict());
    this.#repeat(limits.cancelAfterRetryMs, () => this.#stops.record());
    this.#repeat(limits.journalPruneMs, () => this.#disk.prune());
  }

  #setSwitch(owner: SwitchOwner, timeoutMs: number): SwitchSet {
    const set = this.#switches.set(owner, timeoutMs);
    this.#parts.post({ type: 'switch', setting: { ...owner, deadline: set.deadline } });
    return set;
  }

  #cancelAfterWatch(ledger: Ledger): CancelAfterWatch {
    const { log, post } = this.#parts;
    return new CancelAfterWatch({
      ledger,
      timers: wallTimers,
      onFired: ({ keyId, podId, actorId }, orderIds, isRecorded) => {
        log.info('cancel-after fires', { keyId, orders: orderIds.length, isRecorded });
        post({ type: 'unwanted', actorId, orderIds, reason: 'DEAD_MAN' });
        for (const account of this.#trading.ofPod(podId)) {
          const ofVenue = orderIds.filter(
            orderId => ledger.store.order(orderId)?.order.request.venue === account.venue,
          );
          this.#executions.cancelNow(account, ofVenue, isRecorded);
        }
      },
      onOver: owner => post({ type: 'switch-fired', owner }),
      storeFailed: this.#storeFailed,
    });
  }

  #protectionWatch(ledger: Ledger): ProtectionWatch {
    return new ProtectionWatch({
      ledger,
      timers: wallTimers,
      onUnwanted: (protection, ...unwanted) =>
        this.#cancelUnwanted('PROTECTION', protection, protection.actorId, ...unwanted),
      onChange: change => {
        this.#reportHalt({ type: 'protection', ...change });
        this.#groups.changed(change);
      },
      storeFailed: this.#storeFailed,
    });
  }

  #lossLimits(ledger: Ledger, pricesOf: PricesOf, zone: string): LossLimits {
    return new LossLimits({
      ledger,
      timers: wallTimers,
      accounts: this.#trading.accounts,
      actorsOf: this.#actorsOf,
      pricesOf,
      zone,
      onChange: change => this.#reportHalt({ type: 'lossLimit', ...change }),
      onUnwanted: (...unwanted) => this.#cancelUnwanted('LOSS_LIMIT', ...unwanted),
      storeFailed: this.#storeFailed,
    });
  }

  #reportHalt(change: HaltChange): void {
    const { log, metrics, onHalt } = this.#parts;
    logHalt(log, metrics, change, wallTimers.now());
    this.#disk.afterKept(() => onHalt(change));
  }

  #cancelUnwanted(
    reason: CancelReason,
    { podId, venue }: Account,
    actorId: string,
    orderIds: readonly OrderId[],
    isRecorded: boolean,
  ): void {
    this.#parts.log.info('cancels', { reason, actorId, venue, orders: orderIds.length, isRecorded });
    this.#parts.post({ type: 'unwanted', actorId, orderIds, reason });
    this.#executions.cancelNow({ podId, venue }, orderIds, isRecorded);
  }

  #protectionGroups(ledger: Ledger): ProtectionGroups {
    const { log, metrics } = this.#parts;
    return new ProtectionGroups({
      ledger,
      timers: wallTimers,
      accounts: this.#trading.accounts,
      onTrigger: ({ actorId, venue, address }) => {
        log.warn('order group triggered', { actorId, venue, address });
        this.#protections.trigger({ actorId, venue, address });
      },
      onRefused: ({ podId, venue }, message) => {
        metrics.count('order_group_refusals_total');
        log.warn('order group refused', { podId, venue, message });
      },
      storeFailed: this.#storeFailed,
    });
  }

  #openWallets(ledger: Ledger, pods: EngineData['pods']): Wallets {
    const { log, metrics } = this.#parts;
    return new Wallets({
      ledger,
      timers: wallTimers,
      accounts: this.#trading.accounts,
      orderIds: new OrderIds(pods),
      actorsOf: this.#actorsOf,
      stopProblem: owner => this.#stops.problem(owner),
      isTradable: account => this.isTradable(account),
      redeemed: (result, action) => {
        metrics.count('automatic_redeems_total', result);
        logRedeem(log, result, action);
      },
      storeFailed: this.#storeFailed,
    });
  }

  /** Reports each account to main once, when every order that may have been open in it at the start is known. */
  #reportReadAccounts(unread: readonly Account[]): void {
    const left = unread.filter(({ podId, venue }) => {
      const isRead = this.#executions.isRead({ podId, venue });
      if (isRead) {
        this.#reportedAccounts.add(accountName({ podId, venue }));
        this.#parts.post({ type: 'read', account: { podId, venue } });
      }
      return !isRead;
    });
    if (left.length > 0)
      this.#cancelTimers.push(wallTimers.after(limits.executionsReadPollMs, () => this.#reportReadAccounts(left)));
  }

  #repeat(pauseMs: number, task: () => void): void {
    let cancel = (): void => {};
    const run = (): void => {
      try {
        task();
      } catch (error) {
        this.#storeFailed(error);
      }
      cancel = wallTimers.after(pauseMs, run);
    };
    cancel = wallTimers.after(pauseMs, run);
    this.#cancelTimers.push(() => cancel());
  }

  /** Logs a fault of the store, at most once a minute unless the fault changes. Cancels and reports of the venues go on. */
  readonly #storeFailed = (error: unknown): void => {
    if (!(error instanceof StoreError)) throw error;
    const { message } = error;
    if (message === this.#lastFault.message && wallTimers.elapsed() < this.#lastFault.untilMs) return;
    this.#lastFault = { message, untilMs: wallTimers.elapsed() + limits.storeFaultRepeatMs };
    this.#parts.log.warn('the order store failed', { error: message });
  };
}
