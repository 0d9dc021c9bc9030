// Bounds the snapshots that one client gets before other sockets have their turn. A returning bot asks for a thousand books at once;
// without a bound they were read, encoded and sent in one go. Main thread.

import { limits } from '../../limits.ts';

/** The fixed cost of a snapshot equals that of so many bytes. */
const SNAPSHOT_BYTES_MIN = 4 * 1024;

export class SnapshotPace {
  readonly #yieldTo: (task: () => void) => void;
  readonly #onTurn: () => void;
  #bytes = 0;

  /** `yieldTo` calls after other sockets have had their turn; `onTurn` is called when there is room again. */
  constructor(yieldTo: (task: () => void) => void, onTurn: () => void) {
    this.#yieldTo = yieldTo;
    this.#onTurn = onTurn;
  }

  /** Whether another snapshot may go out in this turn. */
  get hasRoom(): boolean {
    return this.#bytes < limits.snapshotBytesPerTurn;
  }

  /** Counts a sent snapshot. */
  count(bytes: number): void {
    if (this.#bytes === 0) this.#yieldTo(() => this.#beginTurn());
    this.#bytes += Math.max(bytes, SNAPSHOT_BYTES_MIN);
  }

  #beginTurn(): void {
    this.#bytes = 0;
    this.#onTurn();
  }
}
