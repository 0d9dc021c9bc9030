// One life of the simulated gateway. All code of orders runs on the engine's own disk (orders/engine/engine-disk.ts) over a simulated machine,
// with the history's thread beside it. A crash ends it between two events or at any call of the disk. What it was about to do does not
// happen, and waiting callers lose their connection.

import { actorTag } from '../../src/core/domain/actor-tag.ts';
import { type Answer, unavailable, unknownOutcome } from '../../src/core/domain/answer.ts';
import type { MicroShares } from '../../src/core/domain/numbers.ts';
import type { OperationReply } from '../../src/core/domain/operation.ts';
import type { Order, OrderId } from '../../src/core/domain/order.ts';
import { addressOf } from '../../src/core/domain/order-frame.ts';
import { fail, ok } from '../../src/core/domain/result.ts';
import { HmacKey } from '../../src/core/runtime/hmac.ts';
import type { Account, ActorEventRecord, LedgerStore } from '../../src/core/store/order-records.ts';
import type { OrderReader } from '../../src/core/store/orders/order-reader.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import { unavailableReply } from '../../src/core/wire/replies.ts';
import type { EngineDisk } from '../../src/orders/engine/engine-disk.ts';
import { JournalPositions } from '../../src/orders/journal/positions.ts';
import { CancelAfterWatch } from '../../src/orders/life/cancel-after.ts';
import type { CancelResult } from '../../src/orders/life/cancel-all.ts';
import { Executions } from '../../src/orders/life/executions.ts';
import { protectionHalt } from '../../src/orders/life/halts.ts';
import { Ledger } from '../../src/orders/life/ledger.ts';
import type { LossLimits } from '../../src/orders/life/loss-limits.ts';
import { deriveOrderId } from '../../src/orders/life/order-ids.ts';
import { ProtectionGroups } from '../../src/orders/life/protection-groups.ts';
import { ProtectionWatch } from '../../src/orders/life/protection-watch.ts';
import type { Submission, SubmitParts } from '../../src/orders/life/submission.ts';
import { UnderWay } from '../../src/orders/life/under-way.ts';
import type { Wallets } from '../../src/orders/life/wallets.ts';
import { patienceOf, replace, submit, submitBatch } from '../support/submitted.ts';
import { type ActionCall, type Call, hashOf, keyOf, POD, type ReplaceCall, SECRET, submissionOf } from './calls.ts';
import { type Cancelled, Cancels } from './cancels.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { HistoryThread } from './history-thread.ts';
import { Life } from './life.ts';
import { openLosses } from './loss-desk.ts';
import { openDisk } from './opened-disk.ts';
import { Port } from './port.ts';
import { limitParts } from './prices.ts';
import { openWallets, performAction } from './wallet-desk.ts';

export const ACTORS = ['alice', 'bob'] as const;
/** Every submission is refused with these words until the account is read. */
export const NOT_READ = 'not read yet';
/** A submission is refused with these words where the store takes no record. */
export const NOT_RECORDED = 'the order could not be recorded: nothing was sent';
/** The interval at which the engine evicts orders, and now and then prunes. */
const UPKEEP_MS = 1_000;
const PRUNE_CHANCE = 0.2;
/** The factors by which the history's thread is slower than it should be. */
const SLOWNESS = [2, 10, 50] as const;

type Lost = 'lost';

/**
 * The longest time for an answer. A replace at venue A takes the time of two records, a cancel and an order; all other requests take less.
 */
const ANSWER_MS = 20_000;

export class Gateway {
  readonly account: Account;
  readonly #given: GatewayParts;
  readonly #disk: EngineDisk;
  readonly #positions: JournalPositions;
  readonly #port: Port;
  readonly #parts: SubmitParts;
  readonly #cancels: Cancels;
  readonly #executions: Executions;
  readonly #switches: CancelAfterWatch;
  readonly protections: ProtectionWatch;
  readonly losses: LossLimits;
  readonly #groups: ProtectionGroups;
  readonly #wallets: Wallets;
  readonly #callers = new Set<(lost: Lost) => void>();
  #history: { readonly thread: HistoryThread; readonly life: Life } | null = null;

  /** Rejects with a StoreError. Never settles if the life ends before. */
  static async open(parts: GatewayParts): Promise<Gateway> {
    const positions = new JournalPositions();
    const disk = await openDisk(parts, positions);
    return new Gateway(parts, disk, positions);
  }

  private constructor(given: GatewayParts, disk: EngineDisk, positions: JournalPositions) {
    const { wire, life, reported, diverged, fired, answeredEarly } = given;
    const { timers } = life;
    const rates = wire.rates.begin(timers);
    this.#given = given;
    this.#disk = disk;
    this.#positions = positions;
    this.account = { podId: POD, venue: wire.venue };
    const { store } = disk;
    this.#port = new Port(
      wire,
      () => life.isAlive,
      order => this.#sending(order),
      { schedule: given.ofStream?.schedule ?? wire.schedule, fence: () => disk.cancelFence() },
    );
    given.opened(store);
    const storeFailed = (error: unknown): void => this.#storeFailed(error);
    const tell = (events: readonly ActorEventRecord[]): void => {
      if (!life.isAlive) return;
      disk.afterKept(() => events.forEach(reported));
      this.protections.handle(events);
    };
    const ledger = new Ledger({ store, now: () => timers.now(), publish: tell, diverged });
    this.#executions = new Executions({
      ...{ ledger, timers, storeFailed },
      accounts: [{ account: this.account, trading: this.#port }],
      actorOfTag: (_podId, tag) => ACTORS.find(actorId => actorTag(actorId) === tag) ?? null,
      actorsOf: () => ACTORS,
      announce: () => {},
    });
    this.#parts = {
      ...{ ...limitParts(ledger, timers), rates, underWay: new UnderWay(), patience: patienceOf(timers) },
      lossHalt: (...asked) => this.losses.haltOf(...asked),
      tradingOf: () => (this.#executions.isRead(this.account) ? ok(this.#port) : fail(unavailable(NOT_READ))),
      groupOf: order => this.#groups.groupOf(order),
      onLate: work => {
        answeredEarly();
        work.catch(storeFailed);
      },
    };
    this.#cancels = new Cancels({ ...this.#parts, rates, trading: this.#port, account: this.account });
    const cancelAll = (orderIds: readonly OrderId[], isRecorded: boolean): void => {
      if (life.isAlive && isRecorded) disk.afterKept(() => fired(orderIds));
      this.#executions.cancelNow(this.account, orderIds, isRecorded);
    };
    this.#switches = new CancelAfterWatch({
      ...{ ledger, timers, storeFailed },
      onFired: (_owner, ...unwanted) => cancelAll(...unwanted),
    });
    this.protections = new ProtectionWatch({
      ...{ ledger, timers, storeFailed },
      onUnwanted: (_protection, ...unwanted) => cancelAll(...unwanted),
      onChange: change => {
        if (!life.isAlive) return;
        given.protection(change.event);
        this.#groups.changed(change);
      },
    });
    this.losses = openLosses({
      ...{ ledger, timers, storeFailed, cancelAll, account: this.account, actors: ACTORS },
      onChange: ({ event }) => life.isAlive && given.lossLimit(event),
    });
    this.#groups = this.#openGroups(ledger);
    this.#wallets = this.#openWallets(ledger);
    this.#begin();
  }

  get store(): LedgerStore {
    return this.#disk.store;
  }

  /** Whether the gateway records nothing until it is started again. */
  get hasFailed(): boolean {
    return this.#disk.recording === 'failed';
  }

  submit(call: Call): Promise<Answer | Lost> {
    return this.#answered(
      () => submit(this.#parts, this.#submissionOf(call)),
      () => this.#afterFault(call),
    );
  }

  /** Submits orders in one request. */
  submitBatch(calls: readonly Call[]): Promise<readonly Answer[] | Lost> {
    const failed = (submission: Submission, error: unknown): Answer => {
      this.#storeFailed(error);
      // Nobody hears the answers of a life that is over.
      return this.#given.life.isAlive ? this.#afterFault(submission) : unavailable('the process has ended');
    };
    return this.#answered(
      () =>
        submitBatch(
          this.#parts,
          calls.map(it => this.#submissionOf(it)),
          failed,
        ),
      () => calls.map(call => this.#afterFault(call)),
    );
  }

  cancelBatch(orderIds: readonly OrderId[]): Promise<readonly (readonly [OrderId, Cancelled])[] | Lost> {
    return this.#answered(
      () => this.#cancels.several(orderIds),
      () => [],
    );
  }

  cancelAll(actorId: string): Promise<readonly CancelResult[] | Lost> {
    return this.#answered(
      () => this.#cancels.all(actorId),
      () => [],
    );
  }

  replace({ orderId, terms, ...call }: ReplaceCall): Promise<Answer | 'unknown-order' | Lost> {
    const work = async (): Promise<Answer | 'unknown-order'> => {
      const request = this.store.order(orderId)?.order.request;
      if (request === undefined) return 'unknown-order';
      const submission = { ...this.#submissionOf({ ...call, request }), bodySha256Hex: hashOf([orderId, terms]) };
      const trading = this.#parts.tradingOf(submission);
      if (!trading.ok) return trading.error;
      return replace(this.#parts, this.#port, { submission, oldId: orderId, terms });
    };
    return this.#answered<Answer | 'unknown-order'>(work, () => this.#afterFault(call));
  }

  /** Redeems, splits or merges shares of the account's wallet. */
  act(call: ActionCall): Promise<OperationReply | Lost> {
    const work = () => performAction(this.#wallets, call, this.#executions.isRead(this.account));
    return this.#answered(work, () => unavailableReply('the store failed'));
  }

  cancel(orderId: OrderId): Promise<Cancelled | 'unknown-order' | Lost> {
    return this.#answered<Cancelled | 'unknown-order'>(
      () => this.#cancels.one(orderId),
      () => this.#cancels.afterFault(orderId),
    );
  }

  /** Arms the dead man's switch of an actor. 0 disarms it. */
  setCancelAfter(actorId: string, timeoutMs: number): void {
    this.#switches.set({ keyId: keyOf(actorId), actorId, podId: POD }, timeoutMs);
  }

  /** Asks the history. Returns false if no history thread can answer now. */
  ask(answer: (reads: OrderReader) => void, failed: () => void): boolean {
    const { life } = this.#given;
    if (this.#history?.life.isAlive !== true) return false;
    this.#history.thread.ask(
      reads => life.isAlive && answer(reads),
      () => life.isAlive && failed(),
    );
    return true;
  }

  /** Crashes the history's thread alone. Another thread follows. */
  crashHistory(): void {
    if (this.#history?.life.isAlive !== true) return;
    this.#history.life.end();
    this.#startHistory();
  }

  /** Makes the history follow the journal to its end. */
  followToEnd(): void {
    this.#history?.life.end();
    const { machine, life } = this.#given;
    new HistoryThread(machine, life, this.#positions, 1, () => {}).close();
  }

  crash(): void {
    this.#given.life.end();
    this.#history?.life.end();
    this.#switches.stop();
    this.protections.stop();
    this.losses.stop();
    void this.#groups.stop();
    void this.#wallets.stop();
    void this.#port.close();
    for (const caller of this.#callers) caller('lost');
  }

  #sending(order: Order): void {
    const { store, losses } = this;
    const { orderId, status, sentAt } = order;
    const { forbidden, ofStream } = this.#given;
    if (protectionHalt(store, { ...order, address: addressOf(order.request) }) !== null) forbidden(orderId);
    if (status === 'SUBMITTED' && losses.haltOf(store, order, 0 as MicroShares, sentAt!) !== null) forbidden(orderId);
    ofStream?.sending(order);
  }

  #openGroups(ledger: Ledger): ProtectionGroups {
    const { timers } = this.#given.life;
    return new ProtectionGroups({
      ...{ ledger, timers, onRefused: () => {} },
      storeFailed: error => this.#storeFailed(error),
      accounts: [{ ...this.account, trading: this.#port }],
      onTrigger: scope => {
        this.#given.tripped(scope);
        this.protections.trigger(scope);
      },
    });
  }

  #openWallets(ledger: Ledger): Wallets {
    return openWallets({
      ...{ ...this.account, ledger, timers: this.#given.life.timers, trading: this.#port, actors: ACTORS },
      isTradable: () => this.#executions.isRead(this.account),
      storeFailed: error => this.#storeFailed(error),
    });
  }

  #submissionOf(call: Call): Submission {
    return submissionOf(call, this.#given.wire.positionMax);
  }

  #begin(): void {
    const { life, wire } = this.#given;
    const { random } = wire.schedule;
    life.timers.after(random.below(10), () => {
      this.losses.start();
      this.#executions.start();
      this.#switches.start();
      this.protections.start();
      this.#groups.start();
      this.#wallets.start();
    });
    this.#upkeep();
    this.#startHistory();
  }

  #upkeep(): void {
    this.#parts.timers.after(UPKEEP_MS, () => {
      try {
        this.#disk.evict();
        if (this.#given.wire.schedule.random.chance(PRUNE_CHANCE)) this.#disk.prune();
      } catch (error) {
        this.#storeFailed(error);
      }
      this.#upkeep();
    });
  }

  #startHistory(): void {
    const { machine, life, wire } = this.#given;
    const { random } = wire.schedule;
    life.timers.after(random.below(1_500), () => {
      const own = new Life(wire.schedule, life);
      const giveTurn = (): void => wire.schedule.giveTurn();
      const thread = new HistoryThread(machine, own, this.#positions, random.pick(SLOWNESS), giveTurn);
      this.#history = { thread, life: own };
    });
  }

  /**
   * Answers as the engine does. Without a record, nothing was sent; with a record, or if it cannot be read, the order may have been sent.
   */
  #afterFault({ actorId, idempotencyKey }: Pick<Call, 'actorId' | 'idempotencyKey'>): Answer {
    const orderId = deriveOrderId(new HmacKey(SECRET), actorId, this.account.venue, idempotencyKey);
    const order = this.store.order(orderId)?.order ?? null;
    if (order === null || order.isReleased) return unavailable(NOT_RECORDED);
    return unknownOutcome('unknownOutcome', orderId, 'a fault of the gateway: the order may have been sent');
  }

  /** Runs the work. If nothing can be recorded, everything stays as it is. */
  logFault(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.#storeFailed(error);
    }
  }

  /** Reports that the store has failed. Ignores store errors of work that still runs in a life that is over. */
  #storeFailed(error: unknown): void {
    if (!(error instanceof StoreError)) throw error;
    if (this.#given.life.isAlive) this.#given.storeFailed();
  }

  #answered<T>(work: () => Promise<T>, afterFault: () => T): Promise<T | Lost> {
    return new Promise((resolve, reject) => {
      const { timers, life, answeredLate } = { ...this.#given, timers: this.#given.life.timers };
      const askedAt = timers.now();
      this.#callers.add(resolve);
      const answer = (value: T): void => {
        if (!life.isAlive) return;
        const waitedMs = timers.now() - askedAt;
        if (waitedMs > ANSWER_MS) answeredLate(waitedMs);
        this.#callers.delete(resolve);
        resolve(value);
      };
      const kept = async (): Promise<T> => {
        const value = await work();
        const held = this.#disk.fence();
        if (held !== null) await held;
        return value;
      };
      kept().then(answer, error => {
        if (!(error instanceof StoreError)) return reject(error);
        this.#storeFailed(error);
        if (this.#given.life.isAlive) answer(afterFault());
      });
    });
  }
}
