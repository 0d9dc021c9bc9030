// The pace of requests to a venue: the most requests in flight, the least time between two starts, and a pause after a refusal. Requests
// wait in their sequence, at most until their deadlines. The callers bound how many requests wait. All times are those of a monotonic
// clock. Threads of the market reads and of the feeds.

import type { Timers } from '../core/runtime/timers.ts';

export interface PaceTerms {
  readonly concurrentMax: number;
  /** The least milliseconds from the start of one request to the start of the next. */
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
  /** No request starts before this time. */
  #nextAt = 0;
  #pausedUntil = 0;
  #isAwake = false;

  constructor(terms: PaceTerms, timers: Timers) {
    this.#terms = terms;
    this.#timers = timers;
  }

  /** The milliseconds that the pause still lasts. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#timers.elapsed());
  }

  /**
   * Begins a pause, because the venue has refused a request as one too many. Waiting requests whose deadlines fall into the pause fail at
   * once.
   */
  pause(durationMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#timers.elapsed() + durationMs);
    for (const waiter of [...this.#waiting]) {
      if (waiter.deadlineMs <= this.#pausedUntil) this.#release(waiter, false);
    }
  }

  /**
   * Waits for a turn. Resolves with true when the caller may send; the caller then calls `leave` when it is done. Resolves with false if no
   * turn came before the deadline.
   */
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
