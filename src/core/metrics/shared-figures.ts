// Named numbers in shared memory: one thread writes them, and other threads read them for /metrics. Any thread.

export class SharedFigures<Name extends string> {
  readonly memory: SharedArrayBuffer;
  readonly #names: readonly Name[];
  readonly #values: Float64Array;

  /** `memory` is the memory of the same names on another thread. By default, new memory is made. */
  constructor(names: readonly Name[], memory = new SharedArrayBuffer(names.length * Float64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#names = names;
    this.#values = new Float64Array(memory);
  }

  read(name: Name): number {
    return this.#values[this.#names.indexOf(name)]!;
  }

  set(name: Name, value: number): void {
    this.#values[this.#names.indexOf(name)] = value;
  }

  add(name: Name, by: number): void {
    this.set(name, this.read(name) + by);
  }
}
