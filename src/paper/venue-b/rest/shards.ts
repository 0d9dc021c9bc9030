// On which shard of venue B an order is looked for (venue-b.md §3): on the one that the request names; else, or if it names -1, on
// that of the ticker which it gives; else on shard 0. On a wrong one it is not found. Thread of the paper exchanges.

import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';

/** What a request says of it: values of its body, texts of its query. */
export interface Routing {
  readonly shard: unknown;
  readonly ticker: unknown;
}

/** Whether the market is where the request wants it, whose ticker is the market's. */
export function isNamed(market: VenueBMarket, shard: unknown): boolean {
  return namedOf(shard) === null || namedOf(shard) === market.shard;
}

/** Whether the order is where the request looks for it; true of one that does not exist. */
export function isRouted(exchange: VenueBExchange, owner: Owner, orderId: string, { shard, ticker }: Routing): boolean {
  const market = exchange.reads(0).order(owner, orderId)?.market;
  if (market === undefined) return true;
  const named = namedOf(shard);
  if (named !== null) return named === market.shard;
  if (typeof ticker === 'string' && ticker !== '') return exchange.markets.get(ticker)?.shard === market.shard;
  return market.shard === 0;
}

/** Null: it names none. */
function namedOf(shard: unknown): number | null {
  const index = typeof shard === 'string' && shard !== '' ? Number(shard) : shard;
  return typeof index === 'number' && index >= 0 ? index : null;
}
