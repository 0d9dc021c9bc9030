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

/** So few changes of its own still fit. */
const ROOM_BYTES = 16 * limits.storeProbeBytes;
/** A disk that takes more of them than that, and says that it is full, has room for its owner. */
const TAKEN_MAX = 2 * (ROOM_BYTES / limits.storeProbeBytes);
const isRoot = process.getuid?.() === 0;

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
  /** Of its changes, since the disk became full. */
  #taken = 0;
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
    if (!this.#isFull()) this.#taken = 0;
    // What little room is left, as in the last block of the journal, is taken at once: it is not enough for anybody else.
    let isTaken = durable.taking === 'taken';
    while (isTaken && this.#isFull() && this.#taken < TAKEN_MAX) isTaken = this.#try();
    if (durable.taking === 'refused') this.#try();
    this.#tell(durable.taking !== 'taken');
    this.#cancelTimer = this.#parts.timers.after(limits.storeProbeMs, () => this.#look());
  }

  #try(): boolean {
    try {
      this.#parts.store.change(transaction => transaction.putMark('probe', VALUE));
      this.#taken += 1;
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!this.#isRefusing) this.#parts.log.warn('nothing can be recorded', { error: error.message });
      this.#isRefusing = true;
      return false;
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
      const { bavail, bfree, bsize } = statfsSync(folder);
      return (isRoot ? bfree : bavail) * bsize < ROOM_BYTES;
    } catch (error) {
      log.debug('the room on the disk is not known', { error: wordsOf(error) });
      return false;
    }
  }
}
