// Whether the gateway answers. Once it has been silent too long, everything on the page may be out of date. Browser.

import { signal } from './view.ts';

/** The page asks each second, so two questions in a row have no answer by then. */
const SILENT_MS = 2_000;
const LOOK_MS = 250;

export class Reach {
  /** Milliseconds since the last answer, once that is too long; null while the gateway answers. */
  readonly silentMs = signal<number | null>(null);
  /** How often it has answered again after a request without an answer. */
  readonly returns = signal(0);
  readonly #looks: number;
  #onReturn = (): void => {};
  #answeredAtMs = performance.now();
  #hasFailed = false;

  constructor() {
    this.#looks = window.setInterval(() => this.#look(), LOOK_MS);
  }

  /** `hear` is called at each return. */
  onReturn(hear: () => void): void {
    this.#onReturn = hear;
  }

  /** Any answer counts, a refusal too. */
  answered(): void {
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
    window.clearInterval(this.#looks);
  }

  #look(): void {
    // A browser lets a hidden page ask seldom.
    if (document.hidden && this.silentMs.value === null) this.#answeredAtMs = performance.now();
    const silentMs = performance.now() - this.#answeredAtMs;
    if (silentMs >= SILENT_MS) this.silentMs.value = silentMs;
  }
}
