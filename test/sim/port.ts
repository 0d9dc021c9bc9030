// A gateway's requests to its venue, over the simulated wire (wire.ts). As the port's contract demands, each request is answered by its
// deadline.

import { clientOrderIdOf } from '../../src/core/domain/actor-tag.ts';
import { uniformGrid } from '../../src/core/domain/grid.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Order } from '../../src/core/domain/order.ts';
import { priceInFrame } from '../../src/core/domain/order-frame.ts';
import type { Intent } from '../../src/core/domain/order-request.ts';
import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import type { VenueBudget } from '../../src/core/domain/venue-budget.ts';
import type {
  AmendOutcome,
  CancelOutcome,
  CancelTarget,
  FactsRefusal,
  Listed,
  LookUp,
  PreparedOrder,
  PrivateEvent,
  SubmitOutcome,
  TradingFacts,
  VenueAmends,
  VenueBalance,
  VenueFill,
  VenueGroups,
  VenueOrder,
  VenueTrading,
} from '../../src/venues/venue.ts';
import type { VenueBReads } from '../../src/venues/venue-b/trading/archive.ts';
import { lookUp } from '../../src/venues/venue-b/trading/look-up.ts';
import type { VenueWallet } from '../../src/venues/wallet-port.ts';
import { archivedReads } from './archived-reads.ts';
import { cancelItem } from './cancel-port.ts';
import { TICK } from './exchange.ts';
import { type GroupFault, groupPort } from './groups.ts';
import { LookUpsAtA } from './look-ups-at-a.ts';
import { type PayoutPort, payoutPort } from './payout-port.ts';
import type { Schedule } from './schedule.ts';
import { ordersAsOf, SHARE, type TrueOrder, viewOf } from './true-order.ts';
import { walletPort } from './true-wallet.ts';
import type { Wire } from './wire.ts';

/** More money than anybody here splits. */
const CASH = 1_000_000_000 as MicroDollars;

const FACTS: Omit<TradingFacts, 'readAt'> = {
  grid: uniformGrid(TICK),
  sizeMin: SHARE as MicroShares,
  sizeStep: 10_000 as MicroShares,
  phase: 'OPEN',
  expiryLeadMs: 1_000,
};

interface PortTime {
  readonly schedule?: Schedule;
  readonly fence?: () => Promise<void> | null;
}

/** The port of one gateway process. Its requests stay under way even if the process ends, but then nobody hears the answer. */
export class Port implements VenueTrading {
  readonly groups?: VenueGroups;
  readonly wallet?: VenueWallet;
  readonly #wire: Wire;
  readonly #isAlive: () => boolean;
  readonly #sending: (order: Order) => void;
  readonly #schedule: Schedule;
  readonly #fence: () => Promise<void> | null;
  readonly #payouts: PayoutPort;
  /** The reads of venue B, made by the adapter's own look-up. */
  readonly #reads: VenueBReads;
  readonly #lookUps: LookUpsAtA;
  readonly #stops: (() => void)[] = [];
  readonly #hearing: ((event: PrivateEvent) => void)[] = [];

  /**
   * `schedule` is the time as the process has it. `sending` is called when an order is sent. `fence` is awaited before a cancel is sent.
   */
  constructor(
    wire: Wire,
    isAlive: () => boolean,
    sending: (order: Order) => void,
    { schedule = wire.schedule, fence = () => null }: PortTime = {},
  ) {
    this.#wire = wire;
    this.#schedule = schedule;
    this.#fence = fence;
    this.#isAlive = isAlive;
    this.#sending = sending;
    this.#lookUps = new LookUpsAtA(wire, schedule);
    this.#payouts = payoutPort(wire, schedule, isAlive);
    this.#reads = archivedReads(wire, (deadline, late, read) => this.#read(deadline, late, read));
    if (wire.venue === 'venue_a') this.wallet = walletPort(wire, schedule, isAlive);
    if (wire.venue === 'venue_b') this.groups = groupPort(wire, wire.exchange.groups, isAlive);
  }

  warmUp(): Promise<void> {
    return Promise.resolve();
  }

  keepWarm(): Promise<void> {
    return Promise.resolve();
  }

  /** Returns the facts at once, as an adapter that knows them does, or after a read. */
  facts(address: string) {
    const wire = this.#wire;
    return wire.chance(0.5) ? this.#factsOf(address) : this.#wait(wire.delayMs()).then(() => this.#factsOf(address));
  }

  #factsOf(address: string): Result<TradingFacts, FactsRefusal> {
    const wire = this.#wire;
    if (wire.chance(0.02)) return fail({ type: 'unavailable', message: 'the venue does not answer' } as const);
    if (address.endsWith('?')) return fail({ type: 'unknown-market' } as const);
    const phase = wire.exchange.markets.isClosed(address) ? 'CLOSED' : 'OPEN';
    return ok({ ...FACTS, phase, readAt: this.#schedule.now() } as const);
  }

  expireFacts(): void {}

  prepare({ orderId, actorId }: Order, _idempotencyKey: string, groupId: string | null = null) {
    const isNamed = this.#wire.venue === 'venue_a';
    const clientOrderId = isNamed ? orderId : clientOrderIdOf(orderId, actorId);
    const venueOrderId = isNamed ? `digest-${orderId}` : null;
    return ok({ payload: new TextEncoder().encode(groupId ?? 'alone'), venueOrderId, clientOrderId });
  }

  submit(...[prepared, deadline, , hearer]: Parameters<VenueTrading['submit']>): void {
    void this.submitBatch([prepared], deadline).then(outcomes => hearer.answered(outcomes![0]!));
  }

  /** Submits orders. A fault of one request concerns the whole batch. */
  async submitBatch(orders: readonly PreparedOrder[], deadline: UnixMillis): Promise<readonly SubmitOutcome[] | null> {
    if (!this.#isAlive()) return NEVER;
    const { sent, exchange } = this.#wire;
    const [wire, schedule] = [this.#wire, this.#schedule];
    const all = (outcome: SubmitOutcome): readonly SubmitOutcome[] => orders.map(() => outcome);
    // As in the adapters: if the venue has refused the batch itself, each order is sent alone, and only before the deadline.
    if (schedule.now() >= deadline) return all(notSent);
    if (wire.chance(0.06)) return this.#later(wire.delayMs(), deadline, all(notSent));
    if (orders.length > 1 && wire.chance(0.05)) return this.#later(wire.delayMs(), deadline, null);
    for (const { order } of orders) {
      this.#sending(order);
      sent.set(order.orderId, (sent.get(order.orderId) ?? 0) + 1);
    }
    const sentAt = schedule.now();
    const isLost = wire.chance(0.06);
    // Now and then the request is under way for so long that the gateway gives it up.
    const thereMs = wire.chance(0.03) ? 32_000 + schedule.random.below(20_000) : wire.delayMs();
    const isAnswerLost = wire.chance(0.06);
    const backMs = wire.delayMs();
    return new Promise(resolve => {
      let isAnswered = false;
      const answer = (outcomes: readonly SubmitOutcome[]): void => {
        if (!this.#isAlive() || isAnswered) return;
        isAnswered = true;
        // The venue says that it has done nothing, so that the key may be used again.
        for (const [index, { order }] of orders.entries())
          if (outcomes[index]!.type === 'not-sent') sent.set(order.orderId, sent.get(order.orderId)! - 1);
        resolve(outcomes);
      };
      schedule.after(deadline - schedule.now(), () => answer(all(unknown('timeout'))));
      if (wire.chance(0.03)) schedule.after(wire.delayMs(), () => answer(all(unknown('lost'))));
      if (isLost) return;
      schedule.after(thereMs, () => {
        const outcomes = orders.map(({ order, intent }) => exchange.arrive(order, intent));
        if (isAnswerLost) return;
        schedule.after(backMs, () => {
          if (!this.#isAlive()) return;
          for (const [index, outcome] of outcomes.entries()) this.#heed(outcome, orders[index]!.intent, sentAt);
          answer(outcomes.map(it => (wire.chance(0.03) ? unknown('unreadable') : it)));
        });
      });
    });
  }

  get amends(): VenueAmends | null {
    if (this.#wire.venue === 'venue_a') return null;
    return {
      prepare: (_old, { orderId, actorId, request }, total) => {
        const price = 'price' in request ? priceInFrame(request, request.price) : 0;
        return {
          payload: new TextEncoder().encode(JSON.stringify({ total, price })),
          venueOrderId: null,
          clientOrderId: clientOrderIdOf(orderId, actorId),
        };
      },
      amend: (old, intent, deadline) => this.#amend(old, intent, deadline),
    };
  }

  async #amend(old: Order, intent: Intent, deadline: UnixMillis): Promise<AmendOutcome> {
    if (!this.#isAlive()) return NEVER;
    const { exchange, sent } = this.#wire;
    const [wire, schedule] = [this.#wire, this.#schedule];
    if (wire.chance(0.06)) return this.#later(wire.delayMs(), deadline, notSent);
    // A protection that forbids the new order is one of the old order's market.
    this.#sending(old);
    const [orderId = ''] = intent.clientOrderId.split('.');
    sent.set(orderId, (sent.get(orderId) ?? 0) + 1);
    const [isLost, isAnswerLost] = [wire.chance(0.06), wire.chance(0.06)];
    const thereMs = wire.chance(0.03) ? 32_000 + schedule.random.below(20_000) : wire.delayMs();
    const backMs = wire.delayMs();
    const { total, price } = JSON.parse(Buffer.from(intent.payload).toString()) as { total: number; price: Ticks };
    return new Promise(resolve => {
      const answer = (outcome: AmendOutcome): void => {
        if (this.#isAlive()) resolve(outcome);
      };
      schedule.after(deadline - schedule.now(), () => answer(unknown('timeout')));
      if (wire.chance(0.03)) schedule.after(wire.delayMs(), () => answer(unknown('lost')));
      if (isLost) return;
      schedule.after(thereMs, () => {
        const outcome = exchange.amend(old.venueOrderId ?? '', intent.clientOrderId, price, total);
        if (!isAnswerLost) schedule.after(backMs, () => answer(wire.chance(0.03) ? unknown('unreadable') : outcome));
      });
    });
  }

  async cancel(order: CancelTarget, deadline: UnixMillis): Promise<CancelOutcome> {
    const [outcome] = await this.cancelBatch([order], deadline);
    return outcome!;
  }

  async cancelBatch(orders: readonly CancelTarget[], deadline: UnixMillis): Promise<readonly CancelOutcome[]> {
    if (!this.#isAlive()) return NEVER;
    const [wire, schedule] = [this.#wire, this.#schedule];
    const held = this.#fence();
    if (held !== null) await held;
    if (!this.#isAlive()) return NEVER;
    const all = (outcome: CancelOutcome): readonly CancelOutcome[] => orders.map(() => outcome);
    if (wire.chance(0.05)) return this.#later(wire.delayMs(), deadline, all(notSent));
    const isLost = wire.chance(0.06);
    const isAnswerLost = wire.chance(0.06);
    const [thereMs, backMs] = [wire.delayMs(), wire.delayMs()];
    return new Promise(resolve => {
      const answer = (outcomes: readonly CancelOutcome[]): void => {
        if (this.#isAlive()) resolve(outcomes);
      };
      schedule.after(deadline - schedule.now(), () => answer(all({ type: 'unknown', message: 'no answer in time' })));
      if (isLost) return;
      schedule.after(thereMs, () => {
        const outcomes = orders.map(order => cancelItem(wire, order));
        if (!isAnswerLost) schedule.after(backMs, () => answer(outcomes));
      });
    });
  }

  budget(): VenueBudget {
    const requests = { left: 1, burst: 1, perSecond: 1 };
    return { venue: this.#wire.venue, orders: requests, cancels: requests, reads: null };
  }

  lookUp(order: Order, intent: Intent, deadline: UnixMillis): Promise<LookUp> {
    if (this.#wire.venue === 'venue_b') return lookUp(this.#reads, order, intent, deadline);
    const unavailable: LookUp = { type: 'unavailable', message: 'no answer' };
    if (this.#wire.chance(0.1)) return this.#later(this.#wire.delayMs(), deadline, unavailable);
    return this.#read(deadline, unavailable, asOf =>
      this.#lookUps.find(order, intent, this.#orders(asOf), asOf as UnixMillis),
    );
  }

  asOf(): Promise<Result<UnixMillis | null, string>> {
    if (this.#wire.venue === 'venue_a') return Promise.resolve(ok(null));
    if (this.#wire.chance(0.1)) return this.#later(this.#wire.delayMs(), null, fail('no answer'));
    return this.#read<Result<UnixMillis | null, string>>(null, fail('no answer'), asOf => ok(asOf as UnixMillis));
  }

  openOrders(): Promise<Result<Listed<VenueOrder>, string>> {
    if (this.#wire.chance(0.1)) return this.#later(this.#wire.delayMs(), null, fail('no answer'));
    return this.#read<Result<Listed<VenueOrder>, string>>(null, fail('no answer'), asOf => {
      const open = this.#orders(asOf).filter(({ state }) => state !== 'gone');
      return ok({ rows: open.map(order => viewOf(this.#wire.venue, order)), unread: [] });
    });
  }

  ordersSince(since: UnixMillis): Promise<Result<readonly VenueOrder[], string>> {
    const { venue } = this.#wire;
    if (venue === 'venue_a') return Promise.resolve(ok([]));
    if (this.#wire.chance(0.1)) return this.#later(this.#wire.delayMs(), null, fail('no answer'));
    return this.#read<Result<readonly VenueOrder[], string>>(null, fail('no answer'), asOf => {
      const made = this.#orders(asOf).filter(({ history }) => history[0]!.at >= since);
      return ok(made.map(order => viewOf(venue, order)));
    });
  }

  fillsSince(since: UnixMillis, until: UnixMillis | null = null): Promise<Result<Listed<VenueFill>, string>> {
    if (this.#wire.chance(0.1)) return this.#later(this.#wire.delayMs(), null, fail('no answer'));
    return this.#read<Result<Listed<VenueFill>, string>>(null, fail('no answer'), asOf => {
      const reported = this.#wire.exchange.fills.filter(
        ({ fill: { executedAt: at } }) => at >= since && at <= Math.min(asOf, until ?? asOf),
      );
      return ok({
        rows: reported.map(({ fill, settlement }) => ({ ...fill, settlement, clientOrderId: null })),
        unread: [],
      });
    });
  }

  balance() {
    const none = 0 as MicroDollars;
    const cash = { available: CASH, committed: none, committedTo: [], claimable: none, unconverted: none };
    return Promise.resolve(ok<VenueBalance>(cash));
  }

  positions() {
    return this.#payouts.positions();
  }

  holding(address: string) {
    return this.#payouts.holding(address);
  }

  payoutOf(address: string) {
    return this.#payouts.payoutOf(address);
  }

  listen(hear: (event: PrivateEvent) => void): () => void {
    const tell = (event: PrivateEvent): void => {
      if (this.#isAlive()) hear(event);
    };
    const isShared = this.#schedule === this.#wire.schedule;
    const stop = this.#wire.listen(event => (isShared ? tell(event) : void this.#schedule.after(0, () => tell(event))));
    this.#payouts.watch(tell);
    this.#hearing.push(hear);
    this.#stops.push(stop);
    return stop;
  }

  /** Handles a refusal that says what has become of the order's group. */
  #heed(outcome: SubmitOutcome, { payload }: Intent, sentAt: UnixMillis): void {
    if (outcome.type !== 'not-sent' || outcome.venueError === undefined) return;
    const change = outcome.venueError.code as GroupFault;
    const event = { type: 'group', groupId: Buffer.from(payload).toString(), change, sentAt } as const;
    for (const hear of this.#hearing) hear(event);
  }

  close(): Promise<void> {
    for (const stop of this.#stops) stop();
    return Promise.resolve();
  }

  #orders(asOf: number): readonly TrueOrder[] {
    return ordersAsOf(this.#wire.exchange.orders.values(), asOf);
  }

  #read<T>(deadline: number | null, late: T, read: (asOf: number) => T): Promise<T> {
    const schedule = this.#schedule;
    const [thereMs, backMs, lagMs] = [this.#wire.delayMs(), this.#wire.delayMs(), this.#wire.lagMs()];
    return new Promise(resolve => {
      const answer = (value: T): void => {
        if (this.#isAlive()) resolve(value);
      };
      if (deadline !== null) schedule.after(deadline - schedule.now(), () => answer(late));
      schedule.after(thereMs, () => {
        const value = read(schedule.now() - lagMs);
        schedule.after(backMs, () => answer(value));
      });
    });
  }

  #later<T>(delayMs: number, deadline: UnixMillis | null, value: T): Promise<T> {
    const schedule = this.#schedule;
    const inTimeMs = deadline === null ? delayMs : Math.min(delayMs, Math.max(0, deadline - schedule.now()));
    return new Promise(resolve => schedule.after(inTimeMs, () => this.#isAlive() && resolve(value)));
  }

  #wait(delayMs: number): Promise<void> {
    return this.#later(delayMs, null, undefined);
  }
}

/** The answer to a process that has ended in the middle of a step. */
const NEVER: Promise<never> = new Promise(() => {});

const notSent = { type: 'not-sent', message: 'no connection', retryAfterS: 1 } as const;

function unknown(cause: 'timeout' | 'lost' | 'unreadable'): Extract<SubmitOutcome, { type: 'unknown' }> {
  return { type: 'unknown', cause, message: cause };
}
