// The dead man's switch of a signing key (contract §4.11): unless it is set anew in time, all its open orders are wanted cancelled. It is
// a row of the store: sockets and restarts do not matter to it, and one that fell due meanwhile fires at once. While the store takes no
// changes it is kept in memory, fires all the same, and is recorded when that can be done. Setting: any thread; watching: executions
// thread.

import { VENUES } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { OrderId } from '../domain/order.ts';
import { limits } from '../limits.ts';
import { hasCome, type Timers, turn } from '../runtime/timers.ts';
import type { CancelAfter, OrderReads } from '../store/order-records.ts';
import { openOrderPages, wantCancelled } from './cancel-wishes.ts';
import type { Ledger } from './ledger.ts';

/** Of a request: whose switch it is. */
export type SwitchOwner = Omit<CancelAfter, 'deadline'>;

/** When it will fire; null if `timeoutMs` is 0, which takes it away. Throws a StoreError if that cannot be recorded. */
export function setCancelAfter(ledger: Ledger, owner: SwitchOwner, timeoutMs: number): UnixMillis | null {
  return ledger.change(({ transaction, at }) => {
    if (timeoutMs === 0) {
      transaction.deleteCancelAfter(owner.keyId);
      return null;
    }
    const deadline = (at + timeoutMs) as UnixMillis;
    transaction.putCancelAfter({ ...owner, deadline });
    return deadline;
  });
}

/** As it was set last, where that could not be recorded. */
export interface UnrecordedSwitch extends SwitchOwner {
  /** Null: it was taken away. */
  readonly deadline: UnixMillis | null;
  /** Ascending: it tells two of a key apart. */
  readonly number: number;
}

export interface CancelAfterParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  /** Told which orders are wanted cancelled now, and whether that is recorded; of many orders, page by page. */
  readonly fired: (owner: CancelAfter, orderIds: readonly OrderId[], isRecorded: boolean) => void;
  /** Told that a switch which could not be recorded now is. */
  readonly recorded?: (it: UnrecordedSwitch) => void;
  /** As `ExecutionsParts` have it. */
  readonly storeFailed?: (error: unknown) => void;
}

interface Watched {
  readonly deadline: UnixMillis;
  /** The same by `elapsed()`: a clock that is set back keeps nobody's orders in the book for as long. */
  readonly dueAt: number;
}

export class CancelAfterWatch {
  readonly #parts: CancelAfterParts;
  readonly #firing = new Set<string>();
  /** At the last look, by signing key. */
  #watched: ReadonlyMap<string, Watched> = new Map();
  /** By signing key. */
  readonly #unrecorded = new Map<string, UnrecordedSwitch>();
  /** Deadlines of switches that have fired without a record, by signing key. */
  readonly #firedUnrecorded = new Map<string, UnixMillis>();
  /** As the store had them when it was last read. */
  #rows: readonly CancelAfter[] = [];
  /** By `elapsed()`: before that nothing is tried again that the store did not take. */
  #retryAt = 0;
  #isStopped = false;
  #cancelTimer: () => void = () => {};

  constructor(parts: CancelAfterParts) {
    this.#parts = parts;
  }

  start(): void {
    this.check();
    this.#cancelTimer = this.#parts.timers.after(limits.cancelAfterCheckMs, () => this.start());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
  }

  /** It counts as it is here until it is recorded. */
  hear(it: UnrecordedSwitch): void {
    this.#unrecorded.set(it.keyId, it);
  }

  /** Fires what is due. */
  check(): void {
    const { timers } = this.#parts;
    const isRetried = this.#retryAt <= timers.elapsed();
    if (isRetried) this.#record();
    const switches = this.#switches();
    this.#watched = new Map(switches.map(it => [it.keyId, this.#watch(it)]));
    for (const it of switches) {
      const hasLasted = this.#watched.get(it.keyId)!.dueAt <= timers.elapsed();
      const isDue = hasLasted || hasCome(it.deadline, timers.now(), limits.cancelAfterMsMax);
      const isFired = this.#hasFired(it);
      if (isDue && !this.#firing.has(it.keyId) && (!isFired || isRetried)) void this.#fire(it);
    }
  }

  #record(): void {
    const { ledger, recorded } = this.#parts;
    for (const it of this.#unrecorded.values()) {
      const { keyId, actorId, podId, deadline } = it;
      const isRecorded = this.#unlessItFails(() => {
        ledger.change(({ transaction }) => {
          if (deadline === null) transaction.deleteCancelAfter(keyId);
          else transaction.putCancelAfter({ keyId, actorId, podId, deadline });
        });
      });
      if (!isRecorded) return;
      this.#unrecorded.delete(keyId);
      recorded?.(it);
    }
  }

  /** As they were set last, recorded or not. */
  #switches(): readonly CancelAfter[] {
    this.#unlessItFails(() => {
      this.#rows = this.#parts.ledger.store.cancelAfters();
    });
    const switches = new Map(this.#rows.map(it => [it.keyId, it]));
    for (const { keyId, actorId, podId, deadline } of this.#unrecorded.values()) {
      if (deadline === null) switches.delete(keyId);
      else switches.set(keyId, { keyId, actorId, podId, deadline });
    }
    return [...switches.values()];
  }

  #hasFired({ keyId, deadline }: CancelAfter): boolean {
    return this.#firedUnrecorded.get(keyId) === deadline;
  }

  /** False if the store has failed. */
  #unlessItFails(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      const { storeFailed, timers } = this.#parts;
      if (storeFailed === undefined) throw error;
      storeFailed(error);
      this.#retryAt = timers.elapsed() + limits.cancelAfterRetryMs;
      return false;
    }
  }

  #watch({ keyId, deadline }: CancelAfter): Watched {
    const { timers } = this.#parts;
    const known = this.#watched.get(keyId);
    if (known?.deadline === deadline) return known;
    return { deadline, dueAt: timers.elapsed() + (deadline - timers.now()) };
  }

  async #fire(due: CancelAfter): Promise<void> {
    const { keyId, deadline } = due;
    this.#firing.add(keyId);
    let isRecorded = false;
    try {
      isRecorded = await this.#fireAll(due);
    } catch (error) {
      // That the store cannot be read.
      this.#unlessItFails(() => {
        throw error;
      });
    }
    if (isRecorded) this.#firedUnrecorded.delete(keyId);
    else if (!this.#isStopped) this.#firedUnrecorded.set(keyId, deadline);
    this.#firing.delete(keyId);
  }

  /**
   * The switch goes after the last of the wishes: when whoever fires it dies in between, it is fired again. False if not all of it could
   * be recorded; then it stays, and is recorded as fired later.
   */
  async #fireAll(due: CancelAfter): Promise<boolean> {
    const { ledger, timers, fired } = this.#parts;
    const hasFired = this.#hasFired(due);
    let isRecorded = true;
    for (const page of pagesOf(ledger.store, due)) {
      if (page.length === 0) continue;
      const outcome = this.#want(due, page);
      if (outcome === 'set-anew') return true;
      isRecorded &&= outcome === 'recorded';
      if (outcome === 'recorded' || !hasFired) fired(due, page, outcome === 'recorded');
      await turn(timers);
      if (this.#isStopped) return false;
    }
    return isRecorded && this.#remove(due);
  }

  /** What has fired is taken away; false if that could not be recorded. */
  #remove(due: CancelAfter): boolean {
    const { ledger } = this.#parts;
    const kept = this.#unrecorded.get(due.keyId);
    if (kept !== undefined && this.#isKept(due)) this.#unrecorded.set(due.keyId, { ...kept, deadline: null });
    return this.#unlessItFails(() => {
      ledger.change(({ transaction }) => isStillDue(transaction, due) && transaction.deleteCancelAfter(due.keyId));
    });
  }

  /** Whether memory alone has it so. */
  #isKept(due: CancelAfter): boolean {
    return this.#unrecorded.get(due.keyId)?.deadline === due.deadline;
  }

  #want(due: CancelAfter, page: readonly OrderId[]): 'recorded' | 'unrecorded' | 'set-anew' {
    let isDue = this.#switches().some(it => isSame(it, due));
    const isKept = this.#isKept(due);
    const isRecorded =
      isDue &&
      this.#unlessItFails(() => {
        isDue = this.#parts.ledger.change(entry => {
          const isStill = isKept || isStillDue(entry.transaction, due);
          if (isStill) for (const orderId of page) wantCancelled(entry, orderId);
          return isStill;
        });
      });
    if (!isDue) return 'set-anew';
    return isRecorded ? 'recorded' : 'unrecorded';
  }
}

/** Of both venues. */
function* pagesOf(reads: OrderReads, { actorId, keyId }: CancelAfter): Iterable<readonly OrderId[]> {
  for (const venue of VENUES) yield* openOrderPages(reads, { actorId, venue, address: null, keyId });
}

/** Within the transaction: it may have been set anew just now. */
function isStillDue(reads: OrderReads, due: CancelAfter): boolean {
  return reads.cancelAfters().some(it => isSame(it, due));
}

function isSame(one: CancelAfter, other: CancelAfter): boolean {
  return one.keyId === other.keyId && one.deadline === other.deadline;
}
