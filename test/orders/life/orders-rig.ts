// The life of orders on the engine's ledger, in virtual time, at a venue with scripted answers.

import { actorTag, clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import type { Answer } from '../../../src/core/domain/answer.ts';
import { aloneEvent } from '../../../src/core/domain/event-links.ts';
import type { Grid } from '../../../src/core/domain/grid.ts';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId } from '../../../src/core/domain/order.ts';
import { addressOf, directionOf } from '../../../src/core/domain/order-frame.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { type Filled, mostSizeOf, NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { type BestOf, type MarketPrices, NO_PRICES } from '../../../src/core/domain/position.ts';
import type { ProtectionChange } from '../../../src/core/domain/protection.ts';
import { ok, type Result } from '../../../src/core/domain/result.ts';
import { HmacKey } from '../../../src/core/runtime/hmac.ts';
import type {
  Account,
  LedgerStore,
  LiveReads,
  OrderEventRecord,
  StoredOrder,
} from '../../../src/core/store/order-records.ts';
import type { AccountNews } from '../../../src/orders/life/account-parts.ts';
import { limitProblem } from '../../../src/orders/life/actor-limits.ts';
import { ActorRates } from '../../../src/orders/life/actor-rates.ts';
import { type CancelAnswer, cancel, cancelDeadline } from '../../../src/orders/life/cancel.ts';
import { CancelAfterWatch } from '../../../src/orders/life/cancel-after.ts';
import { Executions } from '../../../src/orders/life/executions.ts';
import { type EventOf, Exposure } from '../../../src/orders/life/exposure.ts';
import { Ledger } from '../../../src/orders/life/ledger.ts';
import { deriveOrderId } from '../../../src/orders/life/order-ids.ts';
import { ProtectionWatch } from '../../../src/orders/life/protection-watch.ts';
import type { ReplaceTerms } from '../../../src/orders/life/replacement.ts';
import type { Submission, SubmitParts } from '../../../src/orders/life/submission.ts';
import { UnderWay } from '../../../src/orders/life/under-way.ts';
import type {
  Listed,
  LookUp,
  PrivateEvent,
  Standing,
  SubmitOutcome,
  VenueFill,
  VenueOrder,
} from '../../../src/venues/venue.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { HOOKS, NOBODY, patienceOf, replace, submit } from '../../support/submitted.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { ScriptedVenue } from './scripted-venue.ts';

const SHARE = 1_000_000;
export const POD = 'pod';
export const ACTOR = 'alice';
export const OWNER = { keyId: 'key', actorId: ACTOR, podId: POD };
export const EVERYWHERE = { venue: 'venue_b', address: null } as const;
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

export const DOWN = { type: 'unavailable', message: 'down' } as const satisfies LookUp;
export const ABSENT = { type: 'absent', isCurrent: true } as const satisfies LookUp;

/** Returns the terms of a purchase for so many dollars. */
export const spend = (dollars: number) =>
  ({
    ...{ venue: 'venue_a', tokenId: TOKEN_SELL.tokenId, type: 'MARKET', side: 'BUY', timeInForce: 'FAK' },
    ...{ dollars: Math.round(dollars * 1e6) as MicroDollars, worstPrice: null as Ticks | null },
  }) as const satisfies OrderRequest;

/** Terms of an order that ends by itself. */
export const goodTill = (expiresAt: number) =>
  ({
    timeInForce: 'GTD',
    terms: { expiresAt: expiresAt as UnixMillis, postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER' },
  }) as const;

/** Returns the sum of a fill of `count` shares. */
export const total = (count: number, price = 5_600, fees = 0): Filled => ({
  ...{ size: shares(count), cost: BigInt(shares(count)) * BigInt(price), fees: fees as MicroDollars },
});

/** Returns a list in which every row can be read. */
export function listed<Row>(rows: readonly Row[]): Result<Listed<Row>, string> {
  return ok({ rows, unread: [] });
}

const ACTORS = [ACTOR, 'bob'];

export class Rig<Store extends LedgerStore = MemoryLedger> {
  readonly timers = new VirtualTimers();
  readonly store: Store;
  readonly venue = new ScriptedVenue(this.timers.now());
  readonly reported: OrderEventRecord[] = [];
  readonly divergences: string[] = [];
  readonly news: AccountNews[] = [];
  /** The work that went on for callers who had been answered. */
  readonly late: Promise<unknown>[] = [];
  readonly ledger: Ledger;
  readonly parts: SubmitParts;
  readonly account: Account;
  readonly executions: Executions;
  readonly protections: ProtectionWatch;
  /** The dead man’s switch, and the orders whose cancels it has asked for. */
  readonly switched: CancelAfterWatch;
  readonly fired: OrderId[] = [];
  readonly changes: ProtectionChange[] = [];
  stopProblem: SubmitParts['stopProblem'] = () => null;
  /** The prices of all markets. */
  prices: MarketPrices = NO_PRICES;
  bestOf: BestOf = (_venue, _address, isAsk) => (isAsk ? this.prices.ask : this.prices.bid);
  lossHalt: SubmitParts['lossHalt'] = () => null;
  /** Every market is alone. */
  eventOf: EventOf = aloneEvent;
  readonly storeFailed = (error: unknown): never => {
    throw error;
  };

  constructor(venue: Account['venue'] = 'venue_b', store?: Store) {
    const inMemory: LedgerStore = new MemoryLedger();
    this.store = store ?? (inMemory as Store);
    const { timers } = this;
    this.account = { podId: POD, venue };
    const [reported, divergences] = [this.reported, this.divergences];
    this.ledger = new Ledger({
      store: this.store,
      now: () => timers.now(),
      publish: events => {
        reported.push(...events.filter(it => it.event !== 'ACTION'));
        this.protections.handle(events);
      },
      diverged: kind => divergences.push(kind),
    });
    this.parts = {
      ...{ ledger: this.ledger, timers, groupOf: () => null, underWay: new UnderWay(), patience: patienceOf(timers) },
      rates: new ActorRates(timers),
      bestOf: (...asked) => this.bestOf(...asked),
      tradingOf: () => ok(this.venue),
      stopProblem: who => this.stopProblem(who),
      lossHalt: (...asked) => this.lossHalt(...asked),
      exposure: new Exposure({
        store: this.store,
        eventOf: (...market) => this.eventOf(...market),
        actorsOf: () => ACTORS,
      }),
      onLate: work => this.late.push(work),
    };
    this.executions = new Executions({
      ledger: this.ledger,
      timers,
      accounts: [{ account: this.account, trading: this.venue }],
      actorOfTag: (_podId, tag) => (tag === actorTag(ACTOR) ? ACTOR : null),
      actorsOf: () => [ACTOR],
      announce: (_account, news) => this.news.push(news),
      storeFailed: this.storeFailed,
    });
    this.protections = this.protectionWatch(this.ledger);
    this.switched = this.cancelAfterWatch();
  }

  /** Submits one order, which the venue answers with `outcome`. */
  static async submitted(outcome: SubmitOutcome, venue?: Account['venue'], change?: Partial<Submission>): Promise<Rig> {
    const rig = new Rig(venue);
    await rig.submit(outcome, change);
    return rig;
  }

  /** The watch of this process, or of the next one on the same ledger. */
  protectionWatch(ledger: Ledger): ProtectionWatch {
    return new ProtectionWatch({
      ledger,
      timers: this.timers,
      onUnwanted: (_protection, orderIds, isRecorded) => this.executions.cancelNow(this.account, orderIds, isRecorded),
      onChange: change => this.changes.push(change),
      storeFailed: () => {},
    });
  }

  /** The watch of this process, or of the next one. */
  cancelAfterWatch(): CancelAfterWatch {
    const { ledger, timers, storeFailed } = this;
    return new CancelAfterWatch({
      ...{ ledger, timers, storeFailed },
      onFired: (_owner, orderIds) => this.fired.push(...orderIds),
    });
  }

  /** An order that was recorded and not sent. */
  putUnsent(idempotencyKey = 'one', request: OrderRequest = YES_BUY): Order {
    const names = { ...OWNER, orderId: this.id(idempotencyKey), idempotencyKey };
    const order = createOrder({ ...names, request, at: this.timers.now() });
    const intent = { payload: new Uint8Array(), venueOrderId: null, clientOrderId: 'c' };
    this.store.change(to => to.putOrder({ order, intent, refusedAs: null }));
    return order;
  }

  submission(change: Partial<Submission> = {}): Submission {
    const made: Omit<Submission, 'orderId' | 'address' | 'direction'> = {
      podId: POD,
      actorId: ACTOR,
      keyId: 'key',
      request: this.account.venue === 'venue_b' ? YES_BUY : { ...TOKEN_SELL, side: 'BUY' },
      idempotencyKey: 'one',
      bodySha256Hex: 'a'.repeat(64),
      isTradable: true,
      limits: NO_LIMITS,
      notAfter: null,
      names: { idempotencyKey: 'idempotencyKey', notAfter: 'notAfter' },
      ...{ hasExactPrice: false, isAckWanted: false, hooks: HOOKS, asker: NOBODY, stopwatch: null },
      ...change,
    };
    const { request } = made;
    return {
      ...{ address: addressOf(request), direction: directionOf(request) },
      orderId: deriveOrderId(new HmacKey(SECRET), made.actorId, made.request.venue, made.idempotencyKey),
      ...made,
    };
  }

  async submit(outcome: SubmitOutcome, change: Partial<Submission> = {}): Promise<Answer> {
    const isNamed = this.account.venue === 'venue_a' && outcome.type === 'accepted';
    this.venue.submits = [isNamed ? { ...outcome, venueOrderId: `digest-${this.id(change.idempotencyKey)}` } : outcome];
    return submit(this.parts, this.submission(change));
  }

  /** Replaces the order under a key by an order under the key `new`. */
  replace(terms: Partial<ReplaceTerms>, change: Partial<Submission> = {}, key = 'one'): Promise<Answer> {
    const { request, orderId: oldId } = this.order(this.id(key));
    const submission = this.submission({ request, idempotencyKey: 'new', ...change });
    return replace(this.parts, this.venue, { submission, oldId, terms: { price: null, total: null, ...terms } });
  }

  /** Submits an order that is under way: the venue answers on command. */
  start(change: Partial<Submission> = {}): { readonly answer: Promise<Answer>; say: (outcome: SubmitOutcome) => void } {
    const { promise, resolve } = Promise.withResolvers<SubmitOutcome>();
    this.venue.submits = [promise];
    return { answer: submit(this.parts, this.submission(change)), say: resolve };
  }

  /** Lets time pass in small steps, so that waiters go on. */
  async pass(ms: number, stepMs = 50): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) await this.timers.settle(Math.min(stepMs, ms - passed));
  }

  /** The deadline of a cancel that begins now. */
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

  /** Returns the ledger as the next process finds it. */
  restarted(this: Rig): MemoryLedger {
    return new MemoryLedger(this.store.log);
  }

  hear(event: PrivateEvent): void {
    this.executions.handle(this.account, event);
  }

  /** Lets the engine do its periodic work. */
  async sweep(afterMs = 1_000): Promise<void> {
    await this.timers.settle(afterMs);
    await this.executions.sweep();
  }

  id(idempotencyKey = 'one'): OrderId {
    return deriveOrderId(new HmacKey(SECRET), ACTOR, this.account.venue, idempotencyKey);
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

  /** Returns an order of the venue. An order that is gone has traded nothing, unless `change` says so. */
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

/** Returns a look-up's result. An order that is gone has traded its fills. */
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

type Limited = Pick<Submission, 'podId' | 'actorId' | 'request' | 'limits'>;

/** Returns the limit that the order would exceed, together with the actor's other orders and holdings. */
export function limitProblemOf(asked: Limited, reads: LiveReads, grid: Grid): string | null {
  const { actorId, request } = asked;
  const [address, direction] = [addressOf(request), directionOf(request)];
  const market = [actorId, request.venue, address] as const;
  const holdings = { position: reads.position(...market), holds: reads.pending(...market) };
  return limitProblem({ ...asked, address, direction }, reads, holdings, mostSizeOf(request, grid), grid);
}
