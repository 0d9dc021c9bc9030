// Time as a port: what reads the clock or waits is handed one, so that a simulation can pass its own. Any thread.

import type { UnixMillis } from '../domain/numbers.ts';

export interface Timers {
  /** Unix milliseconds. */
  now(): UnixMillis;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

export const wallTimers: Timers = {
  now: () => Date.now() as UnixMillis,
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
