// The older family (interface §4.3): turns requests with an API key into operations, and answers in the older form. Main
// thread.

import { type ApiKey, fullActorId } from '../../domain/identity.ts';
import type { Caller, OrderOperation } from '../../domain/operation.ts';
import { jsonReply, type Reply } from '../../net/listen.ts';
import type { ActorsOf } from '../../store/pod-actors.ts';
import type { DeskLink } from './desk-link.ts';
import type { Call, Handler } from './operation.ts';

export function olderHandlers(desk: DeskLink, actorsOf: ActorsOf): Readonly<Record<string, Handler<ApiKey>>> {
  const answeredBy =
    (asks: (call: Call<ApiKey>) => OrderOperation): Handler<ApiKey> =>
    async call =>
      inOlderWords(await desk.perform(asks(call)));
  return {
    listOlderOrders: answeredBy(({ key, query, request }) => ({
      name: 'older-orders',
      caller: callerOf(key),
      path: request.path,
      query,
    })),
    getOlderBalances: answeredBy(({ key }) => ({
      name: 'older-balances',
      caller: callerOf(key),
      actorIds: actorsOf(key.podId),
    })),
  };
}

function callerOf(key: ApiKey): Caller {
  return { podId: key.podId, actorId: fullActorId(key), keyId: key.apiKeyId };
}

/** Operations are refused in the form of the signed family: `{error: {code, message}}`. */
function inOlderWords(reply: Reply): Reply {
  if (reply.status < 400) return reply;
  const { error } = JSON.parse(String(reply.body)) as { readonly error: { readonly message: string } };
  return { ...reply, ...jsonReply(reply.status, { error: { message: error.message } }) };
}
