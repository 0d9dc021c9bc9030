// Time that stands still until a test moves it: the Timers port of feeds, without a clock or a sleep.

import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';

interface Alarm {
  at: number;
  readonly task: () => void;
}

export class VirtualTimers implements Timers {
  #now: number;
  /** The sum of all shifts by which the clock has been set. */
  #setBy = 0;
  #alarms: Alarm[] = [];

  constructor(startMs = 1_780_000_000_000) {
    this.#now = startMs;
  }

  now(): UnixMillis {
    return this.#now as UnixMillis;
  }

  elapsed(): number {
    return this.#now - this.#setBy;
  }

  after(delayMs: number, task: () => void): () => void {
    const alarm = { at: this.#now + delayMs, task };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter(other => other !== alarm);
    };
  }

  /** The number of tasks that wait. */
  get pending(): number {
    return this.#alarms.length;
  }

  /** Moves time on and runs, in order, the tasks that fall due on the way (including tasks that are set meanwhile). */
  advance(byMs: number): void {
    const target = this.#now + byMs;
    for (let next = this.#nextUntil(target); next !== null; next = this.#nextUntil(target)) {
      this.#alarms = this.#alarms.filter(other => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
    }
    this.#now = target;
  }

  /** Sets the clock on or back. No time passes, and waiters wait as long as before. */
  setClock(byMs: number): void {
    this.#now += byMs;
    this.#setBy += byMs;
    for (const alarm of this.#alarms) alarm.at += byMs;
  }

  /** Advances the time, then lets promises settle, so that the consequences of the tasks have happened too. */
  async settle(byMs = 0): Promise<void> {
    this.advance(byMs);
    await new Promise(resolve => setImmediate(resolve));
    this.advance(0);
  }

  #nextUntil(target: number): Alarm | null {
    return this.#alarms.reduce<Alarm | null>(
      (first, alarm) => (alarm.at <= target && (first === null || alarm.at < first.at) ? alarm : first),
      null,
    );
  }
}
