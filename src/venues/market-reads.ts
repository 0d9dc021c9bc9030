// The main thread's link to the thread of the market reads. The first read starts the thread. The thread is restarted after it has died,
// and ended when it hangs. Equal reads share one answer (venues/market-read-cache.ts). Main thread.

import { Worker } from 'node:worker_threads';
import { faultOf } from '../core/domain/error-words.ts';
import type { Venue } from '../core/domain/market.ts';
import type { SummaryVenue } from '../core/domain/market-summary.ts';
import type { Log } from '../core/runtime/log.ts';
import { PULSE_WORDS, Pulse, type PulseNews, PulseWatch } from '../core/runtime/pulse.ts';
import { limits } from '../limits.ts';
import { THREADS } from '../threads.ts';
import { busy, type MarketReading, type MarketReadTargets, type ReadFailure, type ReadVenue } from './market-read.ts';
import { MarketReadCache } from './market-read-cache.ts';
import type { FromMarketReads, MarketReadsData, ToMarketReads } from './market-reads-worker.ts';
import type { TermsReading } from './trading-terms.ts';

interface MarketReadsOptions {
  readonly targets: MarketReadTargets;
  readonly log: Log;
  /** The interval of the thread's heartbeat. The default is `threadPulseMs`. */
  readonly pulseMs?: number;
  /** A module that runs instead of market-reads-worker.ts, for tests of faults. */
  readonly workerUrl?: URL;
}

interface Pending {
  readonly venue: ReadVenue;
  readonly resolve: (reading: FromMarketReads['reading'] | ReadFailure) => void;
}

type Question =
  | { readonly op: 'read'; readonly venue: SummaryVenue; readonly marketId: string }
  | { readonly op: 'terms'; readonly venue: Venue; readonly address: string };

export class MarketReads {
  readonly #options: MarketReadsOptions;
  readonly #cache = new MarketReadCache(
    (venue, marketId) => this.#request<MarketReading>({ op: 'read', venue, marketId }),
    () => performance.now(),
  );
  /** Pending reads, which the caches bound. */
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #worker: Worker | null = null;
  #diedAtMs = Number.NEGATIVE_INFINITY;
  #isClosing = false;

  constructor(options: MarketReadsOptions) {
    this.#options = options;
  }

  /** Reads a market; never rejects. */
  read(venue: SummaryVenue, marketId: string): Promise<MarketReading> {
    return this.#cache.read(venue, marketId);
  }

  /** Reads the terms of orders in a market, and their costs. Never rejects. The answer is not cached. */
  terms(venue: Venue, address: string): Promise<TermsReading> {
    return this.#request<TermsReading>({ op: 'terms', venue, address });
  }

  /** Ends the thread, and resolves when it has ended. Callers that still wait get an answer before that, as their sockets close. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise(resolve => worker.once('exit', resolve));
    worker.postMessage({ op: 'close' } satisfies ToMarketReads);
    await ended;
  }

  /** Kills the thread. For tests. */
  async kill(): Promise<void> {
    await this.#worker?.terminate();
  }

  /** Asks the thread. The answer to a `read` is a MarketReading, the answer to `terms` a TermsReading. */
  #request<Reading extends MarketReading | TermsReading>(question: Question): Promise<Reading | ReadFailure> {
    const { venue } = question;
    const restMs = this.#diedAtMs + limits.marketReadsRestartMs - performance.now();
    if (this.#isClosing || restMs > 0) return Promise.resolve(lost(venue));
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const { promise, resolve } = Promise.withResolvers<Reading | ReadFailure>();
    this.#pending.set(this.#lastId, { venue, resolve: reading => resolve(reading as Reading | ReadFailure) });
    this.#worker.postMessage({ ...question, id: this.#lastId } satisfies ToMarketReads);
    return promise;
  }

  #start(): Worker {
    const { targets, log, pulseMs = limits.threadPulseMs } = this.#options;
    const { workerUrl = THREADS.marketReads.entry } = this.#options;
    const [pulse, watch] = [new Pulse(), new PulseWatch()];
    const workerData: MarketReadsData = { targets, pulseMs, pulse: pulse.memory };
    const worker = new Worker(workerUrl, { name: THREADS.marketReads.name, workerData });
    const looks = setInterval(() => this.#checkPulse(watch.look(pulse.beats), worker), pulseMs).unref();
    worker.on('message', ({ id, reading }: FromMarketReads) => {
      this.#pending.get(id)?.resolve(reading);
      this.#pending.delete(id);
    });
    worker.on('error', error => log.warn('thread of market reads failed', faultOf(error)));
    worker.on('exit', code => {
      clearInterval(looks);
      this.#ended(code);
    });
    return worker;
  }

  /** Ends the thread if its heartbeat is missing. That is safe, because the thread has no store. */
  #checkPulse(news: PulseNews | null, worker: Worker): void {
    if (news === null) return;
    this.#options.log.warn(`thread of market reads ${PULSE_WORDS[news]}`);
    if (news === 'silent') void worker.terminate();
  }

  #ended(code: number): void {
    this.#worker = null;
    for (const { venue, resolve } of this.#pending.values()) resolve(lost(venue));
    this.#pending.clear();
    if (this.#isClosing) return;
    this.#diedAtMs = performance.now();
    this.#options.log.warn('thread of market reads ended', { code });
  }
}

function lost(venue: ReadVenue): ReadFailure {
  return busy(venue, 'the thread that reads its markets has ended; another one follows', limits.marketReadsRestartMs);
}
