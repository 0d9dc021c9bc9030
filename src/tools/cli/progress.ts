// Draws a bar on a terminal for work that takes long. Draws nothing elsewhere.

import { statSync } from 'node:fs';

const DRAW_MS = 100;
const CELLS = 24;
const CLEAR_LINE = '\r\x1b[K';

/** Writes to the terminal of standard error. Undefined if standard error is no terminal. */
type WriteProgress = ((text: string) => void) | undefined;

export class Progress {
  readonly #write: WriteProgress;
  readonly #label: string;
  readonly #total: number;
  #drawnAtMs = Number.NEGATIVE_INFINITY;

  /** `total` is in the unit that `reach` counts. */
  constructor(write: WriteProgress, label: string, total: number) {
    this.#write = write;
    this.#label = label;
    this.#total = total;
  }

  /** Draws from time to time. The call is cheap enough to be made for each row. */
  reach(done: number): void {
    if (this.#write === undefined) return;
    const nowMs = performance.now();
    if (nowMs - this.#drawnAtMs < DRAW_MS) return;
    this.#drawnAtMs = nowMs;
    // The bar ends with a carriage return, so that the next line of the log overwrites it.
    this.#write(`${CLEAR_LINE}${barText(this.#label, done, this.#total)}\r`);
  }

  /** Draws the size of a file while `work` writes it. The file need not exist yet. */
  async during<T>(path: string, work: () => Promise<T>): Promise<T> {
    const bytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const end = this.#looking(() => this.reach(bytes()));
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Draws the number that `done` returns, until it reaches the total or the returned function is called. */
  follow(done: () => number): () => void {
    return this.#looking(() => (done() < this.#total ? this.reach(done()) : this.end()));
  }

  #looking(look: () => void): () => void {
    const looks = setInterval(look, DRAW_MS);
    return () => {
      clearInterval(looks);
      this.end();
    };
  }

  end(): void {
    this.#write?.(CLEAR_LINE);
  }
}

function barText(label: string, done: number, total: number): string {
  const part = total <= 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(part * CELLS);
  return `${label} [${'#'.repeat(full)}${'.'.repeat(CELLS - full)}] ${Math.floor(part * 100)} %`;
}
