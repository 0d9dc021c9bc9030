// Finds the account and the order of a call at venue B. Account: the caller's primary one, the named subaccount, or the only one that the
// key may use (venue-b.md §2). Order: on the shard that the request names; without one, or with -1, on that of the request's ticker; else
// on shard 0. On a wrong shard it is not found (venue-b.md §3). Thread of the paper exchanges.

import type { JsonObject } from '../../../core/domain/json.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { limits } from '../../../limits.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';
import type { Caller } from './access.ts';
import { errorOf, OTHER_SUBACCOUNT, type VenueBError } from './errors.ts';
import { isShard } from './funds.ts';
import type { SignedCall } from './route.ts';

/** `named`: the subaccount; null if the request names none. */
export function ownerOf({ userId, subaccount: only }: Caller, named: number | null): Result<Owner, VenueBError> {
  if (named === null) return ok({ userId, subaccount: only ?? 0 });
  if (!Number.isInteger(named) || named < 0 || named >= limits.paperSubaccountsMax) {
    return fail(errorOf(400, 'invalid_subaccount'));
  }
  return only === null || only === named ? ok({ userId, subaccount: named }) : fail(OTHER_SUBACCOUNT);
}

/** Subaccount of a body; the checks of the body handle a value that is no number. */
export function subaccountIn({ subaccount }: JsonObject): number | null {
  return typeof subaccount === 'number' ? subaccount : null;
}

/** Owners for calls that mean all subaccounts unless one is named. */
export function ownersOf(exchange: VenueBExchange, call: SignedCall): readonly Owner[] {
  return call.query.has('subaccount') ? [call.owner] : reachedBy(exchange, call);
}

/** All accounts that the key may use. */
export function reachedBy(exchange: VenueBExchange, { caller, owner }: SignedCall): readonly Owner[] {
  return caller.subaccount === null ? allOwnersOf(exchange, caller.userId) : [owner];
}

export function allOwnersOf(exchange: VenueBExchange, userId: string): readonly Owner[] {
  const [primary, ...others] = exchange.subaccounts(userId);
  const numbers = primary === 0 ? [primary, ...others] : [0, ...exchange.subaccounts(userId)];
  return numbers.map(subaccount => ({ userId, subaccount }));
}

export function hasSubaccount(exchange: VenueBExchange, userId: string, subaccount: number): boolean {
  return subaccount === 0 || exchange.subaccounts(userId).includes(subaccount);
}

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

/** The shard that pays for a request: the named one, that of its ticker, or the first. */
export function payingShard(exchange: VenueBExchange, { shard, ticker }: Routing): number {
  const named = namedOf(shard);
  if (named !== null) return isShard(named) ? named : 0;
  return typeof ticker === 'string' ? (exchange.markets.get(ticker)?.shard ?? 0) : 0;
}

/** Null without a shard. */
function namedOf(shard: unknown): number | null {
  const index = typeof shard === 'string' && shard !== '' ? Number(shard) : shard;
  return typeof index === 'number' && index >= 0 ? index : null;
}
