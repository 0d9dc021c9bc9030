// A thread that lives as long as the gateway. It restarts when it dies; if it dies at once, the pause before the restart grows. A hang is
// logged. The message `close` ends the thread. Main thread.

import { Worker } from 'node:worker_threads';
import { limits } from '../../limits.ts';
import { faultOf } from '../domain/error-words.ts';
import type { LastingThreadName } from '../metrics/metric-table.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Log } from './log.ts';
import { type MutuallyPulsed, PULSE_WORDS, Pulse, type PulseNews, PulseWatch } from './pulse.ts';
import { machineTimers, type Timers } from './timers.ts';

interface LastingThreadOptions {
  /** The name of the thread in log lines, at /metrics and in a debugger. The system calls every thread `node`. */
  readonly name: string;
  readonly entry: URL;
  /** The start data of the thread. The buffers of the heartbeat are added; the thread must keep the heartbeat going. */
  readonly workerData: object;
  readonly log: Log;
  /**
   * A hang is always logged. `replaced` means that another thread takes the place of the hung thread: only a thread without a store may be
   * ended (ADR 0016).
   */
  readonly whenItHangs: 'replaced' | 'logged';
  readonly onMessage?: (message: unknown) => void;
  /** Called when the thread has died, and its state is gone. */
  readonly onLost?: () => void;
  /** Called when a new thread runs. */
  readonly onRestart?: () => void;
  /** The default is `machineTimers`. */
  readonly timers?: Timers;
}

export class LastingThread {
  readonly #options: LastingThreadOptions;
  readonly #timers: Timers;
  #worker: Worker;
  #isClosing = false;
  #startedAt = 0;
  #pauseMs: number = limits.threadRestartMs;
  #cancelRestart: () => void = () => {};
  #cancelLook: () => void = () => {};
  #countLoss: () => void = () => {};
  #countSilence: () => void = () => {};

  constructor(options: LastingThreadOptions) {
    this.#options = options;
    this.#timers = options.timers ?? machineTimers;
    this.#worker = this.#start();
  }

  /** Makes `threads_lost_total` count the thread's deaths from now on, and `threads_silent_total` its hangs. */
  countLosses(metrics: Metrics, thread: LastingThreadName): this {
    this.#countLoss = () => metrics.count('threads_lost_total', thread);
    this.#countSilence = () => metrics.count('threads_silent_total', thread);
    return this;
  }

  /** Sends a message to the thread. The message is dropped if the thread has just died. */
  send(message: unknown): void {
    this.#worker.postMessage(message);
  }

  /** Lets the thread finish its work; resolves when it has ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelRestart();
    if (this.#worker.threadId === -1) return;
    const ended = new Promise(resolve => this.#worker.once('exit', resolve));
    this.send('close');
    await ended;
  }

  /** Kills the thread. This is for tests in which no transaction commits meanwhile. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #start(): Worker {
    const { name, entry, workerData, log, onMessage = () => {}, onLost } = this.#options;
    this.#startedAt = this.#timers.elapsed();
    const [pulse, mainPulse] = [new Pulse(), new Pulse()];
    const pulses: MutuallyPulsed = { pulse: pulse.memory, mainPulse: mainPulse.memory };
    const worker = new Worker(entry, { name, workerData: { ...workerData, ...pulses } });
    this.#watch(worker, pulse, mainPulse);
    worker.on('message', onMessage);
    worker.on('error', error => log.warn(`${name} thread failed`, faultOf(error)));
    worker.on('exit', code => {
      this.#cancelLook();
      if (this.#isClosing) return;
      log.warn(`${name} thread ended`, { code });
      this.#countLoss();
      onLost?.();
      this.#startAnew();
    });
    return worker;
  }

  /** Watches the heartbeat of the thread. Each look also raises the main thread's own heartbeat. */
  #watch(worker: Worker, pulse: Pulse, mainPulse: Pulse): void {
    const watch = new PulseWatch();
    const look = (): void => {
      mainPulse.beat();
      const news = watch.look(pulse.beats);
      if (news !== null) this.#handle(news, worker);
      this.#lookLater(look);
    };
    mainPulse.beat();
    this.#lookLater(look);
  }

  #lookLater(look: () => void): void {
    this.#cancelLook = this.#timers.after(limits.threadPulseMs, look);
  }

  #handle(news: PulseNews, worker: Worker): void {
    const { log, name, whenItHangs } = this.#options;
    log.warn(`${name} thread ${PULSE_WORDS[news]}`);
    if (news === 'silent') this.#countSilence();
    if (news === 'silent' && whenItHangs === 'replaced') void worker.terminate();
  }

  #startAnew(): void {
    const { threadRestartMs, threadRestartMsMax, threadSettledMs } = limits;
    if (this.#timers.elapsed() - this.#startedAt >= threadSettledMs) this.#pauseMs = threadRestartMs;
    this.#cancelRestart = this.#timers.after(this.#pauseMs, () => {
      this.#worker = this.#start();
      this.#options.onRestart?.();
    });
    this.#pauseMs = Math.min(2 * this.#pauseMs, threadRestartMsMax);
  }
}
