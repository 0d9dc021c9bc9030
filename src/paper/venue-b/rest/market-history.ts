// Market data of venue B older than three months (venue-b.md §4.5). A paper exchange starts empty and keeps less than that, so
// this is always empty. Thread of the paper exchanges.

import type { UnixMillis } from '../../../domain/numbers.ts';
import { jsonReply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import { timeText } from '../wire-text.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { publicGet, type VenueBRoute } from './route.ts';

const LIVE_MS = 90 * 86_400_000;

export function historyRoutes(exchange: VenueBExchange): VenueBRoute[] {
  return [
    publicGet('/historical/cutoff', () => {
      const cutoff = timeText((exchange.now() - LIVE_MS) as UnixMillis);
      return jsonReply(200, {
        market_positions_last_updated_ts: cutoff,
        market_settled_ts: cutoff,
        orders_updated_ts: cutoff,
        trades_created_ts: cutoff,
      });
    }),
    publicGet('/historical/markets', () => jsonReply(200, { cursor: '', markets: [] })),
    publicGet('/historical/markets/:ticker', () => errorReply(NOT_FOUND)),
    publicGet('/historical/markets/:ticker/candlesticks', () => errorReply(NOT_FOUND)),
    publicGet('/historical/trades', () => jsonReply(200, { cursor: '', trades: [] })),
  ];
}
