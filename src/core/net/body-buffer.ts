// Collects a request's body from borrowed chunks. The buffer grows with the bytes that arrive, not with the announced length. So neither a
// header alone nor a body that arrives byte by byte makes it reserve much memory. Listening thread.

const firstBytes = 1024;
const NOTHING = new Uint8Array(0);

export class BodyBuffer {
  readonly #bytesMax: number;
  #bytes = NOTHING;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Copies a chunk. Returns false if the body would exceed its bound; the buffer then keeps its earlier content. */
  append(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#bytesMax) return false;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  /** Returns the body so far: a view, valid until the next `append`. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(lengthMin: number): void {
    // The usual body arrives in one chunk and gets exactly its size.
    const isFirst = this.#length === 0;
    const doubled = Math.min(this.#bytesMax, Math.max(firstBytes, 2 * this.#bytes.length));
    const grown = new Uint8Array(isFirst ? lengthMin : Math.max(lengthMin, doubled));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
