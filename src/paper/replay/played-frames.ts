// The progress of a replay, in shared memory. The thread of the venues counts frames, and the main thread shows the count.

const PLAYED_INDEX = 0;
const EXPECTED = 1;

export class PlayedFrames {
  readonly memory: SharedArrayBuffer;
  readonly #counts: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#counts = new Int32Array(memory);
  }

  /** Adds to the number of frames that play in each round of a loop. */
  expect(frames: number): void {
    Atomics.add(this.#counts, EXPECTED, frames);
  }

  /** Adds to the number of played frames. A negative number means that frames play again. */
  add(frames: number): void {
    Atomics.add(this.#counts, PLAYED_INDEX, frames);
  }

  get played(): number {
    return Atomics.load(this.#counts, PLAYED_INDEX);
  }

  get expected(): number {
    return Atomics.load(this.#counts, EXPECTED);
  }
}
