// The rates at which an actor may send orders, and cancels of single orders (contract §4.11). An order beyond its rate is not recorded, and
// its key stays free. Tokens are in memory only: after a start every bucket is empty, so that a restart lets nothing extra through. Engine
// thread.

import type { ActorLimits, ActorRate } from '../../core/domain/identity.ts';
import type { Timers } from '../../core/runtime/timers.ts';

/** Why nothing is sent now, and when the request may be repeated. */
export interface Halt {
  readonly message: string;
  readonly retryAfterS: number;
}

interface Sender {
  readonly actorId: string;
  readonly limits: ActorLimits;
}

const NEVER_RETRY_AFTER_S = 10;
/** A tolerance for the rounding of divisions by a rate. */
const ROUNDING_MS = 1e-6;

/** The token bucket of an actor, as the time at which it is full (generic cell rate algorithm). */
interface Bucket {
  fullAtMs: number;
}

export class ActorRates {
  readonly #timers: Pick<Timers, 'elapsed'>;
  readonly #startedAtMs: number;
  readonly #orders = new Map<string, Bucket>();
  readonly #cancels = new Map<string, Bucket>();

  constructor(timers: Pick<Timers, 'elapsed'>) {
    this.#timers = timers;
    this.#startedAtMs = timers.elapsed();
  }

  /**
   * Counts an order that is about to be recorded. Returns null if the order is within the rate. An order beyond the rate does not count.
   */
  countOrder(sender: Sender): Halt | null {
    return this.#takeForOrder(sender, 1);
  }

  /** Returns what `countOrder` would return for one more order, without counting it. */
  checkOrder(sender: Sender): Halt | null {
    return this.#takeForOrder(sender, 0);
  }

  /** Like `countOrder`, for the cancel of one order. */
  countCancel(actorId: string, rate: ActorRate | null): Halt | null {
    return rate === null ? null : this.#take(this.#cancels, actorId, rate.perS, rate.burstMax, 1);
  }

  #takeForOrder({ actorId, limits }: Sender, count: 0 | 1): Halt | null {
    const { orderRateMax, orderBurstMax } = limits;
    if (orderRateMax === null) return null;
    return this.#take(this.#orders, actorId, orderRateMax, orderBurstMax, count);
  }

  /** Takes a token. If the limit was changed, the time at which the bucket is full stays, so the debt under the old limit remains. */
  #take(buckets: Map<string, Bucket>, actorId: string, perS: number, burst: number | null, count: 0 | 1): Halt | null {
    const burstMax = burst ?? Math.max(1, perS);
    const name = buckets === this.#orders ? 'orderRateMax' : 'cancelRateMax';
    if (perS === 0 || burstMax === 0) return rateHalt(name, perS, burstMax, NEVER_RETRY_AFTER_S);
    const nowMs = this.#timers.elapsed();
    let bucket = buckets.get(actorId);
    if (bucket === undefined) {
      bucket = { fullAtMs: this.#startedAtMs + (1_000 * burstMax) / perS };
      buckets.set(actorId, bucket);
    }
    const fullAtMs = Math.max(nowMs, bucket.fullAtMs) + 1_000 / perS;
    const waitMs = fullAtMs - nowMs - (1_000 * burstMax) / perS;
    if (waitMs > ROUNDING_MS) return rateHalt(name, perS, burstMax, waitMs / 1_000);
    if (count === 1) bucket.fullAtMs = fullAtMs;
    return null;
  }
}

/** Returns the rate of an actor's cancels. Null means that the actor has no such limit. */
export function cancelRateOf({ cancelRateMax, cancelBurstMax }: ActorLimits): ActorRate | null {
  return cancelRateMax === null
    ? null
    : { perS: cancelRateMax, burstMax: cancelBurstMax ?? Math.max(1, cancelRateMax) };
}

function rateHalt(name: string, perS: number, burstMax: number, waitS: number): Halt {
  const message = `the actor is beyond its ${name} (${perS} a second, ${burstMax} at once)`;
  return { message, retryAfterS: Math.max(1, Math.ceil(waitS)) };
}
