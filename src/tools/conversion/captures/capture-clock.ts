// The clock of a capture: its wall time is that of the frames, so that a feed dates them as the gateway would have. Timers of the feed fire
// at once, without moving that wall time: nothing is lost because a feed was still connecting. The command line's process.

import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { Timers } from '../../../core/runtime/timers.ts';

interface Alarm {
  readonly at: number;
  readonly task: () => void;
}

const WAIT_MS_MAX = 60_000;

export class CaptureClock implements Timers {
  #wallMs: number;
  #elapsedMs = 0;
  readonly #alarms = new Set<Alarm>();
  /** The time of the earliest alarm. */
  #nextAt = Number.POSITIVE_INFINITY;

  /** `startMs`: Unix milliseconds of the first frame. */
  constructor(startMs: number) {
    this.#wallMs = startMs;
  }

  now(): UnixMillis {
    return Math.floor(this.#wallMs) as UnixMillis;
  }

  elapsed(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, task: () => void): () => void {
    const alarm = { at: this.#elapsedMs + delayMs, task };
    this.#alarms.add(alarm);
    this.#nextAt = Math.min(this.#nextAt, alarm.at);
    return () => void this.#alarms.delete(alarm);
  }

  /**
   * Moves the wall time to the arrival of a frame; it never steps back. Due timers fire before. During a long silence the feed gets only
   * the first minute, spread over all of it.
   */
  moveTo(wallMs: number): void {
    const stepMs = Math.max(0, wallMs - this.#wallMs);
    const waitMs = Math.min(stepMs, WAIT_MS_MAX);
    const [target, arrivalMs] = [this.#elapsedMs + waitMs, this.#wallMs + stepMs];
    while (this.#nextAt <= target) {
      const dueMs = Math.max(0, this.#nextAt - this.#elapsedMs);
      if (dueMs > 0) this.#wallMs += dueMs * (stepMs / waitMs);
      this.#ring();
    }
    this.#elapsedMs = target;
    this.#wallMs = arrivalMs;
  }

  /** Whether something is due now. */
  get hasDue(): boolean {
    return this.#nextAt <= this.#elapsedMs;
  }

  /** Fires the next timer now, however far away it is; wall time stands still. False if there is none. */
  skip(): boolean {
    if (this.#nextAt === Number.POSITIVE_INFINITY) return false;
    this.#ring();
    return true;
  }

  #ring(): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, this.#nextAt);
    const due = [...this.#alarms].filter(({ at }) => at <= this.#elapsedMs).sort((a, b) => a.at - b.at);
    for (const alarm of due) if (this.#alarms.delete(alarm)) alarm.task();
    this.#nextAt = Number.POSITIVE_INFINITY;
    for (const { at } of this.#alarms) this.#nextAt = Math.min(this.#nextAt, at);
  }
}
