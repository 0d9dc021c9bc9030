// Passes operations to other threads and turns their results, or failures, into HTTP replies. Main thread.

import type { PoolFailure } from '../../checks/check-pool.ts';
import type { OperationReply, OrderOperation } from '../../domain/operation.ts';
import type { Result } from '../../domain/result.ts';
import { jsonText, type Reply } from '../../net/listen.ts';
import { monotonicUs } from '../../runtime/clock.ts';
import type { Operations } from '../../trading/operations.ts';
import { unanswered } from './order-operations.ts';

export class DeskLink {
  readonly #operations: Pick<Operations, 'operate'>;

  constructor(operations: Pick<Operations, 'operate'>) {
    this.#operations = operations;
  }

  /** For a caller that has proven its key. */
  async perform(operation: OrderOperation): Promise<Reply> {
    return this.reply(operation, await this.#operations.operate(operation, null, monotonicUs()));
  }

  reply(operation: OrderOperation, outcome: Result<OperationReply, PoolFailure>): Reply {
    if (!outcome.ok) return unanswered(operation, outcome.error);
    const { status, body, headers } = outcome.value;
    return { ...jsonText(status, body), headers };
  }
}
