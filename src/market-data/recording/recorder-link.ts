// The main thread's link to the recorder: tells the recorder's thread which of the chosen markets has which book. Main thread.

import { wordsOf } from '../../core/domain/error-words.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { LastingThread } from '../../core/runtime/lasting-thread.ts';
import type { Log } from '../../core/runtime/log.ts';
import { makePrivateFolder } from '../../core/runtime/private-file.ts';
import { ConfigError } from '../../core/runtime/setting-values.ts';
import { THREADS } from '../../threads.ts';
import { ListedBooks } from '../book/live-books.ts';
import type { Arena } from '../book/memory.ts';
import type { RecorderBounds } from './recorder.ts';
import {
  type FromRecorder,
  MESSAGES,
  type RecorderThreadData,
  SHARED_BYTES,
  STANDING,
  Standing,
  type ToRecorder,
} from './recorder-messages.ts';
import type { RecorderSettings } from './recorder-settings.ts';

interface RecorderLinkOptions {
  readonly settings: RecorderSettings;
  readonly arena: Arena;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Called for each market that is recorded; may be called again for the same market. */
  readonly onMarket?: (venue: Venue, address: string) => void;
  readonly bounds?: RecorderBounds;
}

/** The bound on all files must leave room for this many files. */
const FILES_MIN = 4;
const FILE_BYTES_MAX = 1e9;
/** The space that stays free for other files on the disk, such as the journal of orders. */
const DISK_FREE_BYTES_MIN = 1e9;

/** Returns null if `settings` is null. Throws a ConfigError if the folder cannot be made. */
export function openRecorder(
  options: Omit<RecorderLinkOptions, 'settings'> & { readonly settings: RecorderSettings | null },
): RecorderLink | null {
  const { settings } = options;
  if (settings === null) return null;
  try {
    makePrivateFolder(settings.folder);
  } catch (error) {
    throw new ConfigError(`CROSSBOOK_RECORD_DIR: must be a folder, or one that can be made: ${wordsOf(error)}`);
  }
  return new RecorderLink({ ...options, settings });
}

function boundsOf({ bytesMax }: RecorderSettings): RecorderBounds {
  return {
    recordingBytesMax: bytesMax,
    recordingFileBytesMax: Math.min(FILE_BYTES_MAX, bytesMax / FILES_MIN),
    diskFreeBytesMin: DISK_FREE_BYTES_MIN,
  };
}

export class RecorderLink {
  readonly places: ListedBooks;
  readonly #shared = new Int32Array(new SharedArrayBuffer(SHARED_BYTES));
  readonly #thread: LastingThread;
  /** The waiting callers of `command`, in the sequence in which the thread answers. */
  readonly #waitingCallers: ((answer: FromRecorder) => void)[] = [];

  constructor(options: RecorderLinkOptions) {
    const { settings, arena, metrics, log, onMarket = () => {}, bounds = boundsOf(settings) } = options;
    const { folder, markets } = settings;
    this.places = new ListedBooks(
      message => {
        this.#post(message);
        if (message.op === 'list') onMarket(message.venue, message.address);
      },
      (...market) => markets.has(...market),
    );
    const shared = this.#shared.buffer as SharedArrayBuffer;
    const workerData: RecorderThreadData = {
      arena,
      folder,
      bounds,
      shared,
      logLevel: log.level,
      metrics: metrics.shared,
    };
    const isAt = (standing: number) => (): number => (Atomics.load(this.#shared, STANDING) === standing ? 1 : 0);
    metrics.gauge('recording', isAt(Standing.Recording));
    metrics.gauge('recording_failed', isAt(Standing.Failed));
    this.#thread = new LastingThread({
      ...THREADS.recorder,
      workerData,
      log,
      onMessage: message => this.#handleAnswer(message as FromRecorder),
      onLost: () => {
        Atomics.store(this.#shared, STANDING, Standing.Ended);
        for (const settle of this.#waitingCallers.splice(0))
          settle({ isRecording: false, isNew: false, fault: 'its thread died' });
      },
      onRestart: () => this.places.sendAll(),
    }).countLosses(metrics, 'recorder');
  }

  /** Begins to record, or closes the files. Resolves with the state of the recorder afterwards. */
  command(op: 'start' | 'stop'): Promise<FromRecorder> {
    const { promise, resolve } = Promise.withResolvers<FromRecorder>();
    this.#waitingCallers.push(resolve);
    this.#post({ op });
    return promise;
  }

  /** Closes the files; resolves once they are on disk. */
  async close(): Promise<void> {
    const ended = this.#thread.close();
    this.#wake();
    await ended;
  }

  /** Kills the thread, as a fault would. For tests. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  #handleAnswer(answer: FromRecorder): void {
    if (answer.isNew) this.places.sendAll();
    this.#waitingCallers.shift()?.(answer);
  }

  #post(message: ToRecorder): void {
    this.#thread.send(message);
    this.#wake();
  }

  #wake(): void {
    Atomics.add(this.#shared, MESSAGES, 1);
    Atomics.notify(this.#shared, MESSAGES);
  }
}
