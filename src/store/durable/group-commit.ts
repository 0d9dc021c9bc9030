// Commits that are wanted in one turn of the event loop share one transaction, and so one journal record: each costs
// less than half of what it would alone. Any thread that has a store.

import { limits } from '../../limits.ts';
import { StoreError } from '../store-error.ts';

/** `safe`: as safe as the store's mode says. `made`: survives kill -9, in every mode. */
export type Until = 'safe' | 'made';

interface Waiting {
  readonly until: Until;
  /** Runs the caller's work; what that returns is kept for `settle`. */
  readonly run: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface GroupCommitOptions {
  /** Whether a commit waits for the others of its turn of the event loop; where there are none, that only takes time. */
  readonly gathers: boolean;
  /** Runs `work` in one transaction; what it throws undoes all of it. */
  transact(work: () => void): void;
  /** Size of the transaction that is under way. */
  bytes(): number;
  /** Resolves when what has been committed is as safe as a commit of this store should be; null if it is already. */
  safe(): Promise<void> | null;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: Waiting[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  add<T>(work: () => T, until: Until): Promise<T> {
    if (this.#waiting.length >= limits.storeCommitsWaitingMax) {
      const bound = `storeCommitsWaitingMax (${limits.storeCommitsWaitingMax})`;
      return Promise.reject(new StoreError(`store: ${bound} commits are waiting`));
    }
    return new Promise<T>((resolve, reject) => {
      let value: T;
      this.#waiting.push({
        until,
        run: () => {
          value = work();
        },
        resolve: () => resolve(value),
        reject,
      });
      if (!this.#options.gathers) this.flush();
      // After the input that is there now has been read, so that commits which it asks for come along.
      else if (this.#waiting.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Makes all commits that wait. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let done = 0; done < waiting.length; ) done += this.#commit(waiting, done);
  }

  /** Commits from `start` on until the transaction is full; returns how many, one at least. */
  #commit(waiting: readonly Waiting[], start: number): number {
    let end = start;
    let isWorkAtFault = false;
    try {
      this.#options.transact(() => {
        while (end < waiting.length && this.#options.bytes() < limits.storeGroupBytes) {
          end += 1;
          isWorkAtFault = true;
          waiting[end - 1]!.run();
          isWorkAtFault = false;
        }
      });
    } catch (error) {
      // Refused before any of them ran, as all of them would be: a store that takes no changes.
      if (end === start) end = waiting.length;
      if (isWorkAtFault && end - start > 1) {
        // One of them has undone all: each by itself, once more.
        for (let index = start; index < end; index++) this.#commitAlone(waiting[index]!);
      } else {
        for (const it of waiting.slice(start, end)) it.reject(error);
      }
      return end - start;
    }
    this.#settle(waiting.slice(start, end));
    return end - start;
  }

  #commitAlone(waiting: Waiting): void {
    try {
      this.#options.transact(waiting.run);
    } catch (error) {
      waiting.reject(error);
      return;
    }
    this.#settle([waiting]);
  }

  #settle(committed: readonly Waiting[]): void {
    const patient = committed.filter(({ until }) => until === 'safe');
    const safe = patient.length === 0 ? null : this.#options.safe();
    for (const { until, resolve } of committed) if (safe === null || until === 'made') resolve();
    safe?.then(
      () => {
        for (const { resolve } of patient) resolve();
      },
      error => {
        for (const { reject } of patient) reject(error);
      },
    );
  }
}
