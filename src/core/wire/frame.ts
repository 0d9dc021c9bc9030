// A reused buffer for one kind of frame of one market: the prefix is written once, the rest for each frame. The buffer hands out borrowed
// views and keeps the last few, since making a view costs a quarter of writing a delta. Main thread.

/** The number of views that a frame keeps, a power of two. The lengths of one market's one-change deltas differ by about a dozen bytes. */
const VIEWS_KEPT = 16;
const NO_VIEW = new Uint8Array(0);

export class Frame {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  /** The views. The lowest bits of a view's length give its place; the latest view of a place stays. */
  readonly #views: Uint8Array[] = new Array(VIEWS_KEPT).fill(NO_VIEW);

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `bytes` more bytes from `at`, and keeps all bytes before `at`. */
  reserve(at: number, bytes: number): void {
    if (at + bytes > this.bytes.length) this.#grow(at + bytes);
  }

  /** Returns the frame from `start` to `end`, borrowed. A frame is not empty; frames of equal length have the same start. */
  slice(start: number, end: number): Uint8Array {
    const length = end - start;
    const kept = this.#views[length & (VIEWS_KEPT - 1)]!;
    return kept.length === length ? kept : this.#makeView(start, length);
  }

  #makeView(start: number, length: number): Uint8Array {
    const made = new Uint8Array(this.bytes.buffer, start, length);
    this.#views[length & (VIEWS_KEPT - 1)] = made;
    return made;
  }

  #grow(bytes: number): void {
    const larger = new Uint8Array(2 * bytes);
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
    this.#views.fill(NO_VIEW);
  }
}
