// How far a replay is, in shared memory: the thread of the venues counts, the main thread shows.

const PLAYED_INDEX = 0;
const EXPECTED = 1;

export class PlayedFrames {
  readonly memory: SharedArrayBuffer;
  readonly #counts: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#counts = new Int32Array(memory);
  }

  /** This many frames play, in each round of a loop. */
  expect(frames: number): void {
    Atomics.add(this.#counts, EXPECTED, frames);
  }

  /** A number below 0 means that frames play again. */
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
