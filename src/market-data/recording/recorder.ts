// Records both venues' tapes into files: a new one each hour, the oldest removed beyond a bound. It ends by itself when a file cannot be
// written, and while its disk still has room for the journal of orders and other files. The recorder's thread.

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
  /** The most bytes of all files together; the oldest are removed. */
  readonly recordingBytesMax: number;
  /** A file that reaches it is followed by another within its hour. */
  readonly recordingFileBytesMax: number;
  /** The recording ends when the disk has less. */
  readonly diskFreeBytesMin: number;
}

interface RecorderOptions {
  readonly arena: Arena;
  readonly folder: string;
  readonly bounds: RecorderBounds;
  /** The wall clock. */
  readonly now: () => UnixMillis;
  /** Bytes of the folder's disk that may still be written; by default the system is asked. */
  readonly freeBytes?: () => number;
  readonly files?: Files;
  /** Keeps other recorders out of the folder. Returns the function that ends that; throws a StoreError if another is there. */
  readonly lock?: (folder: string) => () => void;
}

/** How often added records are written; a crash of the machine's software loses no more. */
const FLUSH_MS = 250;
/** Between two looks at the disk and the clock. */
const LOOK_AROUND_MS = 1_000;
/** More turns than a whole tape has: a feed that goes on could keep the recorder from its end. */
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
  /** The file before, until every market has moved. */
  #before: RecordingFile | null = null;
  #closing: Promise<void> = Promise.resolve();
  #hour: number;
  #at = 0 as UnixMillis;
  #flushAt = 0;
  #lookAt = 0;
  readonly #unlock: () => void;

  /** Throws a StoreError if the folder cannot be written, is another recorder's, or its disk has too little room. */
  constructor(options: RecorderOptions) {
    const { arena, folder, files = nodeFiles, freeBytes = () => freeBytesOf(folder), lock = lockOf } = options;
    this.#options = { ...options, files, freeBytes };
    this.#hour = Math.floor(this.#now() / HOUR_MS);
    this.#needRoom();
    this.#unlock = lock(folder);
    try {
      this.#file = this.#createFile();
    } catch (error) {
      this.#unlock();
      throw error;
    }
    this.#tapes = perVenue(venue => new TapeRecorder(venue, arena, () => this.#now(), this.#file));
  }

  /** How often a tape's writer was a whole ring ahead. */
  get laps(): number {
    return VENUES.reduce((sum, venue) => sum + this.#tapes[venue].laps, 0);
  }

  get markets(): number {
    return VENUES.reduce((sum, venue) => sum + this.#tapes[venue].size, 0);
  }

  /** Throws a StoreError, as `turn` and `unlist`, if the recording has ended: then `abandon` it. */
  list(venue: Venue, address: string, binding: FeedSubscription): Listed {
    return this.#tapes[venue].list(address, binding);
  }

  unlist(venue: Venue, address: string): void {
    this.#tapes[venue].unlist(address);
  }

  /** Writes the tapes' unread records, a turn's worth of each at most. False: there were none. */
  turn(): boolean {
    let isNews = false;
    for (const venue of VENUES) if (this.#tapes[venue].follow()) isNews = true;
    const now = this.#options.now();
    if (hasCome(this.#flushAt, now, FLUSH_MS)) {
      this.#flushAt = now + FLUSH_MS;
      this.#before?.flush();
      this.#file.flush();
    }
    if (hasCome(this.#lookAt, now, LOOK_AROUND_MS)) {
      this.#lookAt = now + LOOK_AROUND_MS;
      this.#lookAround();
    }
    if (this.#before !== null && !this.#isMoving) this.#closeBefore();
    return isNews;
  }

  /** Resolves once files that were followed by others are closed. Rejects with a StoreError if one cannot be: then `abandon` it. */
  settled(): Promise<void> {
    return this.#closing;
  }

  /** Resolves once all is on disk. Rejects with a StoreError: then `abandon` it. */
  async close(): Promise<void> {
    for (let turn = 0; turn < TURNS_AT_END_MAX && this.turn(); turn++);
    await this.#closing;
    await this.#before?.close(this.#now());
    this.#before = null;
    await this.#file.close(this.#now());
    this.#unlock();
  }

  /** Leaves the files as they are. */
  abandon(): void {
    this.#before?.abandon();
    this.#file.abandon();
    this.#unlock();
  }

  /** The time never decreases, like the times of a file. After the clock was set back, it stands still. */
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

  #needRoom(): void {
    const { folder, bounds, freeBytes } = this.#options;
    const free = freeBytes();
    if (free >= bounds.diskFreeBytesMin) return;
    const least = `${bounds.diskFreeBytesMin} (diskFreeBytesMin)`;
    throw new StoreError(`${folder}: its disk has ${free} bytes left, fewer than ${least}`);
  }

  #lookAround(): void {
    this.#removeOldest();
    this.#needRoom();
    const hour = Math.floor(this.#now() / HOUR_MS);
    if (this.#before !== null) return;
    if (hour === this.#hour && this.#file.bytes < this.#options.bounds.recordingFileBytesMax) return;
    this.#hour = hour;
    this.#before = this.#file;
    this.#file = this.#createFile();
    for (const venue of VENUES) this.#tapes[venue].moveTo(this.#file);
  }

  #closeBefore(): void {
    const file = this.#before!;
    this.#before = null;
    const closing = this.#closing.then(() => file.close(this.#now()));
    this.#closing = closing;
    // `settled` passes a failure on; it may have no waiter before the next failure.
    closing.catch(() => {});
  }

  /** A file with a later name than the current one is older, too: the clock was ahead when it was made. */
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
      if (path === this.#file.path || path === this.#before?.path) return;
      files.remove(path);
      bytes -= sizes[index]!;
    }
  }
}

/** Two recorders in one folder would remove each other's files, and no reader could tell their sequence. */
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
