// The main thread's end of the catalog thread: starts it, and keeps the last catalog that it has shown. Main thread.

import type { Snapshot } from '../catalog/snapshot-writer.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { DiscoveryTargets } from './catalog-discoveries.ts';
import type { CatalogThreadData, ShownCatalog } from './catalog-worker.ts';
import { LastingThread } from './lasting-thread.ts';

export interface CatalogLinkOptions {
  /** Null: there is nothing to read. */
  readonly targets: DiscoveryTargets | null;
  readonly storeFolder: string;
  readonly metrics: Metrics;
  readonly log: Log;
}

export class CatalogLink {
  readonly #thread: LastingThread | null;
  #shown: ShownCatalog | null = null;

  constructor({ targets, storeFolder, metrics, log }: CatalogLinkOptions) {
    metrics.gauge('catalog_markets', () => this.#shown?.markets ?? 0);
    metrics.gauge('catalog_events', () => this.#shown?.events ?? 0);
    this.#thread =
      targets === null
        ? null
        : this.#start({ targets, storeFolder, metrics: metrics.shared, logLevel: log.level }, log);
  }

  /** What is known now; null before the first page of a venue has been read, unless something was stored. */
  get snapshot(): Snapshot | null {
    if (this.#shown === null) return null;
    const { memory, generation } = this.#shown;
    return { memory, generation };
  }

  /** Both venues have been read whole. */
  get isWhole(): boolean {
    return this.#shown?.isWhole ?? false;
  }

  /** Resolves when its thread has ended. */
  async close(): Promise<void> {
    await this.#thread?.close();
  }

  /** Ends the thread as a fault would: for tests and fault campaigns. */
  async kill(): Promise<void> {
    await this.#thread?.kill();
  }

  #start(workerData: CatalogThreadData, log: Log): LastingThread {
    return new LastingThread({
      name: 'catalog',
      url: new URL('./catalog-worker.ts', import.meta.url),
      workerData,
      log,
      onMessage: message => {
        const shown = message as ShownCatalog;
        // A new thread begins with what was stored: what the last one knew is better until it has read everything.
        if (shown.isWhole || !this.isWhole) this.#shown = shown;
      },
    });
  }
}
