// Time as a port: code that reads the clock or waits takes a `Timers`, so that a simulation can replace it. Any thread.

import { setImmediate as othersTurn } from 'node:timers/promises';
import { ChurningSet } from '../domain/churn.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { monotonicMs } from './clock.ts';
import { playedTimers } from './played-clock.ts';

export interface Timers {
  /** Returns the time in Unix milliseconds. */
  now(): UnixMillis;
  /** Returns monotonic milliseconds, for durations. */
  elapsed(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

/** The machine's own time, also in a backtest. It is for code that watches the threads of this process. */
export const machineTimers: Timers = {
  now: () => Date.now() as UnixMillis,
  elapsed: () => performance.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * The time of the gateway and its callers: the machine's time, or in a backtest the recording's. An order reads this time some twenty
 * times.
 */
export const wallTimers: Timers = {
  now: () => (playedTimers === null ? (Date.now() as UnixMillis) : playedTimers.now()),
  elapsed: () => (playedTimers === null ? performance.now() : playedTimers.elapsed()),
  after: (delayMs, task) => (playedTimers ?? machineTimers).after(delayMs, task),
};

/** Returns the monotonic milliseconds of `wallTimers` that all threads share. */
export function sharedElapsed(): number {
  return playedTimers?.elapsed() ?? monotonicMs();
}

/**
 * Returns whether a time has come that was set at most `aheadMsMax` ahead. A time that is further away counts as come: the clock was set
 * back, and nobody knows how much time has passed.
 */
export function hasCome(at: number, now: number, aheadMsMax: number): boolean {
  return at <= now || at - now > aheadMsMax;
}

/**
 * Returns the time by `elapsed()` at which the wall-clock time `at` comes. The wall clock is read first: a thread that has to wait between
 * its two readings finds a later time, never an earlier time.
 */
export function whenElapsed(timers: Pick<Timers, 'now' | 'elapsed'>, at: number): number {
  const leftMs = at - timers.now();
  return timers.elapsed() + leftMs;
}

/** Resolves after `pauseMs`. Never resolves if the timers end earlier. */
export function pause(timers: Timers, pauseMs: number): Promise<void> {
  return new Promise(resolve => {
    timers.after(pauseMs, resolve);
  });
}

/** Resolves with the value of the promise, or with null if the promise takes longer than `waitMs`. */
export function within<T>(timers: Pick<Timers, 'after'>, waitMs: number, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(waitMs, () => resolve(null));
    void promise.then(resolve, reject).finally(cancel);
  });
}

/** Gives all other work that is due its turn. */
export function turn(timers: Timers): Promise<void> {
  return pause(timers, 0);
}

/** A task of `EqualDelays`. The fields belong to `EqualDelays`: the tasks are a list, because a map would allocate for each lone task. */
export abstract class DelayedTask {
  dueAt = 0;
  before: DelayedTask | null = null;
  behind: DelayedTask | null = null;

  /** Never throws. */
  abstract acceptAnySign(): void;
}

/** Tasks that all fall due after the same delay, and so in the sequence in which they began. One timer serves all tasks. */
export class EqualDelays {
  readonly #timers: Pick<Timers, 'elapsed' | 'after'>;
  readonly #delayMs: number;
  #first: DelayedTask | null = null;
  #last: DelayedTask | null = null;
  #isArmed = false;

  constructor(timers: Pick<Timers, 'elapsed' | 'after'>, delayMs: number) {
    this.#timers = timers;
    this.#delayMs = delayMs;
  }

  /** Begins a task that does not wait. */
  begin(task: DelayedTask): void {
    task.dueAt = this.#timers.elapsed() + this.#delayMs;
    task.before = this.#last;
    if (this.#last === null) this.#first = task;
    else this.#last.behind = task;
    this.#last = task;
    if (!this.#isArmed) this.#arm(this.#delayMs);
  }

  /** Ends a task if it waits. */
  end(task: DelayedTask): void {
    const { before, behind } = task;
    if (before === null && this.#first !== task) return;
    if (before === null) this.#first = behind;
    else before.behind = behind;
    if (behind === null) this.#last = before;
    else behind.before = before;
    task.before = task.behind = null;
  }

  #arm(delayMs: number): void {
    this.#isArmed = true;
    this.#timers.after(delayMs, this.#ring);
  }

  readonly #ring = (): void => {
    const now = this.#timers.elapsed();
    for (let task = this.#first; task !== null; task = this.#first) {
      if (task.dueAt > now) {
        this.#arm(task.dueAt - now);
        return;
      }
      this.end(task);
      task.acceptAnySign();
    }
    this.#isArmed = false;
  };
}

/** Timers with a common end: users of these timers need not cancel them. */
export class EndableTimers implements Timers {
  readonly #timers: Timers;
  readonly #before: () => void;
  readonly #cancels = new ChurningSet<() => void>();
  #hasEnded = false;

  /** `before` runs before each task. */
  constructor(timers: Timers, before: () => void = () => {}) {
    this.#timers = timers;
    this.#before = before;
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
      this.#before();
      task();
    });
    const cancel = (): void => {
      this.#cancels.delete(cancel);
      cancelTimer();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  /** Cancels all timers, and starts no new timer from now on. */
  end(): void {
    this.#hasEnded = true;
    for (const cancel of this.#cancels) cancel();
  }
}

// Walks a long list a slice at a time. All other work of the thread runs between slices.

export async function* inTurns<T>(rows: Iterable<T>, rowsPerTurn: number): AsyncIterable<T> {
  let seen = 0;
  for (const row of rows) {
    seen += 1;
    if (seen % rowsPerTurn === 0) await othersTurn();
    yield row;
  }
}

// An event loop that polls without a pause, so that its thread is awake when work comes. It uses a whole core, idle or not. Any
// thread.

/** Polls until the returned function is called. */
export function spin(): () => void {
  let next = setImmediate(again);
  function again(): void {
    next = setImmediate(again);
  }
  return () => clearImmediate(next);
}
