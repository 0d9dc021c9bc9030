// The state as one thread reads it: of one moment, until a later one is looked at or it is let go of. What has been looked up of it is
// remembered as long: an order's transactions ask for the same rows, and most for what is not there. One per thread.

import { limits } from '../../limits.ts';
import type { KeyRange, KeyValue, UnsyncedEnvironment } from '../lmdb.ts';
import type { KeyText } from './memtable.ts';

export class StateMoment {
  readonly #environment: UnsyncedEnvironment;
  readonly #found = new Map<KeyText, Uint8Array | undefined>();

  constructor(environment: UnsyncedEnvironment) {
    this.#environment = environment;
  }

  get isKept(): boolean {
    return this.#environment.isHeld;
  }

  /** From now on it is the latest. */
  renew(): void {
    this.#found.clear();
    this.#environment.refresh();
  }

  /** As long as it is kept, no page that it had is used again. */
  release(): void {
    this.#found.clear();
    this.#environment.release();
  }

  /** `text`: of the key. */
  get(key: Uint8Array, text: KeyText): Uint8Array | undefined {
    if (!this.isKept) return this.#environment.get(key);
    const known = this.#found.get(text);
    if (known !== undefined || this.#found.has(text)) return known;
    const value = this.#environment.get(key);
    if (this.#found.size >= limits.storeRowsRememberedMax) this.#found.clear();
    this.#found.set(text, value);
    return value;
  }

  range(range: KeyRange): KeyValue[] {
    return this.#environment.range(range);
  }
}
