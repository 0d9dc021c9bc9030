// Dead man's switches as callers set them. An order worker records one; where the store takes no changes it is kept here and by the executions
// thread, for as long as the process runs, until that thread has recorded it. Meanwhile all that is asked of the key's switch is done
// here: nobody else may record something older. Main thread.

import type { UnixMillis } from '../domain/numbers.ts';
import { ok, type Result } from '../domain/result.ts';
import type { UnrecordedSwitch } from '../orders/cancel-after.ts';
import { monotonicUs } from '../runtime/clock.ts';
import type { Timers } from '../runtime/timers.ts';
import { readCancelAfter } from '../wire/order-requests.ts';
import { formatTime } from '../wire/time-text.ts';
import { errorReply, recordedReply, switchReply, timed, unavailableReply } from './operation-replies.ts';
import type { CancelAfterOperation, OperationReply } from './order-tasks.ts';
import type { OrderPool, PoolFailure } from './pools.ts';
import { Stopwatch } from './stopwatch.ts';

type SwitchOutcome = Result<OperationReply, PoolFailure>;

interface Kept {
  readonly unrecorded: UnrecordedSwitch;
  /** The store has an earlier one of the key, which a restart brings back. */
  readonly hasRecord: boolean;
}

export class Switches {
  readonly #timers: Pick<Timers, 'now'>;
  readonly #tell: (unrecorded: UnrecordedSwitch) => void;
  /** By signing key: at most as many as there are keys. */
  readonly #kept = new Map<string, Kept>();
  #number = 0;

  /** `tell`: tells the executions thread. */
  constructor(timers: Pick<Timers, 'now'>, tell: (unrecorded: UnrecordedSwitch) => void) {
    this.#timers = timers;
    this.#tell = tell;
  }

  /** For a caller that has proven its key. */
  async set(operation: CancelAfterOperation, pool: Pick<OrderPool, 'operate'>): Promise<SwitchOutcome> {
    const stopwatch = new Stopwatch(monotonicUs());
    const kept = this.#kept.get(operation.caller.keyId);
    if (kept !== undefined) return ok(timed(this.#keep(operation, kept.hasRecord), stopwatch));
    const done = await pool.operate(operation, null, monotonicUs());
    const unrecorded = done.ok ? done.value.unrecordedSwitch : undefined;
    return unrecorded === undefined ? done : ok(timed(this.#keep(operation, unrecorded.hasRecord), stopwatch));
  }

  /** It is in the store now, unless it was set anew meanwhile. */
  forget({ keyId, number }: UnrecordedSwitch): void {
    if (this.#kept.get(keyId)?.unrecorded.number === number) this.#kept.delete(keyId);
  }

  /** To an executions thread that knows nothing yet. */
  tellAll(): void {
    for (const { unrecorded } of this.#kept.values()) this.#tell(unrecorded);
  }

  #keep({ caller, body }: CancelAfterOperation, hasRecord: boolean): OperationReply {
    const timeoutMs = readCancelAfter(body);
    if (!timeoutMs.ok) return errorReply('invalid', timeoutMs.error);
    const { keyId, actorId, podId } = caller;
    const deadline = timeoutMs.value === 0 ? null : ((this.#timers.now() + timeoutMs.value) as UnixMillis);
    this.#number += 1;
    const unrecorded: UnrecordedSwitch = { keyId, actorId, podId, deadline, number: this.#number };
    this.#kept.set(keyId, { unrecorded, hasRecord });
    this.#tell(unrecorded);
    const isSafe = hasRecord || deadline === null;
    return recordedReply(isSafe ? switchReply(deadline) : armed(deadline), false);
  }
}

function armed(deadline: UnixMillis): OperationReply {
  return unavailableReply(
    `the switch could not be recorded: armed until the process ends, it fires at ${formatTime(deadline)}; a gateway that is started anew knows nothing of it`,
  );
}
