// The gateway as a child process of `crossbook backtest`: its clock is the recording's clock. Messages between the two processes say at
// which address the gateway listens, which process the bot is, and when the recording has ended. Main thread.

import { Worker } from 'node:worker_threads';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { PlayedClock, playBy, STEPPED } from '../../core/runtime/played-clock.ts';
import type { BacktestSpan } from '../../core/runtime/start-options.ts';
import { THREADS } from '../../threads.ts';
import type { VenueSource } from '../../venues/source-settings.ts';
import { RecordingFault } from './format.ts';
import { openRecording } from './open-recording.ts';
import { startOf } from './timeline.ts';

/** The messages from the gateway to its parent. */
export type FromBacktest =
  | { readonly type: 'listening'; readonly origin: string }
  /** The recording has ended. */
  | { readonly type: 'ended' }
  /** The gateway ends on request. `at` is the time of the request, by the recording's clock. */
  | { readonly type: 'leaving'; readonly at: UnixMillis };

/** The message from the parent: the process id of the bot. The clock waits while that process's threads are busy. */
export interface ToBacktest {
  readonly bot: number;
}

/**
 * Starts the played clock; call this before any thread starts. Returns null if the gateway runs by the machine's clock. Throws a
 * RecordingFault if nothing can be played.
 */
export function beginBacktest(source: VenueSource): Backtest | null {
  if (source.kind !== 'recorded' || source.backtest === null) return null;
  return new Backtest(source.folder, source.speed, source.backtest);
}

export class Backtest {
  readonly #clock: PlayedClock;

  constructor(folder: string, speed: number, span: BacktestSpan) {
    const at = startOf(openRecording(folder), { speed, span });
    if (at === null) throw new RecordingFault(`${folder}: nothing was recorded between these times`);
    if (speed === STEPPED && (process.platform !== 'linux' || process.arch !== 'x64')) {
      throw new RecordingFault(
        '--speed max: needs Linux on x86-64, where the system says which threads sleep; give a number',
      );
    }
    this.#clock = PlayedClock.stoppedAt(at, speed);
    playBy(this.#clock);
    if (speed !== STEPPED) return;
    const { entry, name } = THREADS.clock;
    new Worker(entry, { name, workerData: { clock: this.#clock.memory } }).unref();
  }

  /** Tells the parent that the gateway serves callers at `origin`, and later that the recording has ended. */
  serve(origin: string): void {
    // A disconnect means that the parent has ended.
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.on('message', ({ bot }: ToBacktest) => {
      this.#clock.bot = bot;
    });
    process.once('SIGTERM', () => sendToMain({ type: 'leaving', at: this.#clock.now() }));
    sendToMain({ type: 'listening', origin });
    void this.#clock.ended().then(() => sendToMain({ type: 'ended' }));
  }
}

function sendToMain(message: FromBacktest): void {
  process.send?.(message);
}
