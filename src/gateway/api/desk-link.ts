// The main thread's end of the order desks in the pool: their answers as HTTP replies, also where there is none. Main thread.

import type { PodAccounts } from '../../domain/pod-accounts.ts';
import type { Result } from '../../domain/result.ts';
import { jsonText, type Reply } from '../../net/listen.ts';
import { deriveOrderId, readOrderId } from '../../orders/order-ids.ts';
import { monotonicUs } from '../../runtime/clock.ts';
import type { OperationReply, OrderOperation } from '../../threads/order-tasks.ts';
import type { OrderPool, PoolFailure } from '../../threads/pools.ts';
import { unanswered } from './order-operations.ts';

export class DeskLink {
  readonly #pool: OrderPool;
  readonly #pods: readonly PodAccounts[];

  constructor(pool: OrderPool, pods: readonly PodAccounts[]) {
    this.#pool = pool;
    this.#pods = pods;
  }

  /** For a caller that has proven its key. */
  async perform(operation: OrderOperation): Promise<Reply> {
    const done = await this.#pool.operate(operation, null, monotonicUs());
    return this.reply(operation, done.ok ? { ok: true, value: done.value! } : done);
  }

  reply(operation: OrderOperation, outcome: Result<OperationReply, PoolFailure>): Reply {
    if (!outcome.ok) return unanswered(operation, outcome.error, this.#orderIdOf(operation));
    const { status, body, headers } = outcome.value;
    return { ...jsonText(status, body), headers };
  }

  /** Of the order that an operation may have changed. */
  #orderIdOf(operation: OrderOperation): string | null {
    if (operation.name === 'cancel') return readOrderId(operation.orderId);
    if (operation.name !== 'submit') return null;
    const { caller, venue, idempotencyKey } = operation;
    const pod = this.#pods.find(it => it.podId === caller.podId);
    if (pod === undefined) return null;
    return deriveOrderId(Buffer.from(pod.secretHex, 'hex'), caller.actorId, venue, idempotencyKey);
  }
}
