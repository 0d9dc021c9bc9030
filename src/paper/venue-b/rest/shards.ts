// The shard of venue B on which an order is looked up (venue-b.md §3): the one that the request names; without one, or with -1, that of the
// request's ticker; else shard 0. On a wrong shard it is not found. Thread of the paper exchanges.

import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';

/** Shard fields of a request: values of its body, texts of its query. */
export interface Routing {
  readonly shard: unknown;
  readonly ticker: unknown;
}

/** Whether the market is on the shard that the request means; the ticker is the market's. */
export function isNamed(market: VenueBMarket, shard: unknown): boolean {
  return namedOf(shard) === null || namedOf(shard) === market.shard;
}

/** Whether the order is on the shard that the request means; true for an unknown order. */
export function isRouted(exchange: VenueBExchange, owner: Owner, orderId: string, { shard, ticker }: Routing): boolean {
  const market = exchange.reads(0).order(owner, orderId)?.market;
  if (market === undefined) return true;
  const named = namedOf(shard);
  if (named !== null) return named === market.shard;
  if (typeof ticker === 'string' && ticker !== '') return exchange.markets.get(ticker)?.shard === market.shard;
  return market.shard === 0;
}

/** Null without a shard. */
function namedOf(shard: unknown): number | null {
  const index = typeof shard === 'string' && shard !== '' ? Number(shard) : shard;
  return typeof index === 'number' && index >= 0 ? index : null;
}
