// Takes callers' operations: each takes a place first, and its signature is checked before it is passed on to the thread that performs it.
// Main thread, and the engine's (src/gateway/door), each with places of its own.

import type { SignatureCheck } from '../../core/auth/check.ts';
import type { Venue } from '../../core/domain/market.ts';
import {
  type EngineOperation,
  type HistoryOperation,
  isCancel,
  isSubmission,
  type OperationReply,
  type OrderOperation,
  type TimedOperation,
  venuesShown,
} from '../../core/domain/operation.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
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
  /** Arrival of the request, by monotonicUs(). */
  readonly startedAtUs: number;
  /** Start and end of the signature check; null: it was checked before the operation. */
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
type PerformOperation = (admitted: AdmittedOperation) => Promise<Result<OperationReply, PoolFailure>>;

interface Performers {
  readonly checks: Pick<CheckPool, 'list'>;
  readonly engine: Pick<EngineLink, 'operate'>;
  readonly history: Pick<HistoryLink, 'operate'>;
  /** Absent if no other gateway can own the pod, or the engine says so itself. */
  readonly news?: Pick<EngineNews, 'elsewhere'>;
  /** Whether reads may lack news of the venue; absent if they never do. */
  readonly isBehind?: (podId: string, venue: Venue) => boolean;
}

type LedgerOperation = EngineOperation | HistoryOperation;

const OURS = { elsewhere: null };

/** Routes an operation to the engine, the history or the check pool, on threads of their own, or to this thread. */
export function routedTo(performers: Performers): PerformOperation {
  const { checks, news = OURS, isBehind = () => false } = performers;
  return async ({ operation, startedAtUs, checkedUs, recorded }) => {
    switch (operation.name) {
      case 'markets':
      case 'events':
      case 'event-markets':
        return checks.list(operation, startedAtUs);
      default:
        break;
    }
    if (news.elsewhere !== null) return ok(elsewhereReply(news.elsewhere, { isSubmission: isSubmission(operation) }));
    const mayLack = (): boolean => venuesShown(operation).some(venue => isBehind(operation.caller.podId, venue));
    return ok(
      await markedIfBehind(mayLack, () => ofLedger(performers, { operation, startedAtUs, checkedUs }, recorded)),
    );
  };
}

function ofLedger(
  { engine, history }: Performers,
  { operation, startedAtUs, checkedUs }: Omit<TimedOperation, 'operation'> & { operation: LedgerOperation },
  recorded: AdmittedOperation['recorded'],
): Promise<OperationReply> {
  switch (operation.name) {
    case 'list':
    case 'fills':
    case 'older-orders':
    case 'list-actions':
      return history.operate(operation, startedAtUs);
    default:
      return engine.operate({ operation, startedAtUs, checkedUs }, recorded);
  }
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
   * key is not valid any more. `startedAtUs`: arrival of the request, by monotonicUs(). `recorded`: called with the id of an order to be
   * acknowledged, once it is recorded and before its answer.
   */
  operate(
    operation: OrderOperation,
    claim: null,
    startedAtUs: number,
    recorded?: (orderId: string) => void,
  ): Promise<Result<OperationReply, PoolFailure>>;
  operate(
    operation: OrderOperation,
    claim: Claim,
    startedAtUs: number,
  ): Promise<Result<OperationReply | null, PoolFailure>>;
  async operate(
    operation: OrderOperation,
    claim: Claim | null,
    startedAtUs: number,
    recorded?: (orderId: string) => void,
  ): Promise<Result<OperationReply | null, PoolFailure>> {
    if (!this.#isOpen || !this.#shares.take(operation)) {
      this.#parts.metrics.count('pool_busy_total');
      return fail('BUSY');
    }
    const underWay = { startedAtUs };
    this.#underWay.add(underWay);
    try {
      return await this.#checked(operation, claim, startedAtUs, recorded);
    } finally {
      this.#underWay.delete(underWay);
      this.#shares.giveBack(operation);
      if (this.#shares.inFlight === 0) this.#onIdle();
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

  async #checked(
    operation: OrderOperation,
    claim: Claim | null,
    startedAtUs: number,
    recorded?: (orderId: string) => void,
  ): Promise<Result<OperationReply | null, PoolFailure>> {
    const { checks, perform } = this.#parts;
    if (claim === null) return perform({ operation, startedAtUs, checkedUs: null, recorded });
    const fromUs = monotonicUs();
    const kind = isCancel(operation) ? 'cancel' : 'other';
    const verdict = await checks.verify(claim.check, operation.caller.keyId, kind);
    if (!verdict.ok) return verdict;
    if (!verdict.value || !claim.isLive()) return ok(null);
    return perform({ operation, startedAtUs, checkedUs: [fromUs, monotonicUs()], recorded });
  }
}
