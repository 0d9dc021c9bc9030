// The pace of requests to a venue: a number in flight, a gap between two starts, and a pause after a refusal. Requests wait first come,
// first served, until their deadlines. The readers bound how many wait. All times are of a monotonic clock. Threads of the market reads and
// of the feeds.

import type { Timers } from '../core/runtime/timers.ts';

export interface PaceTerms {
  readonly concurrentMax: number;
  /** Milliseconds from the start of one request to the start of the next. */
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

  /** Milliseconds that the pause still lasts. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#timers.elapsed());
  }

  /** The venue refused a request as one too many. Waiters whose deadlines fall into the pause fail at once. */
  pause(durationMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#timers.elapsed() + durationMs);
    for (const waiter of [...this.#waiting]) {
      if (waiter.deadlineMs <= this.#pausedUntil) this.#release(waiter, false);
    }
  }

  /** True: the caller may go, and calls `leave` when done. False: no turn before the deadline. */
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
