// Time as a port: what reads the clock or waits is handed one, so that a simulation can pass its own. Any thread.

import type { UnixMillis } from '../domain/numbers.ts';

export interface Timers {
  /** Unix milliseconds. */
  now(): UnixMillis;
  /** Milliseconds of a clock that is never set: for whatever is about how long ago, or how long yet. */
  elapsed(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

export const wallTimers: Timers = {
  now: () => Date.now() as UnixMillis,
  elapsed: () => performance.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * Whether a time has come that was set no further than `aheadMsMax` ahead: also if it is further away now, by a clock that was set back
 * meanwhile. Nobody can say then how much of it has passed.
 */
export function hasCome(at: number, now: number, aheadMsMax: number): boolean {
  return at <= now || at - now > aheadMsMax;
}

/** Resolves so much later; never, if the timers end before. */
export function pause(timers: Timers, pauseMs: number): Promise<void> {
  return new Promise(resolve => {
    timers.after(pauseMs, resolve);
  });
}

/** Lets everything else that is due have its turn. */
export function turn(timers: Timers): Promise<void> {
  return pause(timers, 0);
}

/** Timers of something that ends as a whole: whoever was handed them need not cancel theirs. */
export class EndableTimers implements Timers {
  readonly #timers: Timers;
  readonly #cancels = new Set<() => void>();
  #hasEnded = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  now(): UnixMillis {
    return this.#timers.now();
  }

  elapsed(): number {
    return this.#timers.elapsed();
  }

  after(delayMs: number, task: () => void): () => void {
    if (this.#hasEnded) return () => {};
    const cancelTimer = this.#timers.after(delayMs, () => {
      this.#cancels.delete(cancel);
      task();
    });
    const cancel = (): void => {
      this.#cancels.delete(cancel);
      cancelTimer();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  /** Nothing that waits happens any more, and nothing new begins to wait. */
  end(): void {
    this.#hasEnded = true;
    for (const cancel of this.#cancels) cancel();
  }
}
