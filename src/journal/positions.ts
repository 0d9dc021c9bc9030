// How far the journal is appended and the history has followed it: sequences in shared memory. The engine's thread writes the first,
// the history's thread the second; any thread reads both.

const WORDS = 2;
const APPENDED = 0;
const FOLLOWED = 1;

export class JournalPositions {
  readonly memory: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new BigInt64Array(memory);
  }

  /** Sequence of the last record; what follows it in the files is not a record yet. */
  get appended(): number {
    return Number(Atomics.load(this.#words, APPENDED));
  }

  set appended(sequence: number) {
    Atomics.store(this.#words, APPENDED, BigInt(sequence));
  }

  /** Sequence of the last record that the history has on disk. */
  get followed(): number {
    return Number(Atomics.load(this.#words, FOLLOWED));
  }

  set followed(sequence: number) {
    Atomics.store(this.#words, FOLLOWED, BigInt(sequence));
  }
}
