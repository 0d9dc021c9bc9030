// The older family (interface §4.3): turns requests with an API key into operations, and answers in the older form. Main
// thread.

import { type ApiKey, fullActorId } from '../../core/domain/identity.ts';
import { venueNamed } from '../../core/domain/market.ts';
import { SUMMARY_VENUES } from '../../core/domain/market-summary.ts';
import type { Caller, OrderOperation } from '../../core/domain/operation.ts';
import { unreachable } from '../../core/domain/result.ts';
import { jsonReply, type Reply } from '../../core/net/listen.ts';
import type { ActorsOf } from '../../core/store/key-store.ts';
import { marketSummaryView } from '../../core/wire/older-views.ts';
import type { MarketReading } from '../../venues/market-read.ts';
import type { ReadMarket } from '../../venues/market-read-cache.ts';
import { olderRefusal, refusal, venueFaultReply } from './api-refusals.ts';
import type { Call, Handler } from './operation.ts';
import type { Perform } from './order-operations.ts';

export function olderHandlers(perform: Perform, actorsOf: ActorsOf): Readonly<Record<string, Handler<ApiKey>>> {
  const answeredBy =
    (asks: (call: Call<ApiKey>) => OrderOperation): Handler<ApiKey> =>
    async call =>
      toOlderForm(await perform(asks(call), call.request));
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

/**
 * Turns a refusal of an operation into the older form. Operations are refused in the form of the signed family: `{error: {code, message}}`.
 */
function toOlderForm(reply: Reply): Reply {
  if (reply.status < 400) return reply;
  const { error } = JSON.parse(String(reply.body)) as { readonly error: { readonly message: string } };
  return { ...reply, ...jsonReply(reply.status, { error: { message: error.message } }) };
}

/** GET /v1/markets/{marketVenue}/{marketId} (contract §7): one market of one venue. Another thread reads it from the venue. */
export function olderMarket(read: ReadMarket): Handler<ApiKey> {
  return async ({ parameters: [venueName, marketId = ''] }) => {
    const venue = SUMMARY_VENUES.find(it => it === venueName);
    if (venue === undefined) {
      const meant = venueNamed(venueName ?? '', SUMMARY_VENUES);
      const right = meant === undefined ? `one of ${SUMMARY_VENUES.join(', ')}` : `written ${meant} in a path`;
      return olderRefusal(refusal('invalid', `marketVenue: must be ${right}`));
    }
    return replyOf(await read(venue, marketId));
  };
}

function replyOf(reading: MarketReading): Reply {
  switch (reading.type) {
    case 'market':
      return jsonReply(200, { market: marketSummaryView(reading.market) });
    case 'unknown':
      return olderRefusal(refusal('notFound', reading.message));
    case 'faulty':
      return venueFaultReply(reading.message);
    case 'busy':
      return olderRefusal(refusal('unavailable', reading.message, [['Retry-After', String(reading.retryAfterS)]]));
    default:
      return unreachable(reading);
  }
}
