// The main thread's end of the order desks in the pool: their answers as HTTP replies, also where there is none. Main thread.

import type { OrderId } from '../../domain/order.ts';
import type { PodAccounts } from '../../domain/pod-accounts.ts';
import type { Result } from '../../domain/result.ts';
import { jsonText, type Reply } from '../../net/listen.ts';
import { deriveOrderId, readOrderId } from '../../orders/order-ids.ts';
import { monotonicUs } from '../../runtime/clock.ts';
import type { OrderReads } from '../../store/order-records.ts';
import { StoreError } from '../../store/store-error.ts';
import type { OperationReply, OrderOperation } from '../../threads/order-tasks.ts';
import type { OrderPool, PoolFailure } from '../../threads/pools.ts';
import type { Switches } from '../../threads/switches.ts';
import { unanswered } from './order-operations.ts';

export class DeskLink {
  readonly #pool: OrderPool;
  readonly #switches: Pick<Switches, 'set'>;
  readonly #pods: readonly PodAccounts[];
  readonly #orders: Pick<OrderReads, 'order'>;

  constructor(
    pool: OrderPool,
    switches: Pick<Switches, 'set'>,
    pods: readonly PodAccounts[],
    orders: Pick<OrderReads, 'order'>,
  ) {
    this.#pool = pool;
    this.#switches = switches;
    this.#pods = pods;
    this.#orders = orders;
  }

  /** For a caller that has proven its key. */
  async perform(operation: OrderOperation): Promise<Reply> {
    const isSwitch = operation.name === 'cancel-after';
    const outcome = isSwitch
      ? this.#switches.set(operation, this.#pool)
      : this.#pool.operate(operation, null, monotonicUs());
    return this.reply(operation, await outcome);
  }

  reply(operation: OrderOperation, outcome: Result<OperationReply, PoolFailure>): Reply {
    if (!outcome.ok) {
      const { error } = outcome;
      const orderId = this.#orderIdOf(operation);
      // Nothing is looked up for a flood that is turned away.
      const maySend = error === 'FAULT' && operation.name === 'submit';
      const isUnsent = maySend && orderId !== null && this.#isUnrecorded(orderId);
      return unanswered(operation, error, { orderId, isUnsent });
    }
    const { status, body, headers } = outcome.value;
    return { ...jsonText(status, body), headers };
  }

  /** An order is recorded before it is sent, and the threads that had this one are dead: without a record it never left, and never will. */
  #isUnrecorded(orderId: OrderId): boolean {
    try {
      const order = this.#orders.order(orderId)?.order ?? null;
      // Of a released one the record is of an earlier try.
      return order === null || order.isReleased;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return false;
    }
  }

  /** Of the order that an operation may have changed. */
  #orderIdOf(operation: OrderOperation): OrderId | null {
    if (operation.name === 'cancel') return readOrderId(operation.orderId);
    if (operation.name !== 'submit') return null;
    const { caller, venue, idempotencyKey } = operation;
    const pod = this.#pods.find(it => it.podId === caller.podId);
    if (pod === undefined) return null;
    return deriveOrderId(Buffer.from(pod.secretHex, 'hex'), caller.actorId, venue, idempotencyKey);
  }
}
