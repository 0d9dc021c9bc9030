// The dead man's switch of a signing key (contract §4.11). Unless it is set again in time, it cancels all open orders of the key. The
// ledger keeps the switch over disconnects and restarts. A switch that fell due meanwhile fires at once. While the journal takes no
// records, memory keeps the switch. It still fires, and is recorded later. Engine thread.

import { VENUES } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { hasCome, type Timers, turn, whenElapsed } from '../../core/runtime/timers.ts';
import type { CancelAfter, LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import { openOrderPages, recordCancelRequest } from './cancel-requests.ts';
import type { Ledger } from './ledger.ts';

/** The key and actor that own a switch. */
export type SwitchOwner = Omit<CancelAfter, 'deadline'>;

/** A dead man's switch as it was last set. */
export interface SwitchSetting extends SwitchOwner {
  /** The time at which the switch fires. Null means that the switch is disarmed. */
  readonly deadline: UnixMillis | null;
}

export interface SwitchSet extends Pick<SwitchSetting, 'deadline'> {
  /** Whether the setting is recorded. A setting that is kept in memory only is lost if the process ends. */
  readonly isRecorded: boolean;
  /** Whether the ledger has a switch of the key. If the new deadline is not recorded, a restart restores the deadline in the ledger. */
  readonly hasRecord: boolean;
}

interface CancelAfterParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  /** Called with each page of the orders to cancel, and with whether their cancel requests are recorded. */
  readonly onFired: (owner: CancelAfter, orderIds: readonly OrderId[], isRecorded: boolean) => void;
  /** Called once for a switch, when all its cancels are requested, whether recorded or not. */
  readonly onOver?: (owner: CancelAfter) => void;
  /** Reports a fault of the store, as in `ExecutionsParts`. */
  readonly storeFailed: (error: unknown) => void;
}

interface Watched {
  readonly deadline: UnixMillis;
  /** The deadline by `elapsed()`, so that setting the clock back does not delay the cancels. */
  readonly dueAt: number;
}

export class CancelAfterWatch {
  readonly #parts: CancelAfterParts;
  readonly #firing = new Set<string>();
  /** The switches at the last check, by signing key. */
  #watched: ReadonlyMap<string, Watched> = new Map();
  /** The latest settings that are not recorded yet, by signing key. */
  readonly #unrecorded = new Map<string, SwitchSetting>();
  /** The deadlines of switches that have fired without a record, by signing key. */
  readonly #firedUnrecorded = new Map<string, UnixMillis>();
  /** The time by `elapsed()` before which a failed record is not tried again. */
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

  /**
   * Sets the switch to fire `timeoutMs` from now unless it is set again. 0 disarms the switch. The setting holds from now on, whether
   * recorded or not.
   */
  set(owner: SwitchOwner, timeoutMs: number): SwitchSet {
    const { ledger, timers } = this.#parts;
    const { keyId, actorId, podId } = owner;
    const deadline = timeoutMs === 0 ? null : ((timers.now() + timeoutMs) as UnixMillis);
    const setting = { keyId, actorId, podId, deadline };
    const isRecorded = this.#tryToRecord(() => record(ledger, setting));
    if (isRecorded) this.#unrecorded.delete(keyId);
    else this.#unrecorded.set(keyId, setting);
    const hasRecord = ledger.store.cancelAfters().some(it => it.keyId === keyId);
    return { deadline, isRecorded, hasRecord };
  }

  /** Fires the due switches. */
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
    for (const setting of this.#unrecorded.values()) {
      if (!this.#tryToRecord(() => record(this.#parts.ledger, setting))) return;
      this.#unrecorded.delete(setting.keyId);
    }
  }

  /** Returns the latest settings of the armed switches, recorded or not. */
  #switches(): readonly CancelAfter[] {
    const switches = new Map(this.#parts.ledger.store.cancelAfters().map(it => [it.keyId, it]));
    for (const { deadline, ...owner } of this.#unrecorded.values()) {
      if (deadline === null) switches.delete(owner.keyId);
      else switches.set(owner.keyId, { ...owner, deadline });
    }
    return [...switches.values()];
  }

  #hasFired({ keyId, deadline }: CancelAfter): boolean {
    return this.#firedUnrecorded.get(keyId) === deadline;
  }

  /** Runs `work`, which records a change. Returns false if the journal takes no record. */
  #tryToRecord(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      const { storeFailed, timers } = this.#parts;
      storeFailed(error);
      this.#retryAt = timers.elapsed() + limits.cancelAfterRetryMs;
      return false;
    }
  }

  #watch({ keyId, deadline }: CancelAfter): Watched {
    const { timers } = this.#parts;
    const known = this.#watched.get(keyId);
    if (known?.deadline === deadline) return known;
    return { deadline, dueAt: whenElapsed(timers, deadline) };
  }

  async #fire(due: CancelAfter): Promise<void> {
    const { keyId, deadline } = due;
    const isAgain = this.#hasFired(due);
    this.#firing.add(keyId);
    const isRecorded = await this.#fireAll(due);
    if (isRecorded) this.#firedUnrecorded.delete(keyId);
    else if (!this.#isStopped) this.#firedUnrecorded.set(keyId, deadline);
    this.#firing.delete(keyId);
    if (!this.#isStopped && !isAgain) this.#parts.onOver?.(due);
  }

  /**
   * Requests the cancels of the switch, and then removes the switch. If the process ends in between, the switch fires again. Returns false
   * if anything was not recorded. The switch then stays, to be recorded as fired later.
   */
  async #fireAll(due: CancelAfter): Promise<boolean> {
    const { ledger, timers, onFired } = this.#parts;
    const hasFired = this.#hasFired(due);
    let isRecorded = true;
    for (const page of openPagesOf(ledger.store, due)) {
      // The key may have set its switch again since the last page, and then the rest of its orders stay.
      if (!this.#isSet(due)) return true;
      const isPageRecorded = this.#tryToRecord(() => {
        ledger.change(entry => {
          for (const orderId of page) recordCancelRequest(entry, orderId, 'DEAD_MAN');
        });
      });
      isRecorded &&= isPageRecorded;
      if (isPageRecorded || !hasFired) onFired(due, page, isPageRecorded);
      await turn(timers);
      if (this.#isStopped) return false;
    }
    return isRecorded && this.#remove(due);
  }

  /** Removes a switch that has fired. Returns false if the removal could not be recorded. */
  #remove(due: CancelAfter): boolean {
    if (!this.#isSet(due)) return true;
    const { keyId, actorId, podId } = due;
    const gone = { keyId, actorId, podId, deadline: null };
    if (this.#unrecorded.has(keyId)) this.#unrecorded.set(keyId, gone);
    const isRecorded = this.#tryToRecord(() => record(this.#parts.ledger, gone));
    if (isRecorded) this.#unrecorded.delete(keyId);
    return isRecorded;
  }

  #isSet({ keyId, deadline }: CancelAfter): boolean {
    return this.#switches().some(it => it.keyId === keyId && it.deadline === deadline);
  }
}

/** Records a setting. Throws a StoreError if the journal takes no record. */
function record(ledger: Ledger, { deadline, ...owner }: SwitchSetting): void {
  ledger.change(({ transaction }) => {
    if (deadline === null) transaction.deleteCancelAfter(owner.keyId);
    else transaction.putCancelAfter({ ...owner, deadline });
  });
}

/** Returns the open orders of the key at both venues, in pages. */
function* openPagesOf(reads: LiveReads, { actorId, keyId }: CancelAfter): Iterable<readonly OrderId[]> {
  for (const venue of VENUES) yield* openOrderPages(reads, { actorId, venue, address: null, keyId });
}
