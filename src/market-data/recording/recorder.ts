// Records both venues' tapes into files: a new file each hour; beyond a bound on all files, the oldest are removed. The recording ends by
// itself when a file cannot be written. It also ends while the disk still has room for the journal of orders and other files. The
// recorder's thread.

import { randomInt } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from '../../core/domain/error-words.ts';
import { perVenue, VENUES, type Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { hasCome } from '../../core/runtime/timers.ts';
import { type Files, nodeFiles } from '../../core/store/files.ts';
import { takeKernelLock } from '../../core/store/owner-lock.ts';
import { StoreError } from '../../core/store/store-error.ts';
import type { FeedSubscription } from '../../venues/feed.ts';
import type { Listed } from '../book/market-tape.ts';
import type { Arena } from '../book/memory.ts';
import { FILE_NAME } from './format.ts';
import { RecordingFile } from './recorded-file.ts';
import { TapeRecorder } from './tape-recorder.ts';

export interface RecorderBounds {
  /** The most bytes of all files together. Beyond this bound the oldest files are removed. */
  readonly recordingBytesMax: number;
  /** The most bytes of one file. When a file reaches this bound, the next file begins before the hour is over. */
  readonly recordingFileBytesMax: number;
  /** The least free bytes of the disk. The recording ends when the disk has fewer. */
  readonly diskFreeBytesMin: number;
}

interface RecorderOptions {
  readonly arena: Arena;
  readonly folder: string;
  readonly bounds: RecorderBounds;
  /** The wall clock. */
  readonly now: () => UnixMillis;
  /** Returns the number of bytes that may still be written to the folder's disk. By default the system is asked. */
  readonly freeBytes?: () => number;
  readonly files?: Files;
  /**
   * Keeps other recorders out of the folder. Returns the function that lets them in again. Throws a StoreError if another recorder uses the
   * folder.
   */
  readonly lock?: (folder: string) => () => void;
}

/** The interval at which added records are written. A crash of the process loses no more than this time. */
const FLUSH_MS = 250;
/** The interval between two looks at the disk and the clock. */
const LIMIT_FILES_MS = 1_000;
/**
 * The most turns at the end, which is more than a whole tape takes. Without this bound, a feed that goes on could keep the recorder from
 * its end.
 */
const TURNS_AT_END_MAX = 32;
const HOUR_MS = 3_600_000;
const SESSIONS = 2 ** 32;
const LOCK_NAME = 'lock';

export class Recorder {
  readonly #options: RecorderOptions & { readonly files: Files; readonly freeBytes: () => number };
  readonly #tapes: Readonly<Record<Venue, TapeRecorder>>;
  readonly #session = randomInt(SESSIONS);
  #number = 0;
  #file: RecordingFile;
  /** The previous file, until every market has moved to the current file. */
  #previousFile: RecordingFile | null = null;
  #closing: Promise<void> = Promise.resolve();
  #hour: number;
  #at = 0 as UnixMillis;
  #flushAt = 0;
  #limitFilesAt = 0;
  readonly #unlock: () => void;

  /** Throws a StoreError if the folder cannot be written, if another recorder uses it, or if its disk has too little room. */
  constructor(options: RecorderOptions) {
    const { arena, folder, files = nodeFiles, freeBytes = () => freeBytesOf(folder), lock = lockOf } = options;
    this.#options = { ...options, files, freeBytes };
    this.#hour = Math.floor(this.#now() / HOUR_MS);
    this.#requireRoom();
    this.#unlock = lock(folder);
    try {
      this.#file = this.#createFile();
    } catch (error) {
      this.#unlock();
      throw error;
    }
    this.#tapes = perVenue(venue => new TapeRecorder(venue, arena, () => this.#now(), this.#file));
  }

  /** The number of times that the writer of a tape was a whole ring ahead of this recorder. */
  get laps(): number {
    return VENUES.reduce((sum, venue) => sum + this.#tapes[venue].laps, 0);
  }

  get markets(): number {
    return VENUES.reduce((sum, venue) => sum + this.#tapes[venue].size, 0);
  }

  /** Begins to record a market. This method, `turn` and `unlist` throw a StoreError if the recording has ended: then call `abandon`. */
  list(venue: Venue, address: string, binding: FeedSubscription): Listed {
    return this.#tapes[venue].list(address, binding);
  }

  unlist(venue: Venue, address: string): void {
    this.#tapes[venue].unlist(address);
  }

  /** Writes at most one turn's number of unread records from each tape. Returns false if the tapes had no record. */
  turn(): boolean {
    let isNews = false;
    for (const venue of VENUES) if (this.#tapes[venue].follow()) isNews = true;
    const now = this.#options.now();
    if (hasCome(this.#flushAt, now, FLUSH_MS)) {
      this.#flushAt = now + FLUSH_MS;
      this.#previousFile?.flush();
      this.#file.flush();
    }
    if (hasCome(this.#limitFilesAt, now, LIMIT_FILES_MS)) {
      this.#limitFilesAt = now + LIMIT_FILES_MS;
      this.#limitFiles();
    }
    if (this.#previousFile !== null && !this.#isMoving) this.#closePreviousFile();
    return isNews;
  }

  /** Resolves once all previous files are closed. Rejects with a StoreError if one of them cannot be closed: then call `abandon`. */
  previousFilesClosed(): Promise<void> {
    return this.#closing;
  }

  /** Ends the recording, and resolves once all records are on disk. Rejects with a StoreError: then call `abandon`. */
  async close(): Promise<void> {
    for (let turn = 0; turn < TURNS_AT_END_MAX && this.turn(); turn++);
    await this.#closing;
    await this.#previousFile?.close(this.#now());
    this.#previousFile = null;
    await this.#file.close(this.#now());
    this.#unlock();
  }

  /** Ends the recording after a failure, without the files' last blocks. */
  abandon(): void {
    this.#previousFile?.abandon();
    this.#file.abandon();
    this.#unlock();
  }

  /**
   * Returns the wall clock's time, which never decreases here, because the times within a file must not. If the clock is set back, the time
   * stands still until the clock has caught up.
   */
  #now(): UnixMillis {
    this.#at = Math.max(this.#at, this.#options.now()) as UnixMillis;
    return this.#at;
  }

  get #isMoving(): boolean {
    return VENUES.some(venue => this.#tapes[venue].isMoving);
  }

  #createFile(): RecordingFile {
    const { folder, files } = this.#options;
    this.#number += 1;
    return new RecordingFile({ folder, startedAt: this.#now(), session: this.#session, number: this.#number, files });
  }

  #requireRoom(): void {
    const { folder, bounds, freeBytes } = this.#options;
    const free = freeBytes();
    if (free >= bounds.diskFreeBytesMin) return;
    const least = `${bounds.diskFreeBytesMin} (diskFreeBytesMin)`;
    throw new StoreError(`${folder}: its disk has ${free} bytes left, fewer than ${least}`);
  }

  #limitFiles(): void {
    this.#removeOldest();
    this.#requireRoom();
    const hour = Math.floor(this.#now() / HOUR_MS);
    if (this.#previousFile !== null) return;
    if (hour === this.#hour && this.#file.bytes < this.#options.bounds.recordingFileBytesMax) return;
    this.#hour = hour;
    this.#previousFile = this.#file;
    this.#file = this.#createFile();
    for (const venue of VENUES) this.#tapes[venue].moveTo(this.#file);
  }

  #closePreviousFile(): void {
    const file = this.#previousFile!;
    this.#previousFile = null;
    const closing = this.#closing.then(() => file.close(this.#now()));
    this.#closing = closing;
    // A failure reaches the callers of `previousFilesClosed`. This handler keeps it from counting as unhandled while nobody waits.
    closing.catch(() => {});
  }

  /**
   * Removes the oldest files beyond the bound. A file with a later name than the current file is also older than it: the clock was ahead
   * when that file was made.
   */
  #removeOldest(): void {
    const { folder, files, bounds } = this.#options;
    const names = files.list(folder).filter(name => FILE_NAME.test(name));
    const all = names.sort().map(name => join(folder, name));
    const ahead = all.filter(path => path > this.#file.path);
    const paths = [...ahead, ...all.slice(0, all.length - ahead.length)];
    const sizes = paths.map(path => files.sizeOf(path) ?? 0);
    let bytes = sizes.reduce((sum, size) => sum + size, 0);
    for (const [index, path] of paths.entries()) {
      if (bytes <= bounds.recordingBytesMax) return;
      if (path === this.#file.path || path === this.#previousFile?.path) return;
      files.remove(path);
      bytes -= sizes[index]!;
    }
  }
}

/**
 * Takes the lock of the folder. Two recorders in one folder would remove each other's files, and readers could not tell the sequence of the
 * files.
 */
function lockOf(folder: string): () => void {
  const unlock = takeKernelLock(join(folder, LOCK_NAME));
  if (unlock === null) throw new StoreError(`${folder}: another recorder writes there`);
  return unlock;
}

function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch (error) {
    throw new StoreError(`${folder}: the free space of its disk cannot be read: ${wordsOf(error)}`);
  }
}
