// Detects writes to a file by its times. That asks only the kernel and touches neither the file's pages nor its locks, so it does
// not wait for a frozen disk. Any thread.

import { closeSync, fstatSync, openSync } from 'node:fs';
import { wordsOf } from '../domain/error-words.ts';
import { StoreError } from './store-error.ts';

/** Coarser than any granularity of file times: a write later than this has another time. */
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
   * Equal stamps mean equal content. Null if a later write might leave the same times, because the last write is too recent or its
   * clock is ahead.
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
