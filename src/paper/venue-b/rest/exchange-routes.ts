// Status, and lag of private reads at venue B (venue-b.md §4.1). Thread of the paper exchanges.

import { jsonReply } from '../../../core/net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import { timeText } from '../wire-text.ts';
import { publicGet, type VenueBRoute } from './route.ts';

export const exchangeRoutes: readonly VenueBRoute[] = [
  publicGet('/exchange/status', (_call, { exchange }) => jsonReply(200, statusOf(exchange))),
  publicGet('/exchange/user_data_timestamp', ({ staleMs }, { exchange }) =>
    jsonReply(200, { as_of_time: timeText(exchange.reads(staleMs).asOf) }),
  ),
];

/** Shards with markets, and always the first. */
function statusOf({ state: { isExchangeActive, isTradingActive }, markets }: VenueBExchange): object {
  const trading_active = isExchangeActive && isTradingActive;
  const intra_exchange_transfers_active = false;
  const shards = new Set([0, ...Array.from(markets.values(), ({ shard }) => shard)]);
  return {
    exchange_active: isExchangeActive,
    exchange_index_statuses: [...shards].map(exchange_index => ({
      description: `Shard ${exchange_index}`,
      exchange_active: isExchangeActive,
      exchange_index,
      intra_exchange_transfers_active,
      trading_active,
    })),
    intra_exchange_transfers_active,
    trading_active,
  };
}
