// How much one client is sent of the snapshots that it asks for before everybody else gets a turn: a bot that is back asks for a thousand
// books at once, and those were read, written and sent together. Main thread.

import { limits } from '../../limits.ts';

/** What else a snapshot costs is as much work as so many bytes. */
const SNAPSHOT_BYTES_MIN = 4 * 1024;

export class SnapshotPace {
  readonly #yieldTo: (task: () => void) => void;
  readonly #onTurn: () => void;
  #bytes = 0;

  /** `yieldTo` calls after other sockets have had their turn; `onTurn` hears that there is room again. */
  constructor(yieldTo: (task: () => void) => void, onTurn: () => void) {
    this.#yieldTo = yieldTo;
    this.#onTurn = onTurn;
  }

  /** Whether another one may go out in this turn. */
  get hasRoom(): boolean {
    return this.#bytes < limits.snapshotBytesPerTurn;
  }

  /** One has gone out. */
  count(bytes: number): void {
    if (this.#bytes === 0) this.#yieldTo(() => this.#beginTurn());
    this.#bytes += Math.max(bytes, SNAPSHOT_BYTES_MIN);
  }

  #beginTurn(): void {
    this.#bytes = 0;
    this.#onTurn();
  }
}
