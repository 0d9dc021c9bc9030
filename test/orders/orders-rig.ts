// The life of orders on the engine's ledger, in virtual time, at a venue with scripted answers.

import { NO_LIMITS } from '../../src/domain/actor-limits.ts';
import { actorTag, clientOrderIdOf } from '../../src/domain/actor-tag.ts';
import type { Answer } from '../../src/domain/answer.ts';
import { uniformGrid } from '../../src/domain/grid.ts';
import type { Intent } from '../../src/domain/intent.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import type { Order, OrderId } from '../../src/domain/order.ts';
import type { OrderRequest } from '../../src/domain/order-request.ts';
import { type Filled, NOTHING_FILLED } from '../../src/domain/order-sums.ts';
import type { ProtectionChange } from '../../src/domain/protection.ts';
import { ok, type Result } from '../../src/domain/result.ts';
import type { AccountNews } from '../../src/orders/account-parts.ts';
import { type CancelAnswer, cancel, cancelDeadline } from '../../src/orders/cancel.ts';
import { Executions } from '../../src/orders/executions.ts';
import { Ledger } from '../../src/orders/ledger.ts';
import { deriveOrderId } from '../../src/orders/order-ids.ts';
import { ProtectionWatch } from '../../src/orders/protection-watch.ts';
import type { Submission, SubmitParts } from '../../src/orders/submission.ts';
import { submit } from '../../src/orders/submit.ts';
import { UnderWay } from '../../src/orders/under-way.ts';
import type { Account, LedgerStore, OrderEventRecord, StoredOrder } from '../../src/store/order-records.ts';
import type {
  CancelOutcome,
  CancelTarget,
  FactsRefusal,
  Listed,
  LookUp,
  PreparedOrder,
  PrepareRefusal,
  PrivateEvent,
  Standing,
  SubmitOutcome,
  TradingFacts,
  UnreadRow,
  VenueFill,
  VenueOrder,
  VenuePosition,
  VenueTrading,
} from '../../src/venues/venue.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const SHARE = 1_000_000;
export const POD = 'pod';
export const ACTOR = 'alice';
const SECRET = Buffer.alloc(32, 1);

export const shares = (count: number): MicroShares => Math.round(count * SHARE) as MicroShares;
export const ticks = (price: number): Ticks => price as Ticks;

export const YES_BUY = {
  venue: 'venue_b',
  ticker: 'KXGAME-1',
  side: 'YES',
  action: 'BUY',
  size: shares(10),
  price: ticks(5_600),
  timeInForce: 'GTC',
} as const satisfies OrderRequest;

export const TOKEN_SELL = {
  venue: 'venue_a',
  tokenId: '1001',
  type: 'LIMIT',
  side: 'SELL',
  size: shares(5),
  price: ticks(5_600),
  postOnly: false,
  timeInForce: 'GTC',
} as const satisfies OrderRequest;

export const ABSENT = { type: 'absent', isCurrent: true } as const satisfies LookUp;

/** A list in which every row can be read. */
export function listed<Row>(rows: readonly Row[]): Result<Listed<Row>, string> {
  return ok({ rows, unread: [] });
}

/** Gives its scripted answers; the last one repeats. */
export class ScriptedVenue implements VenueTrading {
  declare readonly budget: VenueTrading['budget'];
  facts_: Result<TradingFacts, FactsRefusal>;
  prepared: PrepareRefusal | null = null;
  submits: (SubmitOutcome | Promise<SubmitOutcome>)[] = [];
  cancels: (CancelOutcome | Promise<CancelOutcome>)[] = [{ type: 'cancelled' }];
  refusesBatches = false;
  lookUps: (LookUp | Promise<LookUp>)[] = [ABSENT];
  open: VenueOrder[] = [];
  /** When its lists are from, if it says so. */
  upTo: Result<UnixMillis | null, string> = ok(null);
  /** Why what rests cannot be listed. */
  unreadable: string | null = null;
  /** However they have ended. */
  made: VenueOrder[] = [];
  fills: VenueFill[] = [];
  /** Rows of its lists that cannot be read. */
  unread: UnreadRow[] = [];
  /** Of which times its fills were asked for. */
  readonly asked: (readonly [since: UnixMillis, until: UnixMillis | null])[] = [];
  held: Result<readonly VenuePosition[], string> = { ok: false, error: 'not scripted' };
  /** Whether it has any of an address that it was asked about. */
  hasStill: Result<boolean, string> = ok(false);
  /** What every market has paid. */
  paid: Result<Ticks | null, string> = ok(null);
  readonly calls: string[] = [];
  isHeld: (address: string) => boolean = () => false;

  constructor(now: UnixMillis) {
    const grid = uniformGrid(ticks(100));
    const sizes = { sizeMin: shares(5), sizeStep: 10_000 as MicroShares };
    this.facts_ = ok({ grid, ...sizes, phase: 'OPEN', expiryLeadMs: 1_000, readAt: now });
  }

  warmUp() {
    return Promise.resolve();
  }
  facts() {
    return Promise.resolve(this.facts_);
  }
  outdateFacts(): void {}
  prepare({ orderId, actorId, request }: Order): Promise<Result<Intent, PrepareRefusal>> {
    if (this.prepared !== null) return Promise.resolve({ ok: false, error: this.prepared });
    const clientOrderId = request.venue === 'venue_b' ? clientOrderIdOf(orderId, actorId) : orderId;
    const venueOrderId = request.venue === 'venue_b' ? null : `digest-${orderId}`;
    return Promise.resolve(ok({ payload: new Uint8Array([1]), venueOrderId, clientOrderId }));
  }
  async submit(
    order: Order,
    _intent: Intent,
    _deadline: UnixMillis,
    _notAfter: UnixMillis | null = null,
  ): Promise<SubmitOutcome> {
    this.calls.push(`submit ${order.status}`);
    return this.#next(this.submits);
  }
  async cancel({ venueOrderId }: CancelTarget): Promise<CancelOutcome> {
    // As real ones do.
    if (venueOrderId === null) return { type: 'not-found', message: 'the venue has not said its id' };
    this.calls.push('cancel');
    return this.#next(this.cancels);
  }
  async submitBatch(orders: readonly PreparedOrder[]): Promise<readonly SubmitOutcome[] | null> {
    this.calls.push(`submitBatch of ${orders.length}`);
    return this.refusesBatches ? null : Promise.all(orders.map(() => this.#next(this.submits)));
  }
  async cancelBatch(orders: readonly CancelTarget[]): Promise<readonly CancelOutcome[]> {
    this.calls.push(`cancelBatch of ${orders.length}`);
    return Promise.all(orders.map(() => this.#next(this.cancels)));
  }
  async lookUp(order: Order): Promise<LookUp> {
    this.calls.push(order.sentAt === null ? 'lookUp at any time' : 'lookUp');
    return this.#next(this.lookUps);
  }
  asOf(): Promise<Result<UnixMillis | null, string>> {
    return Promise.resolve(this.upTo);
  }
  openOrders(): Promise<Result<Listed<VenueOrder>, string>> {
    if (this.unreadable !== null) return Promise.resolve({ ok: false, error: this.unreadable });
    return Promise.resolve(ok({ rows: this.open, unread: this.unread.filter(({ about }) => about === 'order') }));
  }
  ordersSince(): Promise<Result<readonly VenueOrder[], string>> {
    return Promise.resolve(ok(this.made));
  }
  fillsSince(since: UnixMillis, until: UnixMillis | null = null): Promise<Result<Listed<VenueFill>, string>> {
    this.asked.push([since, until]);
    const isIn = (at: UnixMillis | null) => at === null || (at >= since && (until === null || at <= until));
    const unread = this.unread.filter(({ about, at }) => about === 'fill' && isIn(at));
    return Promise.resolve(ok({ rows: this.fills, unread }));
  }
  balance() {
    return Promise.resolve({ ok: false, error: { kind: 'unavailable', message: 'not scripted' } } as const);
  }
  positions(): Promise<Result<Listed<VenuePosition>, string>> {
    const unread = this.unread.filter(({ about }) => about === 'position');
    return Promise.resolve(this.held.ok ? ok({ rows: this.held.value, unread }) : this.held);
  }
  holds(address: string): Promise<Result<boolean, string>> {
    this.calls.push(`holds ${address}`);
    return Promise.resolve(this.hasStill);
  }
  payoutOf(address: string): Promise<Result<Ticks | null, string>> {
    this.calls.push(`payoutOf ${address}`);
    return Promise.resolve(this.paid);
  }
  listen(_hear: unknown, isHeld: (address: string) => boolean = () => true): () => void {
    this.isHeld = isHeld;
    return () => {};
  }
  close() {
    return Promise.resolve();
  }

  #next<T>(words: T[]): T {
    return words.length > 1 ? words.shift()! : words[0]!;
  }
}

export class Rig<Store extends LedgerStore = MemoryLedger> {
  readonly timers = new VirtualTimers();
  readonly store: Store;
  readonly venue = new ScriptedVenue(this.timers.now());
  readonly reported: OrderEventRecord[] = [];
  readonly divergences: string[] = [];
  readonly news: AccountNews[] = [];
  /** What went on for callers who had been answered. */
  readonly late: Promise<unknown>[] = [];
  readonly ledger: Ledger;
  readonly parts: SubmitParts;
  readonly account: Account;
  readonly executions: Executions;
  readonly protections: ProtectionWatch;
  readonly changes: ProtectionChange[] = [];
  stopProblem: SubmitParts['stopProblem'] = () => null;

  constructor(venue: Account['venue'] = 'venue_b', store?: Store) {
    const inMemory: LedgerStore = new MemoryLedger();
    this.store = store ?? (inMemory as Store);
    const { timers } = this;
    this.account = { podId: POD, venue };
    const [reported, divergences] = [this.reported, this.divergences];
    this.ledger = new Ledger({
      store: this.store,
      now: () => timers.now(),
      tell: events => {
        reported.push(...events);
        this.protections.hear(events);
      },
      diverged: kind => divergences.push(kind),
    });
    this.parts = {
      ...{ ledger: this.ledger, timers, groupOf: () => null, underWay: new UnderWay() },
      tradingOf: () => ok(this.venue),
      podSecretOf: () => SECRET,
      stopProblem: who => this.stopProblem(who),
      late: work => this.late.push(work),
    };
    this.executions = new Executions({
      ledger: this.ledger,
      timers,
      accounts: [{ account: this.account, trading: this.venue }],
      actorOfTag: (_podId, tag) => (tag === actorTag(ACTOR) ? ACTOR : null),
      actorsOf: () => [ACTOR],
      announce: (_account, news) => this.news.push(news),
    });
    this.protections = this.protectionWatch(this.ledger);
  }

  /** Of this process, or of the next one on the same ledger. */
  protectionWatch(ledger: Ledger): ProtectionWatch {
    return new ProtectionWatch({
      ledger,
      timers: this.timers,
      unwanted: (_protection, orderIds, isRecorded) => this.executions.cancelNow(this.account, orderIds, isRecorded),
      changed: change => this.changes.push(change),
      storeFailed: () => {},
    });
  }

  submission(change: Partial<Submission> = {}): Submission {
    return {
      podId: POD,
      actorId: ACTOR,
      keyId: 'key',
      request: this.account.venue === 'venue_b' ? YES_BUY : { ...TOKEN_SELL, side: 'BUY' },
      idempotencyKey: 'one',
      bodySha256Hex: 'a'.repeat(64),
      isTradable: true,
      limits: NO_LIMITS,
      notAfter: null,
      ...{ claim: () => true, recorded: null, passed: () => {} },
      ...change,
    };
  }

  async submit(outcome: SubmitOutcome, change: Partial<Submission> = {}): Promise<Answer> {
    const isNamed = this.account.venue === 'venue_a' && outcome.type === 'accepted';
    this.venue.submits = [isNamed ? { ...outcome, venueOrderId: `digest-${this.id(change.idempotencyKey)}` } : outcome];
    return submit(this.parts, this.submission(change));
  }

  /** Under way: the venue answers on command. */
  start(change: Partial<Submission> = {}): { readonly answer: Promise<Answer>; say: (outcome: SubmitOutcome) => void } {
    const { promise, resolve } = Promise.withResolvers<SubmitOutcome>();
    this.venue.submits = [promise];
    return { answer: submit(this.parts, this.submission(change)), say: resolve };
  }

  /** Lets so much time pass in small steps, so that waiters go on. */
  async pass(ms: number, stepMs = 50): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) await this.timers.settle(Math.min(stepMs, ms - passed));
  }

  /** Of a cancel that begins now. */
  deadline(): UnixMillis {
    return cancelDeadline(this);
  }

  async cancel(orderId: OrderId): Promise<CancelAnswer> {
    const answer = cancel(this, this.venue, this.stored(orderId), this.deadline());
    const ended = answer.then(() => true);
    for (let round = 0; round < 200; round += 1) {
      if (await Promise.race([ended, this.timers.settle(50).then(() => false)])) break;
    }
    return answer;
  }

  /** The ledger as the next process finds it. */
  restarted(this: Rig): MemoryLedger {
    return new MemoryLedger(this.store.log);
  }

  hear(event: PrivateEvent): void {
    this.executions.hear(this.account, event);
  }

  /** What `pass` lets the engine do. */
  async sweep(afterMs = 1_000): Promise<void> {
    await this.timers.settle(afterMs);
    await this.executions.sweep();
  }

  id(idempotencyKey = 'one'): OrderId {
    return deriveOrderId(SECRET, ACTOR, this.account.venue, idempotencyKey);
  }

  stored(orderId = this.id()): StoredOrder {
    return this.store.order(orderId)!;
  }

  order(orderId = this.id()): Order {
    return this.stored(orderId).order;
  }

  position(owner = ACTOR): number {
    const address = this.account.venue === 'venue_b' ? YES_BUY.ticker : TOKEN_SELL.tokenId;
    return this.store.position(owner, this.account.venue, address)?.size ?? 0;
  }

  fill(fillId: string, count: number, change: Partial<VenueFill> = {}): VenueFill {
    const isB = this.account.venue === 'venue_b';
    return {
      fillId,
      venueTradeId: fillId,
      price: ticks(5_600),
      addressPrice: ticks(5_600),
      size: shares(count),
      fee: 1_000 as MicroDollars,
      liquidity: 'TAKER',
      settlement: isB ? 'CONFIRMED' : 'MATCHED',
      executedAt: this.timers.now(),
      venueOrderId: isB ? 'v-1' : `digest-${this.id()}`,
      clientOrderId: isB ? clientOrderIdOf(this.id(), ACTOR) : null,
      address: isB ? YES_BUY.ticker : TOKEN_SELL.tokenId,
      positionChange: shares(count),
      ...change,
    };
  }

  /** What is gone has traded nothing, unless that is changed. */
  venueOrder(change: Partial<VenueOrder> = {}): VenueOrder {
    return {
      venueOrderId: 'v-1',
      clientOrderId: clientOrderIdOf(this.id(), ACTOR),
      address: YES_BUY.ticker,
      state: 'rests',
      stated: change.state === 'gone' ? NOTHING_FILLED : null,
      ...change,
    };
  }
}

export const RESTS = {
  type: 'accepted',
  venueOrderId: 'v-1',
  state: 'rests',
  stated: null,
} as const satisfies SubmitOutcome;
export const TIMEOUT: SubmitOutcome = { type: 'unknown', cause: 'timeout', message: 'no answer' };
export const NOT_SENT: SubmitOutcome = { type: 'not-sent', message: 'no connection', retryAfterS: 2 };
export const REFUSED: SubmitOutcome = {
  type: 'refused',
  kind: 'insufficientBalance',
  error: { code: 'VENUE_REJECTED', message: 'insufficient balance' },
};

/** What is gone has traded what its fills say. */
export function found(state: Standing['state'], fills: readonly VenueFill[] = []): LookUp {
  if (state !== 'gone') return { type: 'found', venueOrderId: 'v-1', state, stated: null, fills };
  return { type: 'found', venueOrderId: 'v-1', state, stated: totalOf(fills), fills };
}

function totalOf(fills: readonly VenueFill[]): Filled {
  return {
    size: fills.reduce((sum, { size }) => sum + size, 0) as MicroShares,
    cost: fills.reduce((sum, { price, size }) => sum + BigInt(price) * BigInt(size), 0n),
    fees: fills.reduce((sum, { fee }) => sum + fee, 0) as MicroDollars,
  };
}
