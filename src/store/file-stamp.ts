// Whether a file has been written to, told by its times: that asks the kernel and touches neither the file's pages nor its locks, so that
// it does not wait for a disk that takes no writes. Any thread.

import { closeSync, fstatSync, openSync } from 'node:fs';
import { wordsOf } from '../domain/error-words.ts';
import { StoreError } from './store-error.ts';

/** Beyond every grain of the kernel's file times: what is written later than that after a write has another time. */
const GRAIN_NS = 1_000_000_000n;
const NS_PER_MS = 1_000_000n;

export class StampedFile {
  readonly #path: string;
  readonly #descriptor: number;

  /** Throws a StoreError if there is no such file. */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = guarded(path, () => openSync(path, 'r'));
  }

  /**
   * The same text means the same content. Null where a later write might leave the same times: the file was written to just now, or by a
   * clock that is ahead.
   */
  stamp(): string | null {
    const { mtimeNs, ctimeNs } = guarded(this.#path, () => fstatSync(this.#descriptor, { bigint: true }));
    const ageNs = BigInt(Date.now()) * NS_PER_MS - mtimeNs;
    return ageNs > GRAIN_NS ? `${mtimeNs} ${ctimeNs}` : null;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new StoreError(`store file ${path}: ${wordsOf(error)}`);
  }
}
