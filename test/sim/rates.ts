// The rates of actors in each life of a gateway, beside a naive twin that counts the requests of every period. A start counts as a whole
// burst that has just passed. For orders the twin knows what was counted. For cancels it also knows what passed over all lives together.

import { type ActorLimits, type ActorRate, NO_LIMITS } from '../../src/core/domain/identity.ts';
import { assert } from '../../src/core/domain/result.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';
import { ActorRates, type Halt } from '../../src/orders/life/actor-rates.ts';
import type { SubmitParts } from '../../src/orders/life/submission.ts';

/** The limits of bob: a batch may have more orders. */
export const ORDER_RATE = { ...NO_LIMITS, orderRateMax: 1, orderBurstMax: 4 } satisfies ActorLimits;
/** The cancel rate of alice and bob: a batch may have more cancels. */
const CANCEL_RATE: ActorRate = { perS: 1, burstMax: 2 };

type Sender = Parameters<ActorRates['countOrder']>[0];

/** The rates over all lives of a schedule. */
export class Rates {
  readonly faults: string[] = [];
  /** The times at which cancels passed, by actor, over all lives. */
  readonly #cancels = new Map<string, number[]>();

  /** Returns the rates of a life that begins now. */
  begin(timers: Pick<Timers, 'elapsed'>): CheckedRates {
    return new CheckedRates(timers, this);
  }

  cancelled(actorId: string, atMs: number): void {
    const before = this.#cancels.get(actorId) ?? [];
    if (!mayPass(before, atMs, CANCEL_RATE)) this.faults.push(`a cancel of ${actorId} at ${atMs} is beyond its rate`);
    this.#cancels.set(actorId, [...before, atMs]);
  }
}

export class CheckedRates implements Pick<SubmitParts['rates'], 'countOrder' | 'checkOrder'> {
  readonly #timers: Pick<Timers, 'elapsed'>;
  readonly #all: Rates;
  readonly #rates: ActorRates;
  readonly #startedAtMs: number;
  /** The times at which requests passed, by limit and actor. */
  readonly #passed = new Map<string, number[]>();

  constructor(timers: Pick<Timers, 'elapsed'>, all: Rates) {
    this.#timers = timers;
    this.#all = all;
    this.#rates = new ActorRates(timers);
    this.#startedAtMs = timers.elapsed();
  }

  countOrder(sender: Sender): Halt | null {
    return this.#checked('orderRateMax', sender.actorId, orderRateOf(sender), this.#rates.countOrder(sender), true);
  }

  checkOrder(sender: Sender): Halt | null {
    return this.#checked('orderRateMax', sender.actorId, orderRateOf(sender), this.#rates.checkOrder(sender), false);
  }

  cancel(actorId: string): Halt | null {
    const halt = this.#rates.countCancel(actorId, CANCEL_RATE);
    if (halt === null) this.#all.cancelled(actorId, this.#timers.elapsed());
    return this.#checked('cancelRateMax', actorId, CANCEL_RATE, halt, true);
  }

  #checked(limit: string, actorId: string, rate: ActorRate | null, halt: Halt | null, counts: boolean): Halt | null {
    const nowMs = this.#timers.elapsed();
    const its = this.#passed.get(`${limit} ${actorId}`) ?? Array(rate?.burstMax ?? 0).fill(this.#startedAtMs);
    const may = rate === null || mayPass(its, nowMs, rate);
    const fault = (what: string): void => void this.#all.faults.push(`${limit} of ${actorId} at ${nowMs}: ${what}`);
    if (may !== (halt === null)) fault(may ? 'refused without need' : 'passed beyond the rate');
    if (halt === null && counts) this.#passed.set(`${limit} ${actorId}`, [...its, nowMs]);
    if (halt === null || rate === null) return halt;
    if (!mayPass(its, nowMs + 1_000 * halt.retryAfterS, rate)) fault(`too early again after ${halt.retryAfterS} s`);
    return halt;
  }
}

function orderRateOf({ limits: { orderRateMax, orderBurstMax } }: Sender): ActorRate | null {
  if (orderRateMax === null) return null;
  assert(orderBurstMax !== null, 'the actors of the simulation have a burst');
  return { perS: orderRateMax, burstMax: orderBurstMax };
}

/** Returns whether one more request may pass. No period up to now may have more than the burst and the rate's additions. */
function mayPass(before: readonly number[], nowMs: number, { perS, burstMax }: ActorRate): boolean {
  return [...before, nowMs].every((begin, first) => {
    const count = before.length + 1 - first;
    return count <= burstMax + (perS * (nowMs - begin)) / 1_000;
  });
}
