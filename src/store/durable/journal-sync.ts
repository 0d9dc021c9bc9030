// When the journal goes to disk: at once for whoever waits for it, together with everybody who waits at that time; and a
// few milliseconds after a commit for which nobody does. One per thread.

import { NoDescriptor } from './files.ts';
import type { Journal } from './journal.ts';
import type { Position } from './position.ts';

/** `Timers` of the runtime is one. */
export interface StoreTimers {
  after(delayMs: number, task: () => void): () => void;
}

interface Waiters {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

interface JournalSyncOptions {
  readonly journal: Journal;
  readonly timers: StoreTimers;
  readonly delayMs: number;
  /** So long after a commit. */
  onDue(): void;
  /** Of the latest commit of anybody. */
  position(): Position;
  /** The journal may not be on disk: no commit is safe any more. */
  onFailure(error: unknown): void;
}

export class JournalSync {
  readonly #options: JournalSyncOptions;
  #running = false;
  /** Those who came while a sync was under way: it may have begun before their commit. */
  #next: Waiters | null = null;
  #cancelTimer: (() => void) | null = null;
  #synced: number;

  constructor(options: JournalSyncOptions, synced: number) {
    this.#options = options;
    this.#synced = synced;
  }

  /** Everything up to this number is known to be on disk. */
  get synced(): number {
    return this.#synced;
  }

  /** Resolves when everything that is committed now is on disk; rejects with a StoreError when the disk has failed. */
  durable(): Promise<void> {
    this.#next ??= Promise.withResolvers<void>();
    const { promise } = this.#next;
    if (!this.#running) void this.#run(this.#next);
    return promise;
  }

  /** There was a commit. */
  schedule(): void {
    if (this.#cancelTimer !== null) return;
    this.#cancelTimer = this.#options.timers.after(this.#options.delayMs, () => {
      this.#cancelTimer = null;
      this.#options.onDue();
      // The failure has been told.
      this.durable().catch(() => {});
    });
  }

  /** No timer will start a sync any more. */
  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  async #run(waiters: Waiters): Promise<void> {
    this.#next = null;
    this.#running = true;
    try {
      while (!(await this.#isSynced())) await this.#pause();
      waiters.resolve();
    } catch (error) {
      this.#options.onFailure(error);
      waiters.reject(error);
    } finally {
      this.#running = false;
    }
    if (this.#next !== null) void this.#run(this.#next);
  }

  /** False while the segment cannot be opened for want of a descriptor: what was written is there, and will be on disk. */
  async #isSynced(): Promise<boolean> {
    const position = this.#options.position();
    if (position.sequence <= this.#synced) return true;
    try {
      await this.#options.journal.syncSoon(position);
    } catch (error) {
      if (error instanceof NoDescriptor) return false;
      throw error;
    }
    this.#synced = Math.max(this.#synced, position.sequence);
    return true;
  }

  #pause(): Promise<void> {
    return new Promise(resolve => void this.#options.timers.after(this.#options.delayMs, resolve));
  }
}
