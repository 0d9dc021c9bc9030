// Keeps fills whose order is not known. The gateway may not know the order's venue id yet, may have given the order up too soon, or may
// have lost its record. While a replacement is in flight, a fill without our client order id may belong to either order. A fill waits as
// long as its order may still be found. Engine thread.

import { BoundedMap } from '../../core/domain/bounded-map.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { leftNoTrace, type OrderId } from '../../core/domain/order.ts';
import { limits } from '../../limits.ts';
import type { VenueFill } from '../../venues/venue.ts';
import type { AccountParts } from './account-parts.ts';
import type { AccountReading } from './account-reading.ts';
import { orderOfTrace } from './adoption.ts';
import { applyFound } from './evidence.ts';
import { isAdvance } from './fill-frame.ts';
import type { ReconcileScheduler } from './reconcile-scheduler.ts';
import { predecessorOf, withVenueId } from './replacement-chain.ts';

interface Waiting {
  fill: VenueFill;
  readonly since: UnixMillis;
  /** Whether the given-up orders have been looked up for this fill. */
  lookedUp: 'no' | 'asking' | 'yes';
}

export class OrphanFills {
  readonly #parts: AccountParts;
  readonly #scheduler: ReconcileScheduler;
  readonly #reading: Pick<AccountReading, 'lastReadAt' | 'readUpTo' | 'readSoon'>;
  readonly #waiting = new BoundedMap<string, Waiting>(limits.orphanFillsMax);

  constructor(
    parts: AccountParts,
    scheduler: ReconcileScheduler,
    reading: Pick<AccountReading, 'lastReadAt' | 'readUpTo' | 'readSoon'>,
  ) {
    this.#parts = parts;
    this.#scheduler = scheduler;
    this.#reading = reading;
  }

  get size(): number {
    return this.#waiting.size;
  }

  fills(): readonly VenueFill[] {
    return [...this.#waiting.values()].map(({ fill }) => fill);
  }

  drop({ fillId }: VenueFill): void {
    this.#waiting.delete(fillId);
  }

  /**
   * Returns the report with the amounts of the first report, as for a booked fill. The order and the settlement may change with later
   * reports.
   */
  asFirstReported(report: VenueFill): VenueFill {
    const first = this.#waiting.get(report.fillId)?.fill;
    if (first === undefined) return report;
    const { venueOrderId, clientOrderId } = report;
    const settlement = isAdvance(first.settlement, report.settlement) ? report.settlement : first.settlement;
    return { ...first, venueOrderId, clientOrderId: clientOrderId ?? first.clientOrderId, settlement };
  }

  /** Returns the quantity that the order of a fill has traded, as the sum over its fills that wait here. */
  waitingSizeOf({ fillId, venueOrderId, size }: VenueFill): MicroShares {
    const others = this.fills().filter(it => it.venueOrderId === venueOrderId && it.fillId !== fillId);
    return others.reduce((sum, it) => sum + it.size, size as number) as MicroShares;
  }

  /** Returns whether the fill must wait because its order may still be found. If so, keeps the fill. */
  keepIfWaiting(fill: VenueFill): boolean {
    const { account, ledger, timers, trading } = this.#parts;
    const { fillId, clientOrderId } = fill;
    if (ledger.store.fill(account, fillId) !== null) return false;
    const ownerId = orderOfTrace(ledger.store, account, fill);
    const mayBeOfAnother = clientOrderId === null && trading.amends !== null;
    if (ownerId !== null && !mayBeOfAnother) return false;
    const waiting = this.#waiting.get(fillId) ?? { fill, since: timers.now(), lookedUp: 'no' };
    waiting.fill = fill;
    const mayBe = clientOrderId === null ? this.#mayHaveOtherOrder(waiting, ownerId) : this.#mayBeListed(waiting);
    if (mayBe) this.#waiting.set(fillId, waiting);
    return mayBe;
  }

  /**
   * Whether the order that the fill names may still be listed. It was made here; if it rests, the venue's list has all that adoption needs.
   */
  #mayBeListed({ since }: Waiting): boolean {
    if (this.#reading.readUpTo > since) return false;
    // The list lags behind trades. A list older than the fill is read again, but only once.
    if (this.#reading.lastReadAt <= since) this.#reading.readSoon();
    return true;
  }

  /**
   * Whether a fill without a client order id may belong to an order that is not known yet. Its order is `ownerId`, unless a replacement of
   * that order has the fill.
   */
  #mayHaveOtherOrder(waiting: Waiting, ownerId: OrderId | null): boolean {
    // Only the answer to the amendment says how much the old order had filled.
    if (ownerId !== null && this.#parts.ledger.amending.has(ownerId)) return true;
    const mayOwn = (orderId: OrderId): boolean => ownerId === null || this.#replaces(orderId, ownerId);
    const nameless = this.#scheduler.unnamedOrders(waiting.fill.address).filter(mayOwn);
    for (const orderId of nameless) this.#scheduler.lookLater(orderId);
    if (nameless.length > 0) return true;
    if (waiting.lookedUp === 'no') {
      const givenUp = this.#givenUpOrders(waiting.fill.address).filter(mayOwn);
      waiting.lookedUp = givenUp.length === 0 ? 'yes' : 'asking';
      if (givenUp.length > 0) this.#parts.background.begin(() => this.#tryGivenUp(waiting, givenUp));
    }
    return waiting.lookedUp !== 'yes';
  }

  /** Whether the order `orderId` replaces the order `oldId` in place. */
  #replaces(orderId: OrderId, oldId: OrderId): boolean {
    const { store } = this.#parts.ledger;
    return predecessorOf(store, store.order(orderId)!.order)?.orderId === oldId;
  }

  /** Returns the latest orders of each actor that were given up because they left no trace. */
  #givenUpOrders(address: string): readonly OrderId[] {
    const { account, actorsOf, ledger } = this.#parts;
    const { podId, venue } = account;
    return actorsOf(podId).flatMap(actorId =>
      Array.from(ledger.store.ordersOf(actorId, venue, address), ({ order }) => order)
        .filter(leftNoTrace)
        .sort((one, other) => other.createdAt - one.createdAt)
        .slice(0, limits.givenUpLookedMax)
        .map(({ orderId }) => orderId),
    );
  }

  async #tryGivenUp(waiting: Waiting, givenUp: readonly OrderId[]): Promise<void> {
    let areAnswered = false;
    try {
      areAnswered = await this.#lookUp(waiting, givenUp);
    } finally {
      waiting.lookedUp = areAnswered ? 'yes' : 'no';
    }
  }

  /**
   * Looks the given-up orders up. Returns whether the venue has answered for all of them. For a while, an absence does not count as an
   * answer if the venue's view may be older than the fill.
   */
  async #lookUp({ since }: Waiting, givenUp: readonly OrderId[]): Promise<boolean> {
    const { ledger, trading, timers } = this.#parts;
    const isLong = timers.now() - since >= limits.absenceProvenMs;
    let areAnswered = true;
    for (const orderId of givenUp) {
      const stored = ledger.store.order(orderId);
      if (stored?.intent == null) continue;
      const deadline = (timers.now() + limits.lookTimeoutMs) as UnixMillis;
      const found = await trading.lookUp(withVenueId(ledger.store, stored.order), stored.intent, deadline);
      if (found.type === 'found') {
        applyFound(ledger, stored.order, found);
        if (found.state !== 'gone') this.#scheduler.cancelTrace(stored.order, found.venueOrderId);
      }
      areAnswered &&= found.type === 'found' || (found.type === 'absent' && (found.isCurrent || isLong));
    }
    return areAnswered;
  }
}
