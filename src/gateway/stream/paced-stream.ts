// A changing value, for all subscribers of one interval. At most one message is sent in each interval, always with the latest value.
// Nothing is queued. If the value has returned to the value that was sent last, nothing is sent. An urgent change waits for no interval.
// Main thread.

import type { Timers } from '../../core/runtime/timers.ts';
import type { ServerMessage } from '../../core/wire/messages.ts';
import type { Outlets } from './outlets.ts';

export interface PacedValue<Message extends ServerMessage> {
  /** Null means that the value is not known yet. */
  latest(): Message | null;
  isSame(one: Message, another: Message): boolean;
  isUrgent(next: Message, sent: Message): boolean;
  /** The message as it reads `ms` milliseconds after it was sent: its relative times are adjusted. */
  aged(sent: Message, ms: number): Message;
}

export class PacedStream<Message extends ServerMessage> {
  readonly outlets: Outlets;
  readonly #intervalMs: number;
  readonly #value: PacedValue<Message>;
  readonly #timers: Timers;
  /** The message that subscribers have, by their last update. */
  #sent: Message | null = null;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | null = null;

  constructor(intervalMs: number, value: PacedValue<Message>, outlets: Outlets, timers: Timers) {
    this.#intervalMs = intervalMs;
    this.#value = value;
    this.outlets = outlets;
    this.#timers = timers;
  }

  /**
   * The first value of a new subscriber, which is the value that all other subscribers have. Returns null if the value is not known yet. It
   * is then sent later.
   */
  first(): Message | null {
    if (this.outlets.isEmpty) this.#markSent(this.#value.latest());
    return this.#sent && this.#value.aged(this.#sent, this.#timers.elapsed() - this.#sentAtMs);
  }

  /** Is called when the value may have changed. Sends it now, or when the interval is over. */
  update(): void {
    const next = this.#unsentValue();
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

  /** Sends the latest value, unless it has returned to the value that was sent last. */
  #sendLatest(): void {
    this.#cancelTimer = null;
    const next = this.#unsentValue();
    if (next !== null) this.#send(next);
  }

  /** The latest value. Returns null if subscribers have it already. */
  #unsentValue(): Message | null {
    const next = this.#value.latest();
    if (next === null || this.outlets.isEmpty) return null;
    return this.#sent !== null && this.#value.isSame(next, this.#sent) ? null : next;
  }

  #send(message: Message): void {
    this.#markSent(message);
    this.outlets.send(message);
  }

  #markSent(message: Message | null): void {
    this.close();
    this.#sent = message;
    this.#sentAtMs = this.#timers.elapsed();
  }
}
