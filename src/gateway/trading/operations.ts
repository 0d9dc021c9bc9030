// Takes callers' operations: each takes a place first, and its signature is checked before it is passed on to the thread that performs it.
// Main thread, and the engine's (src/gateway/door), each with places of its own.

import type { SignatureCheck } from '../../core/auth/check.ts';
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
import { fail, type Later, ok, type Result, whenHere } from '../../core/domain/result.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { monotonicUs } from '../../core/runtime/clock.ts';
import { elsewhereReply, markedIfBehind } from '../../core/wire/replies.ts';
import type { EngineLink } from '../../orders/engine/engine-link.ts';
import type { HistoryLink } from '../../orders/history/history-link.ts';
import type { CheckPool, PoolFailure } from '../checks/check-pool.ts';
import type { EngineNews } from './engine-news.ts';
import { OperationShares } from './operation-shares.ts';

interface OperationsParts {
  readonly checks: Pick<CheckPool, 'verify'>;
  readonly perform: PerformOperation;
  readonly metrics: Metrics;
}

interface AdmittedOperation {
  readonly operation: OrderOperation;
  /** These two are as in TimedOperation. */
  readonly timedFromUs: number | null;
  readonly checkedUs: readonly [from: number, to: number] | null;
  /** Called with the id of an order to be acknowledged, once it is recorded. */
  readonly recorded: ((orderId: string) => void) | undefined;
}

/** The claim of a caller that has not proven its key yet. */
interface Claim {
  readonly check: SignatureCheck;
  /** Whether the key is still valid once its signature is checked: a check may have to wait. */
  readonly isLive: () => boolean;
}

/** Performs an operation on this thread, or has another perform it. */
type PerformOperation = (admitted: AdmittedOperation) => Later<OperationReply | PoolFailure>;

interface Performers {
  readonly checks: Pick<CheckPool, 'list'>;
  readonly engine: Pick<EngineLink, 'operate'>;
  readonly history: Pick<HistoryLink, 'operate'>;
  /** Absent if no other gateway can own the pod, or the engine says so itself. */
  readonly news?: Pick<EngineNews, 'elsewhere'>;
  /** Whether reads may lack news of the venue; absent: they never do. */
  readonly isBehind?: (podId: string, venue: Venue) => boolean;
}

const OURS = { elsewhere: null };

/** Routes an operation to the engine, the history or the check pool, on threads of their own, or to this thread. */
export function routedTo(performers: Performers): PerformOperation {
  const { checks, engine, history, news = OURS, isBehind = () => false } = performers;
  return admitted => {
    const { operation, timedFromUs, checkedUs, recorded } = admitted;
    if (isOfCatalog(operation)) {
      return whenHere(checks.list(operation, timedFromUs), done => (done.ok ? done.value : done.error));
    }
    if (news.elsewhere !== null) return elsewhereReply(news.elsewhere, { isSubmission: isSubmission(operation) });
    const perform = (): Promise<OperationReply> =>
      isOfHistory(operation)
        ? history.operate(operation, timedFromUs)
        : engine.operate({ operation, timedFromUs, checkedUs }, recorded);
    const shown = venuesShown(operation);
    if (shown.length === 0) return perform();
    return markedIfBehind(() => shown.some(venue => isBehind(operation.caller.podId, venue)), perform);
  };
}

interface UnderWay {
  readonly startedAtUs: number;
}

const US_PER_S = 1_000_000;

export class Operations {
  readonly #parts: OperationsParts;
  readonly #shares = new OperationShares();
  /** Operations in flight, oldest first. */
  readonly #underWay = new Set<UnderWay>();
  #isOpen = true;
  #onIdle: () => void = () => {};

  constructor(parts: OperationsParts) {
    const { metrics } = parts;
    this.#parts = parts;
    metrics.gauge('operations_in_flight', () => this.inFlight);
    metrics.gauge('oldest_operation_seconds', () => this.#oldestUs / US_PER_S);
  }

  /**
   * Checks the signature first, unless `claim` is null: the caller has proven its key. The answer is null if the signature is wrong, or the
   * key is not valid any more. `timedFromUs`: as in TimedOperation. `recorded`: called with the id of an order to be
   * acknowledged, once it is recorded and before its answer.
   */
  operate(
    operation: OrderOperation,
    claim: null,
    timedFromUs: number | null,
    recorded?: (orderId: string) => void,
  ): Later<Result<OperationReply, PoolFailure>>;
  operate(
    operation: OrderOperation,
    claim: Claim,
    timedFromUs: number | null,
  ): Later<Result<OperationReply | null, PoolFailure>>;
  operate(
    operation: OrderOperation,
    claim: Claim | null,
    timedFromUs: number | null,
    recorded?: (orderId: string) => void,
  ): Later<Result<OperationReply | null, PoolFailure>> {
    if (!this.#isOpen || !this.#shares.take(operation)) {
      this.#parts.metrics.count('pool_busy_total');
      return fail('BUSY');
    }
    const underWay = { startedAtUs: monotonicUs() };
    this.#underWay.add(underWay);
    const end = (): void => {
      this.#underWay.delete(underWay);
      this.#shares.giveBack(operation);
      if (this.#shares.inFlight === 0) this.#onIdle();
    };
    const ended = (reply: OperationReply | PoolFailure | null): Result<OperationReply | null, PoolFailure> => {
      end();
      return typeof reply === 'string' ? fail(reply) : ok(reply);
    };
    try {
      const reply = this.#checked(operation, claim, timedFromUs, recorded);
      if (!(reply instanceof Promise)) return ended(reply);
      return reply.then(ended, error => {
        end();
        throw error;
      });
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Takes no more operations. Resolves when those in flight are answered, or after `patienceMs` milliseconds. */
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

  /** Operations without an answer so far. */
  get inFlight(): number {
    return this.#shares.inFlight;
  }

  /** Start of the oldest operation; 0 if there is none. */
  get #oldestUs(): number {
    const [oldest] = this.#underWay;
    return oldest === undefined ? 0 : monotonicUs() - oldest.startedAtUs;
  }

  #checked(
    operation: OrderOperation,
    claim: Claim | null,
    timedFromUs: number | null,
    recorded?: (orderId: string) => void,
  ): Later<OperationReply | PoolFailure | null> {
    const { checks, perform } = this.#parts;
    if (claim === null) return perform({ operation, timedFromUs, checkedUs: null, recorded });
    const fromUs = timedFromUs === null ? 0 : monotonicUs();
    const verdict = checks.verify(claim.check, operation.caller.keyId, isCancel(operation) ? 'cancel' : 'other');
    return whenHere(verdict, checked => {
      if (!checked.ok) return checked.error;
      if (!checked.value || !claim.isLive()) return null;
      const checkedUs = timedFromUs === null ? null : ([fromUs, monotonicUs()] as const);
      return perform({ operation, timedFromUs, checkedUs, recorded });
    });
  }
}
