// Signature checks for the door on the engine's thread. This thread makes the first check of a turn itself, while the pool has no check of
// the door. All other checks go over main to the check pool (ADR 0023), which bounds them as it bounds main's own checks. Engine thread.

import type { SignatureCheck } from '../../core/auth/check.ts';
import { proveVerification, verifySignature } from '../../core/auth/ed25519.ts';
import { ChurningMap } from '../../core/domain/churn.ts';
import { ok, type Result } from '../../core/domain/result.ts';
import type { Soon } from '../../core/domain/soon.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { monotonicUs } from '../../core/runtime/clock.ts';
import type { CheckPool, PoolFailure } from '../checks/check-pool.ts';
import type { CheckLane, Urgency } from '../checks/check-queue.ts';
import { TasksOfTurn } from '../checks/tasks-of-turn.ts';
import type { NumberedCheck } from './door-messages.ts';

interface DoorChecksParts {
  /** Whether this thread makes the first check of a turn of its event loop. */
  readonly checksOnThisThread: boolean;
  readonly ask: (check: NumberedCheck) => void;
  readonly metrics: Metrics;
}

export class DoorChecks implements Pick<CheckPool, 'verify'> {
  readonly #parts: DoorChecksParts;
  readonly #verifyTimes: number;
  readonly #ownTasks = new TasksOfTurn(1);
  readonly #waiting = new ChurningMap<number, (outcome: Result<boolean, PoolFailure>) => void>();
  #number = 0;

  constructor(parts: DoorChecksParts) {
    this.#parts = parts;
    this.#verifyTimes = parts.metrics.histogram('auth_verify_seconds');
    proveVerification();
  }

  /** Checks a signature. A check for a caller that has not proven its key never runs on this thread. */
  verify(check: SignatureCheck, lane: CheckLane, urgency: Urgency = 'other'): Soon<Result<boolean, PoolFailure>> {
    const { checksOnThisThread, ask, metrics } = this.#parts;
    const mayBeHere = checksOnThisThread && lane !== null && this.#waiting.size === 0;
    if (mayBeHere && this.#ownTasks.take()) {
      const beganUs = monotonicUs();
      const isRight = verifySignature(check);
      metrics.observe(this.#verifyTimes, monotonicUs() - beganUs);
      return ok(isRight);
    }
    this.#number += 1;
    const number = this.#number;
    return new Promise(resolve => {
      this.#waiting.set(number, resolve);
      ask({ type: 'check', number, check, lane, urgency });
    });
  }

  /** Takes in the pool's answer to the check with this number. */
  settle(number: number, outcome: Result<boolean, PoolFailure>): void {
    this.#waiting.get(number)?.(outcome);
    this.#waiting.delete(number);
  }
}
