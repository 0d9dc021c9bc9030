// Whether the order store takes changes. Changes of its own are tried when the disk has become full, and as long as the disk refuses
// changes: so the answer stays true when nobody else changes anything. The store keeper's thread.

import { statfsSync } from 'node:fs';
import { wordsOf } from '../domain/error-words.ts';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import type { Timers } from '../runtime/timers.ts';
import type { OpenedOrderStore } from '../store/order-store.ts';
import { StoreError } from '../store/store-error.ts';

/** As long as the record of a large order. */
const VALUE = '0'.repeat(limits.storeProbeBytes);

const TRIES_MAX = 8;

interface StoreProbeParts {
  readonly store: Pick<OpenedOrderStore, 'change' | 'durable'>;
  readonly folder: string;
  readonly timers: Timers;
  readonly log: Log;
}

export class StoreProbe {
  readonly #parts: StoreProbeParts;
  /** At the last look. */
  #isRefusing = false;
  /** Since the disk became full. */
  #tries = 0;
  #cancelTimer: () => void = () => {};

  constructor(parts: StoreProbeParts) {
    this.#parts = parts;
    this.#look();
  }

  close(): void {
    this.#cancelTimer();
  }

  #look(): void {
    const { durable } = this.#parts.store;
    const isFull = this.#isFull();
    if (!isFull) this.#tries = 0;
    // The last block of a file takes a change or two on a full disk; one that takes more has room for its owner.
    const mayRefuse = isFull && this.#tries < TRIES_MAX;
    if (durable.taking === 'refused' || mayRefuse) this.#try();
    this.#tell(durable.taking !== 'taken');
    this.#cancelTimer = this.#parts.timers.after(limits.storeProbeMs, () => this.#look());
  }

  #try(): void {
    this.#tries += 1;
    try {
      this.#parts.store.change(transaction => transaction.putMark('probe', VALUE));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!this.#isRefusing) this.#parts.log.warn('nothing can be recorded', { error: error.message });
      this.#isRefusing = true;
    }
  }

  #tell(isRefusing: boolean): void {
    const { log } = this.#parts;
    if (isRefusing && !this.#isRefusing) log.warn('nothing can be recorded: the disk failed a change');
    if (!isRefusing && this.#isRefusing) log.info('changes are recorded again');
    this.#isRefusing = isRefusing;
  }

  /** A disk of which that cannot be told is tried by whoever changes something. */
  #isFull(): boolean {
    const { folder, log } = this.#parts;
    try {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize < limits.storeProbeBytes;
    } catch (error) {
      log.debug('the room on the disk is not known', { error: wordsOf(error) });
      return false;
    }
  }
}
