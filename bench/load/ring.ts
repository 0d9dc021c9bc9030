// A ring of JSON messages in shared memory from one thread to another, with `Atomics.waitAsync` as its doorbell. ADR 0018 weighs it against
// messages of Node. Only benchmarks use it.

const SLOTS = 128;
const SLOT_BYTES = 2_048;
/** The indexes of two counts: messages that were pushed, and messages that were taken. */
const [PUSHED, TAKEN] = [0, 1];
const HEAD_BYTES = 8;

export function createRing(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD_BYTES + SLOTS * SLOT_BYTES);
}

export class Ring {
  readonly #counts: Int32Array;
  readonly #bytes: Buffer;

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Int32Array(memory, 0, 2);
    this.#bytes = Buffer.from(memory, HEAD_BYTES);
  }

  /** Throws if the other thread has not taken the message that was pushed 128 messages ago. */
  push(message: unknown): void {
    const pushed = Atomics.load(this.#counts, PUSHED);
    if (pushed - Atomics.load(this.#counts, TAKEN) >= SLOTS) throw new Error('the ring is full');
    const at = (pushed % SLOTS) * SLOT_BYTES;
    const text = JSON.stringify(message);
    // The length is before the text. A message's text must be shorter than a slot.
    if (3 * text.length + 4 > SLOT_BYTES) throw new Error(`a message of ${text.length} characters`);
    this.#bytes.writeUInt32LE(this.#bytes.write(text, at + 4), at);
    Atomics.store(this.#counts, PUSHED, pushed + 1);
    Atomics.notify(this.#counts, PUSHED);
  }

  /** Calls `hear` with every message, until the returned function is called. */
  follow(hear: (message: unknown) => void): () => void {
    let isFollowed = true;
    const follow = async (): Promise<void> => {
      while (isFollowed) {
        const pushed = Atomics.load(this.#counts, PUSHED);
        const taken = Atomics.load(this.#counts, TAKEN);
        if (taken < pushed) {
          const message = this.#take(taken);
          Atomics.store(this.#counts, TAKEN, taken + 1);
          hear(message);
        } else await Atomics.waitAsync(this.#counts, PUSHED, pushed).value;
      }
    };
    void follow();
    return () => {
      isFollowed = false;
      Atomics.notify(this.#counts, PUSHED);
    };
  }

  #take(number: number): unknown {
    const at = (number % SLOTS) * SLOT_BYTES;
    return JSON.parse(this.#bytes.toString('utf8', at + 4, at + 4 + this.#bytes.readUInt32LE(at)));
  }
}
