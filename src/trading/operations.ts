// Routes callers' operations to the thread that performs them: engine, history, or check pool. An operation takes a place first; its
// signature is checked before it is passed on. Main thread.

import type { SignatureCheck } from '../auth/check.ts';
import type { CheckPool, PoolFailure } from '../checks/check-pool.ts';
import { isCancel, type OperationReply, type OrderOperation } from '../domain/operation.ts';
import { fail, ok, type Result, unreachable } from '../domain/result.ts';
import type { EngineLink } from '../engine/engine-link.ts';
import type { HistoryLink } from '../history/history-link.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { monotonicUs } from '../runtime/clock.ts';
import { OperationShares } from './operation-shares.ts';

interface OperationsParts {
  readonly checks: Pick<CheckPool, 'verify' | 'list'>;
  readonly engine: Pick<EngineLink, 'operate'>;
  readonly history: Pick<HistoryLink, 'operate'>;
  readonly metrics: Metrics;
}

interface UnderWay {
  readonly startedAtUs: number;
}

const US_PER_S = 1_000_000;

export class Operations {
  readonly #parts: OperationsParts;
  readonly #shares = new OperationShares();
  /** Oldest first. */
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
   * Checks the signature first, unless `check` is null: the caller has proven its key. The answer is null if the signature is wrong.
   * `startedAtUs`: arrival of the request, by monotonicUs(). `recorded`: called with the id of an order to be acknowledged, once it is
   * recorded and before its answer.
   */
  operate(
    operation: OrderOperation,
    check: null,
    startedAtUs: number,
    recorded?: (orderId: string) => void,
  ): Promise<Result<OperationReply, PoolFailure>>;
  operate(
    operation: OrderOperation,
    check: SignatureCheck,
    startedAtUs: number,
  ): Promise<Result<OperationReply | null, PoolFailure>>;
  async operate(
    operation: OrderOperation,
    check: SignatureCheck | null,
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
      return await this.#checked(operation, check, startedAtUs, recorded);
    } finally {
      this.#underWay.delete(underWay);
      this.#shares.giveBack(operation);
      if (this.#shares.inFlight === 0) this.#onIdle();
    }
  }

  /** Takes no more operations. Resolves when those under way are answered, or after `patienceMs` milliseconds. */
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
    check: SignatureCheck | null,
    startedAtUs: number,
    recorded?: (orderId: string) => void,
  ): Promise<Result<OperationReply | null, PoolFailure>> {
    if (check === null) return this.#performed(operation, startedAtUs, null, recorded);
    const fromUs = monotonicUs();
    const kind = isCancel(operation) ? 'cancel' : 'other';
    const verdict = await this.#parts.checks.verify(check, operation.caller.keyId, kind);
    if (!verdict.ok) return verdict;
    return verdict.value ? this.#performed(operation, startedAtUs, [fromUs, monotonicUs()]) : ok(null);
  }

  async #performed(
    operation: OrderOperation,
    startedAtUs: number,
    checkedUs: readonly [from: number, to: number] | null,
    recorded?: (orderId: string) => void,
  ): Promise<Result<OperationReply, PoolFailure>> {
    const { checks, engine, history } = this.#parts;
    switch (operation.name) {
      case 'markets':
      case 'events':
      case 'event-markets':
        return checks.list(operation, startedAtUs);
      case 'list':
      case 'fills':
      case 'older-orders':
        return ok(await history.operate(operation, startedAtUs));
      case 'submit':
      case 'submit-batch':
      case 'get':
      case 'cancel':
      case 'cancel-batch':
      case 'cancel-all':
      case 'cancel-after':
      case 'protection':
      case 'venue-budgets':
      case 'balance':
      case 'positions':
      case 'older-balances':
      case 'stop':
      case 'resume':
        return ok(await engine.operate({ operation, startedAtUs, checkedUs }, recorded));
      default:
        return unreachable(operation);
    }
  }
}
