// A venue's trading with its surroundings for tests: the paper exchange, other traders, time, faults, and an ear on the private stream.
// Each venue has a rig of its own. This file has the shared parts.

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

/** The terms of an order in the market `address` of the rig. */
export interface Wish {
  readonly side: 'BUY' | 'SELL';
  readonly price: Ticks;
  readonly size: MicroShares;
  /** FOK trades the whole size at once, at the price or better, or nothing. */
  readonly timeInForce?: 'GTC' | 'FOK';
  readonly postOnly?: boolean;
  /** The time in milliseconds for which the order is valid. It replaces `timeInForce`. */
  readonly forMs?: number;
}

export interface TradingRig {
  readonly trading: VenueTrading;
  readonly faults: FaultPlan;
  /** The names of the operations in a fault plan. */
  readonly operations: Readonly<Record<'submit' | 'submitBatch' | 'cancel' | 'cancelBatch' | 'fillMessage', string>>;
  /** An open market with a grid of whole cents, in which only the suite trades. */
  readonly address: string;
  readonly unknownAddress: string;
  /** The keys and secrets, which no output may contain. */
  readonly secrets: readonly string[];
  now(): UnixMillis;
  /** Moves time on, and runs the timers that become due. */
  advance(byMs: number): Promise<void>;
  /** Returns a PENDING order with a new id, of an actor of the account. The account has $1 000. */
  order(wish: Wish): Order;
  /** Places an order of another trader, who always has enough money. */
  others(side: 'BUY' | 'SELL', price: Ticks, size: MicroShares, kind: 'rest' | 'take'): void;
  /** Cuts the account's streams. */
  disconnect(): void;
}

export type Scenario = (rig: TradingRig) => Promise<void>;
export type Scenarios = Readonly<Record<string, Scenario>>;

export interface Placed {
  /** The order with the status SUBMITTED, and with the venue's id if the id is known. */
  readonly order: Order;
  readonly intent: Intent;
  readonly outcome: SubmitOutcome;
}

/** A timeout that is longer than any answer takes in these tests. */
export const ANSWER_MS = 5_000;
/** A timeout for an answer that never comes. */
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

/** Returns a function that counts the requests of an operation from now on. A fault that changes nothing counts them. */
export function countRequests(rig: Pick<TradingRig, 'faults'>, operation: string): () => number {
  strike(rig, operation, { kind: 'delay', beforeMs: 0, afterMs: 0 }, null);
  const rule = [...rig.faults.rules].at(-1)!;
  return () => rule.hits;
}

/** Returns a deadline that no answer misses in these tests. */
export function soon(rig: Pick<TradingRig, 'now'>, timeoutMs = ANSWER_MS): UnixMillis {
  return (rig.now() + timeoutMs) as UnixMillis;
}

/** Prepares an order and sends it once. */
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

/** Prepares each order, and sends all orders in one request. Null means that the venue has refused the whole batch. */
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

/** Returns the order after the venue's answer to it. */
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

/** Keeps the events of a private stream. */
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

  /** Starts to listen, and resolves once the stream is up. */
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

  /** Resolves once the condition is true. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise(resolve => {
      this.#look = () => {
        if (isSo()) resolve();
      };
      this.#look();
    });
  }
}
