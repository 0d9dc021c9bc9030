// GET /v1/markets/{marketVenue}/{marketId} (interface §4.3, contract §7): one market of one venue, read live. Main thread; another
// thread does the reading.

import type { ApiKey } from '../../domain/identity.ts';
import { SUMMARY_VENUES } from '../../domain/market-summary.ts';
import { unreachable } from '../../domain/result.ts';
import { jsonReply, type Reply } from '../../net/listen.ts';
import type { MarketReading } from '../../venues/market-read.ts';
import type { ReadMarket } from '../../venues/market-read-cache.ts';
import { marketSummaryView } from '../../wire/market-summary-view.ts';
import type { Handler } from './operation.ts';
import { olderRefusal, refusal, venueFaultReply } from './replies.ts';

export function olderMarket(read: ReadMarket): Handler<ApiKey> {
  return async ({ parameters: [venueName, marketId = ''] }) => {
    const venue = SUMMARY_VENUES.find(it => it === venueName);
    if (venue === undefined) {
      return olderRefusal(refusal('invalid', `marketVenue: must be one of ${SUMMARY_VENUES.join(', ')}`));
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
