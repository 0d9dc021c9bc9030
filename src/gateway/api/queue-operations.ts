// The queue ahead of working orders, as an addition to the answers that show orders (`?queue=true`). Main thread.

import type { KeyEntry } from '../../core/auth/keyring.ts';
import { fullActorId } from '../../core/domain/identity.ts';
import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Reply } from '../../core/net/listen.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { queueView } from '../../core/wire/order-views.ts';
import type { QueueHub } from '../stream/queue-hub.ts';
import { type Refusal, refusal, signedRefusal } from './api-refusals.ts';
import type { Call, Handler } from './operation.ts';

/** Queues of actors, which are followed from the first question on; null if orders are not followed. */
export type Queues = () => Pick<QueueHub, 'of' | 'undisplayedAt'> | null;

/** Adds `queueAhead` to each order of an answer. */
export type Queued = (call: Call<KeyEntry>, reply: Reply) => Promise<Reply>;

export function queuedBy(queues: Queues): Queued {
  return async ({ key, query }, reply) => {
    if (query.get('queue') !== 'true') return signedRefusal(refusal('invalid', 'queue: must be true'));
    if (reply.status !== 200) return reply;
    const body = JSON.parse(String(reply.body)) as JsonObject;
    const queued = async (row: JsonObject): Promise<JsonObject> => {
      // In the list of a pod, each order stands beside its actor.
      if (isObject(row.order)) {
        const actor = fullActorId({ podId: key.podId, actorId: textOf(row.actorId) });
        return { ...row, order: await withQueue(queues, actor, row.order) };
      }
      return withQueue(queues, key.caller.actorId, row);
    };
    const answer = await unlessUnknown(async () => {
      if (body.orders === undefined) return queued(body);
      const orders: JsonObject[] = [];
      for (const row of objectsOf(body.orders)) orders.push(await queued(row));
      return { ...body, orders };
    });
    return answer.ok ? { ...reply, body: JSON.stringify(answer.value) } : signedRefusal(answer.error);
  };
}

/** `plain`, with the queues where the request has the parameter. */
export function queuedIfAsked(queued: Queued, plain: Handler<KeyEntry>): Handler<KeyEntry> {
  return async call => (call.query.has('queue') ? queued(call, await plain(call)) : plain(call));
}

/** An answer that needs the open orders of an actor, or the refusal if they cannot be read. */
export async function unlessUnknown<Value>(read: () => Promise<Value>): Promise<Result<Value, Refusal>> {
  try {
    return ok(await read());
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail(refusal('unavailable', 'the open orders cannot be read: the queue ahead of them is not known'));
  }
}

async function withQueue(queues: Queues, actorId: string, order: JsonObject): Promise<JsonObject> {
  const found = (await queues()?.of(actorId))?.of(order.orderId as OrderId) ?? null;
  return { ...order, queueAhead: found === null ? null : queueView(found) };
}
