// A bar for work that takes long, on a terminal; nothing elsewhere.

import { statSync } from 'node:fs';

const DRAW_MS = 100;
const CELLS = 24;
const CLEAR_LINE = '\r\x1b[K';

/** Writes to the terminal of standard error; undefined: it is none. */
type WriteProgress = ((text: string) => void) | undefined;

export class Progress {
  readonly #write: WriteProgress;
  readonly #label: string;
  readonly #total: number;
  #drawnAtMs = Number.NEGATIVE_INFINITY;

  /** `total`: in the unit that `reach` counts. */
  constructor(write: WriteProgress, label: string, total: number) {
    this.#write = write;
    this.#label = label;
    this.#total = total;
  }

  /** Draws now and then: cheap enough for each row. */
  reach(done: number): void {
    if (this.#write === undefined) return;
    const nowMs = performance.now();
    if (nowMs - this.#drawnAtMs < DRAW_MS) return;
    this.#drawnAtMs = nowMs;
    // A line of the log that comes next overwrites the bar.
    this.#write(`${CLEAR_LINE}${barText(this.#label, done, this.#total)}\r`);
  }

  /** Draws the size of a file, which need not exist yet, while `work` writes it. */
  async during<T>(path: string, work: () => Promise<T>): Promise<T> {
    const bytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const end = this.#looking(() => this.reach(bytes()));
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Draws what `done` counts, until it is all or the returned function is called. */
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
