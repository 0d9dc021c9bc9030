// Knows whether the gateway answers. Once it has been silent for too long, everything on the page may be out of date. Browser.

import { signal } from './view.ts';

/** The silence after which the gateway counts as silent. The page asks each second, so two requests in a row have no answer by then. */
const SILENT_MS = 2_000;
const LOOK_MS = 250;

export class Reach {
  /** The milliseconds since the last answer, once they are too many. Null while the gateway answers. */
  readonly silentMs = signal<number | null>(null);
  /** The number of times that the gateway has answered again after a request without an answer. */
  readonly returns = signal(0);
  readonly #checkTimer: number;
  #onReturn = (): void => {};
  #answeredAtMs = performance.now();
  #hasFailed = false;

  constructor() {
    this.#checkTimer = window.setInterval(() => this.#check(), LOOK_MS);
  }

  /** Calls `hear` at each return. */
  onReturn(hear: () => void): void {
    this.#onReturn = hear;
  }

  /** Notes an answer. Any answer counts, even a refusal. */
  noteAnswer(): void {
    this.#answeredAtMs = performance.now();
    if (!this.#hasFailed && this.silentMs.value === null) return;
    this.#hasFailed = false;
    this.silentMs.value = null;
    this.returns.value += 1;
    this.#onReturn();
  }

  failed(): void {
    this.#hasFailed = true;
  }

  close(): void {
    window.clearInterval(this.#checkTimer);
  }

  #check(): void {
    // A browser lets a hidden page ask only rarely, so its silence does not count.
    if (document.hidden && this.silentMs.value === null) this.#answeredAtMs = performance.now();
    const silentMs = performance.now() - this.#answeredAtMs;
    if (silentMs >= SILENT_MS) this.silentMs.value = silentMs;
  }
}
