// Finds out whether the journal takes records, and whether its file is where it was opened. While the disk is full, this writes probe
// records, so that the answer stays true even without changes. Engine thread.

import { statfsSync } from 'node:fs';
import { wordsOf } from '../../core/domain/error-words.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import type { EngineDisk } from './engine-disk.ts';
import type { FromEngine, Recording } from './engine-messages.ts';

/** The value of a probe record, as long as the record of a large order. */
const VALUE = '0'.repeat(limits.storeProbeBytes);

/** The disk counts as full if it has less room than this. */
const ROOM_BYTES = 16 * limits.storeProbeBytes;
/** The most probes for a disk that reports to be full. A disk that takes more probes has room for its owner. */
const TAKEN_MAX = 2 * (ROOM_BYTES / limits.storeProbeBytes);
const isRoot = process.getuid?.() === 0;

interface RecordingProbeParts {
  readonly disk: Pick<EngineDisk, 'store' | 'recording' | 'problem' | 'checkPlaces'>;
  readonly folder: string;
  readonly timers: Timers;
  readonly log: Log;
  readonly post: (message: Extract<FromEngine, { type: 'recording' }>) => void;
}

export class RecordingProbe {
  readonly #parts: RecordingProbeParts;
  /** The result of the last look. */
  #recording: Recording = 'taken';
  /** The number of probe records that were taken since the disk became full. */
  #probesTaken = 0;
  #cancelTimer: () => void = () => {};

  constructor(parts: RecordingProbeParts) {
    this.#parts = parts;
    this.#probe();
  }

  close(): void {
    this.#cancelTimer();
  }

  #probe(): void {
    const { disk } = this.#parts;
    disk.checkPlaces();
    if (!this.#isFull()) this.#probesTaken = 0;
    // Probes fill the little room that is left, such as the end of the journal's last block. That room is not enough for a caller.
    let isTaken = disk.recording === 'taken';
    while (isTaken && this.#isFull() && this.#probesTaken < TAKEN_MAX) isTaken = this.#tryRecord();
    if (disk.recording === 'refused') this.#tryRecord();
    this.#report(disk.recording);
    this.#cancelTimer = this.#parts.timers.after(limits.storeProbeMs, () => this.#probe());
  }

  #tryRecord(): boolean {
    try {
      this.#parts.disk.store.change(transaction => transaction.putMark('probe', VALUE));
      this.#probesTaken += 1;
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (this.#recording === 'taken') this.#parts.log.warn('nothing can be recorded', { error: error.message });
      return false;
    }
  }

  #report(recording: Recording): void {
    if (recording === this.#recording) return;
    const { log, post, disk } = this.#parts;
    if (recording === 'failed') log.warn('nothing is recorded until the gateway is started again: a sync failed');
    if (recording === 'removed') log.warn('nothing is recorded: journal or history were removed, or moved');
    if (recording === 'unreplicated')
      log.warn('nothing is recorded: the stream of the pod takes no records', { error: disk.problem?.message ?? '' });
    if (recording === 'taken') log.info('changes are recorded again');
    this.#recording = recording;
    post({ type: 'recording', recording });
  }

  /** Returns whether the system reports a full disk. If the free space cannot be read, the records of callers show a full disk instead. */
  #isFull(): boolean {
    const { folder, log } = this.#parts;
    try {
      const { bavail, bfree, bsize } = statfsSync(folder);
      return (isRoot ? bfree : bavail) * bsize < ROOM_BYTES;
    } catch (error) {
      log.debug('the free space of the disk cannot be read', { error: wordsOf(error) });
      return false;
    }
  }
}
