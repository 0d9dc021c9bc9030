// Fills whose order nobody knows, or not yet: it may be one whose id at the venue is not known here, one that was given up too soon,
// or one whose record is lost. As long as one of these may turn up a fill waits; then it is nobody's. Engine thread.

import { BoundedMap } from '../domain/bounded-map.ts';
import type { MicroShares, UnixMillis } from '../domain/numbers.ts';
import { leftNoTrace, type OrderId } from '../domain/order.ts';
import { limits } from '../limits.ts';
import type { VenueFill } from '../venues/venue.ts';
import type { AccountParts } from './account-parts.ts';
import type { AccountReading } from './account-reading.ts';
import { orderOfTrace } from './adoption.ts';
import { applyFound } from './evidence.ts';
import { advances } from './fill-frame.ts';
import type { ReconcileScheduler } from './reconcile-scheduler.ts';

interface Waiting {
  fill: VenueFill;
  readonly since: UnixMillis;
  /** Whether the orders that were given up have been looked up for it. */
  asked: 'no' | 'asking' | 'yes';
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

  housed({ fillId }: VenueFill): void {
    this.#waiting.delete(fillId);
  }

  /** What was traded is as it was told first, like that of a fill that is booked; its order and its settlement may be told later. */
  asToldFirst(told: VenueFill): VenueFill {
    const first = this.#waiting.get(told.fillId)?.fill;
    if (first === undefined) return told;
    const { venueOrderId, clientOrderId } = told;
    const settlement = advances(first.settlement, told.settlement) ? told.settlement : first.settlement;
    return { ...first, venueOrderId, clientOrderId: clientOrderId ?? first.clientOrderId, settlement };
  }

  /** What was traded of the order of a fill, as far as it waits here. */
  tradedWith({ fillId, venueOrderId, size }: VenueFill): MicroShares {
    const others = this.fills().filter(it => it.venueOrderId === venueOrderId && it.fillId !== fillId);
    return others.reduce((sum, it) => sum + it.size, size as number) as MicroShares;
  }

  /** Whether the fill has to wait. */
  mayTurnUp(fill: VenueFill): boolean {
    const { account, ledger, timers } = this.#parts;
    const { fillId } = fill;
    const isKnown = orderOfTrace(ledger.store, account, fill) !== null || ledger.store.fill(account, fillId) !== null;
    if (isKnown) return false;
    const waiting = this.#waiting.get(fillId) ?? { fill, since: timers.now(), asked: 'no' };
    waiting.fill = fill;
    const mayBe = fill.clientOrderId === null ? this.#mayBeNameless(waiting) : this.#mayBeListed(waiting);
    if (mayBe) this.#waiting.set(fillId, waiting);
    return mayBe;
  }

  /** It names an order that was made here: what rests is listed with all that is needed to adopt it. */
  #mayBeListed({ since }: Waiting): boolean {
    if (this.#reading.readUpTo > since) return false;
    // Lists that lag are not read over and over.
    if (this.#reading.lastReadAt <= since) this.#reading.readSoon();
    return true;
  }

  #mayBeNameless(waiting: Waiting): boolean {
    const nameless = this.#scheduler.unknownAt(waiting.fill.address);
    for (const orderId of nameless) this.#scheduler.lookLater(orderId);
    if (nameless.length > 0) return true;
    if (waiting.asked === 'no') {
      const givenUp = this.#givenUpAt(waiting.fill.address);
      waiting.asked = givenUp.length === 0 ? 'yes' : 'asking';
      if (givenUp.length > 0) this.#parts.background.begin(() => this.#ask(waiting, givenUp));
    }
    return waiting.asked !== 'yes';
  }

  /** Of each actor the latest that were refused for want of a trace. */
  #givenUpAt(address: string): readonly OrderId[] {
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

  async #ask(waiting: Waiting, givenUp: readonly OrderId[]): Promise<void> {
    let areAnswered = false;
    try {
      areAnswered = await this.#lookUp(givenUp);
    } finally {
      waiting.asked = areAnswered ? 'yes' : 'no';
    }
  }

  /** Whether the venue has answered for all of them. */
  async #lookUp(givenUp: readonly OrderId[]): Promise<boolean> {
    const { ledger, trading, timers } = this.#parts;
    let areAnswered = true;
    for (const orderId of givenUp) {
      const stored = ledger.store.order(orderId);
      if (stored?.intent == null) continue;
      const deadline = (timers.now() + limits.lookTimeoutMs) as UnixMillis;
      const found = await trading.lookUp(stored.order, stored.intent, deadline);
      if (found.type === 'found') {
        applyFound(ledger, stored.order, found);
        if (found.state !== 'gone') this.#scheduler.cancelTrace(stored.order, found.venueOrderId);
      }
      areAnswered &&= found.type !== 'unavailable' && found.type !== 'held';
    }
    return areAnswered;
  }
}
