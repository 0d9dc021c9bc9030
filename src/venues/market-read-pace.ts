// How often a venue wants to be asked: so many requests at a time, so long between two, and not at all for a while after it has
// refused one. Who asks waits in line, first come first served, and not beyond its deadline; how many may ask is bounded where
// reads begin. All times are of a clock that is never set. Threads of the market reads and of venue A's feed.

import type { Timers } from '../runtime/timers.ts';

export interface PaceTerms {
  readonly concurrentMax: number;
  /** From the start of one request to that of the next. */
  readonly gapMs: number;
}

interface Waiter {
  readonly deadlineMs: number;
  readonly resolve: (isMine: boolean) => void;
  readonly cancelDeadline: () => void;
}

export class RequestPace {
  readonly #terms: PaceTerms;
  readonly #timers: Timers;
  readonly #waiting = new Set<Waiter>();
  #running = 0;
  /** Nothing is started before. */
  #nextAt = 0;
  #pausedUntil = 0;
  #isAwake = false;

  constructor(terms: PaceTerms, timers: Timers) {
    this.#terms = terms;
    this.#timers = timers;
  }

  /** For how long the venue wants to be left alone, from now on. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#timers.elapsed());
  }

  /** The venue has refused a request for being one too many. Who could not wait for so long hears it at once. */
  pause(durationMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#timers.elapsed() + durationMs);
    for (const waiter of [...this.#waiting]) {
      if (waiter.deadlineMs <= this.#pausedUntil) this.#release(waiter, false);
    }
  }

  /** True: it is the caller's turn, who says `leave` when it is over. False: there was none before the deadline. */
  enter(deadlineMs: number): Promise<boolean> {
    const leftMs = deadlineMs - this.#timers.elapsed();
    if (leftMs <= this.pauseMs) return Promise.resolve(false);
    return new Promise(resolve => {
      const cancelDeadline = this.#timers.after(leftMs, () => this.#release(waiter, false));
      const waiter: Waiter = { deadlineMs, resolve, cancelDeadline };
      this.#waiting.add(waiter);
      this.#startNext();
    });
  }

  leave(): void {
    this.#running -= 1;
    this.#startNext();
  }

  #startNext(): void {
    const now = this.#timers.elapsed();
    const [first] = this.#waiting;
    if (first === undefined || this.#running >= this.#terms.concurrentMax) return;
    const startsAt = Math.max(this.#nextAt, this.#pausedUntil);
    if (startsAt > now) {
      this.#wakeIn(startsAt - now);
      return;
    }
    this.#running += 1;
    this.#nextAt = now + this.#terms.gapMs;
    this.#release(first, true);
    this.#startNext();
  }

  #release(waiter: Waiter, isMine: boolean): void {
    this.#waiting.delete(waiter);
    waiter.cancelDeadline();
    waiter.resolve(isMine);
  }

  #wakeIn(delayMs: number): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    this.#timers.after(delayMs, () => {
      this.#isAwake = false;
      this.#startNext();
    });
  }
}
