// A changing value, for all subscribers of one interval: at most one message in each interval, always the latest value. Nothing queues. A
// value that has returned to the last sent one is not sent again. An urgent change waits for no interval. Main thread.

import type { Timers } from '../../core/runtime/timers.ts';
import type { ServerMessage } from '../../core/wire/messages.ts';
import type { Outlets } from './outlets.ts';

export interface PacedValue<Message extends ServerMessage> {
  /** Null if the value is not known yet. */
  latest(): Message | null;
  isSame(one: Message, another: Message): boolean;
  isUrgent(next: Message, sent: Message): boolean;
  /** The message with its relative times, as they are `ms` after it was sent. */
  later(sent: Message, ms: number): Message;
}

export class PacedStream<Message extends ServerMessage> {
  readonly outlets: Outlets;
  readonly #intervalMs: number;
  readonly #value: PacedValue<Message>;
  readonly #timers: Timers;
  /** The message that subscribers have. */
  #sent: Message | null = null;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | null = null;

  constructor(intervalMs: number, value: PacedValue<Message>, outlets: Outlets, timers: Timers) {
    this.#intervalMs = intervalMs;
    this.#value = value;
    this.outlets = outlets;
    this.#timers = timers;
  }

  /** First value of a new subscriber: the value that the others have. Null if it is not known yet; it follows. */
  first(): Message | null {
    if (this.outlets.isEmpty) this.#take(this.#value.latest());
    return this.#sent && this.#value.later(this.#sent, this.#timers.elapsed() - this.#sentAtMs);
  }

  /** The value may have changed: sends it now, or when the interval is over. */
  offer(): void {
    const next = this.#news();
    if (next === null) return;
    const waitMs = this.#sentAtMs + this.#intervalMs - this.#timers.elapsed();
    const isUrgent = this.#sent === null || this.#value.isUrgent(next, this.#sent);
    if (waitMs <= 0 || isUrgent) this.#send(next);
    else this.#cancelTimer ??= this.#timers.after(waitMs, () => this.#sendLatest());
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** The value may have returned to the one that was sent. */
  #sendLatest(): void {
    this.#cancelTimer = null;
    const next = this.#news();
    if (next !== null) this.#send(next);
  }

  /** Null if subscribers have the latest value. */
  #news(): Message | null {
    const next = this.#value.latest();
    if (next === null || this.outlets.isEmpty) return null;
    return this.#sent !== null && this.#value.isSame(next, this.#sent) ? null : next;
  }

  #send(message: Message): void {
    this.#take(message);
    this.outlets.send(message);
  }

  #take(message: Message | null): void {
    this.close();
    this.#sent = message;
    this.#sentAtMs = this.#timers.elapsed();
  }
}
