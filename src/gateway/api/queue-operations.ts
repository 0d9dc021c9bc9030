// Adds the queue ahead of working orders to the answers that show orders. `?queue=true` adds the place as the gateway follows it.
// `?queue=venue` adds the venue's statement, too. If the venue does not answer, the orders are shown nevertheless, and each order says why
// its place is not known. Main thread.

import type { KeyEntry } from '../../core/auth/keyring.ts';
import { fullActorId } from '../../core/domain/identity.ts';
import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Reply } from '../../core/net/listen.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { type QueueView, queueView } from '../../core/wire/order-views.ts';
import type { QueueHub } from '../stream/queue-hub.ts';
import { type Refusal, refusal, signedRefusal } from './api-refusals.ts';
import type { Call, Handler } from './operation.ts';
import type { Perform } from './order-operations.ts';

/** The queues of actors. An actor's orders are followed from the first question on. Returns null if orders are not followed. */
export type Queues = () => Pick<QueueHub, 'of' | 'undisplayedAt'> | null;

/** Adds `queueAhead` to each order of an answer, and `queueAtVenue` if the caller asks for it. */
export type AddQueues = (call: Call<KeyEntry>, reply: Reply) => Promise<Reply>;

export function createAddQueues(queues: Queues, perform: Perform): AddQueues {
  return async (call, reply) => {
    const { key, query, request } = call;
    const value = query.get('queue');
    if (request.path.startsWith(OF_VENUE_A) ? value !== 'true' : value !== 'true' && value !== 'venue') {
      const words = request.path.startsWith(OF_VENUE_A) ? 'true: venue A states no places in queues' : 'true or venue';
      return signedRefusal(refusal('invalid', `queue: must be ${words}`));
    }
    if (reply.status !== 200) return reply;
    const body = JSON.parse(String(reply.body)) as JsonObject;
    const atVenue = value === 'venue' ? await placesAtVenue(perform, call, body) : null;
    const withQueues = async (actorId: string, order: JsonObject): Promise<JsonObject> => {
      const queued = { ...order, queueAhead: await queueAheadOf(queues, actorId, textOf(order.orderId)) };
      return atVenue === null ? queued : { ...queued, queueAtVenue: atVenue(order) };
    };
    const queued = async (row: JsonObject): Promise<JsonObject> => {
      // The list of a pod has rows with an order and its actor.
      if (isObject(row.order)) {
        const actor = fullActorId({ podId: key.podId, actorId: textOf(row.actorId) });
        return { ...row, order: await withQueues(actor, row.order) };
      }
      return withQueues(key.caller.actorId, row);
    };
    const answer = await readOrRefuse(async () => {
      if (body.orders === undefined) return queued(body);
      const orders: JsonObject[] = [];
      for (const row of objectsOf(body.orders)) orders.push(await queued(row));
      return { ...body, orders };
    });
    return answer.ok ? { ...reply, body: JSON.stringify(answer.value) } : signedRefusal(answer.error);
  };
}

/** Answers like `plain`, and adds the queues if the request has the parameter. */
export function withQueuesOnRequest(queued: AddQueues, plain: Handler<KeyEntry>): Handler<KeyEntry> {
  return async call => (call.query.has('queue') ? queued(call, await plain(call)) : plain(call));
}

/** Performs a read that needs the open orders of an actor. Returns the refusal if the open orders cannot be read. */
export async function readOrRefuse<Value>(read: () => Promise<Value>): Promise<Result<Value, Refusal>> {
  try {
    return ok(await read());
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail(refusal('unavailable', 'the open orders cannot be read: the queue ahead of them is not known'));
  }
}

const OF_VENUE_A = '/v1/venue-a/';

/** The place of an order in the queue, as the venue states it. Exactly one of the two fields is null. */
interface PlaceAtVenue {
  /** The shares ahead, as decimal text. */
  readonly ahead: string | null;
  /** The reason why the place is not known. */
  readonly fault: string | null;
}

type PlaceOf = (order: JsonObject) => PlaceAtVenue | null;

/** Asks venue B for the queues in the markets of the body's working orders. The returned function returns null for any other order. */
async function placesAtVenue(perform: Perform, { key, request }: Call<KeyEntry>, body: JsonObject): Promise<PlaceOf> {
  const rows = body.orders === undefined ? [body] : objectsOf(body.orders);
  const working = rows.map(row => (isObject(row.order) ? row.order : row)).filter(isWorkingAtB);
  if (working.length === 0) return () => null;
  const addresses = [...new Set(working.map(it => textOf(it.ticker)))];
  const operation = { name: 'queue-positions', venue: 'venue_b', caller: key.caller, addresses } as const;
  const reply = await perform(operation, request);
  const answer = JSON.parse(String(reply.body)) as JsonObject;
  const ahead = new Map((answer.ahead ?? []) as readonly (readonly [venueOrderId: string, shares: string])[]);
  const fault = reply.status === 200 ? NOT_STATED : textOf(isObject(answer.error) ? answer.error.message : '');
  return order => {
    if (!isWorkingAtB(order)) return null;
    const shares = ahead.get(textOf(order.venueOrderId)) ?? null;
    return { ahead: shares, fault: shares === null ? fault : null };
  };
}

const NOT_STATED = 'venue B does not state the place of this order: it may have come or ended just now';

function isWorkingAtB({ status, ticker, venueOrderId }: JsonObject): boolean {
  return status === 'OPEN' && textOf(ticker) !== '' && textOf(venueOrderId) !== '';
}

/**
 * Returns null for an order that is not working, and for an order of another actor. Rejects with a StoreError if the open orders cannot be
 * read.
 */
export async function queueAheadOf(queues: Queues, actorId: string, orderId: string): Promise<QueueView | null> {
  const found = (await queues()?.of(actorId))?.of(orderId as OrderId) ?? null;
  return found === null ? null : queueView(found);
}
