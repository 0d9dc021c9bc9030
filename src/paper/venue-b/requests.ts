// Performs requests one after the other: expiries first, then the request, then its events, then order groups that it drove over their
// limit. Thread of the paper exchanges.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
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

export class Alarm {
  readonly #timers: Timers;
  readonly #ring: () => void;
  #at: UnixMillis | null = null;
  #stop: (() => void) | null = null;

  constructor(timers: Timers, ring: () => void) {
    this.#timers = timers;
    this.#ring = ring;
  }

  /** The time it is set to; null if it is not set. */
  get at(): UnixMillis | null {
    return this.#at;
  }

  /** Replaces an earlier time; null stops it. */
  set(at: UnixMillis | null): void {
    this.#stop?.();
    this.#stop = null;
    this.#at = at;
    if (at !== null) this.#wait(at);
  }

  #wait(at: UnixMillis): void {
    const delayMs = Math.min(Math.max(at - this.#timers.now(), 0), limits.paperAlarmMs);
    this.#stop = this.#timers.after(delayMs, () => {
      if (this.#timers.now() < at) return this.#wait(at);
      this.#at = null;
      this.#stop = null;
      this.#ring();
    });
  }
}
