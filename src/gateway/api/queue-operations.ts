// The queue ahead of working orders, as an addition to the answers that show orders (`?queue=true`). Main thread.

import type { KeyEntry } from '../../core/auth/keyring.ts';
import { isObject, type JsonObject, objectsOf } from '../../core/domain/json.ts';
import type { OrderId } from '../../core/domain/order.ts';
import type { Reply } from '../../core/net/listen.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { type QueueView, queueView } from '../../core/wire/order-views.ts';
import type { QueueHub } from '../stream/queue-hub.ts';
import { refusal, signedRefusal } from './api-refusals.ts';
import type { Call } from './operation.ts';

/** The queues of an actor, which are followed from then on; null if orders are not followed. Rejects with a StoreError. */
export type QueuesOf = (actorId: string) => ReturnType<QueueHub['of']> | null;

/** Adds `queueAhead` to each order of an answer. */
export type Queued = (call: Call<KeyEntry>, reply: Reply) => Promise<Reply>;

export function queuedBy(queuesOf: QueuesOf): Queued {
  return async ({ key, query }, reply) => {
    if (query.get('queue') !== 'true') return signedRefusal(refusal('invalid', 'queue: must be true'));
    if (reply.status !== 200) return reply;
    const queues = await queuesOf(key.caller.actorId)?.catch(asRefused);
    if (queues instanceof StoreError)
      return signedRefusal(
        refusal('unavailable', 'the open orders cannot be read: the queue ahead of them is not known'),
      );
    const viewOf = (orderId: string): QueueView | null => {
      const found = queues?.of(orderId as OrderId) ?? null;
      return found === null ? null : queueView(found);
    };
    return { ...reply, body: JSON.stringify(withQueues(JSON.parse(String(reply.body)), viewOf)) };
  };
}

function withQueues(answer: unknown, viewOf: (orderId: string) => QueueView | null): JsonObject {
  const body = isObject(answer) ? answer : {};
  const queued = (order: JsonObject): JsonObject => ({ ...order, queueAhead: viewOf(String(order.orderId)) });
  return body.orders === undefined ? queued(body) : { ...body, orders: objectsOf(body.orders).map(queued) };
}

function asRefused(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  throw error;
}
