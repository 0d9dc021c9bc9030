// An operation under a signing key, from the request that asks for it to its answer. Main thread, and the engine’s (src/gateway/door).

import type { Prechecked } from '../../core/auth/check.ts';
import type { KeyEntry } from '../../core/auth/keyring.ts';
import type { Scope } from '../../core/domain/identity.ts';
import type { OperationReply, OrderOperation } from '../../core/domain/operation.ts';
import type { Result } from '../../core/domain/result.ts';
import type { Header } from '../../core/net/listen.ts';
import type { Asker, Claim, OperationFailure } from '../trading/operations.ts';
import type { Refusal } from './api-refusals.ts';
import type { Claimant } from './failed-checks.ts';
import type { Bucket } from './rate-limits.ts';

/** The requirements of an operation. If `scope` is null, any live key is admitted. */
export interface Needs {
  readonly scope: Scope | null;
  readonly bucket: Bucket;
  /** The number of requests that the operation counts for. The default is 1. */
  readonly cost?: number;
}

/** The result for a caller that has proven its key. */
export interface Operated {
  readonly outcome: Result<OperationReply, OperationFailure>;
  readonly operation: OrderOperation;
  /** The `RateLimit` headers of the caller. */
  readonly headers: readonly Header[];
}

/** Null means that the signature is wrong, or that the key is revoked. */
export type Concluded = Result<OperationReply | null, OperationFailure>;

/** Asks for an operation, and takes the answer, exactly once: a refusal, the result of the operation, or a fault of the gateway. */
export interface Requester {
  /** Reads the operation from a request that is otherwise valid. */
  operationOf(key: KeyEntry): Result<OrderOperation, Refusal>;
  answer(done: Result<Operated, Refusal>): void;
  failed(error: unknown): void;
}

/** A request that is valid except for its signature, which is not checked yet. `caller` is the caller that the request claims. */
export interface Claimed extends Prechecked, Claim {
  readonly address: string;
  readonly caller: Claimant;
}

/** Settles the token of an operation by its reply. */
type Conclude = (reserved: Reserved, reply: Concluded) => Result<Operated, Refusal>;

/** An operation whose token was taken before the check of its signature, until its answer. */
export class Reserved implements Asker<OperationReply | null> {
  readonly claimed: Claimed;
  readonly needs: Needs;
  readonly operation: OrderOperation;
  readonly #requester: Requester;
  readonly #conclude: Conclude;

  constructor(claimed: Claimed, needs: Needs, operation: OrderOperation, requester: Requester, conclude: Conclude) {
    this.claimed = claimed;
    this.needs = needs;
    this.operation = operation;
    this.#requester = requester;
    this.#conclude = conclude;
  }

  done(reply: Concluded): void {
    this.#requester.answer(this.#conclude(this, reply));
  }

  failed(error: unknown): void {
    this.#requester.failed(error);
  }
}
