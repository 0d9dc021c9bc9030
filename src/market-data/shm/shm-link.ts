// The main thread's link to the shared file: makes the file, and tells the shared file's thread which market has which book. Main thread.

import { closeSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { wordsOf } from '../../core/domain/error-words.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { LastingThread } from '../../core/runtime/lasting-thread.ts';
import type { Log } from '../../core/runtime/log.ts';
import { THREADS } from '../../threads.ts';
import { type BookListing, ListedBooks } from '../book/live-books.ts';
import type { Arena } from '../book/memory.ts';
import {
  BOOK_BYTES,
  BOOKS_OFFSET,
  FILE_BYTES,
  FILE_OPEN,
  HEADER,
  LAYOUT_VERSION,
  LEVELS,
  MAGIC,
  MARKETS_MAX,
  RECORD_BYTES,
  RING_OFFSET,
  RING_SLOTS,
  SYMBOL_BYTES,
  SYMBOLS_OFFSET,
} from './layout.ts';

export interface ShmThreadData {
  readonly arena: SharedArrayBuffer;
  readonly path: string;
  /** `i32` 0 counts messages to the thread, and wakes the thread. */
  readonly wake: SharedArrayBuffer;
  /** Whether the thread polls without a pause. */
  readonly spins: boolean;
  readonly logLevel: Log['level'];
}

/** Messages to the shared file's thread. */
export type ToShm =
  | BookListing
  /** Every lasting thread ends on this message. */
  | 'close';

interface ShmLinkOptions {
  readonly path: string;
  readonly arena: Arena;
  /** Whether the shared file's thread polls without a pause. */
  readonly spins: boolean;
  readonly metrics: Metrics;
  readonly log: Log;
}

export class ShmLink {
  readonly places = new ListedBooks(message => this.#post(message));
  readonly #path: string;
  readonly #wake = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #thread: LastingThread;

  /** Throws a SharedFileError if the file cannot be made. */
  constructor({ path, arena, spins, metrics, log }: ShmLinkOptions) {
    this.#path = path;
    createSharedFile(path, Date.now());
    const wake = this.#wake.buffer as SharedArrayBuffer;
    this.#thread = new LastingThread({
      ...THREADS.shm,
      workerData: { path, arena, spins, wake, logLevel: log.level } satisfies ShmThreadData,
      log,
      // The new file gets the same name as the dead thread's file, so that readers find it.
      onLost: () => {
        try {
          createSharedFile(path, Date.now());
        } catch (error) {
          log.warn('no shared file', { error: wordsOf(error) });
        }
      },
      onRestart: () => this.places.sendAll(),
    }).countLosses(metrics, 'shm');
  }

  /** Marks the file as closed, and removes it. */
  async close(): Promise<void> {
    const ended = this.#thread.close();
    this.#wakeThread();
    await ended;
    rmSync(this.#path, { force: true });
  }

  /** Kills the thread, as a fault would. For tests. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  #post(message: ToShm): void {
    this.#thread.send(message);
    this.#wakeThread();
  }

  #wakeThread(): void {
    Atomics.add(this.#wake, 0, 1);
    Atomics.notify(this.#wake, 0);
  }
}

// Creates the shared file. The file gets its name only when it is complete, so that readers never see a part of it. It replaces the file of
// an earlier process. A reader that has mapped the earlier file sees that file's heartbeat end.

/** The error when the shared file cannot be made. The message names the setting. */
export class SharedFileError extends Error {
  override readonly name = 'SharedFileError';
}

/** After this long without a heartbeat, readers take the file for dead (docs/SHARED-MEMORY.md). */
const HEARTBEAT_AGE_MS_MAX = 1_000;
/** The owner may write the file; the owner's group may read it. */
const FILE_MODE = 0o640;

/**
 * Creates the file. Throws a SharedFileError if the path is a file of another kind, or belongs to another gateway that runs. `now` is in
 * Unix milliseconds.
 */
export function createSharedFile(path: string, now: number): void {
  const fault = occupantOf(path, now);
  if (fault !== null) throw new SharedFileError(`CROSSBOOK_SHM: ${path} ${fault}`);
  const unfinished = `${path}.${process.pid}`;
  try {
    const file = openSync(unfinished, 'wx', FILE_MODE);
    try {
      writeWhole(file, now);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new SharedFileError(`CROSSBOOK_SHM: ${path} cannot be made: ${wordsOf(error)}`);
  }
}

/**
 * Writes every byte of the file, so that the disk has room for every page. A page that is missing later, on a full disk, would end the
 * process (SIGBUS).
 */
function writeWhole(file: number, now: number): void {
  const block = Buffer.alloc(1024 * 1024);
  const header = headerOf(now);
  for (let at = 0; at < FILE_BYTES; at += block.length) {
    writeAll(file, block.subarray(0, Math.min(block.length, FILE_BYTES - at)), at);
  }
  writeAll(file, header, 0);
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

function headerOf(now: number): Buffer {
  const header = Buffer.alloc(SYMBOLS_OFFSET);
  header.write(MAGIC, HEADER.magic, 'latin1');
  const [u32, u64] = [
    (at: number, value: number) => header.writeUInt32LE(value, at),
    (at: number, value: number) => header.writeBigUInt64LE(BigInt(value), at),
  ];
  u32(HEADER.layoutVersion, LAYOUT_VERSION);
  u32(HEADER.processId, process.pid);
  u64(HEADER.createdAt, now);
  u32(HEADER.levels, LEVELS);
  u64(HEADER.symbolsOffset, SYMBOLS_OFFSET);
  u32(HEADER.symbolBytes, SYMBOL_BYTES);
  u32(HEADER.symbolsMax, MARKETS_MAX);
  u64(HEADER.booksOffset, BOOKS_OFFSET);
  u32(HEADER.bookBytes, BOOK_BYTES);
  u64(HEADER.ringOffset, RING_OFFSET);
  u32(HEADER.ringSlotBytes, RECORD_BYTES);
  u32(HEADER.ringSlots, RING_SLOTS);
  u32(HEADER.state, FILE_OPEN);
  u64(HEADER.heartbeat, now);
  return header;
}

/** Returns why the file at the path may not be replaced, or null if it may. */
function occupantOf(path: string, now: number): string | null {
  const header = Buffer.alloc(SYMBOLS_OFFSET);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, header, 0, header.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : `cannot be read: ${wordsOf(error)}`;
  }
  if (header.toString('latin1', HEADER.magic, HEADER.magic + MAGIC.length) !== MAGIC) {
    return 'is another file: move it away, or choose another path';
  }
  const processId = header.readUInt32LE(HEADER.processId);
  const age = now - Number(header.readBigUInt64LE(HEADER.heartbeat));
  const isWritten = header.readUInt32LE(HEADER.state) === FILE_OPEN && Math.abs(age) <= HEARTBEAT_AGE_MS_MAX;
  return isWritten && processId !== process.pid && isRunning(processId)
    ? `is written by the process ${processId}: choose another path`
    : null;
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
