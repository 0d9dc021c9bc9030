// The dead man's switch of a signing key (contract §4.11): unless it is set anew in time, all its open orders are wanted cancelled. It is
// a row of the store: sockets and restarts do not matter to it, and one that fell due meanwhile fires at once. Setting: any thread;
// watching: executions thread.

import { VENUES } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { OrderId } from '../domain/order.ts';
import { limits } from '../limits.ts';
import type { Timers } from '../runtime/timers.ts';
import type { CancelAfter } from '../store/order-records.ts';
import { wantAllCancelled } from './cancel-wishes.ts';
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
  /** Told which orders are wanted cancelled now, after it is recorded. */
  readonly fired: (owner: CancelAfter, orderIds: readonly OrderId[]) => void;
}

export class CancelAfterWatch {
  readonly #parts: CancelAfterParts;
  #cancelTimer: () => void = () => {};

  constructor(parts: CancelAfterParts) {
    this.#parts = parts;
  }

  start(): void {
    this.check();
    this.#cancelTimer = this.#parts.timers.after(limits.cancelAfterCheckMs, () => this.start());
  }

  stop(): void {
    this.#cancelTimer();
  }

  /** Fires what is due. */
  check(): void {
    const { ledger, timers } = this.#parts;
    for (const { keyId, deadline } of ledger.store.cancelAfters()) {
      if (deadline <= timers.now()) this.#fire(keyId);
    }
  }

  /** Read again within the transaction: it may have been set anew just now. The wishes and the end of the switch are one. */
  #fire(keyId: string): void {
    const { ledger, fired } = this.#parts;
    const done = ledger.change(entry => {
      const { transaction, at } = entry;
      const due = transaction.cancelAfters().find(it => it.keyId === keyId && it.deadline <= at);
      if (due === undefined) return null;
      const { actorId } = due;
      const orders = VENUES.flatMap(venue => wantAllCancelled(entry, { actorId, venue, address: null, keyId }));
      transaction.deleteCancelAfter(keyId);
      return { due, orderIds: orders.map(({ orderId }) => orderId) };
    });
    if (done !== null) fired(done.due, done.orderIds);
  }
}
