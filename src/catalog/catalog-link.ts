// The main thread's end of the catalog thread: starts it and keeps its latest catalog. Main thread.

import type { Venue } from '../core/domain/market.ts';
import type { CatalogSnapshot } from '../core/domain/operation.ts';
import { fail, ok, type Result } from '../core/domain/result.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import { LastingThread } from '../core/runtime/lasting-thread.ts';
import type { Log } from '../core/runtime/log.ts';
import { type Timers, wallTimers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import { THREADS } from '../threads.ts';
import type { CatalogNews, CatalogThreadData, ShownCatalog, ToCatalog } from './catalog-worker.ts';
import type { DiscoveryTargets, RecordedLists } from './venue-reader.ts';

/**
 * The wait of requests for the first catalog, if none is stored: no caller gets an empty list meanwhile. The time and the number of waiting
 * requests are bounded. After the wait a request costs one look at a boolean.
 */
export class FirstCatalog {
  readonly #over = Promise.withResolvers<void>();
  readonly #cancel: () => void;
  #isAwaited = true;
  #waiting = 0;

  constructor(timers: Timers, patienceMs: number) {
    this.#cancel = timers.after(patienceMs, () => this.end());
  }

  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Resolves with true when the wait is over, for any reason. Resolves with false at once if too many requests wait already. */
  async wait(): Promise<boolean> {
    if (!this.#isAwaited) return true;
    if (this.#waiting === limits.firstCatalogWaitingMax) return false;
    this.#waiting += 1;
    await this.#over.promise;
    return true;
  }

  /** Ends the wait: the first catalog is there, or requests must not wait any longer. */
  end(): void {
    this.#isAwaited = false;
    this.#cancel();
    this.#over.resolve();
  }
}

interface CatalogLinkOptions {
  /** The lists to read. Null means that there is nothing to read. */
  readonly targets: DiscoveryTargets | RecordedLists | null;
  /** The reason why lists are refused without targets. Null, the default, means that lists are empty then. */
  readonly absent?: string | null;
  readonly storeFolder: string;
  /** The folder of the recording that gets the listings of recorded markets. Null, the default, means that nothing is recorded. */
  readonly recordingFolder?: string | null;
  readonly metrics: Metrics;
  readonly log: Log;
  /** The milliseconds for which lists wait for the first catalog. The default is `firstCatalogMs`. */
  readonly patienceMs?: number;
}

const UNREAD = 'the venues’ markets are still being read for the first time: ask again';

export class CatalogLink {
  readonly #thread: LastingThread | null;
  readonly #first: FirstCatalog;
  readonly #absent: string | null;
  #shown: ShownCatalog | null = null;
  #isPassed: boolean;
  #onCatalog: (snapshot: CatalogSnapshot | null) => void = () => {};
  readonly #endReadyWait: () => void;
  readonly #recorded = new Map<string, ToCatalog>();

  constructor(options: CatalogLinkOptions) {
    const { targets, absent = null, storeFolder, recordingFolder = null, metrics, log } = options;
    this.#absent = absent;
    metrics.gauge('catalog_markets', () => this.#shown?.markets ?? 0);
    metrics.gauge('catalog_events', () => this.#shown?.events ?? 0);
    this.#first = new FirstCatalog(wallTimers, options.patienceMs ?? limits.firstCatalogMs);
    if (targets === null) this.#first.end();
    this.#isPassed = targets === null;
    this.#endReadyWait = wallTimers.after(limits.readyWaitMs, () => {
      this.#isPassed = true;
      this.#notify();
    });
    this.#thread =
      targets === null
        ? null
        : this.#start({ targets, storeFolder, recordingFolder, metrics: metrics.shared, logLevel: log.level }, log);
    this.#thread?.countLosses(metrics, 'catalog');
  }

  /** The latest catalog. Null means that no venue's first page has been read, and that no catalog was stored. */
  get snapshot(): CatalogSnapshot | null {
    if (this.#shown === null) return null;
    const { memory, generation } = this.#shown;
    return { memory, generation };
  }

  /**
   * The snapshot that answers lists. Null means that no venue is listed. An error means that no venue has been read yet, or that none ever
   * will be.
   */
  get known(): Result<CatalogSnapshot | null, string> {
    if (this.#absent !== null) return fail(this.#absent);
    const { snapshot } = this;
    const isUnread = snapshot === null && this.#thread !== null;
    return isUnread || this.#first.isAwaited ? fail(UNREAD) : ok(snapshot);
  }

  /** True while the first catalog is being read. Lists wait meanwhile, because callers would take a part of the catalog for the whole. */
  get isAwaited(): boolean {
    return this.#first.isAwaited;
  }

  /** Resolves with true when there is a first catalog or the wait is over. Resolves with false if too many requests wait already. */
  whenKnown(): Promise<boolean> {
    return this.#first.wait();
  }

  /** Ends the wait for the first catalog: waiting requests are answered now. */
  endWait(): void {
    this.#first.end();
  }

  /** Whether every venue that can be reached has been read completely once since the start, or has taken too long. */
  get isPassed(): boolean {
    return this.#isPassed;
  }

  /** Whether both venues have been read completely. */
  get isWhole(): boolean {
    return this.#shown?.isWhole ?? false;
  }

  /** Records the listings of the market from now on. */
  record(venue: Venue, address: string): void {
    const name = `${venue} ${address}`;
    if (this.#recorded.has(name)) return;
    const message: ToCatalog = { venue, address };
    this.#recorded.set(name, message);
    this.#thread?.send(message);
  }

  /**
   * Calls `listener` with each catalog, from the first complete one on. Null means that there is no catalog, or the venues take too long.
   */
  follow(listener: (snapshot: CatalogSnapshot | null) => void): void {
    this.#onCatalog = listener;
    this.#notify();
  }

  #notify(): void {
    if (this.#isPassed || this.#shown?.isStored === true || this.isWhole) this.#onCatalog(this.snapshot);
  }

  /** Resolves when the catalog thread has ended. */
  async close(): Promise<void> {
    this.#first.end();
    this.#endReadyWait();
    await this.#thread?.close();
  }

  /** Kills the thread, as a fault would. For tests and fault campaigns. */
  async kill(): Promise<void> {
    await this.#thread?.kill();
  }

  #start(workerData: CatalogThreadData, log: Log): LastingThread {
    return new LastingThread({
      ...THREADS.catalog,
      workerData,
      log,
      onRestart: () => {
        for (const message of this.#recorded.values()) this.#thread?.send(message);
      },
      onMessage: message => {
        const shown = message as CatalogNews;
        if (shown.isPassed) this.#isPassed = true;
        if (!('memory' in shown)) return this.#notify();
        // A new thread starts from the stored lists. The last catalog is more complete until the new thread has read both venues.
        if (shown.isWhole || !this.isWhole) this.#shown = shown;
        if (shown.isWhole || shown.isStored) this.#first.end();
        this.#notify();
      },
    });
  }
}
