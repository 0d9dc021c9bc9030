// A venue with scripted answers, for the life of orders.

import { clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import { uniformGrid } from '../../../src/core/domain/grid.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { Order } from '../../../src/core/domain/order.ts';
import { fail, ok, type Result } from '../../../src/core/domain/result.ts';
import type {
  AmendOutcome,
  CancelOutcome,
  CancelTarget,
  FactsRefusal,
  Listed,
  LookUp,
  PreparedOrder,
  PrepareRefusal,
  SubmitHearer,
  SubmitOutcome,
  TradingFacts,
  UnreadRow,
  VenueAmends,
  VenueFill,
  VenueOrder,
  VenuePosition,
  VenueTrading,
} from '../../../src/venues/venue.ts';

const SHARE = 1_000_000;

/** Gives its scripted answers; the last one repeats. */
export class ScriptedVenue implements VenueTrading {
  declare budget: VenueTrading['budget'];
  declare readonly keepWarm: VenueTrading['keepWarm'];
  facts_: Result<TradingFacts, FactsRefusal>;
  prepared: PrepareRefusal | null = null;
  submits: (SubmitOutcome | Promise<SubmitOutcome>)[] = [];
  cancels: (CancelOutcome | Promise<CancelOutcome>)[] = [{ type: 'cancelled' }];
  refusesBatches = false;
  /** The venue's answers to changes in place. Null means that the venue makes no changes in place. */
  amendments: (AmendOutcome | Promise<AmendOutcome>)[] | null = null;
  lookUps: (LookUp | Promise<LookUp>)[] = [{ type: 'absent', isCurrent: true }];
  open: VenueOrder[] = [];
  /** The time of the venue's lists, if the venue states the time. */
  upTo: Result<UnixMillis | null, string> = ok(null);
  /** The reason why resting orders cannot be listed. */
  unreadable: string | null = null;
  /** The orders that the venue has made, in any state. */
  made: VenueOrder[] = [];
  fills: VenueFill[] = [];
  /** The rows of the venue's lists that cannot be read. */
  unread: UnreadRow[] = [];
  /** The spans of time for which fills were requested. */
  readonly asked: (readonly [since: UnixMillis, until: UnixMillis | null])[] = [];
  cash: Awaited<ReturnType<VenueTrading['balance']>> = fail({ kind: 'unavailable', message: 'not scripted' });
  held: Result<readonly VenuePosition[], string> = { ok: false, error: 'not scripted' };
  /** The stated holding. Null means the same as the list of holdings. */
  statedHolding: Result<MicroShares, string> | null = null;
  /** The payout of every market. */
  paid: Result<Ticks | null, string> = ok(null);
  readonly calls: string[] = [];
  isHeld: (address: string) => boolean = () => false;

  constructor(now: UnixMillis) {
    const grid = uniformGrid(100 as Ticks);
    const sizes = { sizeMin: (5 * SHARE) as MicroShares, sizeStep: 10_000 as MicroShares };
    this.facts_ = ok({ grid, ...sizes, phase: 'OPEN', expiryLeadMs: 1_000, readAt: now });
  }

  warmUp() {
    return Promise.resolve();
  }
  facts(): ReturnType<VenueTrading['facts']> {
    return this.facts_;
  }
  expireFacts(): void {}
  prepare({ orderId, actorId, request }: Order): ReturnType<VenueTrading['prepare']> {
    if (this.prepared !== null) return { ok: false, error: this.prepared };
    const clientOrderId = request.venue === 'venue_b' ? clientOrderIdOf(orderId, actorId) : orderId;
    const venueOrderId = request.venue === 'venue_b' ? null : `digest-${orderId}`;
    return ok({ payload: new Uint8Array([1]), venueOrderId, clientOrderId });
  }
  submit({ order }: PreparedOrder, _deadline: UnixMillis, _notAfter: UnixMillis | null, hearer: SubmitHearer): void {
    this.calls.push(`submit ${order.status}`);
    Promise.resolve(this.#next(this.submits)).then(
      outcome => hearer.answered(outcome),
      error => hearer.failed(error),
    );
  }
  async cancel({ venueOrderId }: CancelTarget): Promise<CancelOutcome> {
    // Real venues answer so.
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
  get amends(): VenueAmends | null {
    if (this.amendments === null) return null;
    return {
      prepare: (_old, { orderId, actorId }, total) => ({
        payload: Buffer.from(String(total)),
        venueOrderId: null,
        clientOrderId: clientOrderIdOf(orderId, actorId),
      }),
      amend: async ({ venueOrderId }, { payload }) => {
        this.calls.push(`amend ${venueOrderId} to ${Number(Buffer.from(payload).toString()) / SHARE}`);
        return this.#next(this.amendments!);
      },
    };
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
    return Promise.resolve(this.cash);
  }
  positions(): Promise<Result<Listed<VenuePosition>, string>> {
    const unread = this.unread.filter(({ about }) => about === 'position');
    return Promise.resolve(this.held.ok ? ok({ rows: this.held.value, unread }) : this.held);
  }
  holding(address: string): Promise<Result<MicroShares, string>> {
    this.calls.push(`holding ${address}`);
    const listed = this.held.ok ? this.held.value.find(it => it.address === address)?.size : undefined;
    return Promise.resolve(this.statedHolding ?? ok(listed ?? (0 as MicroShares)));
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
