// The largest losses of owners in events, kept as sums over the markets of each question. A movement of the ledger marks one owner's part
// of one market as stale, and the next look reads only that part again. So an order costs the same, however many markets its event has.
// Engine thread.

import type { Leg, LinkedEvent, Question } from '../../core/domain/event-links.ts';
import { VENUES } from '../../core/domain/market.ts';
import { COST_PER_MICRO_DOLLAR, type MicroDollars } from '../../core/domain/numbers.ts';
import type { Position } from '../../core/domain/position.ts';
import type { LiveReads, PendingHolds } from '../../core/store/order-records.ts';

export type ExposureReads = Pick<LiveReads, 'held' | 'pending' | 'addressesOf'>;

/** The loss in a market in micro-dollars, by whether the market pays. A negative loss is a gain. */
interface Loss {
  readonly ifPaid: number;
  readonly ifUnpaid: number;
}

/** An order to be added, with the loss that it may add. */
export interface Added extends Loss {
  readonly owner: string;
  readonly address: string;
  /** The owner's loss in the market without the added order. */
  readonly present: Loss;
}

/** The largest loss in the event of an order, with that order. */
export interface LossWith {
  readonly after: MicroDollars;
  /** Whether the loss is above the limit, and also above the largest loss without the order. */
  readonly isBeyond: boolean;
}

/** The largest loss of owners in an event. */
export interface EventExposure {
  readonly eventId: string;
  readonly loss: MicroDollars;
  /** The worst outcome of each question that may bring a loss. */
  readonly worst: readonly string[];
}

/** The part of one owner in one market. */
interface Stake {
  readonly owner: string;
  readonly market: KeptMarket;
  loss: Loss;
  /** Whether something may have moved since `loss` was read. */
  isStale: boolean;
}

interface KeptMarket {
  readonly leg: Leg;
  readonly event: KeptEvent;
  readonly question: KeptQuestion;
  /** The parts of the market, by owner. */
  readonly stakes: Map<string, Stake>;
}

interface KeptEvent {
  readonly of: LinkedEvent;
  readonly questions: readonly KeptQuestion[];
  /** The largest loss over all questions, in micro-dollars. */
  loss: number;
}

/** The most markets that are kept, at some 300 bytes each. Beyond that number all are forgotten and read again. */
const MARKETS_KEPT_MAX = 20_000;
const NO_LOSS: Loss = { ifPaid: 0, ifUnpaid: 0 };

/** The sums of an actor alone, or of a pod with all its owners. */
export class ExposureSums {
  readonly #owners: ReadonlySet<string>;
  readonly #events = new Map<LinkedEvent, KeptEvent>();
  /** The markets by address. Addresses of the two venues never coincide. */
  readonly #markets = new Map<string, KeptMarket>();
  readonly #stale: Stake[] = [];

  constructor(owners: readonly string[]) {
    this.#owners = new Set(owners);
  }

  /** Marks the owner's part of the market as stale: something has moved in it, or such a movement was undone. */
  mark(owner: string, address: string): void {
    const market = this.#markets.get(address);
    if (market === undefined || !this.#owners.has(owner)) return;
    let stake = market.stakes.get(owner);
    if (stake === undefined) {
      stake = { owner, market, loss: NO_LOSS, isStale: false };
      market.stakes.set(owner, stake);
    }
    if (stake.isStale) return;
    stake.isStale = true;
    this.#stale.push(stake);
  }

  /**
   * Returns the largest loss in the event with the added order. `max` is the limit. The owner's part without the order is taken from
   * `added` and not kept, because it may lack an order that the added order replaces.
   */
  lossWith(added: Added, event: LinkedEvent, reads: ExposureReads, max: MicroDollars): LossWith {
    const { owner, address, present, ifPaid, ifUnpaid } = added;
    const kept = this.#events.get(event) ?? this.#keepEvent(event, reads);
    const { leg, question, stakes } = this.#markets.get(address)!;
    const own = stakes.get(owner) ?? null;
    // The only stale part is usually the owner's own, which is not needed here.
    const stale = this.#stale;
    if (stale.length > 1 || (stale.length === 1 && stale[0] !== own)) this.#refresh(reads, own);
    const known = own === null ? NO_LOSS : own.loss;
    const paid = present.ifPaid - known.ifPaid;
    const unpaid = present.ifUnpaid - known.ifUnpaid;
    const others = kept.loss - question.loss;
    const after = (others + question.lossWith(leg, paid + ifPaid, unpaid + ifUnpaid)) as MicroDollars;
    return { after, isBeyond: after > max && after > others + question.lossWith(leg, paid, unpaid) };
  }

  exposureOf(event: LinkedEvent, reads: ExposureReads): EventExposure {
    const kept = this.#events.get(event) ?? this.#keepEvent(event, reads);
    this.#refresh(reads, null);
    const { loss, questions } = kept;
    const worst = questions.filter(it => it.loss > 0).map(it => it.worst);
    return { eventId: event.id, loss: loss as MicroDollars, worst };
  }

  /** Begins to keep the sums of an event. A new catalog has new events, so each of its markets leaves the event that it was in. */
  #keepEvent(event: LinkedEvent, reads: ExposureReads): KeptEvent {
    if (this.#markets.size > MARKETS_KEPT_MAX) this.#forget();
    const questions = event.questions.map(it => new KeptQuestion(it));
    const kept: KeptEvent = { of: event, questions, loss: 0 };
    this.#events.set(event, kept);
    for (const [index, { legs }] of event.questions.entries())
      for (const leg of legs) {
        const before = this.#markets.get(leg.address);
        if (before !== undefined) this.#events.delete(before.event.of);
        this.#markets.set(leg.address, { leg, event: kept, question: questions[index]!, stakes: new Map() });
      }
    for (const owner of this.#owners) this.#markAll(owner, event, reads);
    return kept;
  }

  #forget(): void {
    this.#events.clear();
    this.#markets.clear();
    this.#stale.length = 0;
  }

  #markAll(owner: string, { questions }: LinkedEvent, reads: ExposureReads): void {
    for (const venue of VENUES) {
      const addresses = reads.addressesOf(owner, venue);
      if (addresses.length === 0) continue;
      for (const { legs } of questions)
        for (const leg of legs)
          if (leg.venue === venue && addresses.some(it => it.has(leg.address))) this.mark(owner, leg.address);
    }
  }

  /** Reads the stale parts again, except for the part of the order's owner. */
  #refresh(reads: ExposureReads, own: Stake | null): void {
    const stale = this.#stale;
    let left = 0;
    for (let at = 0; at < stale.length; at += 1) {
      const stake = stale[at]!;
      if (stake === own) stale[left++] = stake;
      else refresh(stake, reads);
    }
    stale.length = left;
  }
}

function refresh(stake: Stake, reads: ExposureReads): void {
  const { owner, loss, market } = stake;
  const { leg, question, event } = market;
  const now = lossOf(reads.held(owner, leg.venue, leg.address), reads.pending(owner, leg.venue, leg.address));
  event.loss -= question.loss;
  question.move(leg, now.ifPaid - loss.ifPaid, now.ifUnpaid - loss.ifUnpaid);
  event.loss += question.loss;
  stake.loss = now;
  stake.isStale = false;
}

class KeptQuestion {
  readonly #outcomes: readonly string[];
  /** The part of the loss that all outcomes have in common. */
  #commonLoss = 0;
  /** The further loss in each outcome, by the index of the outcome. */
  readonly #extraLosses: number[];
  /** The loss in the worst outcome. It is at least 0: a question that can only gain does not make up for another question. */
  loss = 0;

  constructor({ outcomes }: Question) {
    this.#outcomes = outcomes;
    this.#extraLosses = outcomes.map(() => 0);
  }

  /** Adds to the loss in the market of `leg`. */
  move(leg: Leg, ifPaid: number, ifUnpaid: number): void {
    this.loss = this.lossWith(leg, ifPaid, ifUnpaid);
    const { outcome, isNot } = leg;
    this.#commonLoss += isNot ? ifPaid : ifUnpaid;
    this.#extraLosses[outcome]! += isNot ? ifUnpaid - ifPaid : ifPaid - ifUnpaid;
  }

  /** Returns the loss if the market of `leg` lost so much more. */
  lossWith({ outcome, isNot }: Leg, ifPaid: number, ifUnpaid: number): number {
    const changes = this.#extraLosses;
    let worst = changes[outcome]! + (isNot ? ifUnpaid - ifPaid : ifPaid - ifUnpaid);
    for (let at = 0; at < changes.length; at += 1) if (at !== outcome) worst = Math.max(worst, changes[at]!);
    return Math.max(0, this.#commonLoss + (isNot ? ifPaid : ifUnpaid) + worst);
  }

  /** The first outcome with the largest loss. */
  get worst(): string {
    return this.#outcomes[this.#extraLosses.indexOf(Math.max(...this.#extraLosses))]!;
  }
}

/**
 * Returns the loss of an owner in a market. Holdings count by their cost. Open orders count as if all orders that lose by the outcome were
 * filled.
 */
export function lossOf(position: Position | null, holds: PendingHolds): Loss {
  const ifPaid = holds.cost(-1);
  const ifUnpaid = holds.cost(1);
  // A holding in a market that has paid out can lose nothing more.
  if (position === null || position.size === 0 || position.isRedeemable) return { ifPaid, ifUnpaid };
  const cost = holdingCost(position);
  const gained = cost - Math.abs(position.size);
  return position.size > 0
    ? { ifPaid: ifPaid + gained, ifUnpaid: ifUnpaid + cost }
    : { ifPaid: ifPaid + cost, ifUnpaid: ifUnpaid + gained };
}

/** Returns the cost of a holding in micro-dollars, rounded up. A negative size costs one dollar less its price for each share. */
function holdingCost({ size, average: { numerator, denominator } }: Position): number {
  const unit = denominator * COST_PER_MICRO_DOLLAR;
  return Number((numerator * BigInt(Math.abs(size)) + unit - 1n) / unit);
}
