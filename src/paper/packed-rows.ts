// Rows of numbers of a fixed length, the oldest forgotten a chunk at a time: a market's minutes, of which there are a million a day. As
// objects they would take ten times the room. Pure.

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

  /** Calls `write` with the place of a new row, which is the last. */
  append(write: (chunk: DataView, offset: number) => void): void {
    if (this.#count === this.#chunks.length * this.#rowsPerChunk) {
      this.#chunks.push(new DataView(new ArrayBuffer(this.#rowsPerChunk * this.#rowBytes)));
    }
    this.#count += 1;
    this.at(this.#count - 1, write);
  }

  /** Calls `use` with the place of a row. */
  at<T>(row: number, use: (chunk: DataView, offset: number) => T): T {
    const chunk = Math.floor(row / this.#rowsPerChunk);
    return use(this.#chunks[chunk]!, (row - chunk * this.#rowsPerChunk) * this.#rowBytes);
  }

  /** Forgets as many rows as one chunk holds. */
  forgetOldestChunk(): void {
    this.#chunks.shift();
    this.#count -= this.#rowsPerChunk;
  }
}
