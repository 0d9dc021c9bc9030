// Performs requests one after the other: expiries first, then the request, then its events, then order groups that it drove over their
// limit. Thread of the paper exchanges.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { Engine } from '../engine/engine.ts';
import { Alarm } from './alarm.ts';
import type { Journal } from './journal.ts';
import type { VenueBOrder } from './venue-b-order.ts';

interface RequestsParts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly timers: Timers;
  /** A follow-up that is a request of its own. */
  readonly afterwards: () => void;
}

export class Requests {
  readonly #parts: RequestsParts;
  readonly #expiry: Alarm;
  #isBusy = false;

  constructor(parts: RequestsParts) {
    this.#parts = parts;
    this.#expiry = new Alarm(parts.timers, () => this.run(null, () => {}));
  }

  /** `actor`: the acting order, if any. */
  run<T>(actor: VenueBOrder | null, work: (now: UnixMillis) => T): T {
    const { engine, timers, afterwards } = this.#parts;
    const now = timers.now();
    const next = engine.nextExpiry;
    if (next !== null && next <= now) this.#perform(null, now, () => engine.expire(now));
    const result = this.#perform(actor, now, work);
    this.#awaitExpiry();
    afterwards();
    return result;
  }

  #perform<T>(actor: VenueBOrder | null, now: UnixMillis, work: (now: UnixMillis) => T): T {
    const { journal } = this.#parts;
    assert(!this.#isBusy, 'an observer must not call the exchange');
    this.#isBusy = true;
    journal.begin(now);
    const result = work(now);
    journal.commit(actor);
    this.#isBusy = false;
    return result;
  }

  /** An alarm that fires early, because its order is gone, is harmless. */
  #awaitExpiry(): void {
    const next = this.#parts.engine.nextExpiry;
    if (next !== null && (this.#expiry.at === null || next < this.#expiry.at)) this.#expiry.set(next);
  }
}
