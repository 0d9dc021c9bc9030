// Performs callers' operations. Each operation takes a place, and its signature is checked before it is passed on to the thread that
// performs it. Main thread, and the engine's (src/gateway/door). Each of the two has places of its own.

import type { SignatureCheck } from '../../core/auth/check.ts';
import { ChurningSet } from '../../core/domain/churn.ts';
import { SECOND_MS } from '../../core/domain/durations.ts';
import type { Venue } from '../../core/domain/market.ts';
import {
  isCancel,
  isOfCatalog,
  isOfHistory,
  isSubmission,
  type OperationReply,
  type OrderOperation,
  venuesShown,
} from '../../core/domain/operation.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { whenKnown } from '../../core/domain/soon.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { monotonicMs, monotonicUs } from '../../core/runtime/clock.ts';
import { otherOwnerReply, withNotCurrent } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import type { AwaitedOperation, EngineLink } from '../../orders/engine/engine-link.ts';
import type { HistoryLink } from '../../orders/history/history-link.ts';
import type { CheckPool, PoolFailure } from '../checks/check-pool.ts';
import type { EngineNews } from './engine-news.ts';
import { OperationShares } from './operation-shares.ts';
import { StandingWait } from './standing-wait.ts';

interface OperationsParts {
  readonly checks: Pick<CheckPool, 'verify'>;
  readonly perform: PerformOperation;
  /**
   * The waiting time in milliseconds of the oldest operation that the performing thread has not begun. If absent, no operation waits for
   * that thread.
   */
  readonly waitMs?: () => number;
  readonly metrics: Metrics;
  /** The time in milliseconds, by a monotonic clock that all threads share. */
  readonly nowMs?: () => number;
}

/** Why nothing was done. BEHIND means that orders wait too long for the engine. */
export type OperationFailure = PoolFailure | 'BEHIND';

/** The caller of an operation. Either `done` or `failed` is called, once. If `done` throws, `failed` is called, too. */
export interface Asker<Reply> {
  done(outcome: Result<Reply, OperationFailure>): void;
  /** Is called for a fault of the gateway. */
  failed(error: unknown): void;
  /** Is called with the order's id once the order is recorded, before its answer. */
  readonly recorded?: (orderId: string) => void;
}

/** Whether a signature is right. */
type Verdict = Result<boolean, PoolFailure>;

/** The claim of a caller that has not proven yet that it has signed the request. */
export interface Claim {
  readonly check: SignatureCheck;
  /** Whether the key is still valid once its signature is checked, because a check may have to wait. */
  readonly isLive: (keyId: string) => boolean;
}

interface AdmittedOperation extends Omit<AwaitedOperation, 'operation' | 'done'> {
  readonly operation: OrderOperation;
  done(reply: OperationReply | PoolFailure): void;
}

/** Performs an operation on this thread, or has another thread perform it. */
type PerformOperation = (admitted: AdmittedOperation) => void;

interface Performers {
  readonly checks: Pick<CheckPool, 'list'>;
  readonly engine: Pick<EngineLink, 'operate'>;
  readonly history: Pick<HistoryLink, 'operate'>;
  /** Absent if no other gateway can own the pod, or if the engine itself answers for that case. */
  readonly news?: Pick<EngineNews, 'otherOwner'>;
  /** Whether reads may lack news of the venue. If absent, reads never lack news. */
  readonly isBehind?: (podId: string, venue: Venue) => boolean;
}

const OWN_PODS = { otherOwner: null };

/** Routes an operation to the engine, the history, the check pool, or this thread. */
export function routedTo(performers: Performers): PerformOperation {
  const { checks, engine, history, news = OWN_PODS, isBehind = () => false } = performers;
  return admitted => {
    const { operation, timedFromUs } = admitted;
    if (isOfCatalog(operation)) {
      answerWhenResolved(admitted, checks.list(operation, timedFromUs).then(valueOrFailure));
    } else if (news.otherOwner !== null) {
      admitted.done(otherOwnerReply(news.otherOwner, { isSubmission: isSubmission(operation) }));
    } else {
      const shown = venuesShown(operation);
      const pending = shown.length === 0 ? admitted : markedIfBehind(admitted, shown, isBehind);
      if (isOfHistory(operation)) answerWhenResolved(pending, history.operate(operation, timedFromUs));
      else engine.operate(pending as AwaitedOperation);
    }
  };
}

/** Apart from the others, so that an operation of the engine makes no closure. */
function answerWhenResolved(pending: AdmittedOperation, reply: Promise<OperationReply | PoolFailure>): void {
  whenKnown(
    reply,
    it => pending.done(it),
    error => pending.failed(error),
  );
}

function valueOrFailure<T, E>(done: Result<T, E>): T | E {
  return done.ok ? done.value : done.error;
}

/** Marks the answer of a read that may lack news of its venues, at the time of the request or of the answer. */
function markedIfBehind(
  admitted: AdmittedOperation,
  shown: readonly Venue[],
  isBehind: NonNullable<Performers['isBehind']>,
): AdmittedOperation {
  const { operation, timedFromUs, checkedUs } = admitted;
  const mayLack = (): boolean => shown.some(venue => isBehind(operation.caller.podId, venue));
  const mightLack = mayLack();
  return {
    operation,
    timedFromUs,
    checkedUs,
    done: reply => admitted.done(typeof reply !== 'string' && (mightLack || mayLack()) ? withNotCurrent(reply) : reply),
    failed: error => admitted.failed(error),
    recorded: orderId => admitted.recorded(orderId),
  };
}

/** An operation that holds its place until it is answered. */
class OperationInFlight implements AdmittedOperation {
  readonly operation: OrderOperation;
  readonly timedFromUs: number | null;
  readonly startedAtMs: number;
  checkedUs: AdmittedOperation['checkedUs'] = null;
  readonly #asker: Asker<OperationReply | null>;
  readonly #end: (ended: OperationInFlight) => void;

  constructor(
    operation: OrderOperation,
    timedFromUs: number | null,
    startedAtMs: number,
    asker: Asker<OperationReply | null>,
    end: (ended: OperationInFlight) => void,
  ) {
    this.startedAtMs = startedAtMs;
    this.operation = operation;
    this.timedFromUs = timedFromUs;
    this.#asker = asker;
    this.#end = end;
  }

  done(reply: OperationReply | PoolFailure | null): void {
    this.#end(this);
    try {
      this.#asker.done(typeof reply === 'string' ? fail(reply) : ok(reply));
    } catch (error) {
      this.#asker.failed(error);
    }
  }

  failed(error: unknown): void {
    this.#end(this);
    this.#asker.failed(error);
  }

  recorded(orderId: string): void {
    this.#asker.recorded?.(orderId);
  }
}

export class Operations {
  readonly #parts: OperationsParts;
  readonly #shares = new OperationShares();
  /** The operations in flight, in order of their start. */
  readonly #operations = new ChurningSet<OperationInFlight>();
  /** The operations that wait for their signature check, in order of their start. */
  readonly #unchecked = new ChurningSet<OperationInFlight>();
  readonly #wait = new StandingWait();
  readonly #nowMs: () => number;
  #isOpen = true;
  #onIdle: (() => void) | null = null;

  constructor(parts: OperationsParts) {
    const { metrics, nowMs = monotonicMs } = parts;
    this.#parts = parts;
    this.#nowMs = nowMs;
    metrics.gauge('operations_in_flight', () => this.inFlight);
    metrics.gauge('oldest_operation_seconds', () => this.#ageMs(this.#operations) / SECOND_MS);
    metrics.gauge('engine_wait_seconds', () => this.#waitMs / SECOND_MS);
  }

  /**
   * Performs an operation after its signature is checked. `claim` is null if the caller has proven its key already. The reply is null if
   * the signature is wrong, or the key is not valid any more. `timedFromUs` has the same meaning as in TimedOperation.
   */
  operate(operation: OrderOperation, claim: null, timedFromUs: number | null, asker: Asker<OperationReply>): void;
  operate(
    operation: OrderOperation,
    claim: Claim,
    timedFromUs: number | null,
    asker: Asker<OperationReply | null>,
  ): void;
  operate(
    operation: OrderOperation,
    claim: Claim | null,
    timedFromUs: number | null,
    asker: Asker<OperationReply> & Asker<OperationReply | null>,
  ): void {
    const nowMs = this.#nowMs();
    const isCrowded = this.#shares.inFlight >= limits.engineWaitOperationsMin;
    if (isCrowded && isSubmission(operation) && this.#wait.isTooLong(this.#waitMs, nowMs)) {
      this.#parts.metrics.count('engine_behind_total');
      asker.done(fail('BEHIND'));
      return;
    }
    if (!this.#isOpen || !this.#shares.take(operation)) {
      this.#parts.metrics.count('pool_busy_total');
      asker.done(fail('BUSY'));
      return;
    }
    const underWay = new OperationInFlight(operation, timedFromUs, nowMs, asker, this.#end);
    this.#operations.add(underWay);
    try {
      if (claim === null) this.#parts.perform(underWay);
      else this.#check(underWay, claim);
    } catch (error) {
      underWay.failed(error);
    }
  }

  /** Performs an operation for a caller that has proven its key. Returns a promise, whose cost does not matter here. */
  ask(operation: OrderOperation, timedFromUs: number | null = null): Promise<Result<OperationReply, OperationFailure>> {
    return new Promise((done, failed) => this.operate(operation, null, timedFromUs, { done, failed }));
  }

  /** Accepts no more operations. Resolves when the operations in flight are answered, or after `patienceMs` milliseconds. */
  async close(patienceMs: number): Promise<void> {
    this.#isOpen = false;
    if (this.#shares.inFlight === 0) return;
    await new Promise<void>(resolve => {
      const deadline = setTimeout(resolve, patienceMs);
      this.#onIdle = () => {
        clearTimeout(deadline);
        resolve();
      };
    });
  }

  /** The number of operations without an answer so far. */
  get inFlight(): number {
    return this.#shares.inFlight;
  }

  /** The age of the oldest operation in milliseconds. 0 means that there is no operation. */
  #ageMs([oldest]: Iterable<OperationInFlight>): number {
    return oldest === undefined ? 0 : this.#nowMs() - oldest.startedAtMs;
  }

  get #waitMs(): number {
    const { waitMs = () => 0 } = this.#parts;
    return Math.max(waitMs(), this.#ageMs(this.#unchecked));
  }

  #check(underWay: OperationInFlight, claim: Claim): void {
    const { operation, timedFromUs } = underWay;
    const fromUs = timedFromUs === null ? 0 : monotonicUs();
    const urgency = isCancel(operation) ? 'cancel' : 'other';
    const verdict = this.#parts.checks.verify(claim.check, operation.caller.keyId, urgency);
    if (verdict instanceof Promise) this.#performOnceChecked(underWay, claim, fromUs, verdict);
    else this.#performIfValid(underWay, claim, fromUs, verdict);
  }

  #performOnceChecked(underWay: OperationInFlight, claim: Claim, fromUs: number, verdict: Promise<Verdict>): void {
    this.#unchecked.add(underWay);
    verdict
      .finally(() => this.#unchecked.delete(underWay))
      .then(checked => this.#performIfValid(underWay, claim, fromUs, checked))
      .catch(error => underWay.failed(error));
  }

  #performIfValid(underWay: OperationInFlight, { isLive }: Claim, fromUs: number, checked: Verdict): void {
    if (!checked.ok) underWay.done(checked.error);
    else if (!checked.value || !isLive(underWay.operation.caller.keyId)) underWay.done(null);
    else {
      if (underWay.timedFromUs !== null) underWay.checkedUs = [fromUs, monotonicUs()];
      this.#parts.perform(underWay);
    }
  }

  readonly #end = (ended: OperationInFlight): void => {
    if (!this.#operations.delete(ended)) return;
    this.#shares.giveBack(ended.operation);
    if (this.#shares.inFlight === 0) this.#onIdle?.();
  };
}
