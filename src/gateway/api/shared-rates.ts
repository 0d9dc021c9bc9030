// Keeps the use of signing keys over both doors in shared memory: one budget of rates, and one of sessions of /v1/trade (docs/adr/0023).
// The memory is a table of rows with open addressing. A row has a hash of the key's id, the time at which each of its buckets is full, and
// its number of sessions. Rows are never removed, because keys are few. Main and engine thread.

import { hash } from 'node:crypto';
import { assert } from '../../core/domain/result.ts';
import type { FullAt } from '../../core/runtime/token-bucket.ts';
import { limits } from '../../limits.ts';
import type { KeyCounts } from '../socket-clients.ts';

/** The number of rows, a power of two. All keys together fill 61 % of it, so that a look-up visits few rows. */
const ROWS = 32_768;

export class SharedRates<Bucket extends string> {
  readonly memory: SharedArrayBuffer;
  readonly #buckets: readonly Bucket[];
  readonly #rowCells: number;
  readonly #cells: BigUint64Array;

  /** The second instance, on another thread, gets the `memory` of the first. */
  constructor(buckets: readonly Bucket[], memory?: SharedArrayBuffer) {
    assert(limits.signingKeysMax + limits.apiKeysMax < ROWS, 'every key has a row');
    this.#buckets = buckets;
    this.#rowCells = 2 + buckets.length;
    this.memory = memory ?? new SharedArrayBuffer(ROWS * this.#rowCells * BigUint64Array.BYTES_PER_ELEMENT);
    this.#cells = new BigUint64Array(this.memory);
  }

  /** The cell of one bucket of a key. Its times are by monotonicUs(). */
  cellOf(keyId: string, bucket: Bucket): FullAt {
    return new SharedFullAt(this.#cells, this.#rowOf(keyId) + 1 + this.#buckets.indexOf(bucket));
  }

  /** The number of open sessions by key. A thread that ends takes the process with it, so no count outlives its sessions. */
  readonly sessions: KeyCounts = {
    of: keyId => Number(Atomics.load(this.#cells, this.#sessionsOf(keyId))),
    change: (keyId, by) => void Atomics.add(this.#cells, this.#sessionsOf(keyId), BigInt.asUintN(64, BigInt(by))),
  };

  #sessionsOf(keyId: string): number {
    return this.#rowOf(keyId) + this.#rowCells - 1;
  }

  /** The index of the row's first cell. */
  #rowOf(keyId: string): number {
    // The mark is never 0, because 0 marks an empty row.
    const mark = hash('sha256', keyId, 'buffer').readBigUInt64LE() | 1n;
    for (let place = Number(mark % BigInt(ROWS)), tries = 0; tries < ROWS; tries++, place = (place + 1) % ROWS) {
      const index = place * this.#rowCells;
      const found = Atomics.compareExchange(this.#cells, index, 0n, mark);
      if (found === 0n || found === mark) return index;
    }
    throw new RangeError('more keys than rows for their rates');
  }
}

const scratch = new Float64Array(1);
const scratchBits = new BigUint64Array(scratch.buffer);

function bitsOf(value: number): bigint {
  scratch[0] = value;
  return scratchBits[0]!;
}

class SharedFullAt implements FullAt {
  readonly #cells: BigUint64Array;
  readonly #index: number;

  constructor(cells: BigUint64Array, index: number) {
    this.#cells = cells;
    this.#index = index;
  }

  read(): number {
    scratchBits[0] = Atomics.load(this.#cells, this.#index);
    return scratch[0]!;
  }

  replace(before: number, after: number): boolean {
    const expected = bitsOf(before);
    return Atomics.compareExchange(this.#cells, this.#index, expected, bitsOf(after)) === expected;
  }
}
