// The dead man's switch of a signing key (contract §4.11): unless it is set anew in time, all its open orders are wanted cancelled. It is
// a row of the store: sockets and restarts do not matter to it, and one that fell due meanwhile fires at once. Setting: any thread;
// watching: executions thread.

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

/** When it will fire; null if `timeoutMs` is 0, which takes it away. */
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

export interface CancelAfterParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  /** Told which orders are wanted cancelled now, after it is recorded; of many orders, page by page. */
  readonly fired: (owner: CancelAfter, orderIds: readonly OrderId[]) => void;
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

  /** Fires what is due. */
  check(): void {
    const { ledger, timers } = this.#parts;
    const switches = ledger.store.cancelAfters();
    this.#watched = new Map(switches.map(it => [it.keyId, this.#watch(it)]));
    for (const it of switches) {
      const hasLasted = this.#watched.get(it.keyId)!.dueAt <= timers.elapsed();
      const isDue = hasLasted || hasCome(it.deadline, timers.now(), limits.cancelAfterMsMax);
      if (isDue && !this.#firing.has(it.keyId)) void this.#fire(it);
    }
  }

  #watch({ keyId, deadline }: CancelAfter): Watched {
    const { timers } = this.#parts;
    const known = this.#watched.get(keyId);
    if (known?.deadline === deadline) return known;
    return { deadline, dueAt: timers.elapsed() + (deadline - timers.now()) };
  }

  /** The switch goes after the last of the wishes: when whoever fires it dies in between, it is fired again. */
  async #fire(due: CancelAfter): Promise<void> {
    const { ledger, timers, fired } = this.#parts;
    const { keyId } = due;
    this.#firing.add(keyId);
    for (const page of pagesOf(ledger.store, due)) {
      if (page.length === 0) continue;
      const isFired = ledger.change(entry => {
        const isDue = isStillDue(entry.transaction, due);
        if (isDue) for (const orderId of page) wantCancelled(entry, orderId);
        return isDue;
      });
      if (!isFired) break;
      fired(due, page);
      await turn(timers);
      if (this.#isStopped) return;
    }
    ledger.change(({ transaction }) => isStillDue(transaction, due) && transaction.deleteCancelAfter(keyId));
    this.#firing.delete(keyId);
  }
}

/** Of both venues. */
function* pagesOf(reads: OrderReads, { actorId, keyId }: CancelAfter): Iterable<readonly OrderId[]> {
  for (const venue of VENUES) yield* openOrderPages(reads, { actorId, venue, address: null, keyId });
}

/** Within the transaction: it may have been set anew just now. */
function isStillDue(reads: OrderReads, { keyId, deadline }: CancelAfter): boolean {
  return reads.cancelAfters().some(it => it.keyId === keyId && it.deadline === deadline);
}
