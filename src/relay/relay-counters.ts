// Counts of the publisher in shared memory: its thread writes, the main thread reads them for /metrics. One writer.

const NAMES = ['messages', 'bytes', 'pauses', 'refused', 'connected'] as const;
type Name = (typeof NAMES)[number];

export class RelayCounters {
  readonly memory: SharedArrayBuffer;
  readonly #values: Float64Array;

  constructor(memory = new SharedArrayBuffer(NAMES.length * Float64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#values = new Float64Array(memory);
  }

  read(name: Name): number {
    return this.#values[NAMES.indexOf(name)]!;
  }

  set(name: Name, value: number): void {
    this.#values[NAMES.indexOf(name)] = value;
  }

  add(name: Name, by: number): void {
    this.set(name, this.read(name) + by);
  }
}
