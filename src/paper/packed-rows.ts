// Rows of numbers of a fixed length; the oldest are dropped a chunk at a time. It holds the minutes of markets, a million a day. Objects
// would take ten times the memory. Pure.

export class PackedRows {
  readonly #rowBytes: number;
  readonly #rowsPerChunk: number;
  /** Oldest first; all but the last are full. */
  readonly #chunks: DataView[] = [];
  #count = 0;

  constructor(rowBytes: number, rowsPerChunk: number) {
    this.#rowBytes = rowBytes;
    this.#rowsPerChunk = rowsPerChunk;
  }

  get count(): number {
    return this.#count;
  }

  /** Calls `write` with the offset of a new row, which becomes the last. */
  append(write: (chunk: DataView, offset: number) => void): void {
    if (this.#count === this.#chunks.length * this.#rowsPerChunk) {
      this.#chunks.push(new DataView(new ArrayBuffer(this.#rowsPerChunk * this.#rowBytes)));
    }
    this.#count += 1;
    this.at(this.#count - 1, write);
  }

  /** Calls `use` with the offset of a row. */
  at<T>(row: number, use: (chunk: DataView, offset: number) => T): T {
    const chunk = Math.floor(row / this.#rowsPerChunk);
    return use(this.#chunks[chunk]!, (row - chunk * this.#rowsPerChunk) * this.#rowBytes);
  }

  /** Drops the oldest chunk. */
  forgetOldestChunk(): void {
    this.#chunks.shift();
    this.#count -= this.#rowsPerChunk;
  }
}
