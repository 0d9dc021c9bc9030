// Journal sequences in shared memory: how far the journal is appended, how far it is on disk, and how far the history has followed. The
// history thread writes how far it has followed, and the engine thread writes the others. Any thread reads them.

import { limits } from '../../limits.ts';

const WORDS = 3;
const APPENDED = 0;
const FOLLOWED = 1;
const SYNCED = 2;

export class JournalPositions {
  readonly memory: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new BigInt64Array(memory);
  }

  /** The sequence of the last record. Later bytes in the files are no record yet. */
  get appended(): number {
    return Number(Atomics.load(this.#words, APPENDED));
  }

  set appended(sequence: number) {
    Atomics.store(this.#words, APPENDED, BigInt(sequence));
  }

  /** The sequence of the last record that the history has on disk. */
  get followed(): number {
    return Number(Atomics.load(this.#words, FOLLOWED));
  }

  set followed(sequence: number) {
    Atomics.store(this.#words, FOLLOWED, BigInt(sequence));
  }

  /**
   * Why no new order is taken. Null means that the history follows closely enough. An ended order stays in the engine's memory until the
   * history has it, and memory is finite.
   */
  get backlog(): string | null {
    const behind = this.appended - this.followed;
    if (behind <= limits.historyBehindMax) return null;
    return `the history of orders is ${behind} records behind, more than historyBehindMax: no new orders are taken until it follows`;
  }

  /** The sequence of the last record that is known to be on disk. */
  get synced(): number {
    return Number(Atomics.load(this.#words, SYNCED));
  }

  set synced(sequence: number) {
    Atomics.store(this.#words, SYNCED, BigInt(sequence));
  }
}
