// A venue's trading with everything around it that a test needs: the paper exchange, other traders, time, faults, and an ear on the
// private stream. Each venue has a rig of its own; what they share is here.

import { expect } from 'vitest';
import {
  type MicroShares,
  parseMicroShares,
  parseTicks,
  type Ticks,
  type UnixMillis,
} from '../../src/core/domain/numbers.ts';
import { type Order, transition } from '../../src/core/domain/order.ts';
import type { Intent } from '../../src/core/domain/order-request.ts';
import type { FaultPlan } from '../../src/paper/faults/fault-plan.ts';
import type { PlannedFault } from '../../src/paper/faults/faults.ts';
import type {
  CancelOutcome,
  LookUp,
  PrivateEvent,
  SubmitOutcome,
  VenueFill,
  VenueTrading,
} from '../../src/venues/venue.ts';
import { outcomeOf } from '../support/order-outcome.ts';

/** A wish in terms of the rig's address. */
export interface Wish {
  readonly side: 'BUY' | 'SELL';
  readonly price: Ticks;
  readonly size: MicroShares;
  /** FOK: at the price or better, at once and whole. */
  readonly timeInForce?: 'GTC' | 'FOK';
  readonly postOnly?: boolean;
  /** Good till so long from now, instead. */
  readonly forMs?: number;
}

export interface TradingRig {
  readonly trading: VenueTrading;
  readonly faults: FaultPlan;
  /** How faults call them. */
  readonly operations: Readonly<Record<'submit' | 'submitBatch' | 'cancel' | 'cancelBatch' | 'fillMessage', string>>;
  /** An open market in whole cents, where nobody trades but the suite. */
  readonly address: string;
  readonly unknownAddress: string;
  /** Texts that no output may contain: keys, secrets. */
  readonly secrets: readonly string[];
  now(): UnixMillis;
  /** Time goes on, and what falls due happens. */
  advance(byMs: number): Promise<void>;
  /** PENDING, of an actor of the account, with an id of its own; of $1 000. */
  order(wish: Wish): Order;
  /** Somebody else's, of whom there is always enough money. */
  others(side: 'BUY' | 'SELL', price: Ticks, size: MicroShares, kind: 'rest' | 'take'): void;
  /** Cuts the account's streams. */
  disconnect(): void;
}

export type Scenario = (rig: TradingRig) => Promise<void>;
export type Scenarios = Readonly<Record<string, Scenario>>;

export interface Placed {
  /** SUBMITTED, with the venue's id if it is known. */
  readonly order: Order;
  readonly intent: Intent;
  readonly outcome: SubmitOutcome;
}

/** Longer than any answer takes here. */
export const ANSWER_MS = 5_000;
/** For what never comes. */
export const HUNG_MS = 60;

export function price(text: string): Ticks {
  return parseTicks(text)!;
}

export function size(text: string): MicroShares {
  return parseMicroShares(text)!;
}

export function strike(
  rig: Pick<TradingRig, 'faults'>,
  operation: string,
  fault: PlannedFault,
  countMax: number | null = 1,
): void {
  const rule = { venue: null, key: null, operation, fault, probability: 1, countMax, lastsMs: null };
  expect(rig.faults.add(rule).ok).toBe(true);
}

/** Counts the requests of an operation from now on, by a fault that changes nothing. */
export function countRequests(rig: Pick<TradingRig, 'faults'>, operation: string): () => number {
  strike(rig, operation, { kind: 'delay', beforeMs: 0, afterMs: 0 }, null);
  const rule = [...rig.faults.rules].at(-1)!;
  return () => rule.struck;
}

/** A deadline that no answer misses here. */
export function soon(rig: Pick<TradingRig, 'now'>, timeoutMs = ANSWER_MS): UnixMillis {
  return (rig.now() + timeoutMs) as UnixMillis;
}

/** Prepares, sends once. */
export async function place(rig: TradingRig, wish: Wish, timeoutMs = ANSWER_MS): Promise<Placed> {
  return send(rig, rig.order(wish), timeoutMs);
}

export async function send(
  rig: TradingRig,
  pending: Order,
  timeoutMs = ANSWER_MS,
  notAfter: UnixMillis | null = null,
  groupId: string | null = null,
): Promise<Placed> {
  const prepared = await rig.trading.prepare(pending, `key of ${pending.orderId}`, groupId);
  if (!prepared.ok) throw new Error(`not prepared: ${prepared.error.message}`);
  const sent = transition(pending as Order<'PENDING'>, { type: 'sent', at: rig.now() });
  const outcome = await outcomeOf(rig.trading, sent, prepared.value, soon(rig, timeoutMs), notAfter);
  return { order: known(sent, outcome), intent: prepared.value, outcome };
}

/** Prepares each, sends them in one request. Null: the venue has refused the batch as such. */
export async function placeBatch(
  rig: TradingRig,
  wishes: readonly Wish[],
  timeoutMs = ANSWER_MS,
): Promise<readonly Placed[] | null> {
  const orders = await Promise.all(
    wishes.map(async wish => {
      const pending = rig.order(wish);
      const prepared = await rig.trading.prepare(pending, `key of ${pending.orderId}`);
      if (!prepared.ok) throw new Error(`not prepared: ${prepared.error.message}`);
      const order = transition(pending as Order<'PENDING'>, { type: 'sent', at: rig.now() });
      return { order, intent: prepared.value };
    }),
  );
  const outcomes = await rig.trading.submitBatch(orders, soon(rig, timeoutMs));
  if (outcomes === null) return null;
  expect(outcomes.length).toBe(orders.length);
  return orders.map(({ order, intent }, index) => ({
    order: known(order, outcomes[index]!),
    intent,
    outcome: outcomes[index]!,
  }));
}

export function cancelBatch(
  rig: TradingRig,
  placed: readonly Placed[],
  timeoutMs = ANSWER_MS,
): Promise<readonly CancelOutcome[]> {
  return rig.trading.cancelBatch(
    placed.map(({ order }) => order),
    soon(rig, timeoutMs),
  );
}

/** As its answer makes it. */
function known(sent: Order, outcome: SubmitOutcome): Order {
  if (outcome.type !== 'accepted') return sent;
  const { venueOrderId } = outcome;
  if (outcome.state !== 'rests') return { ...sent, venueOrderId };
  return { ...sent, venueOrderId, status: 'OPEN', stated: outcome.stated };
}

export function look(rig: TradingRig, { order, intent }: Pick<Placed, 'order' | 'intent'>): Promise<LookUp> {
  return rig.trading.lookUp(order, intent, soon(rig));
}

export function cancel(rig: TradingRig, { order }: Placed, timeoutMs = ANSWER_MS): Promise<CancelOutcome> {
  return rig.trading.cancel(order, soon(rig, timeoutMs));
}

/** Keeps what a private stream tells. */
export class Ear {
  readonly events: PrivateEvent[] = [];
  readonly stop: () => void;
  #look: () => void = () => {};

  constructor(trading: VenueTrading, isHeld?: (address: string) => boolean) {
    this.stop = trading.listen(event => {
      this.events.push(event);
      this.#look();
    }, isHeld);
  }

  /** Listens from when the stream is up. */
  static async up(trading: VenueTrading): Promise<Ear> {
    const ear = new Ear(trading);
    await ear.until(() => ear.count('up') === 1);
    return ear;
  }

  get fills(): readonly VenueFill[] {
    return this.events.flatMap(event => (event.type === 'fill' ? [event.fill] : []));
  }

  count(type: PrivateEvent['type']): number {
    return this.events.filter(event => event.type === type).length;
  }

  /** Resolves when it is so. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise(resolve => {
      this.#look = () => {
        if (isSo()) resolve();
      };
      this.#look();
    });
  }
}
