// Whether the journal takes records. When the disk has become full, and as long as it refuses, records of its own are tried: so the
// answer stays true when nobody changes anything. Engine thread.

import { statfsSync } from 'node:fs';
import { wordsOf } from '../domain/error-words.ts';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import type { Timers } from '../runtime/timers.ts';
import type { LedgerStore } from '../store/order-records.ts';
import { StoreError } from '../store/store-error.ts';
import type { FromEngine, Recording } from './engine-messages.ts';

/** As long as the record of a large order. */
const VALUE = '0'.repeat(limits.storeProbeBytes);

/** So few records of its own still fit. */
const ROOM_BYTES = 16 * limits.storeProbeBytes;
/** A disk that takes more of them than that, and says that it is full, has room for its owner. */
const TAKEN_MAX = 2 * (ROOM_BYTES / limits.storeProbeBytes);
const isRoot = process.getuid?.() === 0;

interface RecordingProbeParts {
  readonly disk: { readonly store: Pick<LedgerStore, 'change'>; readonly recording: Recording };
  readonly folder: string;
  readonly timers: Timers;
  readonly log: Log;
  readonly say: (message: Extract<FromEngine, { type: 'recording' }>) => void;
}

export class RecordingProbe {
  readonly #parts: RecordingProbeParts;
  /** At the last look. */
  #recording: Recording = 'taken';
  /** Records of its own since the disk became full. */
  #taken = 0;
  #cancelTimer: () => void = () => {};

  constructor(parts: RecordingProbeParts) {
    this.#parts = parts;
    this.#look();
  }

  close(): void {
    this.#cancelTimer();
  }

  #look(): void {
    const { disk } = this.#parts;
    if (!this.#isFull()) this.#taken = 0;
    // What little room is left, as in the last block of the journal, is taken at once: it is not enough for a caller.
    let isTaken = disk.recording === 'taken';
    while (isTaken && this.#isFull() && this.#taken < TAKEN_MAX) isTaken = this.#try();
    if (disk.recording === 'refused') this.#try();
    this.#tell(disk.recording);
    this.#cancelTimer = this.#parts.timers.after(limits.storeProbeMs, () => this.#look());
  }

  #try(): boolean {
    try {
      this.#parts.disk.store.change(transaction => transaction.putMark('probe', VALUE));
      this.#taken += 1;
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (this.#recording === 'taken') this.#parts.log.warn('nothing can be recorded', { error: error.message });
      return false;
    }
  }

  #tell(recording: Recording): void {
    if (recording === this.#recording) return;
    const { log, say } = this.#parts;
    if (recording === 'failed') log.warn('nothing is recorded until the gateway is started again: a sync failed');
    if (recording === 'taken') log.info('changes are recorded again');
    this.#recording = recording;
    say({ type: 'recording', recording });
  }

  /** Where that cannot be told, callers' own records show it. */
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
