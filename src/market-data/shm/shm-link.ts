// The main thread's end of the shared file: makes the file, and passes on which market has which book. Main thread.

import { rmSync } from 'node:fs';
import { wordsOf } from '../../core/domain/error-words.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { LastingThread } from '../../core/runtime/lasting-thread.ts';
import type { Log } from '../../core/runtime/log.ts';
import { THREADS } from '../../threads.ts';
import { type BookListing, ListedBooks } from '../book/listed-books.ts';
import type { Arena } from '../book/memory.ts';
import { createSharedFile } from './shared-file.ts';

export interface ShmThreadData {
  readonly arena: SharedArrayBuffer;
  readonly path: string;
  /** i32 0 rises with each message, and wakes the thread. */
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
  /** Whether its thread polls without a pause. */
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
      // The dead thread's file ends; readers find a new one under its name.
      onLost: () => {
        try {
          createSharedFile(path, Date.now());
        } catch (error) {
          log.warn('no shared file', { error: wordsOf(error) });
        }
      },
      onRestart: () => this.places.sayAll(),
    }).countLosses(metrics, 'shm');
  }

  /** Marks the file as closed, and takes it away. */
  async close(): Promise<void> {
    const ended = this.#thread.close();
    this.#rouse();
    await ended;
    rmSync(this.#path, { force: true });
  }

  /** Kills the thread, as a fault would. For tests. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  #post(message: ToShm): void {
    this.#thread.send(message);
    this.#rouse();
  }

  #rouse(): void {
    Atomics.add(this.#wake, 0, 1);
    Atomics.notify(this.#wake, 0);
  }
}
